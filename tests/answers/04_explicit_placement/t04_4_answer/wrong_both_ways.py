# reason: counts the way back too
# Task 4.4: which line moves the most?
def worst_line(trace):
    totals, texts = {}, {}
    for copy in trace.copies:
        totals[copy.file, copy.line] = totals.get((copy.file, copy.line), 0) + copy.bytes
        texts[copy.file, copy.line] = copy.source
    return texts[max(totals, key=totals.get)] if totals else None
