import numpy as np
import torch

queries = torch.from_numpy(np.loadtxt("data/queries.csv", delimiter=",", dtype=np.float32))
keys = torch.from_numpy(np.loadtxt("data/keys.csv", delimiter=",", dtype=np.float32))
print(tuple(queries.shape), tuple(keys.shape))

weights = (queries @ keys.mT).softmax(dim=-1)
places = weights.argmax(dim=-1)
astray = (places != torch.arange(4)).nonzero().flatten()
