# Reads another learner's submission and feedback; the secret in them would be in the output.
# on the host: works
from pathlib import Path

for name in ("submitted/bob/lab/lab.ipynb", "feedback/bob/lab.html", "autograded/bob/result.json"):
    attempt(name, Path(HOST["course"], name).read_text)
