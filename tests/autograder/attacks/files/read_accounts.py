# Reads accounts, passwords, keys and mail of the machine; they would be in the output.
import glob
import os

for name in ("/etc/shadow", "/etc/passwd", "/etc/hosts", "/etc/ssh", "/etc/ssl/private", "/var/mail", "/var/log"):
    attempt(name, lambda name=name: os.listdir(name) if os.path.isdir(name) else open(name).read())
for home in ("/root", HOST["home"], os.path.expanduser("~root")):
    attempt(f"keys in {home}", lambda home=home: glob.glob(f"{home}/.ssh/*")[0])
    attempt(f"list {home}", os.listdir, home)
