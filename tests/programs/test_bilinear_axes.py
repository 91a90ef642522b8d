"""nn.Bilinear takes any leading axes."""

import pytest

PROGRAM = """
import torch
from torch import nn


class Scores(nn.Module):
    def __init__(self, bias=True):
        super().__init__()
        self.pair = nn.Bilinear(3, 4, 2, bias=bias)
        for module in self.modules():
            if isinstance(module, nn.Bilinear):
                module.weight.data.copy_(torch.arange(24.0).reshape(2, 3, 4) / 10)
                if module.bias is not None:
                    module.bias.data.copy_(torch.tensor([0.5, -1.0]))

    def forward(self, x, y):
        return self.pair(x, y)


class Own(nn.Bilinear):
    def __init__(self):
        super().__init__(3, 4, 2, False)
        nn.init.constant_(self.weight, 0.5)


for bias in (True, False):
    scores = Scores(bias)
    for shape in ((), (5,), (2, 5), (2, 0, 5), (1, 2, 5)):
        count = 1
        for size in shape:
            count *= size
        x = (torch.arange(count * 3.0) / 7).reshape(*shape, 3)
        y = (torch.arange(count * 4.0) / 9).reshape(*shape, 4)
        found = scores(x, y)
        show(found)
    scores(x, y).sum().backward()
    show(scores.pair.weight.grad)
    show([(name, tuple(value.shape)) for name, value in scores.state_dict().items()])
    show(scores.pair.in1_features, scores.pair.in2_features, scores.pair.out_features, scores.pair.bias)
show(Own()(torch.ones(2, 5, 3), torch.ones(2, 5, 4)), isinstance(Own(), nn.Bilinear))
show(nn.Bilinear(2, 2, 1, dtype=torch.float64)(torch.ones(1, 2).double(), torch.ones(1, 2).double()).dtype)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_bilinear_layers_take_any_leading_axes(agrees, target):
    agrees(PROGRAM, target)
