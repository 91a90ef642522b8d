"""To JAX: integers and floats of several sizes, where one has no axes or stays what it is; casts that torch refuses."""

from __future__ import annotations

from collections.abc import Callable

INTEGERS = """
    import torch

    u = torch.tensor([1, 2], dtype=torch.uint8)
    i = torch.tensor([3, 4], dtype=torch.int32)
    s = torch.tensor(3)
    show(i + s, u * s, s - i, i // s, i % s, i & s, i**s, i / s, i < s, i.argmax() + i, u + i)
    show(u.sum(), u.prod(), torch.sum(u, 0), u.sum(dim=0, keepdim=True), u.sum(dtype=torch.float32), i.sum())

    def moved(ids, start):
        return ids + start, start * ids

    show(moved(torch.tensor([1, 2], dtype=torch.int32), torch.tensor(5)))

    class Counted(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("step", torch.tensor(0, dtype=torch.int32))
            self.register_buffer("seen", torch.zeros(3, dtype=torch.int32))

        def forward(self, x):
            self.step += (x > 0).sum()
            self.seen += torch.bincount(x.long().clamp(min=0), minlength=3)
            return x * self.step

    m = Counted()
    show(m(torch.tensor([1.0, -1.0])), m.step, m.seen)

    def changed():
        a, b = torch.tensor([1, 2], dtype=torch.uint8), torch.tensor([3, 4], dtype=torch.int32)
        a += b
        b *= torch.tensor(2)
        return a, b

    show(changed())
"""

FLOATS = """
    import torch

    class Scale(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.small = torch.nn.Parameter(torch.tensor(2.0))
            self.wide = torch.nn.Parameter(torch.tensor(2.0, dtype=torch.float64))

        def forward(self, x):
            return x.half() * self.small, torch.where(x > 0, x.half(), self.small), x * self.wide

    show(Scale()(torch.tensor([1.0, -2.0])))
    h = torch.tensor([1.0, 2.0], dtype=torch.float16)
    show(h * torch.tensor(2.0), torch.tensor(0.5) + h, h * torch.tensor([2.0, 3.0]))
"""

OF_NUMPY = """
    import numpy as np
    import torch

    r = np.array([1.0, 2.0, 3.0])

    def made(v):
        return torch.tensor(v)

    show(torch.tensor(r.mean()), torch.tensor(np.float64(0.5)), torch.tensor(np.int32(2)), torch.tensor(float(r[0])))
    show(made(r.max()), made(2.0), made(3), made(True), made(np.float32(1)), made(np.int16(1)))
"""

REFUSED = """
    import torch
    from torch import nn

    net = nn.Sequential(nn.Linear(2, 2))

    def cast(to, **kw):
        try:
            net.to(*to, **kw)
            return "cast"
        except TypeError:
            return "refused"

    show(cast([torch.int64]), cast([], dtype=torch.uint8), cast(["cpu", torch.int32]), cast([torch.float64]))
"""


def test_integers(agrees: Callable[..., object]) -> None:
    agrees(INTEGERS, "jax")


def test_floats_beside_parameters(agrees: Callable[..., object]) -> None:
    agrees(FLOATS, "jax")


def test_numbers_of_numpys(agrees: Callable[..., object]) -> None:
    agrees(OF_NUMPY, "jax")


def test_modules_are_cast_to_no_integers(agrees: Callable[..., object]) -> None:
    agrees(REFUSED, "jax")


def test_where_of_what_is_not_known(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import pickle
        import torch

        def chosen(c, a, b):
            return torch.where(c, a, b), a.where(c, b)

        x, number = pickle.loads(pickle.dumps([torch.tensor([1.5, 2.5]), torch.tensor(2.0, dtype=torch.float64)]))
        show(chosen(x > 2, x, number), chosen(x > 2, number, x))
        """,
        "jax",
    )


def test_running_sums_of_what_may_be_integers(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch

        def sums(x):
            return x.cumsum(0), torch.cumprod(x, 0)

        for d in (torch.float32, torch.int32, torch.uint8):
            show(sums(torch.tensor([1, 2, 5], dtype=d)))
            show(d.is_floating_point, d.is_complex, d.itemsize)

        def positions(mask):
            return (mask.cumsum(-1) - 1).clamp(min=0)

        ones = torch.ones(2, 3)
        show(positions(torch.ones(2, 3, dtype=torch.int32)), positions(ones), positions(ones.bool()))
        """,
        "jax",
    )
