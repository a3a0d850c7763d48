# Memory that no file and no map shows: memfd, System V segments and queues, secret memory.
import ctypes
import os

attempt("memfd_create", os.memfd_create, "x")
attempt("memfd_secret", syscall, "memfd_secret", 0)
attempt("shmget", syscall, "shmget", 1, 1 << 20, 0o1600)
attempt("msgget", syscall, "msgget", 1, 0o1600)
attempt("semget", syscall, "semget", 1, 1, 0o1600)
attempt("mq_open", syscall, "mq_open", ctypes.c_char_p(b"x"), os.O_CREAT | os.O_RDWR, 0o600, 0)
attempt("mlock", lambda: 1 / (ctypes.CDLL(None).mlockall(3) == 0))
