"""Random numbers of a generator that is given: the same for the same seed, others for another, and none of those
that are drawn without it.
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
    "layers of dropout": """
        import torch
        from torch import nn
        from torch.nn import Dropout


        class Last(nn.Dropout):
            pass


        x, kind = torch.ones(64), nn.Dropout
        layers = [nn.Dropout(0.5), nn.Dropout(p=0.5), kind(0.5), Last(0.5), Dropout(), Dropout(inplace=True)]
        block = nn.TransformerEncoderLayer(8, 2, 8, 0.5)
        layers += [block.dropout, block.dropout1, block.dropout2]
        masks = [layer(x.clone()) for layer in layers]
        show([torch.equal(one, two) for at, one in enumerate(masks) for two in masks[:at]])
        torch.manual_seed(1)
        again = [layer(x.clone()) for layer in layers]
        torch.manual_seed(1)
        show([torch.equal(one, layer(x.clone())) for one, layer in zip(again, layers)])
        show([torch.equal(one, two) for one, two in zip(again, masks)], [type(layer) is nn.Dropout for layer in layers])
    """,
    "cut off": """
        import torch
        w = torch.empty(100, 100)
        torch.nn.init.trunc_normal_(w, std=1.0, a=-1.0, b=1.0)
        at_the_ends = int((w == 1.0).sum() + (w == -1.0).sum())
        show(at_the_ends < 10, bool(w.abs().max() <= 1), abs(float(w.std()) - 0.54) < 0.02)
    """,
}


# What Paddle's rules take a generator for.
PADDLE = ("functions", "in place")


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees(program, "oneflow")


@pytest.mark.parametrize("program", PADDLE)
def test_agrees_in_paddle(agrees: Callable[..., object], program: str) -> None:
    agrees(PROGRAMS[program], "paddle")


APART = """
    import copy
    import torch
    from torch.utils.data import random_split

    torch.manual_seed(3)
    alone = torch.rand(4)
    torch.manual_seed(3)
    g = torch.Generator()
    g.manual_seed(5)
    given = torch.rand(4, generator=g)
    show(torch.equal(torch.rand(4), alone), torch.equal(given, alone), g.initial_seed(), isinstance(g, torch.Generator))

    state = g.get_state()
    show(state.dtype, state.ndim, state.clone().equal(state))
    next_ones = torch.randn(3, generator=g)
    show(torch.equal(g.get_state(), state))
    g.set_state(state.clone())
    show(torch.equal(torch.randn(3, generator=g), next_ones))

    state = torch.get_rng_state()
    first = torch.rand(3)
    show(torch.equal(torch.get_rng_state(), state), state.dtype)
    torch.set_rng_state(state.clone())
    show(torch.equal(torch.rand(3), first), torch.equal(torch.rand(3), first))

    def halves(seed):
        return [list(part.indices) for part in random_split(range(30), [20, 10], torch.Generator().manual_seed(seed))]

    show(halves(1) == halves(1), halves(1) == halves(2))
    show(torch.equal(torch.rand(3, generator=torch.Generator()), torch.rand(3, generator=torch.Generator())))
"""


def test_are_apart_from_what_is_drawn_without(agrees: Callable[..., object]) -> None:
    agrees(APART, "paddle")
