"""Indices into strided views: what is taken and stored by them, and who still shares memory afterwards."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

HEAD = "import torch\nimport torch.nn as nn\n\nx = torch.arange(24.0).reshape(4, 6)\ni = torch.tensor([2, 0])\n"
TAKEN = {
    "swapped": "show(x.swapaxes(0, 1)[:, i], x.t()[:, [0, 2]], x.T[:, i])",
    "turned and powers": "show(x.rot90()[:, [0]], torch.rot90(x, 1, (0, 1))[:, i], torch.vander(x[0])[:, [1]])",
    "columns": "show(x[:, :4][:, [0, 2]], x[:, ::2][:, i], x[:, :4][..., i], x[..., 1:][:, i])",
    "mask of the second axis": "show(x.t()[:, torch.tensor([True, False, True, False])])",
    "by a name": "v = x[:, :4]\nw = x.t()\nshow(v[:, i], v[1:, i], w[:, i], w[i], w[i, 1], w[w > 3])",
    "by a parameter": "def f(t, j):\n    return t[:, j]\nshow(f(x.t(), i), f(x, i), f(x[:, 1:4], [1, 0]))",
    "by what is not known": """
        def of(t, j):
            t = t.permute(1, 0)
            return t[:, [0]], t.transpose(0, 1)[:, torch.tensor([1])]
        class Narrow:
            def __getitem__(self, t):
                return t.narrow(0, 0, 1)
        show({"a": of}["a"](x, i), Narrow()[x[1:]])
    """,
    "parts of a tuple": "a, b = x.t()[:2], x[1:, 2:]\nshow(a[:, i], b[:, i])",
    "in forward": """
        class Last(nn.Module):
            def forward(self, x):
                x = x.permute(0, 2, 1)
                return x[:, [-1], :]
        show(Last()(torch.arange(24.0).reshape(2, 3, 4)))
    """,
    "new axes": """
        m = torch.tensor([True, False, True, False])
        show(x[None, i], x[:, None, i], x[i, None], x[None, :, i], x[..., None, i], x[None, m], x[1, None, i])
        show(x.t()[None, :, i], x[None, i, 0], x[i[:, None], i], x[None, x > 3], x.view(2, 2, 6)[None, :, [0, 1], i])
    """,
    "loops": """
        y = x
        for _ in range(3):
            show(y[:, i])
            y = y.t()
    """,
}
STORED = {
    "in numpy's memory": "import numpy as np\nn = np.asarray(x.t())\nt = torch.Tensor(n)\nt[[1]] += 1.0\nshow(n, x)",
    "by what is not known": """
        def of(t, j):
            t = t.movedim(0, 1)
            t[[1]] = 0.7
            t[[0, 2], 1] += 3
            t.T[i] = t.T[i] * 2
            for place in range(2):
                t[[place + 2]] -= 1
            return t
        show({"a": of}["a"](x, i), x)
    """,
    "numbers": "v = x[:, :4]\nv[:, i] = 50.0\nv[:, [1]] = v[:, [0]]\nshow(x, v)",
    "of a call": "x.t()[:, torch.tensor([0, 1])] = -1.0\nx.t()[i] = -2.0\nshow(x)",
    "masks": "v = x[:, ::2]\nv[v > 10] = 0.0\nv[v > 3] *= 2\nx.t()[x.t() < 3] = 7.0\nshow(x, v)",
    "in place": """
        v, j = x.t(), torch.tensor([1, 2])
        v[j, :] += 1.0
        v[:, j] *= v[:, j]
        v[j] = v[j] - 2
        x[1:, 1:][:, torch.tensor([0, 1])] += 100.0
        show(x, v)
    """,
    "pairs": "w, j = x[:, 1:3], torch.tensor([0, 1])\nw[j + 1, j] = -9\nw[[0, 1]] = w[[1, 0]]\nshow(x)",
    "one of two": "a, b = x.split((1, 5), 1)\nv = b.numpy() is None or b\nv[:, [0, 1]] = v[:, [1, 0]]\nshow(x, v)",
    "slices": "w = x[:, 1:3]\nfor k in range(2): w[:, k] = k\nw[1:] += 5\nshow(x)",
    "new axes": "x[None, i] = 5.0\nx[:, None, i] = torch.ones(4, 1, 2)\nx.t()[None, :, i] += 1\nshow(x)",
    "by what hands on what it was given": """
        import torch.nn.functional as F
        def made():
            return torch.arange(6.0).reshape(2, 3).t()
        held = [made() for _ in range(5)]
        t, u, v = torch.Tensor(held[0]), torch.atleast_2d(held[1]), held[2].positive()
        w, z = F.relu(held[3], inplace=True), held[4].reshape_as(held[4])
        t[i] = 1.25
        u[i] = 1.5
        v[i] = 1.75
        w[i] = 2.5
        z[i] = 3.5
        show(t, u, v, w, z, held)
    """,
    "added by index": "v = x.t()\nv.index_add_(0, i, torch.ones(2, 4))\nshow(x, v)",
}
SHARING = {
    "a view made contiguous": "v = x.t()\ny = v.contiguous()\nv.add_(1)\nx.mul_(2)\nshow(x, v, y)",
    "what others hold": """
        held = {"a": x.t(), "b": x.t(), "c": x.t()}
        def last():
            return held["b"]
        v = x.t()
        y = [held.get("a").contiguous(), last().contiguous(), v.cpu().contiguous(), v.data.contiguous()]
        y += [(held["c"] if len(held) else x).contiguous()]
        for one in y:
            one.mul_(2)
        x += 1
        show(x, v, y, held)
    """,
    "an axis of one element": "v = x[:, 3][::4]\ny = v.contiguous()\ny.add_(5)\nshow(x, v, y)",
    "views in a container": """
        box = {"a": x.t(), "b": x[:, 1]}
        y = [box["a"].contiguous(), box["b"].contiguous()]
        x.add_(1)
        show(box, y)
    """,
    "what an argument holds ravelled": """
        def rows(h: torch.Tensor):
            h.add_(1.5)
            return h.ravel()
        held = {"x": x.narrow(-1, 0, 1)}
        first = rows(held.get("x"))
        rows(held.get("x"))
        show(first, rows(x))
    """,
    "a strided vector ravelled": """
        v = x[:, 1]
        r, s = v.ravel(), torch.ravel(x.select(1, 2))
        r.add_(1)
        s += 1
        show(x, v, r, s, x[0].ravel())
    """,
    "products": """
        p, q = torch.einsum("ij,kj->ki", x, x + 1), torch.einsum("ij->ji", x)
        y, z = p.contiguous(), q.contiguous()
        show(x, p, q, y, z, p[:, i], q[:, [0, 1]])
        p.add_(1)
        z.mul_(2)
        show(x, p)
    """,
    "what is contiguous": "y = x.contiguous()\ny.add_(5)\nshow(x)\nz = x.t().contiguous()\nz.add_(1)\nshow(x, z)",
}


@pytest.mark.parametrize(
    "program", [*TAKEN.values(), *STORED.values(), *SHARING.values()], ids=[*TAKEN, *STORED, *SHARING]
)
def test_paddle(program: str, agrees: Callable[..., object]) -> None:
    agrees(HEAD + dedent(program), "paddle")


@pytest.mark.parametrize("program", TAKEN.values(), ids=TAKEN)
def test_oneflow(program: str, agrees: Callable[..., object]) -> None:
    agrees(HEAD + dedent(program), "oneflow")


def test_what_is_new_stays_as_it_is(outcome: Callable[..., object]) -> None:
    found = outcome(
        """
        import torch
        import torch.nn as nn

        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.linear = nn.Linear(3, 3)

            def forward(self, x):
                x = self.linear(x) * 0 + 1
                return x[:, [-1], :]

        y = torch.zeros(2, 3)
        y[:, torch.tensor([0, 1])] = 1.0
        for t in range(3):
            y[:, t] = y[:, t - 1] + 1
        show(Model()(torch.ones(2, 3, 3)), y[:, torch.tensor([0, 1])])
        """,
        "paddle",
    )
    assert found.verdict == "agrees", str(found)
    text = found.converted["program.py"]
    assert "return x[:, [-1], :]" in text
    assert "y[:, paddle.to_tensor([0, 1])] = 1.0" in text
    assert "clone" not in text


@pytest.mark.parametrize(
    "store",
    ["v[i], x[0] = 5.0, 6.0", "[v[i], k] = 5.0, 1", "for v[i] in (1.0, 2.0): pass", "v[i] = x[0] = 7.0"],
)
def test_several_stores_at_once_are_marked(store: str, announced: Callable[..., object]) -> None:
    announced(f"{HEAD}v = x.t()\n{store}\nshow(x, v)", "paddle")
