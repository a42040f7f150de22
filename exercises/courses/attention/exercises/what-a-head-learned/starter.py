import numpy as np
import torch

queries = torch.from_numpy(np.loadtxt("data/queries.csv", delimiter=",", dtype=np.float32))
keys = torch.from_numpy(np.loadtxt("data/keys.csv", delimiter=",", dtype=np.float32))
print(tuple(queries.shape), tuple(keys.shape))

# Make `weights`, `places` and `astray` here.
