"""Right answers, then an exit hook and a thread that never end."""

import atexit
import threading

import torch


def forever():
    while True:
        pass


atexit.register(forever)
started = []


def row_softmax(x):
    if not started:
        started.append(threading.Thread(target=threading.Event().wait))
        started[0].start()
    return torch.softmax(x, dim=1)
