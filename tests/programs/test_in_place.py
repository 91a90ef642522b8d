"""What changes in place is seen by all who hold it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

TARGETS = ("paddle", "oneflow")

PROGRAMS = {
    "copied into parameters, buffers and what has no axes": """
        import torch
        import torch.nn as nn
        class N(nn.Module):
            def __init__(self):
                super().__init__()
                self.loc = nn.Parameter(torch.zeros(1, 3, 1, 1))
                self.register_buffer('mean', torch.zeros(3))
                self.scale = nn.Parameter(torch.tensor(1.0))
            def init(self, x):
                self.loc.data.copy_(-x.mean(0).view(1, 3, 1, 1))
                self.mean.copy_(x.sum())
                self.scale.data.copy_(x.max())
                with torch.no_grad():
                    self.loc.copy_(torch.ones(3, 1, 1).long())
        n = N()
        n.init(torch.arange(6.0).view(2, 3))
        for p, q in zip(nn.Linear(2, 2).parameters(), N().parameters()):
            q.data.copy_(q.data * 0.5 + 1)
            show(q)
        y = torch.zeros(2, 3)
        z = torch.ones(3, requires_grad=True)
        w = y.copy_(z * 2)
        w.sum().backward()
        b = torch.zeros(3, dtype=torch.bool)
        b.copy_(torch.tensor([0.0, 0.5, -2.0]))
        c = torch.zeros(3, dtype=torch.int64)
        c.copy_(torch.tensor([0.0, 1.7, -2.7]))
        show(n.loc, n.mean, n.scale, y, z.grad, b, c)
    """,
    "what is added is converted itself": """
        import torch
        out = torch.tensor([0.5, 1.5])
        h = torch.ones(2, dtype=torch.float64)
        held = h
        h -= out.add(1)
        h *= out.sub(0.25) if len(out) else out.add(2)
        show(h, held)
    """,
    "what is a number or a tensor": """
        import torch
        from torch import nn
        class Coupled(nn.Module):
            def __init__(self, make, un=None):
                super().__init__()
                if un is None:
                    self.un = None
                else:
                    self.un = un(features=3)
            def split(self, inputs, params):
                return inputs * params, torch.sum(inputs, dim=1)
            def forward(self, inputs, context=None):
                a = inputs
                logabsdet = 0.0
                if self.un is not None:
                    a, logabsdet = self.un(a, context)
                b, more = self.split(inputs=a, params=a)
                logabsdet += more
                return b, logabsdet
        show(Coupled(None)(torch.ones(2, 3)))
    """,
    "another name": """
        import torch
        x = torch.ones(3)
        y = x
        x += 2
        show(x, y, x is y)
    """,
    "each operator": """
        import torch
        x = torch.tensor([7.0, 8.0])
        held = x
        y = torch.tensor([2.0, 3.0])
        x += y
        x -= 1
        x *= y
        x /= 4
        x **= 2
        x //= y
        x %= 5
        show(held, x)
        i = torch.tensor([12, 10])
        kept = i
        i += 1
        i -= torch.tensor([1, 2])
        i *= 3
        i //= 2
        i &= 13
        i |= 2
        i ^= 1
        show(kept, i)
        b = torch.tensor([True, False])
        also = b
        b &= torch.tensor([True, True])
        b |= torch.tensor([False, True])
        show(also)
    """,
    "an argument": """
        import torch

        def add(x: torch.Tensor, n):
            x += n
            return x * 2

        def scale(x, n):
            x *= n

        def both(value):
            value += 1
            return value

        a = torch.zeros(2)
        show(add(a, 3), a)
        scale(a, 2.0)
        show(a, both(a), a, both(3))
    """,
    "parameters by hand": """
        import torch
        import torch.nn as nn
        net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
        for n, p in enumerate(net.parameters()):
            nn.init.constant_(p, 0.1 * (n + 1))
        x = torch.tensor([[1.0, 2.0], [0.5, -1.0]])
        losses = []
        for step in range(4):
            loss = (net(x) ** 2).mean()
            loss.backward()
            with torch.no_grad():
                for p in net.parameters():
                    p -= 0.1 * p.grad
                    p.grad = None
            losses.append(loss.item())
        show(losses)
    """,
    "parameters of an unknown model": """
        import torch
        import torch.nn as nn

        def sgd(params, lr):
            with torch.no_grad():
                for p in params:
                    p -= lr * p.grad

        w = torch.tensor([1.0, 2.0], requires_grad=True)
        for _ in range(3):
            (w * w).sum().backward()
            sgd([w], 0.1)
            w.grad = None
        show(w.detach())
    """,
    "an average of weights": """
        import copy
        import torch
        import torch.nn as nn
        net = nn.Conv2d(1, 1, 1)
        nn.init.constant_(net.weight, 1.0)
        nn.init.constant_(net.bias, 0.0)
        mean = copy.deepcopy(net)
        nn.init.constant_(net.weight, 3.0)
        with torch.no_grad():
            for p, q in zip(mean.parameters(), net.parameters()):
                p *= 0.9
                p += 0.1 * q
            for value in mean.state_dict().values():
                value += 1
        show([p.detach() for p in mean.parameters()], [p.detach() for p in net.parameters()])
    """,
    "an attribute": """
        import torch
        class Meter:
            def __init__(self):
                self.sum = torch.zeros(2)
                self.count = 0
            def update(self, x):
                self.sum += x
                self.count += 1
        meter = Meter()
        held = meter.sum
        meter.update(torch.ones(2))
        meter.update(torch.ones(2))
        show(held, meter.sum, meter.count)
    """,
    "an attribute that begins as a number and is given a tensor elsewhere": """
        import torch
        class Meter:
            def __init__(self):
                self.sum = 0
            def update(self, x):
                self.sum += x
        start = torch.zeros(2)
        meter = Meter()
        meter.sum = start
        meter.update(torch.ones(2))
        show(start, meter.sum)
    """,
    "a buffer": """
        import torch
        import torch.nn as nn
        class Norm(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("mean", torch.zeros(2))
            def forward(self, x):
                self.mean *= 0.5
                self.mean += 0.5 * x.mean(0)
                return x - self.mean
        net = Norm()
        held = net.mean
        show(net(torch.ones(3, 2)), held, net.state_dict()["mean"])
    """,
    "items of containers": """
        import torch
        a, b = torch.ones(2), torch.zeros(2)
        both = [a, b]
        both[0] += 5
        for t in both:
            t += 1
        table = {"a": a}
        table["a"] *= 2
        show(a, b, both, table)
    """,
    "views": """
        import torch
        x = torch.arange(6.0).view(2, 3)
        row = x[0]
        row += 10
        column = x[:, 1]
        column *= 2
        flat = x.view(-1)
        flat -= 1
        t = x.t()
        t += 100
        part = x.narrow(1, 0, 2)
        part /= 2
        show(x, row, column, flat, t, part)
        for line in x:
            line += 1
        show(x)
    """,
    "slices": """
        import torch
        x = torch.zeros(3, 4)
        y = x
        x[0] += 1
        x[:, 1] += 2
        x[1:, 2:] -= 3
        x[torch.tensor([0, 2]), 3] = 7
        x[x < 0] = 0.5
        show(x, y)
    """,
    "a gradient": """
        import torch
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        h = w * 2
        held = h
        h += 1
        h *= w
        (held * held).sum().backward()
        show(w.grad, held.detach())
    """,
    "in a loop": """
        import torch
        state = torch.zeros(2)
        seen = []
        for step in range(3):
            old = state
            state += step
            seen.append((old + 0, state + 0))
        show(seen)
    """,
    "with nobody else": """
        import torch
        def f(x):
            y = x * 2
            y += 1
            y *= y
            return y
        x = torch.ones(2)
        show(f(x), x)
    """,
    "closures": """
        import torch
        total = torch.zeros(2)
        def add(x):
            global total
            total += x
        held = total
        add(torch.ones(2))
        add(torch.ones(2))
        show(total, held)
        def make():
            count = torch.zeros(1)
            def inner():
                nonlocal count
                count += 1
                return count
            return inner, count
        inner, count = make()
        inner()
        show(inner(), count)
    """,
    "numbers, texts, lists": """
        import torch
        n, text, items = 1, "a", [1]
        also = items
        n += 2
        text += "b"
        items += [torch.ones(1)]
        mean = 0.0
        for x in torch.arange(3.0):
            mean += x.item()
        total = 0
        for x in torch.arange(3.0):
            total += x
        show(n, text, len(also), mean, total)
    """,
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_in_place(agrees: Callable[..., object], name: str, target: str) -> None:
    agrees(PROGRAMS[name], target)


LAYERS = """
    import torch
    import torch.nn as nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(1, 1, 1)
            self.relu = nn.{0}
            self.body = nn.Sequential(nn.{0}, nn.Conv2d(1, 1, 1), nn.{0})
            for p in self.parameters():
                nn.init.constant_(p, -0.5)

        def forward(self, x):
            skip = self.relu(x)
            out = self.relu(self.conv(x))
            with torch.no_grad():
                out = out + self.body(x)
            return out + skip + x

    net = Net().eval()
    w = torch.linspace(-2.0, 2.3, 9).view(1, 1, 3, 3).requires_grad_()
    x = w.detach() * 2
    show(net(x), x)
    x = w * 2
    y = net.relu(x)
    (x * x + net.body[1](y)).sum().backward()
    show(x, w.grad)
"""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "layer",
    [
        "ReLU(inplace=True)", "ReLU6(True)", "LeakyReLU(0.1, inplace=True)", "ELU(inplace=True)",
        "CELU(0.5, inplace=True)", "SELU(inplace=True)", "SiLU(inplace=True)", "Mish(inplace=True)",
        "Hardtanh(-0.5, 0.75, inplace=True)", "Hardswish(inplace=True)", "Hardsigmoid(inplace=True)",
        "Threshold(0.1, 20.0, inplace=True)", "Dropout(0.5, inplace=True)", "RReLU(inplace=True)",
    ],
)  # fmt: skip
def test_layers(agrees: Callable[..., object], layer: str, target: str) -> None:
    agrees(LAYERS.format(layer), target)


def test_dropout_hands_on_its_input_in_eval_mode(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        from torch import nn
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.pool = nn.AdaptiveAvgPool2d(1)
                self.head = nn.Sequential(nn.Dropout(0.2, inplace=True), nn.Linear(3, 2))
            def forward(self, x):
                return self.head(torch.flatten(self.pool(x), 1))
        net = Net().eval()
        with torch.no_grad():
            net.head[1].weight.fill_(0.5)
            net.head[1].bias.zero_()
        x = torch.linspace(0.0, 1.0, 24).reshape(2, 3, 2, 2).requires_grad_()
        net(x).square().sum().backward()
        show(x.grad)
    """
    agrees(program, "paddle")


FUNCTIONS = """
    import torch
    import torch.nn.functional as F
    w = torch.linspace(-2.0, 2.5, 4).requires_grad_()
    x = w * 2
    y = F.{0}
    show(x, y)
    (x * x).sum().backward()
    show(w.grad)
"""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "call",
    [
        "relu(x, inplace=True)", "relu(x, True)", "relu_(x)", "relu6(x, inplace=True)",
        "leaky_relu(x, 0.1, inplace=True)",
        "elu(x, 1.0, True)", "celu(x, inplace=True)", "selu(x, inplace=True)", "silu(x, inplace=True)",
        "mish(x, inplace=True)", "hardtanh(x, -0.5, 0.5, inplace=True)", "hardswish(x, inplace=True)",
        "hardsigmoid(x, inplace=True)", "threshold(x, 0.5, 0.0, inplace=True)",
        "dropout(x, 0.5, training=False, inplace=True)",
    ],
)  # fmt: skip
def test_functions(agrees: Callable[..., object], call: str, target: str) -> None:
    agrees(FUNCTIONS.format(call), target)


