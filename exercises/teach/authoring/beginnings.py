"""What a new exercise begins with: one that is sound and small, to be changed into one's own."""

from __future__ import annotations

import re

from exercises.choices import Kind
from exercises.content.beginning import beginning_of
from exercises.content.exercise import YAML_FILE
from exercises.content.writing import Stored, stored_files
from exercises.content.yamlwriting import write_yaml

_TITLE = re.compile(r"^title: .*$", re.MULTILINE)


def beginning(kind: Kind, title: str) -> dict[str, Stored]:
    """The files of a new exercise of this kind, with its title."""
    files = stored_files(beginning_of(kind.value))
    line = write_yaml({"title": title}).rstrip("\n")
    return {**files, YAML_FILE: _TITLE.sub(lambda _found: line, str(files[YAML_FILE]), count=1)}
