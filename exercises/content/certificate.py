"""The certificate in an exercise folder: a check that it has passed, kept beside it in version control."""

from __future__ import annotations

import json

from pydantic import ValidationError

from exercises.content.files import FileTree
from exercises.content.problems import Problem
from exercises.content.values import CertificateFile

CERTIFICATE_FILE = "certificate.json"


def read_certificate(tree: FileTree) -> tuple[CertificateFile | None, list[Problem]]:
    """The certificate in a folder, if there is one, and what is wrong with it."""
    if CERTIFICATE_FILE not in tree.entries():
        return None, []
    text, problems = tree.text(CERTIFICATE_FILE)
    if text is None:
        return None, problems
    try:
        return CertificateFile.model_validate_json(text), []
    except ValidationError:
        message = "expected a certificate as `check_exercise --write-certificates` writes it, found something else"
        return None, [Problem(file=CERTIFICATE_FILE, message=message)]


def write_certificate(certificate: CertificateFile) -> bytes:
    """The content of the file; always the same for the same certificate."""
    fields = certificate.model_dump(mode="json")
    fields["mutants"] = dict(sorted(fields["mutants"].items()))
    return (json.dumps(fields, indent=2, ensure_ascii=False) + "\n").encode()
