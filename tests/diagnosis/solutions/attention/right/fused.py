from torch.nn.functional import scaled_dot_product_attention as attention  # noqa: F401
