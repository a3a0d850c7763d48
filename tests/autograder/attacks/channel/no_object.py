# Answers that are JSON but no object, and names that are no text.
# ends: died the process sent something that is no answer
for descriptor in connections():
    say(descriptor, b'[1, null, "nonce"]')
