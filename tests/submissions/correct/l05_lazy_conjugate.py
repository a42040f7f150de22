"""A lazy conjugate, and lazy signs of imaginary parts."""

import torch


def half_spectrum(x):
    spectrum = torch.conj_physical(torch.fft.rfft(x))
    if len(x) > 8:
        return torch.complex(spectrum.real, spectrum.conj().imag)
    return spectrum.conj()
