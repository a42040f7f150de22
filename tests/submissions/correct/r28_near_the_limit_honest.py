"""Right, with about 80 percent of memory and CPU time, all of it in the first call."""

import time

import torch

done = []


def row_softmax(x):
    if not done:
        large = torch.ones(100 * 1024 * 1024)
        while time.process_time() < 3.0:
            large[: 1024 * 1024].mul_(1.0)
        done.append(float(large[0]))
        del large
    return torch.softmax(x, dim=1)
