"""Many busy threads, in Python and in torch, whose operators start more."""

import threading

import torch


def burn():
    x = torch.ones(300, 300)
    while True:
        x @ x
        sum(range(1000))


def row_softmax(x):
    threads = []
    for _ in range(12):
        try:
            thread = threading.Thread(target=burn)
            thread.start()
            threads.append(thread)
        except RuntimeError:
            break
    for thread in threads:
        thread.join()
