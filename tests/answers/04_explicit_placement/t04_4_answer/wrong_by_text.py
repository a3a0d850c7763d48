# reason: takes two lines with the same text for one
# Task 4.4: which line moves the most?
def worst_line(trace):
    totals = {}
    for copy in trace.copies:
        if copy.kind == "H2D":
            totals[copy.source] = totals.get(copy.source, 0) + copy.bytes
    return max(totals, key=totals.get) if totals else None
