import torch


def column_statistics(x):
    mean = x.mean(dim=0)
    return {"mean": mean, "var": ((x - mean) ** 2).mean(dim=0)}
