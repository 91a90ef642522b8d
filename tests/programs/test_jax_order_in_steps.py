"""What stands between the statements that compute a loss, and changes what these have read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

HEAD = """
    import torch
    from torch import nn
    net = nn.Sequential(nn.Linear(2, 2))
    nn.init.constant_(net[0].weight, 0.5); nn.init.zeros_(net[0].bias)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    x = torch.ones(1, 2)
"""
TAIL = """
    opt.zero_grad()
    loss.backward()
    opt.step()
    show(loss, net[0].weight, x)
"""
BOUND_ANEW = """
    y = net(x)
    x = x.view(2, 1) + 1
    loss = (y.view(2, 1) - x).pow(2).sum()
"""
IN_PLACE = """
    y = net(x * 2)
    x.mul_(3)
    loss = (y - x).pow(2).sum()
"""
IN_A_LIST = """
    k = [1, 2]
    y = net(x * k[0])
    k[0] = 7
    loss = (y - k[0]).pow(2).sum()
"""
OF_A_RESULT = """
    y = net(x)
    kept = y.sum()
    y = torch.zeros(1)
    loss = kept * net(x).mean() + y.sum()
"""
OF_A_HOOK = """
    seen = {}
    def keep(name):
        def hook(module, args, output):
            seen[name] = output.detach().sum()
        return hook
    net[0].register_forward_hook(keep("first"))
    y = net(x)
    first = seen["first"]
    loss = (y * first).sum()
    show(first)
"""
TAKEN_NEXT = """
    batches = iter([torch.ones(1, 2), torch.zeros(1, 2)])
    y = net(x)
    x = next(batches) * 3
    loss = (y - x).pow(2).sum() * net(x).mean()
"""
A_METER = """
    class Meter:
        def __init__(self):
            self.sum = self.mean = 0.0
        def update(self, value):
            self.sum += value
            self.mean = self.sum / 2
    class Net(nn.Module):
        def __init__(self, part):
            super().__init__()
            self.part = part
        def forward(self, x):
            return self.part(x) * x.sum() / x.mean()
    meter = Meter()
    whole = Net(net)
    y = whole(x)
    meter.update(float(y.sum()))
    loss = (y - whole(x * 2)).pow(2).sum()
    show(meter.sum, meter.mean)
"""
NOT_READ = """
    class Told:
        seen = 0
    told = Told()
    y = net(x)
    told.seen += x.shape[0]
    opt.zero_grad()
    loss = (y - x).pow(2).sum()
    show(told.seen)
"""
A_PARAMETER = """
    y = net(x * 2)
    with torch.no_grad():
        net[0].bias.fill_(1.0)
    loss = (y - net(x)).pow(2).sum()
"""
AN_ATTRIBUTE = """
    class Told:
        k = 2
    told = Told()
    y = net(x * told.k)
    told.k = 3
    loss = (y - told.k).pow(2).sum()
"""
A_GLOBAL_NAME = """
    count = 0
    def bump():
        global count
        count += 1
    y = net(x) * count
    bump()
    loss = (y - count).pow(2).sum()
"""
AN_OBJECT = """
    class Batch:
        def __init__(self):
            self.x, self.k = torch.ones(1, 2), 1
        def grow(self):
            self.x = self.x * 2
            self.k += 1
    batch = Batch()
    y = net(batch.x) * batch.k
    batch.grow()
    loss = (y - batch.x * batch.k).pow(2).sum()
"""
A_LIST_OF_OTHERS = """
    def note(y, log):
        log.append(float(y.sum()))
    log = [0.5]
    y = net(x)
    note(y, log)
    loss = (y - log[-1]).pow(2).sum()
"""
OF_A_FUNCTION = """
    scale = 1.0
    def scaled(y):
        return y * scale
    y = scaled(net(x))
    scale = scale * 3
    loss = scaled(y).pow(2).sum()
"""
A_MODE = """
    net.append(nn.BatchNorm1d(2))
    x = torch.arange(4.0).view(2, 2)
    y = net(x)
    net.eval()
    loss = (y - net(x)).pow(2).sum()
"""
LEAVES = """
    import torch
    w = torch.linspace(1, 1.3, 3).requires_grad_()
    with torch.no_grad():
        w.fill_(0.5)
    w.sum().backward()
    show(w.grad, w)
"""
IN_TURNS = """
    import torch
    w = torch.linspace(1, 1.3, 3).requires_grad_()
    for turn in range(3):
        with torch.no_grad():
            w.clamp_(0, 1.2)
            scale, mask = w.max(), (w > 0.4).float()
        loss = (w * mask / scale).pow(2).sum()
        loss.backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
            w.grad.zero_()
    show(w, scale, loss)
"""
READ_ALONE = """
    import torch
    w = torch.linspace(1, 1.3, 3).requires_grad_()
    y = w * 2
    with torch.no_grad():
        s = y.sum() + w.sum()
    (y * s).sum().backward()
    show(w.grad)
"""
A_LEAF = """
    import torch
    w = torch.linspace(1, 1.3, 3).requires_grad_()
    y = w + 1
    with torch.no_grad():
        w.fill_(0.5)
    z = y.sum() + w.sum()
    z.backward()
    show(w.grad, w, z)
