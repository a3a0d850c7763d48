# Takes memory in one piece and in many; the machine would be short of it.
# limits: tight
# ends: error
held = []
while True:
    held.append(bytearray(50 << 20))
