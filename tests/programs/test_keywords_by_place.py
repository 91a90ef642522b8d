"""A keyword that a rule does not know is not taken for what the rule has at its place in torch's signature."""

from __future__ import annotations

from collections.abc import Callable

import pytest

DECAYED = """
    import torch
    w = torch.nn.Parameter(torch.tensor([1.0, -2.0]))
    made = {"decayed": lambda ps: torch.optim.Adagrad(ps, lr=0.3, lr_decay=0.1, initial_accumulator_value=0.1)}
    opt = made["decayed"]([{"params": [w], "lr": 0.2}])
    for _ in range(3):
        opt.zero_grad(); (w**2).sum().backward(); opt.step(); show(w)
"""
BY_PLACE = """
    import torch
    w = torch.nn.Parameter(torch.tensor([1.0, -2.0]))
    opt = torch.optim.Adagrad([{"params": [w], "lr": 0.2}], 0.3, 0, 0.1, 0.2)
    for _ in range(3):
        opt.zero_grad(); (w**2).sum().backward(); opt.step(); show(w)
    x, a, b = torch.arange(12.0).view(1, 2, 6), torch.tensor([1.0, 2.0]), torch.tensor([0.5, 0.0])
    show(torch.instance_norm(x, a, b, None, None, True, 0.1, 1e-5, False))
    show(torch.instance_norm(x, a, b, torch.zeros(2), torch.ones(2), False, 0.1, 1e-5, True))
    show(torch.nn.functional.softmax(x, dim=-1, _stacklevel=5))
    show(torch.nn.functional.log_softmax(x, _stacklevel=2, dim=1))
"""


def test_a_decay_of_the_rate_is_none_of_the_weights(
    announced: Callable[..., object], agrees: Callable[..., object]
) -> None:
    announced(DECAYED, "paddle")
    agrees(DECAYED, "oneflow")


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_arguments_by_place(target: str, agrees: Callable[..., object]) -> None:
    agrees(BY_PLACE, target)
