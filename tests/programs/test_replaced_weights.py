"""Recurrent layers compute with the weights that lie under their names, whoever put them there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

TARGETS = ("paddle", "oneflow")
FILLED = """
import torch
from torch import nn

def filled(layer):
    with torch.no_grad():
        for i, p in enumerate(layer.parameters()):
            p.copy_(torch.arange(p.numel()).reshape(p.shape) * 0.03 - 0.2 + 0.01 * i)
    return layer

"""
EXCHANGED = {
    "dropped and stored by a computed name": """
class Drop(nn.Module):
    def __init__(self, module, names):
        super().__init__()
        self.module, self.names = module, names
        for name in names:
            weight = getattr(self.module, name)
            del self.module._parameters[name]
            self.module.register_parameter(name + "_raw", nn.Parameter(weight.data))

    def forward(self, *args):
        for name in self.names:
            setattr(self.module, name, getattr(self.module, name + "_raw") * 0.5)
        return self.module.forward(*args)

drop = Drop(filled(nn.LSTM(3, 2)), ["weight_hh_l0"])
y, (h, c) = drop(torch.ones(4, 1, 3), None)
show(y, h, sorted(name for name, _ in drop.named_parameters()))
y.sum().backward()
show({name: p.grad for name, p in drop.named_parameters()})
""",
    "stored": """
rnn = filled(nn.GRU(3, 2, num_layers=2, bidirectional=True))
rnn.weight_hh_l1_reverse = nn.Parameter(torch.ones(6, 2))
rnn.bias_ih_l0 = rnn.bias_hh_l0
show(rnn(torch.ones(4, 1, 3))[0], sorted(rnn.state_dict()))
other = nn.GRU(3, 2, num_layers=2, bidirectional=True)
other.load_state_dict(rnn.state_dict())
show(other(torch.ones(4, 1, 3))[0])
""",
    "without biases": """
rnn = filled(nn.RNN(3, 2, bias=False, batch_first=True, nonlinearity="relu"))
rnn.weight_hh_l0 = nn.Parameter(torch.ones(2, 2))
y, _ = rnn(torch.ones(1, 4, 3))
y.sum().backward()
show(y, rnn.weight_hh_l0.grad, sorted(rnn.state_dict()), rnn.bias)
""",
    "normed": """
rnn = nn.utils.weight_norm(filled(nn.LSTM(3, 2)), "weight_hh_l0")
with torch.no_grad():
    rnn.weight_hh_l0_g.mul_(2)
y, _ = rnn(torch.ones(4, 1, 3))
y.sum().backward()
show(y, rnn.weight_hh_l0_v.grad)
""",
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("program", EXCHANGED)
def test_exchanged_weights_are_computed_with(agrees: Callable[..., object], program: str, target: str) -> None:
    agrees(FILLED + EXCHANGED[program], target)


def test_parametrized_weights_are_computed_with(agrees: Callable[..., object]) -> None:
    agrees(
        FILLED
        + """
from torch.nn.utils import parametrize

class Half(nn.Module):
    def forward(self, w):
        return w * 0.5

rnn = filled(nn.GRU(3, 2))
parametrize.register_parametrization(rnn, "weight_hh_l0", Half())
show(rnn(torch.ones(4, 1, 3))[0])
""",
        "paddle",
    )


@pytest.mark.parametrize("target", TARGETS)
def test_layers_are_tested_for_their_base(agrees: Callable[..., object], target: str) -> None:
    agrees(
        """
        import torch
        from torch import nn

        layers = [nn.LSTM(3, 2), nn.GRU(3, 2), nn.Linear(3, 2)]
        show([issubclass(type(m), nn.RNNBase) for m in layers], [isinstance(m, (nn.RNNBase, nn.ReLU)) for m in layers])
        """,
        target,
    )


def test_names_that_are_only_asked_leave_paddles_own(outcome: Callable[..., object]) -> None:
    """The usual way to initialize: no weight is exchanged."""
    found = outcome(
        """
        from torch import nn

        rnn = nn.LSTM(3, 2)
        for name, p in rnn.named_parameters():
            if "weight_hh" in name or name.startswith("bias_hh"):
                nn.init.constant_(p, 0.5)
        show(rnn.weight_hh_l0, getattr(rnn, "bias_hh_l0"))
        """,
        "paddle",
    )
    assert found.verdict == "agrees", str(found)  # type: ignore[attr-defined]
    assert "nn.LSTM(3, 2, time_major=True)" in str(found)
