# Never ends.
# limits: tight
# ends: timeout
while True:
    pass
