"""A key that is spelled otherwise."""


def column_statistics(x):
    mean = x.mean(dim=0)
    return {"Mean": mean, "variance": ((x - mean) ** 2).mean(dim=0)}
