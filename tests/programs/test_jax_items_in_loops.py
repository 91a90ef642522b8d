"""Items that loops go through and change: what becomes of them is stored where they lie, and nobody is named for that."""

from __future__ import annotations

from collections.abc import Callable

from migrate.programs import Outcome


def test_averages_in_a_dict(agrees: Callable[..., Outcome]) -> None:
    found = agrees(
        """
        import torch
        import torch.nn as nn

        net = nn.Linear(2, 2)
        nn.init.constant_(net.weight, 1.0)
        nn.init.zeros_(net.bias)
        ema = {k: v.clone().detach() for k, v in net.state_dict().items()}
        with torch.no_grad():
            net.weight += 1
            msd = net.state_dict()
            for k, v in ema.items():
                v.mul_(0.9).add_(msd[k], alpha=0.1)
            for k, v in ema.items():
                if v.dtype.is_floating_point:
                    v *= 0.5
                    v += 0.5 * msd[k].detach()
            for k, v in ema.items():
                v.copy_(v * 2)
        show(ema)
        """,
        "jax",
    )
    text = found.converted["program.py"]
    assert "# migrate" not in text
    assert text.count("v = ema[k] = ") == 4


def test_lists_and_dicts_by_turns(agrees: Callable[..., Outcome]) -> None:
    found = agrees(
        """
        import torch

        outs = [torch.tensor([-1.0]), torch.tensor([2.0])]
        for i, v in enumerate(outs):
            v.relu_()
        for v in outs:
            v.add_(1)
        held = {"a": torch.tensor([-1.0]), "b": torch.tensor([2.0])}
        for k, v in held.items():
            v.relu_()
        show(outs, held)
        """,
        "jax",
    )
    assert "# migrate" not in found.converted["program.py"]


def test_who_else_has_an_item_is_named(outcome: Callable[..., Outcome]) -> None:
    found = outcome(
        """
        import torch

        a = torch.tensor([-1.0])
        held = {"a": a, "b": torch.tensor([2.0])}
        for k, v in held.items():
            v.relu_()
        show(held, a)
        """,
        "jax",
    )
    assert found.verdict == "warned", str(found)
    assert "torch changes it for a (line 8) too" in found.converted["program.py"]
