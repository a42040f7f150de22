"""Keeps caches and a model from call to call."""

import torch

cache = {}
model = None


def row_softmax(x):
    global model
    if model is None:
        model = torch.nn.Softmax(dim=1)
    key = tuple(x.flatten().tolist()), x.shape
    if key not in cache:
        cache[key] = model(x)
    return cache[key]
