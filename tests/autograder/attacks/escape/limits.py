# Raises its own limits.
import resource

for name in ("AS", "FSIZE", "NPROC", "CPU", "NOFILE", "CORE", "MEMLOCK"):
    kind = getattr(resource, f"RLIMIT_{name}")
    most = resource.getrlimit(kind)[1]
    assert most != resource.RLIM_INFINITY, f"ESCAPED {name}"
    attempt(f"raise {name}", resource.setrlimit, kind, (most + 1, most + 1))
