"""What an optimizer keeps is taken out, or replaced, through ``optimizer.state``; rates are whole numbers at times."""

from __future__ import annotations

from collections.abc import Callable

import pytest

TAKEN_OUT = """
    from collections import defaultdict
    import torch
    def trained(o, p, n=1):
        for _ in range(n):
            o.zero_grad()
            (p ** 2).sum().backward()
            o.step()
        return p.detach().clone()
    def of(o, p):
        trained(o, p, 2)
        o.state.clear()
        got = [len(o.state), trained(o, p, 2)]
        o.state = defaultdict(dict)
        got.append(trained(o, p, 2))
        del o.state[p]
        got.append(trained(o, p, 2))
        got += [len(o.state.pop(p)) > 0, p in o.state, trained(o, p, 2)]
        o.state[p] = {}
        got.append(trained(o, p, 2))
        o.state[p]["note"] = 5
        return got, o.state[p]["note"], trained(o, p)
    p, q, r = [torch.nn.Parameter(torch.tensor([1.0, 2.0])) for _ in range(3)]
    show(of(torch.optim.SGD([p], lr=0.1, momentum=0.9), p))
    show(of(torch.optim.Adam([q], lr=0.1), q))
    show(of(torch.optim.AdamW([r], lr=0.1), r))
"""
WHOLE = """
    import torch
    def make(ps, lr=1):
        return torch.optim.SGD(ps, lr)
    def trained(o, p):
        o.zero_grad()
        p.sin().sum().backward()
        o.step()
        return p.detach().clone()
    p = torch.nn.Parameter(torch.ones(2))
    rate = 2
    show(trained(make([p]), p), trained(make([p], 0.5), p), trained(torch.optim.SGD([p], lr=1), p))
    show(trained(torch.optim.Adam([p], lr=rate, eps=1), p), trained(torch.optim.Adadelta([p], lr=2), p))
    show(trained(torch.optim.SGD([{"params": [p], "lr": 3}], lr=1, momentum=1, weight_decay=1), p))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_state_is_taken_out(target: str, agrees: Callable[..., object]) -> None:
    agrees(TAKEN_OUT, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_rates_are_whole_numbers(target: str, agrees: Callable[..., object]) -> None:
    agrees(WHOLE, target)
