"""A guarded demonstration, which reads arguments and draws."""

import torch


def row_softmax(x):
    return torch.softmax(x, dim=1)


if __name__ == "__main__":
    import argparse

    import matplotlib.pyplot as plt

    arguments = argparse.ArgumentParser()
    arguments.add_argument("rows", type=int)
    plt.imshow(row_softmax(torch.randn(arguments.parse_args().rows, 5)))
    plt.show()
