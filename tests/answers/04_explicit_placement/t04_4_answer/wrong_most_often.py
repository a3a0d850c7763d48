# reason: counts copies, not bytes
# Task 4.4: which line moves the most?
from collections import Counter


def worst_line(trace):
    counts = Counter(c.source for c in trace.copies if c.kind == "H2D")
    return counts.most_common(1)[0][0] if counts else None
