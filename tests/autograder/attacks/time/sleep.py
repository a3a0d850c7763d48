# Sleeps for an hour.
# limits: tight
# ends: timeout
import time

time.sleep(3600)
