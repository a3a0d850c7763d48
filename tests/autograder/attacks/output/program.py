# A program that prints without end.
# limits: tight
import os

os.system("yes flood | head -c 60000000")
