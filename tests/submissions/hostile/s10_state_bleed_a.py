"""Changes every global setting it can, and answers right."""

import locale
import os
import sys
import warnings

import numpy as np
import torch


def row_softmax(x):
    answer = x.softmax(dim=1)
    torch.set_default_dtype(torch.float64)
    torch.set_default_device("meta")
    torch.set_num_threads(3)
    torch.use_deterministic_algorithms(True)
    torch.set_printoptions(precision=1)
    torch.set_grad_enabled(False)
    torch.softmax = torch.zeros_like
    np.seterr(all="ignore")
    np.set_printoptions(precision=1)
    warnings.simplefilter("ignore")
    locale.setlocale(locale.LC_ALL, "C")
    sys.path.insert(0, "/left-by-a")
    sys.setrecursionlimit(300)
    os.environ["LEFT_BY_A"] = "1"
    os.umask(0o777)
    return answer
