# Connects to a socket in the host's file system and to the well-known ones; the listener would know.
# on the host: works
import socket

for path in (HOST["unix"], "/run/docker.sock", "/var/run/docker.sock", "/run/systemd/private", "/run/dbus/system_bus_socket"):
    attempt(path, socket.socket(socket.AF_UNIX).connect, path)
