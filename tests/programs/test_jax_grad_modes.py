"""Modes of gradients that are values, and what a block without gradients leaves elsewhere than under names."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

HEAD = """
import contextlib
import torch
from torch import nn


def net():
    made = nn.Linear(2, 2)
    with torch.no_grad():
        made.weight.copy_(torch.tensor([[1.0, 2.0], [3.0, -1.0]]))
        made.bias.fill_(0.5)
    return made


class Two(nn.Module):
    def __init__(self, frozen: bool = True):
        super().__init__()
        self.frozen = frozen
        self.a, self.b = net(), net()

    def forward(self, x):
        return self.b(self.a(x))


x = torch.tensor([[1.0, 2.0]])


def tell(m):
    m.zero_grad()
    loss = m(x).sum()
    loss.backward()
    show(loss, [p.grad for p in m.parameters()])


"""


def test_modes_that_are_values(agrees: Callable[..., object]) -> None:
    program = """
        class Later(Two):
            def forward(self, x, n: int = 2):
                for i in range(n):
                    ctx = contextlib.nullcontext() if i >= n - 1 else torch.no_grad()
                    with ctx:
                        x = self.a(x)
                return self.b(x)


        class Inline(Two):
            def forward(self, x):
                with torch.no_grad() if self.frozen else contextlib.nullcontext():
                    h, g = self.a(x).tanh(), self.a(x + 1)
                with torch.no_grad(), contextlib.suppress(KeyError):
                    k = self.a(x)
                return self.b(h) + g + k


        class Made(Two):
            def encoded(self, x):
                context = torch.no_grad if self.frozen else contextlib.nullcontext
                with context():
                    return self.a(x).tanh()

            def forward(self, x):
                return self.b(self.encoded(x))


        class Branched(Two):
            def forward(self, x):
                if self.frozen:
                    cm = torch.no_grad()
                else:
                    cm = contextlib.nullcontext()
                with cm:
                    h = self.a(x)
                return self.b(h)


        tell(Later())
        for frozen in (True, False):
            tell(Inline(frozen))
            tell(Made(frozen))
            tell(Branched(frozen))

        a, b = net(), net()
        opt = torch.optim.SGD([*a.parameters(), *b.parameters()], lr=0.01)
        for i in range(3):
            opt.zero_grad()
            ctx = torch.no_grad() if i < 1 else contextlib.nullcontext()
            with ctx:
                h = a(x)
            loss = b(h).pow(2).sum()
            loss.backward()
            opt.step()
            show(loss)
        for i in range(2):
            opt.zero_grad()
            out = 0.0
            for j in range(2):
                with torch.no_grad():
                    h = a(x)
                out = out + b(h)
            loss = out.pow(2).mean() + a(x).sum()
            loss.backward()
            opt.step()
            show(loss)
    """
    agrees(HEAD + dedent(program), "jax")


def test_what_a_block_leaves_in_attributes_and_lists(agrees: Callable[..., object]) -> None:
    program = """
        class Kept(Two):
            def forward(self, x):
                with torch.no_grad():
                    self.kept = self.a(x)
                return self.b(self.kept)


        class Listed(Two):
            def forward(self, x):
                found, named = [self.a(x)], {}
                with torch.no_grad():
                    for i in range(2):
                        x = self.a(x)
                        found.append(x)
                    named["last"] = self.a(x)
                return self.b(found[0] + found[1] + named["last"])


        class Prepared(Two):
            @torch.no_grad()
            def prepare(self, x):
                self.kept = self.a(x)

            def forward(self, x):
                self.prepare(x)
                return self.b(self.kept)


        class Moving(Two):
            def __init__(self):
                super().__init__()
                self.register_buffer("mean", torch.zeros(2))
                self.code = nn.Parameter(torch.ones(2))

            @torch.no_grad()
            def update(self, h):
                self.code.data.copy_(h.mean(0) * 0.5)

            def forward(self, x):
                h = self.a(x)
                if self.training:
                    with torch.no_grad():
                        self.mean.mul_(0.9).add_(h.mean(0), alpha=0.1)
                self.update(h)
                return h * self.mean * self.code


        tell(Kept())
        tell(Listed())
        tell(Prepared())
        moving = Moving()
        tell(moving)
        show(moving.mean, moving.code)
    """
    agrees(HEAD + dedent(program), "jax")


def test_a_mode_that_goes_elsewhere_is_marked(outcome: Callable[..., object]) -> None:
    program = """
        def mode(frozen):
            return torch.no_grad() if frozen else contextlib.nullcontext()


        class Stacked(Two):
            def forward(self, x):
                with contextlib.ExitStack() as stack:
                    if self.frozen:
                        stack.enter_context(torch.no_grad())
                    h = self.a(x)
                return self.b(h)


        class Given(Two):
            def forward(self, x):
                with mode(self.frozen):
                    h = self.a(x)
                return self.b(h)


        class Stored(Two):
            def forward(self, x):
                with torch.no_grad() if self.frozen else contextlib.nullcontext():
                    self.kept = self.a(x)
                return self.b(self.kept)


        tell(Stacked())
    """
    found = outcome(HEAD + dedent(program), "jax")
    assert found.verdict == "warned", str(found)
    lines = program.splitlines()
    told = [site.line - 1 - len(HEAD.splitlines()) for site in found.sites if site.outcome == "differs"]
    assert [lines[line].strip().split("(")[0] for line in sorted(told)] == [
        "return torch.no_grad", "stack.enter_context", "with torch.no_grad",
    ]  # fmt: skip


def test_a_model_that_becomes_another_begins_without_gradients(agrees: Callable[..., object]) -> None:
    program = """
        for f in range(2):
            m = Two()
            loss = m(x).sum()
            loss.backward()
            show(loss, [p.grad for p in m.parameters()])
        for m in [Two(), Two()]:
            loss = m(x).sum()
            loss.backward()
            show(loss, [p.grad for p in m.parameters()])
    """
    agrees(HEAD + dedent(program), "jax")


def test_a_parameter_that_changes_by_its_data_in_forward(agrees: Callable[..., object]) -> None:
    program = """
        class Clamped(Two):
            def __init__(self):
                super().__init__()
                self.w = nn.Parameter(torch.tensor([-2.0, 0.25]))
                self.v = nn.Parameter(torch.tensor([3.0, 4.0]))

            def forward(self, x):
                self.w.data.clamp_(-0.5, 0.5)
                self.v.data = self.v.data / self.v.data.norm()
                return self.a(x) * self.w * self.v


        class Constrained(nn.Linear):
            def __init__(self, *args, most=0.3, **words):
                self.most = most
                super().__init__(*args, **words)

            def forward(self, x):
                self.weight.data = torch.renorm(self.weight.data, p=2, dim=0, maxnorm=self.most)
                return super().forward(x)


        m = Clamped()
        tell(m)
        show(m.w, m.v)
        m = Constrained(2, 2, bias=False)
        with torch.no_grad():
            m.weight.fill_(0.5)
        tell(m)
        show(m.weight)
    """
    agrees(HEAD + dedent(program), "jax")


def test_gradients_pass_by_changes_without_gradients(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        import torch.nn as nn


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(3, 2)
                with torch.no_grad():
                    for p in self.parameters():
                        p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))

            def forward(self, x, way):
                y = self.fc(x)
                z = y * 1
                with torch.no_grad():
                    if way == 0:
                        z.mul_(2)
                    elif way == 1:
                        z += 3
                    elif way == 2:
                        z[0] = 2
                    else:
                        z.clamp_(-0.1, 0.1)
                return z * y.detach()


        x = torch.linspace(-2, 2, 15).reshape(5, 3)
        net = Net()
        opt = torch.optim.SGD(net.parameters(), lr=0.001)
        for way in range(4):
            opt.zero_grad()
            out = net(x, way) * 1
            with torch.no_grad():
                out.mul_(0.5)
            loss = out.pow(2).sum()
            loss.backward()
            opt.step()
            show(loss.item(), [p.detach() for p in net.parameters()])
        """,
        "jax",
    )
