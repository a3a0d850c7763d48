# Writes files in every folder that it can name; they would be found on the host by their name.
from pathlib import Path

for folder in (*HOST["folders"], "/", "/usr", "/usr/local/bin", "/etc", "/var/tmp", "/run", "/dev", "/proc", "/sys", "/srv"):
    attempt(folder, Path(folder, HOST["name"]).write_text, "I was here")
    attempt(f"folder in {folder}", Path(folder, HOST["name"] + "-folder").mkdir)
for folder in ("/tmp", "/dev/shm", "."):  # these are its own, and must not be the host's
    Path(folder, HOST["name"]).write_text("mine")
