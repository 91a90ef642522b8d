"""Lines that two rewritings put elsewhere."""

from __future__ import annotations

from collections.abc import Callable

MARKED = """
import torch
def slopes(func, t, y, adj, params):
    with torch.enable_grad():
        out = func(t, y)
        vt, *vp = torch.autograd.grad(
            out, (t, y) + params, -adj,
            allow_unused=True,
            is_grads_batched=True,
        )
    return vt, vp
def clear(groups):
    for p in groups:
        if p.grad is not None:
            p.grad.requires_grad_(False)
            p.grad.zero_()
"""


def test_what_is_marked_in_a_block_or_a_call_of_what_is_unknown_parses(converted: Callable[..., str]) -> None:
    done = converted(MARKED, "jax")
    assert done.count("torch.autograd.grad(") == 1
    assert done.index("autograd.grad: it is called in a way") < done.index("vt, *vp")
    assert "gradient_at(p)" in done
