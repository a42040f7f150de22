import torch
from torch import nn


class Pointer(nn.Module):
    """One attention from the last token to all of them: scores for the four possible answers."""

    def __init__(self, width=16):
        super().__init__()
        self.token = nn.Embedding(4, width)
        self.position = nn.Parameter(0.1 * torch.randn(6, width))
        self.norm = nn.LayerNorm(width)
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.read = nn.Linear(width, 4)

    def forward(self, tokens):
        x = self.token(tokens) + self.position
        seen = self.norm(x)
        query, key, value = self.query(seen[:, -1:]), self.key(seen), self.value(seen)
        weights = (query @ key.mT / query.shape[-1] ** 0.5).softmax(dim=-1)
        return self.read((x[:, -1:] + weights @ value).squeeze(1))


def fit(tokens, answers, held_out):
    """Train on `tokens` and `answers`, then give scores for the answers to `held_out`.

    tokens, held_out: (m, 6), whole numbers 0 to 3   answers: (m,)   returns: (m, 4)
    """
    model = Pointer()
    # Train it here, then press Run.
    return model(held_out)
