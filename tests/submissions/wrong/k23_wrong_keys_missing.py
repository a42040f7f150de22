"""One key less than asked for."""


def column_statistics(x):
    return {"mean": x.mean(dim=0)}
