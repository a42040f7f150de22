"""Prints every global setting, and answers right."""

import os
import sys

import numpy as np
import torch


def row_softmax(x):
    print(torch.get_default_dtype(), torch.empty(1).device, torch.are_deterministic_algorithms_enabled())
    print(torch.tensor(1 / 3), torch.is_grad_enabled(), torch.softmax.__name__, np.geterr()["divide"])
    print(np.array(1 / 3), "/left-by-a" in sys.path, sys.getrecursionlimit(), "LEFT_BY_A" in os.environ)
    return torch.softmax(x, dim=1)
