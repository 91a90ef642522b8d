"""What public models do, in Flax NNX: layers by computed names, cloned layers, derived normalization, weights set."""

from __future__ import annotations

from collections.abc import Callable

import pytest

HEAD = """
import copy
from typing import Optional
import torch
import torch.nn as nn
import torch.nn.functional as F

def fill(net: nn.Module):
    state = net.state_dict()
    for number, (name, value) in enumerate(state.items()):
        state[name] = (torch.arange(value.numel(), dtype=torch.float32).reshape(value.shape) + number).sin() + 1.5
    net.load_state_dict(state)
    return net

def numbers(*shape):
    return torch.arange(torch.Size(shape).numel(), dtype=torch.float32).reshape(shape).cos()
"""

PROGRAMS = {
    "a recurrent layer by its name": """
class Net(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.width, self.kind = 3, kind
        self.drop = nn.Dropout(0.5)
        self.rnn = getattr(nn, kind)(3, 4, 2)

    def forward(self, x):
        return self.rnn(self.drop(x))[0]

for kind in ("LSTM", "GRU"):
    net = fill(Net(kind))
    net.eval()
    show(net(numbers(5, 2, 3)))
""",
    "cloned layers": """
class Encoder(nn.Module):
    def __init__(self, layer, count):
        super().__init__()
        self.layers = clones(layer, count)

    def forward(self, x):
        out = x
        for layer in self.layers:
            out = layer(out)
        return out

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder(Layer(3), 2)

    def forward(self, x: torch.Tensor):
        return self.encoder(x).transpose(1, 2).reshape(2, -1)

class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width)

    def forward(self, x):
        return torch.tanh(self.fc(x))

def clones(module, count):
    return nn.ModuleList([copy.deepcopy(module) for _ in range(count)])

show(fill(Net())(numbers(2, 4, 3)))
""",
    "a derived normalization": """
class Norm(nn.GroupNorm):
    def forward(self, x):
        return super().forward(x.float()).type(x.dtype)

class Last(nn.LayerNorm):
    def forward(self, x):
        return nn.LayerNorm.forward(self, x) + super(Last, self).forward(x * 2)

show(fill(Norm(2, 4))(numbers(2, 4, 3)), fill(Last(3))(numbers(2, 4, 3)))
""",
    "weights that are set and computed anew": """
from torch.nn.utils import remove_weight_norm, spectral_norm, weight_norm

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = weight_norm(nn.Conv1d(3, 4, 2))
        self.fc = weight_norm(nn.Linear(4, 2))
        self.start()

    def start(self):
        self.conv.weight.data.normal_(0, 0.01)
        nn.init.zeros_(self.fc.weight)

    def forward(self, x):
        return self.fc(self.conv(x).transpose(1, 2))

net = fill(Net())
show(net(numbers(2, 3, 5)), net.conv.weight * 1)
show(sorted(net.state_dict()), remove_weight_norm(net.fc).weight * 1)
nn.init.constant_(net.fc.weight, 2.0)
show(net(numbers(2, 3, 5)))
""",
    "layers that cast their parameters": """
class Linear(nn.Linear):
    def forward(self, x: torch.Tensor):
        return F.linear(x, self.weight.to(x.dtype), None if self.bias is None else self.bias.to(x.dtype))

class Conv(nn.Conv1d):
    def _conv_forward(self, x: torch.Tensor, weight: torch.Tensor, bias: Optional[torch.Tensor]):
        return super()._conv_forward(x, weight.to(x.dtype) * 2, None if bias is None else bias.to(x.dtype))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = Conv(3, 4, 2, padding=1, groups=1)
        self.plain = Conv(4, 4, 2, groups=2, bias=False, padding_mode="circular", padding=1)
        self.fc, self.last = Linear(7, 2), Linear(2, 2, bias=False)

    def forward(self, x):
        return self.last(self.fc(self.plain(self.conv(x))))

show(fill(Net())(numbers(2, 3, 5)), Net().half()(numbers(2, 3, 5).half()).dtype)
""",
    "biases that are filled": """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.conv = nn.Linear(3, 2), nn.Conv1d(2, 2, 1)
        self.fc.bias.data.fill_(0.5)
        self.conv.bias.data.zero_()
        self.fc.weight.data.fill_(0.25)
        nn.init.ones_(self.conv.weight)

    def forward(self, x: torch.Tensor):
        return self.conv(self.fc(x))

net = Net()
show(net(numbers(2, 2, 3)), sorted(net.state_dict()), [name for name, _ in net.named_parameters()])
show(fill(net)(numbers(2, 2, 3)))
""",
    "sparse places": """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        heads = torch.zeros(3, 2, dtype=torch.bool)
        heads[1:] = True
        self.register_buffer("heads", heads.to_sparse(), persistent=False)

    def forward(self, x: torch.Tensor):
        return torch.stack([x[row, column] for row, column in self.heads.indices().T])

net = Net()
show(net(numbers(3, 2, 4)), net.heads.indices(), net.heads.values(), net.heads.to_dense())
show(net.heads.is_sparse, numbers(2).is_sparse, sorted(net.state_dict()))
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees(name: str, agrees: Callable[..., object]) -> None:
    agrees(HEAD + PROGRAMS[name], "jax")
