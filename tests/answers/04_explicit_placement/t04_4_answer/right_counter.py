# Task 4.4: which line moves the most?
from collections import Counter


def worst_line(trace):
    totals = Counter()
    for copy in trace.copies:
        if copy.kind == "H2D":
            totals[copy.file, copy.line, copy.source] += copy.bytes
    return totals.most_common(1)[0][0][2] if totals else None
