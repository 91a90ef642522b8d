"""Arrays in the memory of tensors: in OneFlow a change of the tensor arrives in them late, so the program waits."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

HEAD = """\
import numpy as np
import torch
import torch.nn.functional as F


class Box:
    pass


box = Box()
box.__dict__["x"] = torch.ones(2)


def bump(t):
    t += 1
    return t


def read(array, t):
    t += 1
    return array


"""

AWAITED = {
    "of what is not known": """
        def f(x):
            a = x.numpy()
            x += 1
            return a


        show(globals()["f"](torch.ones(2)))
    """,
    "of an attribute, detached": """
        a = box.x.detach().numpy()
        box.x.mul_(2)
        show(a)
    """,
    "in a list": """
        def f(x):
            held = [x.numpy()]
            x.add_(1)
            return held


        show(globals()["f"](torch.ones(2)))
    """,
    "arrays that change while something is computed": """
        x = torch.ones(200, 200)
        a = x.numpy()
        y = x @ x
        a.fill(0)
        b = np.ones((200, 200), dtype=np.float32)
        t = torch.from_numpy(b)
        z = t @ t
        b[:] = 0
        show(y[0, 0], z[0, 0], x[0, 0], t[0, 0])


        def f(x, factor):
            a = x.numpy()
            kept = []
            for i in range(3):
                kept.append(x @ x)
                a *= factor
            return [one[0, 0] for one in kept]


        show(globals()["f"](torch.ones(200, 200), 2))
    """,
    "tensors that change beside arrays that they were made of": """
        b = np.arange(3, dtype=np.float32)
        t, u, v = torch.from_numpy(b), torch.Tensor(b), torch.FloatTensor(b)
        t[1] = 5  # in all of them
        show(b)
        u += 1
        show(b, t)
        v.mul_(2)
        show(b, t, u)
        b[0] = 9
        show(t, u, v)
        c = np.arange(3)
        w = torch.Tensor(c)
        w += 1
        show(w, c)


        def bump_both(x):
            x.add_(1)
            for one in [x]:
                one *= 2


        d = np.zeros(2, dtype=np.float32)
        bump_both(torch.as_tensor(d))
        show(d)
    """,
    "numbers that are there at once": """
        class Buffer:
            def __init__(self, value):
                self.value = value

            def __add__(self, other):
                return F.softplus(self.value)

            @property
            def reset(self):
                self.value.numpy().fill(0.25)


        shown = []
        for i in range(20):
            buffer = Buffer(torch.tensor(1.5))
            out = buffer + i
            buffer.reset
            shown.append(out)
        show(shown)
    """,
    "of what is called and not known": """
        act = {"a": lambda v: (v() if hasattr(v, "rsub") else v).sub(v)}["a"]
        x = act(torch.ones(2))
        a = x.numpy()
        x += 1
        show(a)


        def f(g, x):
            y = g(x)
            a = y.numpy()
            y.add_(1)
            return a


        show(globals()["f"](torch.exp, torch.zeros(2)))
    """,
    "arrays that numpy makes of tensors": """
        x = torch.zeros(3)
        a = np.asarray(x)
        if len(a):
            x += 1
        show(a)
    """,
}
LATE = {
    "on the same line": "show(box.x.numpy(), bump(box.x))",
    "on the same line, by a method": "show([box.x.numpy(), box.x.add_(1)])",
    "by a function that is given both": "show(read(box.x.numpy(), box.x))",
}
COPIES = """\
x = torch.ones(3)
a, total = x.numpy().copy(), x.numpy().mean()
both = np.stack([x.numpy(), x.numpy()])
x += 1
show(a, float(total), both)
show(x.numpy())
x.mul_(2)
show(bump(x).numpy(), box.x.numpy())
"""


@pytest.mark.parametrize("program", AWAITED.values(), ids=AWAITED)
def test_late_changes_are_awaited(agrees: Callable[..., object], program: str) -> None:
    found = agrees(HEAD + dedent(program), "oneflow")
    assert not [site for site in found.sites if site.outcome in {"marked", "differs"}], str(found)  # type: ignore[attr-defined]
    assert "wait_for_tensors" in str(found)


@pytest.mark.parametrize("program", LATE.values(), ids=LATE)
def test_late_changes_are_marked(outcome: Callable[..., object], program: str) -> None:
    """The array is read while the tensor changes: the old numbers or the new ones come out, and the line says so."""
    found = outcome(HEAD + dedent(program), "oneflow")
    assert found.torch.error is None, found.torch.error  # type: ignore[attr-defined]
    assert found.verdict in {"marked", "warned", "agrees"}, str(found)  # type: ignore[attr-defined]
    assert [site for site in found.sites if site.outcome in {"marked", "differs"}], str(found)  # type: ignore[attr-defined]


def test_copies_of_arrays_are_not(agrees: Callable[..., object]) -> None:
    found = agrees(HEAD + COPIES, "oneflow")
    assert not [site for site in found.sites if site.outcome == "differs"]  # type: ignore[attr-defined]


def test_lists_are_copied_in_torch_too(agrees: Callable[..., object]) -> None:
    program = """
