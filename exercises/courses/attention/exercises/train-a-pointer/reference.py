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
    model = Pointer()
    optimiser = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(80):
        optimiser.zero_grad()
        nn.functional.cross_entropy(model(tokens), answers).backward()
        optimiser.step()
    return model(held_out)
