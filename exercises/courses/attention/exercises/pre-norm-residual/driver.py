import torch


def drive(entry, case):
    """What two layers give one after the other, and what can be trained in one of them."""
    x = case["args"][0]
    width = x.shape[-1]
    layer = entry(width, torch.nn.Linear(width, width))
    layer.load_state_dict(case["state"])
    once = layer(x)
    return {"one layer": once, "the same twice": layer(once), "state": dict(layer.state_dict())}
