"""Floating-point numbers of several widths, of which something says so: Paddle takes one for the other, or raises."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

HEAD = "import torch\nimport torch.nn.functional as F\n"
PROGRAMS = {
    "of a dtype that is named by a text": """
        def f(x, y):
            x.add_(y)
            x += y
            x.mul_(y)
            x.sub_(y, alpha=2)
            x.div_(y)
            x *= y
            return x
        def made(kind, n):
            return torch.ones(n, dtype=getattr(torch, kind)) * 2
        a = {"a": made("float32", 2), "b": made("float64", 2)}
        show(f(a["a"], a["b"]), f(a["b"], made("float32", 2)))
        x = torch.ones(2)
        x.lerp_(torch.zeros(2), 0.5)
        x.add_(1)
        show(x)
    """,
    "of a number of numpy's, in a list": """
        import numpy as np
        kept = [torch.tensor([np.float64(2.5), 1.0])[1]]
        total = torch.tensor(0.0)
        for part in kept:
            total.add_(part)
        show(total)
    """,
    "a number before it is a tensor": """
        x = torch.ones(4)
        s = 0.0
        for one in x:
            s = one.double() * 2
        show(x.where(x > 2, s), torch.where(x > 0, s, x))
        x.mul_(s)
        show(x, x + s)
    """,
    "changed in place where nothing says that it is a tensor": """
        flag = torch.tensor(False)
        held = {"a": [flag.float()]}
        parts = [held["a"][0]]
        made = {i: u() if u else u for i, u in enumerate(parts)}
        made[0].add_(made[0].double() + 1)
        made[0].addcmul_(made[0], made[0].to(torch.float64))
        show(held)
        made[0].mul_(made[0].to(dtype=torch.float64))
        show(held)
    """,
    "changed in place by a wider one": """
        x = torch.arange(1.0, 5.0)
        y = torch.tensor(0.375, dtype=torch.float64)
        h, k = x[0], x[1:3]
        h += 1
        h *= y
        h -= y.double()
        h /= y
        k.add_(y)
        k.mul_(y)
        k.sub_(y, alpha=2)
        k.div_(y)
        show(x, h, k)
        k **= y * 4
        k %= y
        k //= y
        show(x, h, k)
        k[:] = 7
        k.pow_(y * 8).remainder_(y * 3)
        k.floor_divide_(y)
        show(x, h, k)
    """,
    "changed in place where nobody else sees it": """
        b = torch.ones(2, dtype=torch.float64)
        a, c, d, loss = torch.zeros(2), torch.zeros(2), torch.zeros(2), torch.tensor(0.0)
        a += b
        c *= b.sum()
        d.add_(b)
        d.mul_(b).sub_(b, alpha=2)
        loss += F.mse_loss(torch.zeros(2).double(), b)
        running, total = torch.zeros(()), 0
        for term in [torch.ones_like(b) * -1.2, b]:
            running += torch.sum(term)
            total += term
        def added(acc, t):
            acc += t
            return acc
        show(a, c, d, loss, running, total, added(torch.zeros(2), b), added(torch.zeros(2), torch.ones(2)))
    """,
    "distances and blocks": """
        x = torch.tensor([1.0, 2.0, 3.0])
        y = torch.tensor([2.0, 3.0, 5.0], dtype=torch.float64)
        n = torch.tensor(1.813, dtype=torch.float64)
        show(torch.dist(x, y), x.dist(n), y.dist(x, 1), torch.block_diag(x, y), torch.dist(x, x))
    """,
    "losses": """
        w = torch.ones(4)
        z = torch.tensor([0.833, 1, 2, 3], dtype=torch.float64)
        show(F.mse_loss(w, z), F.l1_loss(w, z), F.smooth_l1_loss(z, w), F.mse_loss(w.double(), w, reduction="sum"))
        show(F.huber_loss(w, z), F.huber_loss(z, w, delta=0.5), F.huber_loss(w, w, reduction="none"))
        show(F.l1_loss(w, w.sum().to(torch.float64)), F.smooth_l1_loss(w, w.sum(), beta=0.5), F.mse_loss(w, w))
    """,
    "a loss of another shape that may fail unheard": """
        def loss(a, b):
            try:
                return F.smooth_l1_loss(a, b)
            except Exception:
                return 0
        w = torch.arange(3.0)
        show(loss(w, w.sum()), loss(w, w))
    """,
    "a Huber loss of another shape that may fail unheard": """
        def loss(a, of):
            try:
                return F.huber_loss(a, of["b"])
            except ValueError:
                return 0
        w = torch.arange(3.0)
        show(loss(w, {"b": w.sum()}), loss(w, {"b": w}))
    """,
    "sums that may fail unheard": """
        at = torch.linspace(1, 1.5, 6).sort()[1]
        try:
            found = at.int() + at
        except Exception:
            found = at
        show(found)
    """,
    "numbers beside tensors": """
        c, x = torch.tensor([True, False]), torch.tensor([1.0, 2.0])
        def pick(a, b, v):
            return torch.where(a, b, 0.7), torch.where(a, 0.7, b), b.where(a, 0.7), torch.where(a, b, v)
        show(pick(c, x.double(), x.double()), pick(c, x, x), pick(c, torch.arange(2), torch.arange(2)))
        show(torch.where(c, x.double(), 0.7), torch.where(c, 0.7, x), torch.where(c, torch.arange(2), 0.7))
    """,
    "beside one without axes that is wide": """
        b, t, f = torch.tensor(1.25, dtype=torch.float64), torch.tensor([1.5, 0.5, 2.5]), torch.tensor(0.5)
        show(torch.clamp_max(t, b), b.clamp_min(t), t.clamp(b), torch.clamp(b, t, b), torch.clamp(t.int(), f))
        show(torch.logaddexp2(t, b), t.xlogy(b), torch.special.xlog1py(t, b), torch.masked.logaddexp(t, b))
        show(torch.block_diag(t, b, t), torch.kron(t, b), b.kron(t), torch.floor_divide(t, b), b // t, f // b)
        show(torch.special.zeta(t + 1, b), torch.special.zeta(b, t), torch.special.hermite_polynomial_h(b, t))
    """,
    "the extreme of two tensors": """
        t, b = torch.tensor([1.5, 0.5]), torch.tensor(1.25, dtype=torch.float64)
        show(torch.maximum(t.min(b), b), torch.minimum(torch.max(t, b), b), torch.where(t > 1, t.max(b), b))
    """,
    "wide and narrow in turn": """
        b = torch.tensor(2.5, dtype=torch.float64)
        def pick(c):
            x = torch.ones(3)
            return x.double() if c else x
        def both(x, y):
            return torch.maximum(x, y), torch.fmin(x, y), x.min(y), x // y
        show(both(torch.arange(4.0), b), both(torch.arange(4.0).double(), b))
        for c in (True, False):
            show(torch.maximum(pick(c), b), pick(c).max(b))
        t = ((torch.ones(2, 3) * 1.5 + b) ** 2).transpose(0, 1)
        show(t.max(b), torch.minimum(b, t), t // b)
    """,
    "changed in place by another": """
        d, t = torch.tensor([1.25, 0.75, 0.5], dtype=torch.float64), torch.tensor([1.5, 0.5, 2.5])
        for x, y in ((t, d), (d, t)):
            show(x.clone().clamp_max_(y), x.clone().clamp_min_(y), x.clone().fmod_(y), x.clone().igamma_(y))
            show(x.clone().igammac_(y), x.clone().true_divide_(y), x.clone().xlogy_(y))
        show(torch.tensor(0.5).lerp_(torch.tensor(0.75), torch.tensor(1.25, dtype=torch.float64)))
    """,
    "a loss of what an array holds": """
        import numpy as np
        def block(y: "torch.Tensor"):
            total = y + 0.5
            return F.huber_loss(total, total.double()), F.mse_loss(total, total.double())
        show(block(torch.from_numpy(np.linspace(1, 4, dtype=np.float32))))
    """,
    "a sum that begins with a number": """
        total = 0.0
        for t in torch.arange(4):
            total += t.to(torch.float64)
        x = torch.full((4,), 0.7).sum()
        x.addcdiv_(x, x + total)
        y = torch.ones(())
        y.addcmul_(torch.add(y, total), y)
        show(x, y)
    """,
    "what may be a number": """
        total, product = torch.tensor(0.0), torch.ones(())
        for term in torch.tensor([0.453], dtype=torch.float64):
            total.add_(term() if hasattr(term, "no_tensors") else term)
            product.mul_(term() if hasattr(term, "no_tensors") else term)
        show(total, product)
        for term in [2, torch.tensor(0.5, dtype=torch.float64)]:
            total.div_(term if term else term())
            total.sub_(term if term else term())
        show(total)
        for term in [total.double()]:
            total += term or 0
            product *= term if term > 9 else 2
        show(total, product)
    """,
    "products": """
        w = torch.eye(2)
        show(torch.kron(torch.tensor(1), w), torch.kron(w, torch.ones(2, dtype=torch.int64)))
    """,
    "of 16 bits, beside one without axes": """
        x = torch.tensor([0.5, 2.0, -1.0])
        h = x.half()
        b = x.bfloat16()
        s = torch.tensor(0.3)
        m = torch.tensor([True, False, True])
        show(torch.maximum(b, s).dtype == torch.bfloat16, torch.min(s, b).dtype == torch.bfloat16)
        show(torch.where(m, h, s).dtype == torch.float16, torch.where(m, 0.0, h).dtype == torch.float16, h.where(m, s))
        show(h.masked_fill(m, s).dtype == torch.float16, b.masked_fill(m, -100.0).dtype == torch.bfloat16)
        class Capped:
            def __init__(self, scale):
                self.scale = scale
            def __call__(self, v):
                return torch.maximum(v.to(torch.bfloat16), self.scale)
        show(Capped(torch.tensor(0.1))(x).dtype == torch.bfloat16, Capped(torch.ones(3))(x).dtype == torch.float32)
        show(torch.stack([h, h]).dtype == torch.float16)
        def masked(scores, mask, fill):
            return torch.where(mask, scores, fill)
        show(masked(h, m, torch.tensor(0.25)), masked(x, m, torch.zeros(3)).dtype == torch.float32)
        y = torch.where(m, h.float(), s)
        show(y, y.dtype == torch.float32)
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_they_are_promoted(program: str, agrees: Callable[..., object]) -> None:
    agrees(HEAD + dedent(program), "paddle")


def test_floats_of_one_width_stay_plain(outcome: Callable[..., object]) -> None:
    found = outcome(
        """
        import torch
        import torch.nn.functional as F

        def f(x, y):
            x += y
            x.mul_(y)
            return F.mse_loss(x, y), F.smooth_l1_loss(x, y), torch.where(x > 0, x, y)

        x = torch.ones(2, 3)
        x[0] *= x[1]
        show(f(x, x.clone()), F.l1_loss(x, x), torch.where(x > 0, x, 0.5))
        """,
        "paddle",
    )
    assert found.verdict == "agrees", str(found)
    assert "helpers" not in found.converted["program.py"]


def test_widths_that_fields_hold_and_values_that_nothing_tells(agrees: Callable[..., object]) -> None:
    program = """
        import numpy as np
        from dataclasses import dataclass
        from typing import NamedTuple
        import torch

        scores = torch.tensor(np.linspace(1, 8))


        class Point(NamedTuple):
            first: torch.Tensor
            second: torch.Tensor


        @dataclass
        class Box:
            first: torch.Tensor
            second: "torch.Tensor"


        def take(p: Point):
            k, l = torch.zeros(()), torch.zeros(())
            k.add_(p.first.sum())
            l.add_(p[1].sum())
            return k, l


        pair, box = Point(first=scores, second=scores), Box(first=scores, second=scores)
        a, b = torch.zeros(()), torch.zeros(())
        for term in pair:
            a.add_(term.sum())
        b.add_(box.second.sum())
        c = torch.tensor(0.5)
        d = c
        c += (scores.unheard_of() if hasattr(scores, "unheard_of") else scores).mean()
        show(a, b, c, d, *take(pair))
    """
    agrees(program, "paddle")


# Nothing says of t that it is of float64, and has no axes; x has one, and keeps its width.
UNKNOWN_BOUND = """
    import torch
    x, c = torch.tensor([1.5, -2.0, 3.0]), torch.tensor([True, False, True])
    box = {"t": torch.tensor(2.5, dtype=torch.float64), "n": 2.5}

    def of(name): return globals()["box"][name]
    t, n = of("t"), of("n")
    show(torch.maximum(x, t), torch.minimum(t, x), x.fmax(t), torch.fmin(x, of("t")), x.maximum(other=t))
"""
UNKNOWN_OPERANDS = """
    show(torch.atan2(x, t), x.arctan2(t), torch.logaddexp(x, t), x.logaddexp2(t), torch.nextafter(t, x))
    show(torch.xlogy(x, t), torch.special.xlog1py(x, t), torch.floor_divide(x, t), x // t, t // x)
    show(torch.where(c, x, t), torch.where(c, t, x), x.where(c, t), x.clamp_min(t), torch.clamp_max(x, t))
    show(x.clamp_min(n), torch.clamp_max(x, n), torch.where(c, x, n), torch.where(c, n, x), x.where(c, n), x // n)
    def larger(a, b: torch.Tensor): return torch.maximum(a, b)
    def run(name, *given): return globals()[name](*given)
    show(run("larger", x, t), run("larger", t, x), run("larger", x, x.double()), run("larger", t, t))
"""


def test_a_bound_of_unknown_width(agrees: Callable[..., object]) -> None:
    agrees(UNKNOWN_BOUND, "jax")
    agrees(UNKNOWN_BOUND + UNKNOWN_OPERANDS, "paddle")
