"""Prints progress bars, tables and tensors, in several scripts."""

import sys

import torch

words = ["softmax", "мягкий максимум", "ソフトマックス", "السوفت ماكس", "🎉🧮", "ευρώ", "नमस्ते"]


def row_softmax(x):
    for step in range(0, 101, 5):
        print(f"\r{step:3d}% |{'█' * (step // 5):<20}|", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for number in range(60):
        print(f"{number:>4} | {words[number % len(words)]:<20} | {number / 7:8.4f}")
    print(torch.arange(100.0).reshape(10, 10))
    return torch.softmax(x, dim=1)
