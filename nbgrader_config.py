"""The course as nbgrader sees it. `nbgrader ...` and `autograder ...` both read this file.

With it, nbgrader's own commands write the same release and give the same points as `autograder`: the stubs name their
task, standard error costs no points, and partial credit must be a number from 0 to the maximum.
"""

from autograder.course import RELEASE_STEPS, SANITISE_STEPS, STORE_STEPS

c = get_config()  # noqa: F821  traitlets puts it here

c.CourseDirectory.course_id = "syncpoint"
# nbgrader copies every other file of source/<lab>/ into release/<lab>/: a module with solutions would go along.
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", "*.py"]

c.GenerateAssignment.preprocessors = RELEASE_STEPS
c.ClearSolutions.text_stub = "Write your answer here."

c.Autograde.sanitize_preprocessors = SANITISE_STEPS
c.Autograde.autograde_preprocessors = ["nbgrader.preprocessors.Execute", *STORE_STEPS]

# Kernels talk to us on this machine only; without this line ipykernel 7.4 warns about it once a notebook.
c.KernelManager.transport_encryption = "auto"
