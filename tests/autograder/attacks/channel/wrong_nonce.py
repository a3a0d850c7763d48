# An answer that says "right", for a question that it has not seen.
# ends: died the process sent something that is no answer
for descriptor in connections():
    say(descriptor, b'{"ok": true, "outputs": [], "nonce": "00000000000000000000000000000000", "noticed": []}')
