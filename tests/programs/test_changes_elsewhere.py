"""What changes in a function of the project, or through an array, is seen by all who share its memory."""

from __future__ import annotations

from collections.abc import Callable

import pytest

TARGETS = ("paddle", "oneflow")

PROGRAMS = {
    "pieces that a function changes": """
        import torch

        def raise_by(piece, n=1):
            piece += n

        def deeper(t):
            raise_by(n=2, piece=t)

        x = torch.arange(6.0)
        for piece in torch.tensor_split(x, 2):
            raise_by(piece)
        first, second = x.split(3)
        deeper(second)
        halves = x.chunk(2)
        raise_by(halves[0], 5)
        show(x, first, second, halves)
    """,
    "pieces of what is one of several things in a list": """
        import torch

        w = torch.tensor([[1.343, 0.133]])
        xs = [w]
        parts = [u.split(1) for u in xs]
        stack = []
        stack.append(xs)
        stack.append(xs[-1])
        part = stack[1]
        part[:] = part.flip(1)
        show(parts)


        def get(s):
            return s[0]


        pieces = w.split(1, 1)
        part = get([w, xs])
        part[0] = 5.0
        show(pieces)
        out = torch.linspace(1, 6, 6).reshape(3, 2)


        class Box:
            pass


        ns = Box()
        ns.__dict__.update(x=out.view(3, 2, 1).select(1, 0))
        show(ns.x[:, [0]])
        held = torch.as_tensor(0.7)
        outs = (held, held)
        alias = torch.as_tensor(outs[1])
        outs[0].data = outs[1] * 0.7
        left, right = torch.arange(12).chunk(2)
        flat = torch.as_tensor(left)
        flat.data = flat * 0.5
        show(alias, left)
    """,
    "pieces of what a method gives": """
        import torch


        class Src:
            def __init__(self, value):
                self._value = value

            def get(self, what="get"):
                return self._value


        w = torch.FloatTensor([1.143, 2.0])
        left, k = w.tensor_split(2)
        src = Src(w)
        src.get().sub_(1)
        v = torch.ones(2)
        first, second = v.chunk(2)
        y = Src(v).get()
        y.mul_(3)
        show(left, first)
    """,
    "pieces of what a method gives, by a name": """
        import torch


        class Src:
            def __init__(self, value):
                self._value = value

            def get(self):
                return self._value


        w = torch.FloatTensor([1.143, 2.0])
        left, k = w.tensor_split(2)
        src = Src(w)
        y = src.get()
        y.sub_(1)
        show(left)
    """,
    "pieces that a method changes": """
        import torch

        class Scale:
            def __init__(self, factor):
                self.factor = factor

            def __call__(self, t):
                t.mul_(self.factor)
                return t

            def clear(self, t):
                t[0] = 0
                return self

        x = torch.arange(1.0, 7.0)
        scale = Scale(3)
        pieces = x.split(3)
        scale.clear(pieces[0])
        scale(pieces[1])
        show(x)
    """,
    "parts of other parts": """
        import torch
        h = torch.arange(6.0)
        a, b = h.split(3)
        c, d, e = torch.chunk(h, 3)
        d += 10
        show(a, b, c, d, e, h)
        flat = torch.as_tensor(h)
        h.unbind()[0].fill_(7)
        show(flat)
    """,
    "methods of arrays": """
        import torch
        x = torch.tensor([3.0, 1.0, 2.0])
        x.numpy().sort()
        show(x)
        a = x.numpy()
        a.fill(4)
        show(x)
        a.put([1], 5)
        show(x)
    """,
    "functions of numpy": """
        import numpy as np
        import torch
        x = torch.ones(4)
        np.copyto(x.numpy(), np.zeros(4))
        a = x.numpy()
        np.add(a, 1, out=a)
        show(x)
        np.multiply(a, 3, a)
        show(x)
        np.put(x.numpy(), [1], 6)
        np.add.at(a, [0], 2)
        np.fill_diagonal(x.view(2, 2).numpy(), 0)
        show(x)
    """,
    "a tensor of an array": """
        import numpy as np
        import torch
        a = np.ones(3, dtype=np.float32)
        t = torch.Tensor(a)
        a[0] = 4
        show(t)
        b = np.ones(3, dtype=np.float32)
        u = torch.FloatTensor(b)
        u.add_(2)
        show(b)
        c = np.ones(3)
        v = torch.Tensor(c)
        v *= 5
        show(c, v)
    """,
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_change_elsewhere_is_seen(outcome: Callable[..., object], name: str, target: str) -> None:
    found = outcome(PROGRAMS[name], target)
    assert found.torch.error is None, found.torch.error  # type: ignore[attr-defined]
    assert found.verdict in ({"agrees"} if target == "paddle" else {"agrees", "marked", "warned"}), str(found)  # type: ignore[attr-defined]


def test_items_stored_into_what_is_expanded_are_announced(announced: Callable[..., object]) -> None:
    announced(
        """
        import torch
        x = torch.ones(1, 3)
        y = x.expand_as(torch.ones(2, 3))
        y[0, 0] = 5
        show(x, y)
        """,
        "paddle",
    )


SPREAD = {
    "a row": "y = torch.ones(3).expand(2, 3)\ny[0] = 5\nshow(y)",
    "a row by its method": "y = torch.tensor(0.5).expand(2)\ny[1].mul_(3)\nshow(y)",
    "a view of a view": "y = torch.ones(1, 2).broadcast_to((3, 2))\nv = y.t()\nv[:, 0].fill_(7)\nshow(y)",
    "in a function": "def rows(t):\n    return t.expand(2, 3)\n\ny = rows(torch.ones(3))\ny[1:] += 1\nshow(y)",
    "of what a function makes": "def rows():\n    return torch.ones(3).expand(2, 3)\n\ny = rows()\ny[0] -= 1\nshow(y)",
    "an item, by a function": "def first(t):\n    t[0].fill_(3)\n\ny = torch.ones(1).expand(2)\nfirst(t=y)\nshow(y)",
    "by a function": "def clear(t):\n    t.zero_()\n\ny = torch.ones(2).expand(3, 2)\nclear(y[0])\nshow(y)",
    "a grid": "a, b = torch.meshgrid(torch.arange(2), torch.arange(3), indexing='ij')\na[0, 0] = 9\nshow(a)",
}


@pytest.mark.parametrize("program", SPREAD.values(), ids=SPREAD)
def test_a_change_of_one_of_what_is_repeated_is_announced(announced: Callable[..., object], program: str) -> None:
    announced(f"import torch\n{program}", "paddle")


def test_what_is_repeated_and_flat_already_is_one(agrees: Callable[..., object]) -> None:
    agrees("import torch\ny = torch.ones(1).expand(2)\nz = y.flatten()\nz[1] = 5\nshow(y)", "paddle")


def test_what_is_repeated_and_copied_is_not(agrees: Callable[..., object]) -> None:
    found = agrees(
        """
        import torch
        x = torch.ones(1, 3)
        y = x.expand(2, 3).clone()
        y[0] = 5
        z = x.expand(2, -1) * 2
        z[:, 0] = 0
        def rows(t):
            return t.expand(2, 3).clone()
        w = rows(x)
        w[1] = 7
        show(x, y, z, w)
        """,
        "paddle",
    )
    assert not [site for site in found.sites if site.outcome in {"marked", "differs"}]  # type: ignore[attr-defined]


MAPPED = {
    "parts": "res = list(map(lambda u: u.chunk(2), seq))\nseq[0].mul_(2)\nshow(res)",
    "in a loop": "res = list(map(lambda u: torch.split(u, 1), seq))\nfor t in seq:\n    t += 1\nshow(res)",
    "by a name": "def rows(t):\n    return t.expand(2, 3)\n\na, b = map(rows, seq)\nseq[1][0] = 9\nshow(a, b)",
}


@pytest.mark.parametrize("program", MAPPED.values(), ids=MAPPED)
def test_changes_of_what_a_map_gives_copies_of(agrees: Callable[..., object], program: str) -> None:
    agrees(f"import torch\nseq = [torch.arange(3.0), torch.ones(3)]\n{program}", "paddle")


OWN = {
    "transposed": """
        import torch
        q = torch.full((3,), 0.5)
        flat = q.T
        flat.data = flat * 0.3
        w = torch.tensor([1.0, 2.0])
        ref = w.t()
        ref.data = ref * 0.7
        v = torch.t(w)
        v.data = v + 1
        v.add_(1)
        m = torch.ones(2, 3)
        n = m.T
        n.data = n * 2
        show(q, flat, w, ref, v, m, n)
    """,
    "items by a mask of what may be a list": """
        import torch
        query = torch.linspace(1, 1.5, 6)
        class Box:
            pass
        box = Box()
        box.x = []
        box.x = query
        box.x[box.x > 1.2] *= 0.7
        box.x[1:] += 1
        show(query)
    """,
    "other data": """
        import torch
        z = torch.ones(3)
        col = z.view(z.shape)
        col.data = col * 0.3
        a = torch.ones(2, 3)
        b, c = a.reshape(2, 3), torch.reshape(a, [2, 3])
        a.data = a * 2
        d = {"k": z.view_as(z), "j": z}
        d["k"].data = z + 1
        tail = b[1]
        turned, flat = tail.T, tail.flatten()
        tail.data = tail * 0.5
        g = torch.ones(2)
        h = g.view(2)
        h.requires_grad_()
        def fn(q, s):
            r = q.view(*s)
            r.data = q * 2
            return r
        show(z, col, a, b, c, d, turned, flat, h, g.requires_grad, fn(b, (2, 3)), b)
    """,
    "other shapes": """
        import torch
        x, n = torch.arange(6.0).view(2, 3), 2
        e = torch.reshape(x, (2, 3))
        e.unsqueeze_(1)
        y = x.detach()
        y.unsqueeze_(0)
        z = x[...]
        z.t_()
        u = x.data
        u.squeeze_(0)
        w = x[:n]
        w.unsqueeze_(1)
        x.transpose_(0, 1)
        m = torch.ones(2, 2)
        k = m.flatten(1)
        k.unsqueeze_(0)
        show(e, x, y, z, u, w, x.detach().unsqueeze_(0), x, m, k)
    """,
    "written to through a property": """
        import torch
        a = torch.arange(6.0).view(3, 2)

        class Meter:
            def take(self, inp):
                self.data = torch.split(inp, 1)

            @property
            def result(self):
                torch.mul(self.data[0], 0.25, out=self.data[0])

        m = Meter()
        m.take(a)
        m.result
        show(a)
    """,
    "rows of no axes": """
        import torch
        state = torch.tensor([1.5, 2])
        for row in state:
            y, z = row.ravel(), torch.flatten(row)
            row.mul_(2)
            show(y, z)
            y.add_(1)
        show(state)
    """,
    "kept parts of what a function changes": """
        from typing import NamedTuple
        import torch

        class Sample(NamedTuple):
            first: torch.Tensor
            second: torch.Tensor

        class Filter:
            def __init__(self, scale):
                self.scale = scale
                self.parts = scale.chunk(2)

        def clear(w):
            w[0] = 7

        def scaled(other: torch.Tensor, s=2.0):
            other.mul_(s)

        h = torch.arange(4)
        item = Sample(first=h.chunk(2)[0], second=h)
        clear(w=item.second)
        model = Filter(torch.linspace(1, 2, 4))
        scaled(model.scale)
        show(item, model.parts)
    """,
    "mapped": """
        import torch
        q, k, v = map(lambda t: t.view(2, 2).transpose(0, 1), torch.arange(12.0).chunk(3))
        q = q * 2
        q += k
        show(q, k, v)
    """,
}


@pytest.mark.parametrize("program", OWN.values(), ids=OWN)
def test_who_has_a_tensor_of_its_own(agrees: Callable[..., object], program: str) -> None:
    agrees(program, "paddle")


LAYERS = {
    "a part": """
        import torch
        import torch.nn as nn
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.act = nn.ReLU(inplace=True)
                self.other = nn.ReLU()
            def forward(self, x):
                a, b = x.chunk(2, 1)
                self.act(a)
                self.other(b)
                return x, b
        show(Net()(torch.arange(8.0).view(2, 4) - 4))
    """,
    "a strided view": """
        import torch
        import torch.nn as nn
        x = torch.tensor([-1.5, 1.5, -2.0])
        nn.LeakyReLU(inplace=True)(x.as_strided((2,), (2,)))
        relu = nn.ReLU(True)
        col = x.as_strided((2,), (1,))
        relu(col)
        show(x)
    """,
}


@pytest.mark.parametrize("program", LAYERS.values(), ids=LAYERS)
def test_what_a_layer_changes_in_place_is_seen(agrees: Callable[..., object], program: str) -> None:
    agrees(program, "paddle")


ARRAYS = {
    "of a tensor": """
        import numpy as np
        import torch
        x = torch.ones(2, 3)
        values = np.asarray(x.t())
        values[0] = 4
        np.asarray(x, np.float32)[1, 1] = 5
        np.asarray(x, dtype=np.float64)[0, 1] = 6
        show(x, values)
    """,
    "of what an object keeps": """
        from dataclasses import dataclass
        import numpy as np
        import torch

        @dataclass
        class Box:
            data: object
            size: object

        class Own:
            def __init__(self, data):
                self.data = data

            def clip(self):
                values = np.asarray(self.data)
                values.clip(0, 1, out=values)

            def array(self):
                return np.asarray(self.data)

        box = Box(torch.ones(3), torch.zeros(2))
        np.asarray(box.data)[0] = 5
        values = np.asarray(box.size.detach())
        box.size.add_(1)
        own = Own(torch.tensor([3.0, -1.0]))
        own.clip()
        array = own.array()
        array += 1
        show(box.data, values, own.data)
        own.data.add_(1)
        show(array)
    """,
    "of what a function is given": """
        from typing import Any
        import numpy as np
        import torch

        def begin(image: Any):
            values = np.asarray(image)
            values[0] = 3
            return image

        def clear(image):
            image = np.asarray(image)
            image[:] = 0

        x = torch.ones(3)
        show(begin(x), begin(np.zeros(2)), begin([1, 2]), list(map(begin, [torch.ones(2)])))
        clear(x)
        show(x)
    """,
}


@pytest.mark.parametrize("program", ARRAYS.values(), ids=ARRAYS)
def test_arrays_that_numpy_makes_of_tensors_share_their_memory(agrees: Callable[..., object], program: str) -> None:
    agrees(program, "paddle")


def test_arrays_that_numpy_may_copy_of_tensors_are_announced(announced: Callable[..., object]) -> None:
    announced(
        """
        import numpy as np
        import torch
        x = torch.ones(3)
        values = np.ascontiguousarray(x)
        values[0] = 4
        show(x)
        """,
        "paddle",
    )


def test_arrays_that_numpy_hands_on_are_not(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import numpy as np
        import torch
        a = np.ones(3)
        np.asarray(a)[0] = 4
        x = torch.ones(3)
        show(a, np.asarray(x) + 1, x)
        """,
        "paddle",
    )


def test_a_leaf_that_changes_without_gradients_stays_a_leaf(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        from torch import nn
        p = nn.Parameter(torch.ones(2))
        with torch.no_grad():
            p *= 0.5
        show(p, p.requires_grad)
        """,
        "paddle",
    )


def test_whole_parts_of_what_has_no_axes_have_none(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch

        def half(w: torch.Tensor):
            return w // 2

        def halve(w: torch.Tensor):
            w //= 2
            w.floor_divide_(2)
            return w

        for w in (torch.tensor(9), torch.tensor(9.5), torch.tensor([9, 8])):
            show(half(w), halve(w))
        """,
        "paddle",
    )


def test_a_sum_of_what_is_expanded_is_new(agrees: Callable[..., object]) -> None:
    """Also where nothing but the method's name says that it is a tensor; of lists of parts a sum holds the parts."""
    found = agrees(
        """
        import torch

        def distances(x, y):
            m, n = x.size(0), y.size(0)
            xx = torch.pow(x, 2).sum(1, keepdim=True).expand(m, n)
            yy = torch.pow(y, 2).sum(1, keepdim=True).expand(n, m).t()
            dist = xx + yy
            dist.sub_(2)
            return dist, xx

        def parts(x, y):
            a = x.chunk(2) + y.chunk(2)
            x += 1
            return a

        calls = {"distances": distances, "parts": parts}
        show(calls["distances"](torch.arange(4.0).view(2, 2), torch.ones(3, 2)))
        show(calls["parts"](torch.arange(4.0), torch.ones(4)))
        """,
        "paddle",
    )
    assert "# migrate:" not in found.converted["program.py"]


def test_copies_that_objects_keep_and_hand_on_share_their_memory(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch

        class Tracker:
            def __init__(self, mean):
                self.mean = mean.chunk(2)[0]

            def get(self):
                return self.mean

        class Box:
            def __init__(self, x=None):
                self.x = x

            def grow(self):
                self.x += 1

        def new():
            return torch.tensor([0.017, 1.0])

        first = new()
        Box(Tracker(first).mean).grow()
        second = new()
        box, tracker = Box(), Tracker(second)
        box.x = tracker.mean
        torch.add(box.x, box.x, out=box.x)
        third = new()
        held = {"mean": Tracker(third).mean}
        held["mean"] += 1
        fourth = new()
        Tracker(fourth).get().add_(3)
        show(first, second, third, fourth)
        """,
        "paddle",
    )


def test_one_tensor_that_a_call_gives_twice(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch

        def step(q, other):
            parts = q.chunk(2)
            other.add_(1)
            return parts

        def repeated(q, other):
            rows = q.expand(2, 4)
            other.mul_(2)
            return rows

        def of_global(other):
            parts = x.split(2)
            other += 1
            return parts

        x, y = torch.zeros(4), torch.zeros(4)
        show(step(q=x, other=x), step(x, x[:2]), repeated(x, x.view(2, 2)), of_global(x))
        show(step(y[:2], y[2:]), x, y)
        """,
        "paddle",
    )


STEPS = {
    "copies of parameters": """
        import torch

        w = torch.nn.Parameter(torch.ones(4))
        opt = torch.optim.SGD([w], lr=0.1)
        parts, rows, array = w.detach().split(2), w.detach().expand(2, 4), w.detach().numpy()
        (w * 2).sum().backward()
        opt.step()
        show(parts, rows, array)
    """,
    "of modules, in functions": """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = torch.nn.Parameter(torch.ones(4))

            def forward(self, x):
                return (self.scale * x).sum()

        def train(net, opt):
            before = net.scale.detach().numpy()
            opt.zero_grad()
            net(torch.ones(4)).backward()
            opt.step()
            return before

        net = Net()
        opt = torch.optim.Adam(net.parameters(), lr=0.5)
        halves = net.scale.detach().chunk(2)
        saved = {name: value.numpy() for name, value in net.state_dict().items()}
        kept = net.scale.detach().numpy().copy()
        show(train(net, opt), halves, saved["scale"], kept)
    """,
}


@pytest.mark.parametrize("program", STEPS.values(), ids=STEPS)
def test_what_a_step_of_an_optimizer_changes_is_seen(agrees: Callable[..., object], program: str) -> None:
    agrees(program, "paddle")


def test_what_data_is_set_to_is_shared(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch

        target, query = torch.arange(6), torch.ones(2)
        target.data = query
        target *= 0.5
        query[0] = 0.7
        show(target)
        x, y = torch.zeros(3), torch.ones(3)
        z = x
        x.data = y
        x += 1
        show(y, z)
        y.mul_(3)
        show(x, z)
        parts, array = x.chunk(3), x.numpy()
        y += 1
        show(parts, array)
        net, weight = torch.nn.Linear(2, 1), torch.ones(1, 2)
        net.weight.data = weight
        weight += 1
        show(net.weight.detach())
        """,
        "paddle",
    )