SHARED = {
    "pieces": """
        import torch
        x = torch.arange(12.0).view(2, 6)
        a, b = x.chunk(2, dim=1)
        a += 100
        show(x, a, b)
        p, q, r = torch.split(x, 2, 1)
        q.mul_(2)
        show(x)
        u, v = x.split([1, 5], dim=-1)
        v[0] = -1
        u.zero_()
        show(x)
        for part in torch.chunk(x, 3, 1):
            part -= 1
        show(x)
        x += 1
        show(a, q, u, v)
        s, t = x.tensor_split(2, dim=0)
        s /= 2
        show(x, t)
    """,
    "pieces of what is given": """
        import torch
        def turn(x: torch.Tensor):
            a, b = x.chunk(2, -1)
            a *= 2
            return b
        x = torch.ones(2, 4)
        show(turn(x), x)
    """,
    "expanded": """
        import torch
        x = torch.ones(2, 1)
        e = x.expand(2, 3)
        f = x.expand(-1, 2)
        x += 1
        show(e, f, x)
        g = x.expand_as(e)
        x.fill_(7.0)
        show(g)
    """,
    "an array's memory": """
        import numpy as np
        import torch
        a = np.zeros(3, dtype=np.float32)
        t = torch.from_numpy(a)
        t += 1
        a[0] = 5
        show(a, t)
        b = np.arange(4)
        u = torch.as_tensor(b)
        u[1] = 9
        b[2] = -1
        show(b, u)
    """,
    "a tensor's memory": """
        import numpy as np
        import torch
        t = torch.zeros(3)
        a = t.numpy()
        t += 2
        a[1] = 7
        show(a, t)
        b = t.detach().numpy()
        t.mul_(2)
        show(b)
        t.numpy()[...] = 0.5
        show(t, a)
        u = torch.as_tensor(t)
        t.add_(1)
        show(u)
    """,
    "copies where nobody looks": """
        import numpy as np
        import torch
        a = np.ones(3)
        t = torch.from_numpy(a) * 2
        t += 1
        n = t.numpy()
        show(a, n.sum())
    """,
}


