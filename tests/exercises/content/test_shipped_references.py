"""The references of the shipped course compute what torch's own modules do, or what the formula says entry by entry."""

import json

import pytest

from tests.exercises.content.test_shipped_course import exercise

BEGINNING = """
import json, math, sys
import torch
from torch import nn
files = json.load(sys.stdin)
names = {"__name__": "solution"}
exec(files["reference.py"], names)
torch.manual_seed(0)
close = torch.testing.assert_close
"""
COMPARED = {
    "layer-norm": """
x, weight, bias = torch.randn(2, 3, 8), torch.randn(8), torch.randn(8)
close(names["layer_norm"](x, weight, bias), nn.functional.layer_norm(x, (8,), weight, bias))
close(names["layer_norm"](x, weight, bias, eps=0.5), nn.functional.layer_norm(x, (8,), weight, bias, 0.5))
""",
    "rms-norm": """
x, theirs, ours = torch.randn(2, 3, 8), nn.RMSNorm(8, eps=1e-6), names["RMSNorm"](8)
theirs.weight.data = torch.randn(8)
ours.load_state_dict(theirs.state_dict())
close(ours(x), theirs(x))
""",
    "multi-head-attention": """
x, matrices = torch.randn(2, 5, 8), [torch.randn(8, 8) / 3 for _ in range(4)]
mask = torch.ones(5, 5, dtype=torch.bool).tril()
theirs = nn.MultiheadAttention(8, 4, bias=False, batch_first=True)
theirs.in_proj_weight.data = torch.cat([matrix.T for matrix in matrices[:3]])
theirs.out_proj.weight.data = matrices[3].T
close(names["multi_head_attention"](x, *matrices, 4), theirs(x, x, x)[0])
close(names["multi_head_attention"](x, *matrices, 4, mask=mask), theirs(x, x, x, attn_mask=~mask)[0])
""",
    "sinusoidal-positions": """
table = [[f(p / 10_000 ** (i / 6)) for i in (0, 2, 4) for f in (math.sin, math.cos)] for p in range(9)]
close(names["sinusoidal_positions"](9, 6), torch.tensor(table))
""",
    "rotary-positions": """
x = torch.randn(2, 7, 6)
angles = torch.arange(7)[:, None] / 50.0 ** (torch.tensor([0, 2, 4]) / 6)
turned = torch.view_as_complex(x.unflatten(-1, (3, 2))) * torch.polar(torch.ones(7, 3), angles)
close(names["rotary"](x, base=50.0), torch.view_as_real(turned).flatten(-2))
""",
    "pre-norm-residual": """
x, layer = torch.randn(3, 8), nn.Linear(8, 8)
close(names["PreNorm"](8, layer)(x), x + layer(nn.functional.layer_norm(x, (8,))))
""",
    "transformer-block": """
theirs = nn.TransformerEncoderLayer(8, 2, 32, 0.0, "gelu", norm_first=True, batch_first=True)
ours, given = names["Block"](8, 2), theirs.state_dict()
renamed = {"self_attn.in_proj_": "qkv.", "self_attn.out_proj.": "out.", "linear1.": "up.", "linear2.": "down."}
for old, new in renamed.items():
    given = {name.replace(old, new): value for name, value in given.items()}
ours.load_state_dict(given)
x = torch.randn(2, 5, 8)
close(ours(x), theirs(x, src_mask=torch.ones(5, 5, dtype=torch.bool).triu(1)))
""",
}


@pytest.mark.parametrize("slug", COMPARED)
def test_reference_computes_what_torch_does(with_torch, slug):
    files = exercise(slug).definition["files"]

    compared = with_torch.run(BEGINNING + COMPARED[slug], json.dumps(files))

    assert compared.stderr == ""
    assert compared.returncode == 0


def test_pointers_answers_are_the_tokens_pointed_to(with_torch):
    files = exercise("train-a-pointer").definition["files"]
    program = (
        BEGINNING
        + """
cases = {}
exec(files["cases.py"], cases)
for case in cases["visible"]() + cases["hidden"](torch.Generator().manual_seed(1)):
    tokens, answers, held_out = case["args"]
    for sequences, told in ((tokens, answers), (held_out, case["targets"])):
        assert [row[row[-1]] for row in sequences.tolist()] == told.tolist()
"""
    )

    compared = with_torch.run(program, json.dumps(files))

    assert compared.stderr == ""