"""


@pytest.mark.parametrize(
    "between", [BOUND_ANEW, IN_PLACE, IN_A_LIST, OF_A_RESULT, OF_A_HOOK, TAKEN_NEXT, A_METER, NOT_READ]
)
def test_what_changes_what_was_read_is_computed_with_the_loss(agrees: Callable[..., Any], between: str) -> None:
    assert "loss_fn" in agrees(HEAD + between + TAIL, "jax").converted["program.py"]


@pytest.mark.parametrize(
    ("between", "changes"),
    [
        (A_PARAMETER, "`net`"),
        (AN_ATTRIBUTE, "`told.k`"),
        (A_MODE, "`net`"),
        (A_GLOBAL_NAME, "`count`"),
        (AN_OBJECT, "`self.x`"),
        (A_LIST_OF_OTHERS, "`log`"),
    ],
)
def test_what_cannot_be_is_named(outcome: Callable[..., Any], between: str, changes: str) -> None:
    marked = outcome(HEAD + between + TAIL, "jax")
    assert marked.verdict == "marked"
    assert f"changes {changes}, with which the loss is computed in part" in marked.converted["program.py"]


ASKED = """
    import math
    import torch
    from torch import nn
    net = nn.Linear(2, 2)
    nn.init.constant_(net.weight, 0.5); nn.init.zeros_(net.bias)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    def weighted(y, k, cut):
        return y * math.sqrt(k) if k > cut else y
    cut = 0.7
    for k in [0.5, 1.0, 2.0]:
        y = net(torch.ones(1, 2) * k)
        loss = weighted(y, k, cut).pow(2).sum() if k < 1.5 else y.sum() * max(k, cut)
        opt.zero_grad()
        loss.backward()
        opt.step()
        show(loss)
"""
ON_ONE_LINE = """
    import torch
    from torch import nn
    net = nn.Linear(2, 2)
    nn.init.constant_(net.weight, 0.5); nn.init.zeros_(net.bias)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    x, clip = torch.ones(1, 2), 0.1
    for turn in range(2): loss = net(x).pow(2).sum(); opt.zero_grad(); loss.backward(); opt.step(); show(loss)
    opt.zero_grad()
    for turn in range(4):
        loss = net(x).pow(2).sum() / 2
        loss.backward()
        if clip: nn.utils.clip_grad_value_(net.parameters(), clip)
        if turn % 2: opt.step(); opt.zero_grad()  # every other one
        else: show(turn)
        show(loss, net.weight)
"""
BOUND_BY_A_LOOP = """
    import torch
    from torch import nn
    cell, read = nn.RNNCell(2, 2), nn.Linear(2, 2)
    for p in [*cell.parameters(), *read.parameters()]:
        nn.init.constant_(p, 0.3)
    net = nn.ModuleList([cell, read])
    def train(x, y):
        h = torch.zeros(1, 2)
        net.zero_grad()
        for i in range(len(x)): out, h = read(h), cell(x[i], h)
        loss = (out - y).pow(2).sum()
        loss.backward()
        for p in net.parameters(): p.data.add_(p.grad.data, alpha=-0.1)
        return out, loss.item()
    show(train(torch.ones(3, 1, 2), torch.zeros(1, 2)), train(torch.ones(2, 1, 2), torch.zeros(1, 2)))
"""
GRADIENTS = """
    import torch
    x = torch.ones(2, requires_grad=True)
    k = 2.0
    y = (x * k).sum()
    k = 3.0
    show(torch.autograd.grad(y * k, x)[0], k, y)
    c = torch.ones(2)
    y = x * c
    c = c + 1
    z = (y * c).sum()
    (g,) = torch.autograd.grad(z, x, create_graph=True)
    c = c * 2
    (h,) = torch.autograd.grad((g * x * c).sum(), x)
    show(g, h, c)
    d = torch.ones(2)
    y = x * d.clone()
    d.mul_(5)
    (g,) = torch.autograd.grad((y * d).sum(), x)
    show(g, d)
"""


@pytest.mark.parametrize("program", [ON_ONE_LINE, BOUND_BY_A_LOOP])
def test_blocks_on_the_line_that_begins_them(agrees: Callable[..., Any], program: str) -> None:
    agrees(program, "jax")


def test_what_autograd_is_asked_of_is_computed_in_its_order(agrees: Callable[..., Any]) -> None:
    agrees(GRADIENTS, "jax")


def test_names_that_functions_read_by_themselves_are_named(outcome: Callable[..., Any]) -> None:
    marked = outcome(HEAD + OF_A_FUNCTION + TAIL, "jax")
    assert marked.verdict == "marked"
    assert "binds `scale`, which a function reads by itself" in marked.converted["program.py"]


def test_numbers_that_python_asks_for_are_no_arrays(agrees: Callable[..., Any]) -> None:
    agrees(ASKED, "jax")


@pytest.mark.parametrize("program", [LEAVES, IN_TURNS, READ_ALONE])
def test_leaves_change_in_front_of_their_loss(agrees: Callable[..., Any], program: str) -> None:
    agrees(program, "jax")


def test_a_leaf_that_changes_within_its_loss_is_named(outcome: Callable[..., Any]) -> None:
    marked = outcome(A_LEAF, "jax")
    assert marked.verdict == "marked"
    assert "changes `w`, of which the loss has been computed in part" in marked.converted["program.py"]
