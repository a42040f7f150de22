"""The names in another order."""

import collections


def column_statistics(x):
    mean = x.mean(dim=0)
    answer = collections.OrderedDict()
    answer["var"] = ((x - mean) ** 2).mean(dim=0)
    answer["mean"] = mean
    return answer