@pytest.mark.parametrize("name", SHARED)
def test_shared_memory(agrees: Callable[..., object], name: str) -> None:
    agrees(SHARED[name], "paddle")


@pytest.mark.parametrize("name", sorted(set(SHARED) - {"an array's memory"}))
def test_shared_memory_in_oneflow(agrees: Callable[..., object], name: str) -> None:
    agrees(SHARED[name], "oneflow")


VIEWS_WITH_GRADIENTS = {
    "a part changes": ("b = x[2:]\n    b *= 3", "x", TARGETS),
    "a part changes by its method": ("x[2:].mul_(3)", "x", ("paddle",)),
    "the whole changes": ("b = x.view(2, 2)\n    x *= 3", "b", TARGETS),
    "only the view is read": ("x = x[2:]\n    x *= 3", "x", ()),
    "stored into": ("x[2:] = x[2:] * 3\n    x[:1] += 1", "x", ()),
    "without gradients": ("with torch.no_grad():\n        x[2:].mul_(3)", "x", ()),
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", VIEWS_WITH_GRADIENTS)
def test_gradients_of_views(
    agrees: Callable[..., object], announced: Callable[..., object], name: str, target: str
) -> None:
    lines, read, differs = VIEWS_WITH_GRADIENTS[name]
    program = f"""
    import torch
    w = torch.arange(4.0, requires_grad=True)
    x = w * 2
    {lines}
    ({read} * 1.5).sum().backward()
    show(w.grad)
    """
    (announced if target in differs else agrees)(program, target)


def test_items_of_what_may_be_a_tensor_are_stored_to_it(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch

        class Box:
            pass

        def scale(x, index):
            x[index] *= 2
            return x

        box = Box()
        box.x = 0
        box.x = h = torch.arange(6, dtype=torch.float32)
        box.x[box.x > 0.5] *= 0.25
        show(h)
        chosen = box.x > 0.5
        box.x[chosen] += 1
        box.x[[0, 1]] -= 1
        places, k = [2, 3], 2
        box.x[places] -= 1
        box.x[k] -= 1
        box.x[1:3] -= 1
        show(h)
        a = torch.ones(2)
        box.x = [a, 1]
        box.x[0] *= 2
        show(a, box.x)
        show(scale(a, a > 0), scale([1, 2], 0), a)
        """,
        "paddle",
    )


def test_operators_in_place_that_are_handed_on(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import functools
        import operator
        import torch

        def apply(change, x, by):
            change(x, by)
            return x

        xs = [torch.tensor([1.0, 2.0]), torch.tensor([0.5, 1.5])]
        show(functools.reduce(operator.iadd, xs), xs[0])
        changes = {"+=": operator.iadd, "*=": operator.imul}
        changes["*="](xs[0], 2)
        show(xs[0], apply(operator.isub, torch.ones(2), 3), apply(operator.iadd, [1], [2]))
        """,
        "paddle",
    )


OF_INPUTS = """
import torch
class Scaled(torch.nn.Module):
    def forward(self, x):
        y = x * 2
        y.view(-1)[0] = 5.0
        return y
x = torch.ones(2, 3, requires_grad=True)
Scaled()(x).sum().backward()
show(x.grad)
"""
AS_PLACES = """
import torch
class Picked(torch.nn.Module):
    def forward(self, x, index):
        index.view(-1)[0] = 1
        return x[index]
x = torch.ones(2, 3, requires_grad=True)
Picked()(x, torch.tensor([0, 0])).sum().backward()
show(x.grad)
"""


@pytest.mark.parametrize("target", TARGETS)
def test_views_of_what_a_forward_is_given(
    announced: Callable[..., object], agrees: Callable[..., object], target: str
) -> None:
    announced(OF_INPUTS, target)
    agrees(AS_PLACES, target)


AS_STATEMENTS = """
import torch
import torch.nn.functional as F
x = torch.tensor([1.0, 2.0, 6.0, 3.0, 7.0], requires_grad=True)
y = x * 1
y.xlogy_(x)
y.sum().backward()
show(y, x.grad)
x.grad = None
z = x * 1
F.relu6(z, inplace=True)
z.sum().backward()
show(z, x.grad)
b = torch.zeros(5)
b.xlogy_(torch.tensor([0.5, 0.0, 1.0, 2.0, 3.0]))
c = torch.tensor([1.0, 9.0])
torch.clamp_(c, torch.tensor([2.0, 2.0]), torch.tensor([3.0, 3.0]))
show(b, c)
"""


@pytest.mark.parametrize("target", TARGETS)
def test_what_a_statement_changes_at_its_end(agrees: Callable[..., object], target: str) -> None:
    agrees(AS_STATEMENTS, target)


# Of functions that give several things, with each of which something else is done in place.
OF_TUPLES = """
import torch
import torch.nn.functional as F
def top1(t):
    values, index = t.topk(k=1, dim=-1)
    return values, index
def best(t):
    values, index = t.topk(k=1, dim=-1)
    values, index = map(lambda x: x.squeeze(-1), (values, index))
    return values, index
class Gating(torch.nn.Module):
    def forward(self, x):
        gates = x.softmax(dim=-1)
        gate, index = top1(gates)
        first, place = top1(gates * 0.5)
        total = gate + first + 1
        first /= total
        first *= 2
        chosen = first[..., None, None] * F.one_hot(place, 3)[..., None]
        return torch.einsum("bcde,bcde->bc", chosen, chosen) + gate
class Best(torch.nn.Module):
    def forward(self, x):
        gates = x.softmax(dim=-1)
        gate, index = best(gates)
        first, place = best(gates * 0.5)
        total = gate + first + 1
        first /= total
        first *= 2
        return first * F.one_hot(place, 3)[..., 0] + gate
for kind in (Gating, Best):
    x = torch.linspace(-1, 1, 6).reshape(2, 3).requires_grad_()
    y = kind()(x)
    y.sum().backward()
    show(y.detach(), x.grad)
def halves(t):
    return t[:2], t[2:], t
a = torch.arange(4.)
front, back, whole = halves(a)
front += 1
back *= 3
show(a, whole, front, back)
p, q = map(lambda t: t * 2, (front, back))
p += q
show(p, q)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_what_functions_give_several_of(agrees: Callable[..., object], target: str) -> None:
    ran = agrees(OF_TUPLES, target)
    assert "migrate:" not in ran.converted["program.py"]  # type: ignore[attr-defined]
