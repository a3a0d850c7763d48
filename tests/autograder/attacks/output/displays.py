# Displays without end, and large ones.
from IPython.display import HTML, display

for _ in range(600):
    display(HTML("<b>" + "w" * 1000 + "</b>"))
display(HTML("v" * 10_000_000))
