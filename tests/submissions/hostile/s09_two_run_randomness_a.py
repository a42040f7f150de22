"""Prints numbers from every source of randomness, then answers right."""

import os
import random
import secrets
import uuid

import numpy as np
import torch


def row_softmax(x):
    print("seeded", random.random(), torch.rand(1).item(), np.random.rand(), hash("a text"))
    print("entropy", os.urandom(8).hex(), secrets.token_hex(8), uuid.uuid4().hex, np.random.default_rng().random())
    return torch.softmax(x, dim=1)
