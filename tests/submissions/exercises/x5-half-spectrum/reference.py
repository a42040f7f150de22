import torch


def half_spectrum(x):
    return torch.fft.rfft(x)
