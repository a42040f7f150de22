import torch


def visible():
    generator = torch.Generator().manual_seed(1)
    return [
        _case("learned from 192 sequences", generator, shown=192),
        _case("learned from 128 sequences", generator, shown=128),
    ]


def hidden(generator):
    return [
        _case("192 other sequences", generator, shown=192),
        _case("128 other sequences", generator, shown=128),
    ]


def _case(name, generator, *, shown):
    tokens = torch.randint(0, 4, (shown + 200, 6), generator=generator)
    answers = tokens.gather(1, tokens[:, -1:]).squeeze(1)
    return {"name": name, "args": [tokens[:shown], answers[:shown], tokens[shown:]], "targets": answers[shown:]}
