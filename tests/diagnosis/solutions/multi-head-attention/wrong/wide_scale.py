import torch


def multi_head_attention(x, wq, wk, wv, wo, heads):
    d_model = x.size(-1)
    q, k, v = (torch.stack((x @ w).chunk(heads, -1), 1) for w in (wq, wk, wv))
    att = torch.softmax(q @ k.mT / d_model**0.5, -1)
    return torch.cat((att @ v).unbind(1), -1) @ wo
