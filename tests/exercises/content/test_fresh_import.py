import subprocess
import sys

PROGRAM = """
import sys
from pathlib import Path
from exercises.content import read_course
from exercises.content.markdown import render_markdown
read_course(Path("exercises/courses/attention"))
render_markdown("$x$")
print(sorted({"torch", "django", "celery"} & set(sys.modules)))
"""


def test_reading_a_course_loads_neither_torch_nor_the_database():
    finished = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)

    assert finished.stdout == "[]\n"
