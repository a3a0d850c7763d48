# Threads without end; the machine would be full of them.
# limits: tight
# ends: error
import threading
import time

started = 0
while started < 5000:
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()  # RuntimeError at the limit
    started += 1
print("ESCAPED")
