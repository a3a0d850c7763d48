# Mounts, and takes mounts away, to see what they hide.
import os

for folder in ("/tmp", "/proc", "/home/learner", "/dev", "/"):
    attempt(f"mount {folder}", syscall, "mount", b"none", folder.encode(), b"tmpfs", 0, 0)
    attempt(f"bind {folder}", syscall, "mount", b"/", folder.encode(), 0, 4096, 0)
    attempt(f"remount {folder}", syscall, "mount", b"none", folder.encode(), 0, 32 | 4096, 0)
    attempt(f"umount {folder}", syscall, "umount2", folder.encode(), 2)
    attempt(f"open_tree {folder}", syscall, "open_tree", -100, folder.encode(), 1)
attempt("pivot_root", syscall, "pivot_root", b".", b".")
attempt("fsopen", syscall, "fsopen", b"tmpfs", 0)
attempt("fsopen proc", syscall, "fsopen", b"proc", 0)
os.system("umount -l /tmp /home/learner /proc 2>/dev/null")
