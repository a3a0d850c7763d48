# The kernel's 32-bit entrance, where calls have other numbers; the filter would not know them.
# machine: x86_64
# ends: died
import ctypes
import mmap

attempt("x32", syscall, 0x40000000 | 165, b"none", b"/tmp", b"tmpfs", 0, 0)
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # mov eax, 20; int 0x80; ret: getpid as 32-bit programs call it
print("ESCAPED", ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))())
