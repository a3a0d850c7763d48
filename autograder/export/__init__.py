"""`autograder export`: marks for an LMS.

| module | does |
|---|---|
| `marks.py` | what each student gets, and who has to wait for it |
| `table.py` | a CSV file of which every byte that is not filled in stays as it is |
| `people.py` | which row of a file is which student |
| `sheet.py` | our own CSV, a column for each exercise |
| `canvas.py`, `moodle.py` | fill in a gradebook exported from Canvas, a grading worksheet from Moodle |
| `gradescope.py`, `container.py` | the autograder zip for Gradescope, and what runs there |
| `summary.py` | results for the page of a run on GitHub Actions |

Files for Canvas and Moodle are never made up: their columns, ids and dates come from the LMS, and only grades are
written into them.
"""
