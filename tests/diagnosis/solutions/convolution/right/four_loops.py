import torch


def convolve(x, weight, bias, stride=1, padding=0):
    batch, channels, length = x.shape
    outputs, _, width = weight.shape
    result = []
    for b in range(batch):
        for o in range(outputs):
            for start in range(-padding, length + padding - width + 1, stride):
                total = bias[o].item()
                for w in range(width):
                    if 0 <= start + w < length:
                        total += (x[b, :, start + w] * weight[o, :, w]).sum().item()
                result.append(total)
    return torch.tensor(result).view(batch, outputs, -1)
