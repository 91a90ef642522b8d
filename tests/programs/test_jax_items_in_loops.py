"""Items that loops go through and change: what becomes of them is stored where they lie, and nobody is named."""

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


def test_changes_in_a_row_that_read_themselves_are_marked(outcome: Callable[..., Outcome]) -> None:
    program = """
        import torch

        x = torch.arange(3.0)
        y = torch.ones(3)
        x.sub_(1).mul_(PART)
        show(x)
    """
    found = outcome(program.replace("PART", "x"), "jax")
    assert found.verdict == "marked", str(found)
    assert "use it as a statement of its own" in found.converted["program.py"]
    assert outcome(program.replace("PART", "y.expand(x.shape)"), "jax").verdict == "agrees"
    assert outcome(program.replace("x.sub_(1).mul_(PART)", "x.sub_(1); x.mul_(x)"), "jax").verdict == "agrees"


def test_a_keyword_of_numpys_in_a_try(agrees: Callable[..., Outcome]) -> None:
    agrees(
        """
        import torch

        wide = torch.tensor([1.5], dtype=torch.float64)
        narrow = torch.full((4,), 1.5)
        try:
            r = torch.concat([wide, narrow], axis=0)
        except Exception:
            r = narrow
        show(r)
        """,
        "jax",
    )