boxes = [one["box"] for one in [{"box": [1.0, 2.0, 3.0, 4.0]}]]
t = torch.as_tensor(boxes, dtype=torch.float32).reshape(-1, 4)
t[:, 2:] += t[:, :2]
u = torch.FloatTensor(boxes)
u += 1
show(t, u, boxes)
"""
    found = agrees(HEAD + program, "oneflow")
    assert not [site for site in found.sites if site.outcome in {"marked", "differs"}]


APART = {
    "what is computed of a tensor of an array": """
        y = torch.exp(torch.Tensor(np.ones(2, dtype=np.float32)))
        y += 1
        a = np.zeros(3)
        z = torch.Tensor(a) * 2
        z += 1
        show(y, z, a)
    """,
    "tensors of sizes that nothing says": """
        def f(mean, n):
            z = torch.FloatTensor(mean.shape).fill_(3)
            w = torch.Tensor(n).fill_(2)
            return z + mean, w + torch.zeros(n), mean, torch.FloatTensor(mean.size()).fill_(1)


        show(globals()["f"](torch.ones(2), 2))
    """,
    "what methods of arrays compute": """
        x = torch.ones(3)
        a = x.numpy().clip(0, 5)
        x += 1
        show(a)
    """,
    "elements that are picked": """
        class Buffer:
            def __init__(self):
                self.seen = np.arange(6.0).reshape(3, 2)

            def add(self, i, row):
                self.seen[i] = row

            def sample(self, places):
                at = []
                for place in places:
                    at.append(place)
                return torch.from_numpy(self.seen[at])


        buffer = Buffer()
        held = buffer.sample([0, 2])
        buffer.add(0, 9.0)
        show(held, buffer.seen)
    """,
    "an array that something else counts": """
        class Counts:
            total = 0.0

            def update(self, array):
                self.total += float(array.mean())


        counts = globals()["Counts"]()
        x = torch.zeros(3)
        for i in range(2):
            x[i] = 1.0
            counts.update(x.numpy())
        show(counts.total)
    """,
    "a transposed array that numpy made": """
        def f(g, x):
            basis = torch.FloatTensor(np.linalg.pinv(np.eye(2)).T[:, None])
            window = torch.from_numpy(g(x)).float()
            basis *= window
            return basis, window


        show(globals()["f"](np.sqrt, np.ones(2)))
    """,
    "counters beside what they count": """
        def unfold(held):
            a = np.empty(held["size"])
            i = 0
            on = False
            for count in held["counts"]:
                a[i : i + count] = on
                i += count
                on ^= True
            return a.reshape(1, held["size"]).transpose()


        def cleaned(a, least):
            labels = [i for i in range(2) if i < least]
            if len(labels) == 0:
                return a, False
            return np.isin(a, labels), True


        def all_of(data):
            made = []
            for held in data["all"]:
                a = unfold(held)
                a, _ = cleaned(a, 1)
                a, _ = cleaned(a, 2)
                made.append(torch.as_tensor(a).unsqueeze(0))
            return made


        show(globals()["all_of"]({"all": [{"size": 3, "counts": [1, 2]}, {"size": 2, "counts": [0, 2]}]}))
    """,
}


@pytest.mark.parametrize("program", APART.values(), ids=APART)
def test_what_shares_nothing_is_not(agrees: Callable[..., object], program: str) -> None:
    found = agrees(HEAD + dedent(program), "oneflow")
    assert not [site for site in found.sites if site.outcome in {"marked", "differs"}]  # type: ignore[attr-defined]
