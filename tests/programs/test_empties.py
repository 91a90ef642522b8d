"""Joining to an empty vector, which torch passes over whatever the rank of the others."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAMS = {
    "a name": """
        import torch
        kept = torch.tensor([])
        for i in range(3):
            kept = torch.cat([kept, torch.ones(2, i + 1, 4) * i], dim=-2)
        show(kept)
    """,
    "an attribute": """
        import torch


        class Cache:
            def __init__(self):
                self.keys = torch.empty(0, dtype=torch.float32)

            def update(self, keys):
                self.keys = torch.cat((self.keys, keys), 1)
                return self.keys


        cache = Cache()
        show(cache.update(torch.ones(2, 3)), cache.update(torch.zeros(2, 1)))
    """,
    "by way of a list, a function and a parameter": """
        import torch
        import torch.nn as nn


        class Layer(nn.Module):
            def __init__(self):
                super().__init__()
                self.lin = nn.Linear(4, 4)

            def forward(self, h, mems=None):
                joined = h if mems is None else torch.cat([mems, h], 0)
                return self.lin(joined)[-h.size(0):]


        class Remembering(nn.Module):
            def __init__(self, count):
                super().__init__()
                self.layers = nn.ModuleList([Layer() for _ in range(count)])

            def begin(self):
                mems = []
                param = next(self.parameters())
                for _ in range(len(self.layers) + 1):
                    empty = torch.empty(0, dtype=param.dtype, device=param.device)
                    mems.append(empty)
                return mems

            def forward(self, x, *mems):
                if not mems:
                    mems = self.begin()
                hids = [x]
                for i, layer in enumerate(self.layers):
                    hids.append(layer(hids[-1], mems=mems[i]))
                with torch.no_grad():
                    kept = [torch.cat([mems[i], hids[i]], dim=0)[-4:].detach() for i in range(len(hids))]
                return [hids[-1].sum(), *kept]


        net = Remembering(2)
        for p in net.parameters():
            nn.init.constant_(p, 0.1)
        mems = ()
        for _ in range(3):
            loss, *mems = net(torch.ones(3, 2, 4), *mems)
            net.zero_grad()
            loss.backward()
            show(loss, mems, net.layers[0].lin.weight.grad)
    """,
    "of another dtype": """
        import torch
        def joined(parts):
            return torch.cat(parts)
        show(joined([torch.tensor([]), torch.arange(4).reshape(2, 2)]), joined([torch.tensor([]), torch.tensor([])]))
    """,
}


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str, target: str) -> None:
    agrees(program, target)


def test_sums_of_nothing_have_the_dtype_that_is_asked_for(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch

        def sums(x, dtype=None):
            return x.sum(dtype=dtype), torch.sum(x, 0, dtype=dtype)

        x = torch.zeros(0, 2)
        show(torch.tensor(True).nonzero().sum(dtype=torch.float32), torch.nansum(x, dtype=torch.float64))
        for dtype in (torch.float64, torch.int64, torch.int32, None):
            show([sums(one, dtype) for one in (x, x.int(), x.bool(), x.to(torch.uint8), x + 1)])
        """,
        "paddle",
    )


def test_squeezing_no_axes(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        def squeezed(x, dim):
            x.squeeze_(dim)
            return x.shape
        for dim in ((), (0, 2), 0, -1):
            show(squeezed(torch.ones(1, 3, 1), dim))
        x = torch.ones(1, 3, 1)
        show(x.squeeze_(()).shape, x.squeeze(()).shape, x.squeeze_().shape)
        """,
        "paddle",
    )
