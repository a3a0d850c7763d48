"""What runs inside the sandbox: everything here shares a process with what learners wrote.

`zygote` imports what the lab imports, once, and forks a process for each submission; `cage` takes that process's
rights away; `server` runs its cells one by one as the trusted side asks for them. Nothing in this package knows of the
course, the gradebook or other submissions, and nothing that it sends is believed without a check (`autograder.jail`).

It must import nothing else of `autograder`: only this folder is visible in there.
"""
