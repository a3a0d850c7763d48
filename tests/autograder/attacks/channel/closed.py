# Closes the connection and every other descriptor.
# ends: died
import os

os.closerange(0, 512)
