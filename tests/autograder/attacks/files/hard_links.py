# Hard links, renames and moves from outside into its folder, to have the file itself; the canary would be shown.
import os

attempt("hard link", os.link, HOST["canary"], "mine")
attempt("hard link of a library", os.link, os.__file__, "os.py")
attempt("rename", os.rename, HOST["canary"], "mine")
attempt("rename a library", os.rename, os.__file__, "os.py")
