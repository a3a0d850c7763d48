# Task 4.4: which line moves the most?
def worst_line(trace):
    down = [c for c in trace.copies if c.kind == "H2D"]

    def moved_by_line_of(one):
        return sum(c.bytes for c in down if (c.file, c.line) == (one.file, one.line))

    return sorted(down, key=moved_by_line_of)[-1].source if down else None
