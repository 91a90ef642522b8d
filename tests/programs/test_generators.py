"""Random numbers of a generator that is given: the same for the same seed, others for another. Paddle has none but the
device's own.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAMS = {
    "functions": """
        import torch


        def drawn(draw):
            first, again, other = (draw(torch.Generator().manual_seed(seed)) for seed in (1, 1, 2))
            show(torch.equal(first, again), torch.equal(first, other))


        x = torch.full((40,), 0.5)
        drawn(lambda g: torch.rand_like(x, generator=g))
        drawn(lambda g: torch.bernoulli(x, generator=g))
        drawn(lambda g: torch.normal(x, x, generator=g))
        drawn(lambda g: torch.normal(0.0, 1.0, (40,), generator=g))
        drawn(lambda g: torch.randint(100, (40,), generator=g))
        drawn(lambda g: torch.multinomial(x, 20, generator=g))
    """,
    "in place": """
        import torch


        def drawn(fill):
            results = []
            for seed in (1, 1, 2):
                x = torch.zeros(40)
                fill(x, torch.Generator().manual_seed(seed))
                results.append(x)
            show(torch.equal(results[0], results[1]), torch.equal(results[0], results[2]))


        drawn(lambda x, g: x.normal_(generator=g))
        drawn(lambda x, g: x.uniform_(2, 3, generator=g))
        drawn(lambda x, g: x.exponential_(generator=g))
        drawn(lambda x, g: x.bernoulli_(0.5, generator=g))
        drawn(lambda x, g: x.random_(100, generator=g))
        drawn(lambda x, g: x.cauchy_(generator=g))
        drawn(lambda x, g: x.geometric_(0.1, generator=g))
        drawn(lambda x, g: x.log_normal_(generator=g))
    """,
    "initial values": """
        import torch
        from torch.nn import init


        def drawn(fill):
            results = []
            for seed in (1, 1, 2):
                w = torch.zeros(6, 8)
                fill(w, torch.Generator().manual_seed(seed))
                results.append(w)
            show(torch.equal(results[0], results[1]), torch.equal(results[0], results[2]))


        for fill in (init.uniform_, init.normal_, init.xavier_uniform_, init.xavier_normal_):
            drawn(lambda w, g: fill(w, generator=g))
        drawn(lambda w, g: init.kaiming_uniform_(w, a=0.1, generator=g))
        drawn(lambda w, g: init.kaiming_normal_(w, mode="fan_out", generator=g))
        drawn(lambda w, g: init.trunc_normal_(w, std=0.02, generator=g))
        drawn(lambda w, g: init.orthogonal_(w, generator=g))
    """,
    "cut off": """
        import torch
        w = torch.empty(100, 100)
        torch.nn.init.trunc_normal_(w, std=1.0, a=-1.0, b=1.0)
        at_the_ends = int((w == 1.0).sum() + (w == -1.0).sum())
        show(at_the_ends < 10, bool(w.abs().max() <= 1), abs(float(w.std()) - 0.54) < 0.02)
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees(program, "oneflow")
