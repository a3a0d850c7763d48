# Text that no file can hold (half a character), and control characters; writing the executed notebook would fail.
import sys

print("\ud800 \x00 \x1b[2J \udfff")
sys.stderr.write("\ud83d")
from IPython.display import display

display({"text/plain": "\udc00"}, raw=True, metadata={"\ud800": float("nan")})
