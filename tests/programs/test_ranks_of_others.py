"""A ``forward`` that the project calls with tensors of one number of axes, and others with tensors of another."""

from __future__ import annotations

from collections.abc import Callable

import pytest

LAYERS = """
    import torch
    import torch.nn.functional as F
    from torch import nn

    class Layers(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm = nn.LayerNorm(4)
            self.pool = nn.AvgPool1d(2)
            self.loss = nn.CrossEntropyLoss()

    class Normed(Layers):
        def forward(self, x):
            return self.norm(x * 2)

    class Pooled(Layers):
        def forward(self, x):
            return self.pool(torch.tanh(x)).sum(-1)

    class Labelled(Layers):
        def forward(self, x, y):
            return self.loss(x, y)

    given = torch.linspace(-0.6, 0.6, 16).reshape(2, 2, 4)
    torch.manual_seed(0)
    show(Normed()(given[0, 0]), Pooled()(given[0]), Labelled()(given[0, 0], torch.tensor(1)))
    for name, others in [("Normed", [given[0], given]), ("Pooled", [given])]:
        for x in others:
            show(name, eval(name)()(x))
    show(eval("Labelled")()(given[0], torch.tensor([1, 0])))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_others_call_with_a_batch(agrees: Callable[..., object], target: str) -> None:
    agrees(LAYERS, target)


def test_the_project_calls_with_a_batch_and_nothing_is_added(outcome: Callable[..., object]) -> None:
    batches = {"given[0, 0], torch.tensor(1)": "given[0], torch.tensor([1, 0])", "given[0, 0]": "given[0]"}
    text = LAYERS.replace("Pooled()(given[0])", "Pooled()(given)")
    for one, several in batches.items():
        text = text.replace(one, several)
    assert "paddle_helpers" not in str(outcome(text, "paddle"))
