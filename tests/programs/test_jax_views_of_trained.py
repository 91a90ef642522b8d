"""Views of tensors that are trained by themselves, which in torch change with them: the line that keeps one says so."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

KEPT = {
    "in place": (
        """
        w = v.view(2)
        loss = (w * 2).sum()
        loss.backward()
        with torch.no_grad():
            v -= v.grad
        show(loss, w)
        """,
        6,
    ),
    "by an optimizer": (
        """
        opt = torch.optim.SGD([v], lr=0.1)
        loss = first = v[0] * 1
        part = v[0]
        loss = part * v[1]
        loss.backward()
        opt.step()
        show(part, first)
        """,
        8,
    ),
    "a method": (
        """
        part = v.to()[-1]
        (part * 1).backward()
        with torch.no_grad():
            v.add_(v.grad)
        show(part)
        """,
        6,
    ),
}


@pytest.mark.parametrize("name", KEPT)
def test_the_line_is_named(name: str, outcome: Callable[..., Outcome]) -> None:
    body, line = KEPT[name]
    start = """
        import torch
        import torch.nn as nn

        v = nn.Parameter(torch.tensor([1.117, 2.0]))"""
    found = outcome(start + body, "jax")
    assert found.verdict == "warned", str(found)
    assert [site.line for site in found.sites if site.outcome == "differs"] == [line]


def test_copies_are_left_alone(agrees: Callable[..., Outcome]) -> None:
    found = agrees(
        """
        import torch
        import torch.nn as nn

        v = nn.Parameter(torch.tensor([1.117, 2.0]))
        picked = v[[0]]
        copy = v.detach().clone()
        loss = (v[0] * v[1]).sum() + picked.sum()
        loss.backward()
        with torch.no_grad():
            v -= v.grad
        show(loss, picked, copy, v)
        """,
        "jax",
    )
    assert "# migrate" not in found.converted["program.py"]


def test_a_loss_that_is_a_view_is_refused(outcome: Callable[..., Outcome]) -> None:
    found = outcome(
        """
        import torch
        p = torch.arange(6).view((2, 3)).float().requires_grad_()
        loss = p.to()[0, 0]
        loss.backward()
        with torch.no_grad():
            p.add_(p.grad)
        show(loss)
        """,
        "jax",
    )
    assert found.verdict == "marked", str(found)
    assert "the loss lies in `p`" in found.converted["program.py"]
