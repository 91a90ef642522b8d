"""Operators on what is a tensor at one time and a number at another, or of a kind that only its calls tell."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

HEAD = """\
import torch
"""

PROGRAMS = {
    "what a function gives of a tensor or a number": """
        def of(flag, x):
            return torch.cos(0.3 if flag else x)
        def minus(x):
            return -torch.log(x), -x
        show(of(False, torch.tensor(1.723)) % 0.6, minus(torch.tensor([2, 3])), minus(torch.tensor(2.5)))
    """,
    "truth values of Python's beside what is a tensor at times": """
        r = 0
        for term in torch.ones(4):
            r += term
        try:
            out = torch.allclose(r.reciprocal(), r) * [r][0]
        except Exception:
            out = r
        show(out, True * r, r * True, r + True, r / True)
    """,
    "truth values and integers, each at times": """
        def block(x: torch.Tensor, s=None):
            if s is None:
                s = x.sum()
            held = torch.stack([{"x": x}["x"] > 0.5])
            return (1() if held.is_floating_point() else held) * s
        show(block(torch.arange(4)), block(torch.arange(4), 2))
    """,
    "computed from what may be a tensor": """
        def g(u, rest=None):
            v = u * 1.3
            return v % 0.6, (u if rest is None else rest) % 0.7, -u % 0.4
        for f in (g, lambda u: u % 0.5):
            show(f(torch.tensor([-1.2, 0.9])))
        show(g(torch.tensor([-1.1])), g(2.5))
    """,
    "of truth values, by what only those and integers have": """
        import numpy as np
        values = torch.tensor(np.array(True))
        def of(a: torch.Tensor, b: torch.Tensor):
            return (a & b) / 2, (a ^ b) / 4, (a | b) * 3
        show((values ^ values) / 2, of(torch.tensor([True]), torch.tensor([False])))
        show(of(torch.tensor(5), torch.tensor(3)))
    """,
    "truth values in one call, and what comes out of it in the next": """
        mask = torch.arange(4) == 0
        def handed(one, other):
            return other
        def halved(k, w: torch.Tensor):
            return w, w / 2
        out, half = halved(k=2, w=handed(mask, mask))
        show(halved(2, out), half)
    """,
    "products of integers and of what is not known": """
        def scaled(n, x: torch.Tensor):
            counts = n * x.to(torch.int32).view(1)
            return counts * torch.tensor(0.5), counts.view(1) * torch.tensor(0.5)
        show(scaled(torch.tensor(1.5).to(torch.int32).tolist(), torch.tensor(3.5)), scaled(2.5, torch.tensor(3.5)))
    """,
    "attributes that are stored through __dict__": """
        class Box:
            pass
        ns, m = Box(), Box()
        ns.__dict__.update(x=torch.tensor(-1.247))
        ns.__dict__["y"] = torch.arange(3)
        vars(m)["z"] = torch.arange(4)
        show(ns.x % 0.6, -ns.y, ns.y // 2, -m.z, ns.x.flatten())
        class Lazy:
            @property
            def x(self):
                if "x_" not in self.__dict__:
                    self.__dict__["x_"] = torch.arange(3)
                return self.__dict__["x_"]
            @x.setter
            def x(self, value):
                self.__dict__["x_"] = value
        a = Lazy()
        show(-a.x, -a.x_)
        a.x = 5
        show(-a.x, a.x_ // 2)
        vars(a)["x_"] = [1, 2]
        show(a.x * 2, vars(a)["x_"] * 2)
    """,
    "what methods give of what decorators hand over": """
        def counted(inner):
            def wrapper(*args, **kwargs):
                return inner(*args)
            return wrapper
        @counted
        def act(u):
            return -u.argsort(), u.argmax() % 2, u.long().sum() // 2
        show(act(torch.tensor([1.933, 0.5])))
        @counted
        def first(t):
            return t[0] % 0.6
        show(first(torch.linspace(-1, 1.5, 3)))
    """,
    "parts by masks that may have no axes": """
        weights = torch.tensor([0.757])
        score = [weights][0].logsumexp(dim=0, keepdim=True)
        delta = score[score[0] * 0 == 0]
        delta.add_(0.5)
        show(score, delta)
        def pick(x, m):
            y = x[m]
            y += 1
            return y
        w = torch.tensor([0.757, 1])
        show(pick(w, w[0] > 0), w, pick(w, w > 0), w)
    """,
    "division of comparisons of what may be tensors": """
        total = 0
        for part in torch.tensor([0.157]):
            total = part
        n, idx, v = 3, torch.tensor(5), torch.tensor(1.637)
        if n:
            chosen = [idx][0] > 1
        else:
            chosen = 1
        table = ((0.3 if hasattr(v, "rsub") else v) < 0.137) / 2
        show((total > 0.137) / 2, (n > 2) / 2, chosen / 2, table)
    """,
    "an attribute that is a number, then a tensor": """
        class Parent:
            def __init__(self):
                self.mean = 0.0


        class Model(Parent):
            def __init__(self, mean):
                self.mean = mean

            def values(self):
                last = [t for t in [self.mean]][-1]
                return last % 0.6, self.mean // 2, -self.mean, (self.mean + 1) % 3, self.mean ** 2


        show(Model(torch.tensor(-1.757)).values(), Model(torch.tensor([-5, 5])).values(), Model(-7).values())
        show(Model(-1.5).values())
    """,
    "fractions of what is of integers on one way": """
        def cast(x, whole):
            v = x.long() if whole else globals()["same"](x)
            return v * torch.tensor(0.5), torch.tensor(0.5) - v, v / 2


        def evaluated(text):
            try:
                v = eval(text)
            except Exception:
                v = torch.ones(3)
            return v + torch.tensor(0.5)


        def scaled(v, by=torch.tensor(0.5)):
            return v * by


        def summed(tensors):
            total = None
            for one in tensors:
                total = one if total is None else total + one
            return total * torch.tensor(0.5)


        def chosen(x, y=None):
            y = x.long() if y is None else y
            return y.mul(torch.tensor(0.5)), torch.mul(y, torch.tensor(0.5)), y.sub(torch.tensor(0.5))


        same = lambda t: t
        x, i = torch.tensor([1.0, 3.0]), torch.arange(3)
        show(cast(x, True), cast(x, False), evaluated("torch.arange(3)"), evaluated("1 / 0"))
        show(scaled(i), scaled(globals()["torch"].ones(2)), summed([i, i]), summed([x]))
        show(chosen(x), chosen(None, i), chosen(None, x))
    """,
    "truth values out of containers": """
        kept = {}


        def keep(name, value):
            kept[name] = value


        class Store:
            def __init__(self):
                self.held = {}

            def put(self, name, value):
                self.held[name] = value
                return self

            def get(self, name):
                return self.held[name]


        keep("m", torch.tensor([1, 0, 1]) == 1)
        keep("w", [1, 2])
        m = kept["m"]
        s = Store().put("i", torch.arange(3)).put("l", [1]).put("m", torch.ones(2) > 0)
        show(kept["m"] / 2, m / 2, s.get("m") / 2, s.held["m"] / 2, s.get("i") * torch.tensor(0.5))
    """,
    "fields that are annotated as tensors": """
        from dataclasses import dataclass, replace
        from typing import Dict, List, NamedTuple, Optional


        class Pair(NamedTuple):
            first: torch.Tensor
            second: torch.Tensor


        @dataclass(frozen=True)
        class Args:
            data: torch.Tensor
            mask: Optional[torch.Tensor] = None


        def of_dict(batch: Dict[str, torch.Tensor]):
            return batch["y"] * torch.tensor(0.5), batch["y"] // 2


        def of_list(given: List[torch.Tensor]):
            return given[0] * torch.tensor(0.5), given[0] % 3


        p = Pair(first=1.2, second=torch.cat([torch.arange(3)]))
        first, second = Pair(torch.ones(2), torch.arange(3))
        show(p.second * torch.tensor(0.5), p[1] - torch.tensor(0.5), second * torch.tensor(0.5), -p.second)
        a = replace(Args(torch.ones(2)), mask=torch.ones(2) > 0)
        show(a.mask / 2, a.mask * torch.tensor(0.5), Args(data=torch.arange(3)).data * torch.tensor(0.5))
        show(of_dict({"y": torch.arange(-1, 2)}), of_list([torch.arange(-1, 2)]))
    """,
    "attributes by way of a dict of them": """
        import argparse
        from types import SimpleNamespace


        class Box:
            def __init__(self):
                self.x = torch.arange(-5, 5)

            def halves(self):
                held = vars(self)
                return -held["x"], held["x"] // 2, held["x"] % 3, vars(self).get("x") // 2


        show(Box().halves())
        box = Box()
        vars(box)["y"] = torch.tensor([-5.0, 3.0])
        for name, value in vars(box).items():
            show(name, value % 2, -value)
        for space in (argparse.Namespace(x=torch.tensor([-5, 3]), n=4), SimpleNamespace(x=torch.tensor([-5, 3]), n=5)):
            named = vars(space)
            show(named["x"] // 2, named["n"] // 2, space.__dict__["x"] % 3)
        space = argparse.Namespace(x=torch.tensor([-5, 3]), n=4)
        show(space.x // 2, -space.x, space.n // 2, space.x * torch.tensor(0.5))
    """,
    "einsum of a list where an error goes another way": """
        def contracted(equation, *operands):
            try:
                result = torch.einsum(equation, list(operands))
            except RuntimeError:
                result = -1
            return result


        i, x, m = torch.arange(6).view(2, 3), torch.ones(2, 3), torch.ones(2, 3) > 0
        show(contracted("ij,kj->ik", i, i), contracted("ij,kj->ik", i, x), contracted("ij,ij->", m, x))
        show(contracted("ij,ij->ij", i, x), contracted("ij->ji", i), contracted("ij,jk", x, x.t()))
        try:
            y = torch.einsum("ij,kj->ik", [i, i])
        except RuntimeError:
            y = -1
        try:
            z = torch.einsum("ij,kj->ik", i, x)
        except RuntimeError:
            z = -1
        show(y, z)
    """,
    "bits of what may be a number": """
        def bits(c):
            x = torch.tensor([5, 6]) if c else 5
            return x & 3, x | 8, x ^ 1, ~x, x << 1, x >> 1, 6 & x, 2 ** x


        show(bits(True), bits(False))
        names = {"a"}


        def either(c):
            x = torch.tensor([True, False]) if c else names
            return x | x, x & x, x ^ x


        show(either(True))
        show(either(False)[:2])
    """,
    "functions that others call": """
        from functools import partial, reduce, wraps


        def operate(v, by):
            return v % 0.6, v // by


        class Holder:
            def __init__(self, f):
                self.f = f

            def __call__(self, x):
                return self.f(x)


        x = torch.linspace(-1.0, 2.0, steps=6)
        show(partial(operate, by=0.5)(x), Holder(partial(operate, by=2))(torch.tensor([-3, 3])))
        pairs = [torch.tensor([-3.0, 2.0]), torch.tensor([2.0, 2.0])]
        show(reduce(lambda a, b: a % b, pairs), reduce(lambda a, b: a + b, pairs) % 2)


        def through(fn):
            @wraps(fn)
            def wrapper(*args, **kwargs):
                return fn(*args, **kwargs)

            return wrapper


        def twice(fn):
            def wrapper(x):
                return fn(fn(x))

            return wrapper


        @through
        def wrapped(v):
            return v % 2


        @twice
        def doubled(v):
            return v % 2


        table = {}


        def register(name):
            def keep(fn):
                table[name] = fn
                return fn

            return keep


        @register("mod")
        def registered(v):
            return v % 2


        show(wrapped(x), doubled(x), table["mod"](x), wrapped(-7))
    """,
    "no axes of what is a tensor at times": """
        def step(y, s=None):
            if s is None:
                s = y.sum()
            return y, s


        show(step(torch.eye(2))[1].flatten(), step(torch.eye(2), torch.eye(2))[1].flatten())
    """,
    "truth values in what is annotated as a tensor": """
        from dataclasses import dataclass

        import numpy as np


        @dataclass
        class Args:
            data: torch.Tensor
            size: torch.Tensor


        def halved(x):
            return x / 2


        args = Args(torch.ones(3), torch.arange(3).bool())
        show(args.size / 2, halved(args.size), halved(args.data))
        array = np.array([True, False])
        show(torch.tensor(array) / 2, halved(torch.from_numpy(array)))
    """,
    "texts": """
        def said(c):
            x = torch.tensor(7) if c else "%d of"
            return x % 3


        show(said(True), said(False))
    """,
    "in place, of an attribute that came by its name": """
        class Box:
            pass


        box, x = Box(), torch.full((3,), 1.5)
        box.__dict__["x"] = x
        box.x **= 2
        show(x)
        box.x //= 2
        show(x)
        box.x %= 0.75
        show(x, box.x)
        i = torch.tensor([5, 6])
        box.__dict__["x"] = i
        box.x &= 3
        show(i)
        box.x |= 8
        box.x ^= 1
        show(i)
        box.__dict__["x"] = {1, 2}
        box.x &= {2}
        show(box.x)
        kept = [i]


        def change(values, n):
            values[n] **= 2
            for value in values:
                value %= 7


        globals()["change"](kept, 0)
        show(i)
    """,
    "bits of integers from operators": """
        def f(x: torch.Tensor):
            return x ** 2 & 3, (x ^ 1) & 3, (x + 1) | 4


        show(f(torch.arange(5)), f(torch.tensor(2)))


        def g(q, y):
            return y & 3


        show(g(2, torch.bincount(torch.tensor([1, 1])) - 1))
    """,
    "kinds that calls tell of what is annotated": """
        def half(x: torch.Tensor, y: "torch.Tensor"):
            return x / 2, -y, y % 3


        show(half(torch.tensor(True), torch.tensor([-4, 4])), half(torch.tensor([True, False]), torch.tensor(-4)))
    """,
    "what copy_ gives": """
        def same(what, value):
            return value


        same("k", 1)
        x = torch.ones(2)
        same("y", x).copy_(torch.zeros(2))
        show(same("x", x).copy_(x), x)


        class Source:
            def __init__(self, value):
                self.value = value

            def __getitem__(self, index):
                return self.value


        show(Source(list(map(lambda u: u, x))[0])[0].copy_(torch.tensor(3.0)))
    """,
    "words that are handed on": """
        def scale(x, y):
            return x * torch.tensor(0.5), y / 2, torch.clamp(x, max=1.5)


        show(scale(**dict(x=torch.arange(3), y=torch.tensor(True))))
        show(scale(**{"x": torch.arange(2), "y": torch.tensor([True])}))
    """,
    "what an index does not tell": """
        from functools import reduce

        x = reduce(lambda p, q: p, [v for v in [torch.ones(2)]])
        show(torch.index_select(x, 0, torch.tensor(0)).prod(), torch.take_along_dim(x, torch.tensor([1])) / 2)
        show(torch.index_select(index=torch.tensor(0), dim=0, input=x).prod())
    """,
    "numbers of two widths": """
        mask = torch.tensor(False)
        wide = torch.ones(2).double()
        show(torch.where(mask, 2.0, 1), torch.where(mask, 2, 1), torch.where(mask, 2.0, wide), torch.where(wide > 1))
    """,
    "shifted in place, unfolded from the end": """
        x = torch.tensor([4])
        y = x
        y <<= 2
        show(x)
        y >>= 1
        show(x, torch.arange(3).unfold(-1, 1, 1), torch.arange(6).view(2, 3).unfold(-2, 2, 1))
        show(torch.tensor(1).unfold(-1, 1, 1), torch.arange(6).view(2, 3).unfold(1, 2, 1))
    """,
    "truth values of Python's": """
        n, i = torch.eye(2), torch.arange(2)
        b, c = torch.allclose(n, n), n.shape[0] > 1
        show(b * n, n * b, n + c, n / c, True * n, n * True, b * i, i + c, i / c)
    """,
    "clamped by a fraction": """
        import numpy as np

        best, ids = torch.tensor([[1.603]]).max(1)
        try:
            r = ids
        except Exception:
            r = "a"
        x = torch.from_numpy(np.array([1, 5]))
        show(torch.clamp(r, max=2.5), x.clamp(0.5, 2.5), x.clamp(min=1.5), torch.clip(x, -0.5, 3), x.clamp(0, 3))


        def f(x: torch.Tensor):
            return x.clamp(0.1, 0.9)


        show(f(torch.ones(2)), ids.int().sum(), torch.tensor(3, dtype=torch.int32).sum())
    """,
    "clamping of truth values, or of integers": """
        i = torch.arange(6)
        try:
            low = i
        except ValueError:
            low = i == 3


        def cut(h):
            return torch.clamp(h, max=2.5), h.clamp(0.5, 2.5), h.clamp_min(1.5), h.clamp(1, 3)


        show(cut(low))
        b = i > 2
        show(b.clamp(1, 3), b.clamp(max=0.5), torch.clamp_max(b, 0.5))
    """,
    "methods that take tensors": """
        def f(x, low, y):
            return x.clamp(low, y), x.addcmul(low, y), x.pow(y), x.where(x > 1, y), x.addcdiv(y, y + 1)


        show(globals()["f"](torch.tensor([1.5, 2.5]), torch.tensor([1.0, 1.0]), torch.tensor([2.0, 2.0])))
        show(globals()["f"](torch.tensor([1.5, 2.5]), torch.tensor(2.0), torch.tensor([2.0, 3.0])))
    """,
    "places and distinct values are integers": """
        y = torch.arange(9).view(3, 3)
        v, o = y.sort()
        show(o ^ 1, torch.topk(y, 1)[1] & 1, torch.bincount(y.view(-1)) & 3, y.diff() ^ 1)
        d = torch.arange(6).unique()
        d &= 3
        show(d, torch.arange(6).unique_consecutive() ^ 1, torch.unique(torch.tensor([1, 1]), return_counts=True)[1])
        show(torch.div(y, 2, rounding_mode="floor") & 1, torch.index_select(y, 1, torch.tensor(0)))
    """,
    "strides from where the tensor begins": """
        x = torch.arange(6)
        show(x[1].as_strided((2,), (1,)), torch.as_strided(x[2:], (2, 2), (2, 1)), x[1:].as_strided((2,), (1,), 3))
        x[3:].as_strided((2,), (2,)).add_(10)
        show(x)
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees(HEAD + dedent(program), "oneflow")


def test_a_place_that_must_not_be_found_twice_is_announced(outcome: Callable[..., object]) -> None:
    program = """\
        import torch
        count, x = [0], torch.tensor([3.0])
        def place():
            count[0] += 1
            return 0
        def change(values):
            values[place()] **= 2
        globals()["change"]([x])
        show(count, x)
    """
    assert outcome(dedent(program), "oneflow").verdict == "warned"  # type: ignore[attr-defined]


def test_a_method_that_is_looked_up_by_its_name(agrees: Callable[..., object], outcome: Callable[..., object]) -> None:
    program = """\
        import torch
        class Box:
            pass
        box = Box()
        box.__dict__.update(x=torch.zeros(2)[0])
        show(getattr(box.x, "flatten")())
    """
    agrees(dedent(program), "oneflow")
    kept = dedent(program).replace(
        'show(getattr(box.x, "flatten")())', 'flatten = getattr(box.x, "flatten")\nshow(flatten())'
    )
    assert outcome(kept, "oneflow").verdict == "warned"  # type: ignore[attr-defined]
