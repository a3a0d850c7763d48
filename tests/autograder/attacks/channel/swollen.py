# A short answer that is large when it is read: millions of empty lists.
# ends: died
for descriptor in connections():
    say(descriptor, b"[" + b"[]," * 5_000_000 + b"[]]")
