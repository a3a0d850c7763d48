# An answer nested so deep that reading it could break the reader.
# ends: died
for descriptor in connections():
    say(descriptor, b"[" * 500_000 + b"]" * 500_000)
