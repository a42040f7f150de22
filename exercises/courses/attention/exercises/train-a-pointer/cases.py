import torch


def visible():
    return [_case("answers to the visible questions", torch.Generator().manual_seed(1))]


def hidden(generator):
    return [_case("answers to other questions", generator)]


def _case(name, generator):
    tokens = torch.randint(0, 4, (456, 6), generator=generator)
    answers = tokens.gather(1, tokens[:, -1:]).squeeze(1)
    return {"name": name, "args": [tokens[:256], answers[:256], tokens[256:]], "targets": answers[256:]}
