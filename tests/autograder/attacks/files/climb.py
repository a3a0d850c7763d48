# Climbs out of its folder by "..", by open folders and by /proc/self; the course's files would be in the output.
import os

for path in ("/".join([".."] * 9) + HOST["course"], f"/proc/self/cwd/../../{HOST['course']}",
             f"/proc/self/root/{HOST['course']}", f"/proc/thread-self/root{HOST['course']}"):  # fmt: skip
    attempt(path, os.listdir, path)
here = os.open(".", os.O_RDONLY)
attempt("openat", lambda: os.listdir(os.open("../../.." + HOST["course"], os.O_RDONLY, dir_fd=here)))
attempt("O_PATH of /", lambda: os.listdir(os.open("/", os.O_PATH)))
os.chdir("../..")
attempt("from above", os.listdir, "." + HOST["course"])
