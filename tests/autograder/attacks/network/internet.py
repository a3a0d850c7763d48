# Names, web pages and public addresses; an answer would be in the output.
import os
import socket
import urllib.request

attempt("dns", socket.getaddrinfo, "example.com", 443)
for address in ("1.1.1.1", "8.8.8.8", "169.254.169.254", "2606:4700:4700::1111"):
    attempt(address, socket.create_connection, (address, 53), 1)
attempt("metadata", urllib.request.urlopen, "http://169.254.169.254/latest/meta-data", None, 1)
attempt("web", urllib.request.urlopen, "http://example.com", None, 1)
assert os.system("pip download six 2>/dev/null || python -m pip download six 2>/dev/null") != 0
