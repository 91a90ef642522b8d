"""To JAX: tensors that are trained by themselves, without a module: each is a parameter that its name stands for."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

from migrate.programs import Outcome

HEAD = """
import torch
import torch.nn.functional as F


def lin(*shape, k=1.0):
    return (torch.linspace(-1, 1, torch.Size(shape).numel()) * k).sin().reshape(shape)


"""


def test_one_by_one_in_lists_and_by_optimizers(agrees: Callable[..., object]) -> None:
    program = """
        x = torch.linspace(-1, 1, 6)
        a = torch.tensor(0.1, requires_grad=True)
        b = torch.full((), 0.3, requires_grad=True)
        for t in range(3):
            loss = (a + b * x - x.sin()).pow(2).sum()
            loss.backward()
            with torch.no_grad():
                a -= 0.01 * a.grad
                b.sub_(0.01 * b.grad)
                # cleared by hand
                a.grad = None
                b.grad.zero_()
            show(loss.item())
        show(a.item(), b.detach())


        def linreg(x, w, b):
            return torch.matmul(x, w) + b


        def sgd(params, lr, size):
            with torch.no_grad():
                for param in params:
                    param -= lr * param.grad / size
                    param.grad.zero_()


        w, c = lin(3, 1).requires_grad_(), torch.zeros(1, requires_grad=True)
        for t in range(3):
            l = (linreg(lin(4, 3, k=3 + t), w, c) - lin(4, 1)) ** 2 / 2
            l.sum().backward()
            sgd([w, c], 0.3, 4)
            with torch.no_grad():
                show(float((linreg(lin(4, 3), w, c) - lin(4, 1)).abs().mean()), w.reshape(3))

        C, W, d = lin(5, 2), lin(4, 5, k=5), lin(5) * 0
        parameters = [C, W, d]
        for p in parameters:
            p.requires_grad = True
        for t in range(3):
            h = torch.tanh(C[torch.tensor([[0, 1], [t, 4]])].view(-1, 4) @ W + d)
            loss = F.cross_entropy(h, torch.tensor([1, 2]))
            for p in parameters:
                p.grad = None
            loss.backward()
            for p in parameters:
                p.data += -0.5 * p.grad
            show(loss.item(), h)


        def fitted():
            z, unread = torch.zeros(3, requires_grad=True), torch.ones(2, requires_grad=True)
            opt = torch.optim.AdamW([z, unread], lr=0.1, weight_decay=0.5)
            for t in range(3):
                opt.zero_grad()
                loss = ((z - 1) ** 2).sum() + 0 * unread.detach().sum()
                loss.backward()
                opt.step()
            return z, unread


        show([p.detach() for p in fitted()])
    """
    agrees(HEAD + dedent(program), "jax")


@pytest.mark.parametrize("loss", ["forward(x).sum() + w.sum()", "sum(p.pow(2).sum() for p in params) + w.sum()"])
def test_what_is_read_elsewhere(agrees: Callable[..., object], loss: str) -> None:
    program = f"""
        w, b = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
        params = [w, b]

        def forward(x):
            return x * w + b

        x = lin(3)
        loss = {loss}
        loss.backward()
        with torch.no_grad():
            for p in params:
                p -= 0.1 * p.grad
        show(w.detach(), b.detach())
    """
    agrees(HEAD + dedent(program), "jax")


def test_parameters_beside_modules_are_trained(agrees: Callable[..., object]) -> None:
    """Optimizers of a module and of parameters by themselves left these as they were, silently."""
    program = """
        import itertools


        def net_of(*sizes):
            net = torch.nn.Linear(*sizes)
            for i, p in enumerate(net.parameters()):
                p.data = lin(*p.shape, k=1 + i)
            return net


        def train():
            net = net_of(3, 2)
            a, b = torch.nn.Parameter(torch.ones(2)), torch.zeros(2, requires_grad=True)
            c, d = torch.nn.Parameter(lin(2)), torch.nn.Parameter(lin(4, 3))
            opt = torch.optim.Adam([{"params": net.parameters()}, {"params": [a], "lr": 0.3}], lr=0.1)
            more = torch.optim.SGD(itertools.chain([b], [c]), lr=0.1)
            last = torch.optim.SGD([d, *[c]], lr=0.1)
            for i in range(3):
                for one in (opt, more, last):
                    one.zero_grad()
                loss = (net(d) * a * c + b).pow(2).sum()
                loss.backward()
                opt.step()
                more.step()
                show(loss.item())
            show(a.data, b.data, c.data, net.weight.data)


        train()

        net, log_vars = net_of(3, 2), torch.nn.Parameter(torch.zeros(2))
        params = list(net.parameters()) + [log_vars]
        opt = torch.optim.AdamW(params, lr=0.05)
        for epoch in range(3):
            out = net(lin(4, 3, k=epoch + 1))
            loss = torch.exp(-log_vars[0]) * out.pow(2).mean() + log_vars[0] + log_vars[1] * out.mean()
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(params, 1.0)
            opt.step()
            show(loss.item())
        show(log_vars.detach())
    """
    agrees(HEAD + dedent(program), "jax")


def test_attributes_of_objects_are_trained(agrees: Callable[..., object]) -> None:
    program = """
        class Trainer:
            def __init__(self):
                self.net = torch.nn.Linear(3, 2)
                for i, p in enumerate(self.net.parameters()):
                    p.data = lin(*p.shape, k=1 + i)
                self.log_alpha = torch.zeros(1, requires_grad=True)
                self.log_vars = torch.nn.Parameter(torch.zeros(2))
                self.opt = torch.optim.Adam(list(self.net.parameters()) + [self.log_vars], lr=0.1)
                self.alpha_opt = torch.optim.Adam([self.log_alpha], lr=0.1)

            def step(self, x):
                out = self.net(x)
                loss = (self.log_alpha.exp().detach() * out + torch.exp(-self.log_vars)).pow(2).mean()
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                alpha_loss = -(self.log_alpha * (out.detach() - 0.5)).mean()
                self.alpha_opt.zero_grad()
                alpha_loss.backward()
                self.alpha_opt.step()
                return loss.item(), alpha_loss.item(), torch.tanh(self.log_alpha).item()

        trainer = Trainer()
        for i in range(3):
            show(trainer.step(lin(4, 3, k=i + 1)))
        show(trainer.log_alpha.detach(), trainer.log_vars.detach())
    """
    agrees(HEAD + dedent(program), "jax")


GIVEN = """
    def train(net, prompt):
        opt = torch.optim.Adam([prompt] + list(net.parameters()), lr=0.1)
        for i in range(2):
            opt.zero_grad()
            loss = net(lin(4, 3) + prompt).pow(2).sum()
            loss.backward()
            opt.step()
        show(loss.item(), prompt.data)

    train(torch.nn.Linear(3, 2), torch.nn.Parameter(torch.ones(3)))
"""
CALLED = """
    class Trainer:
        def __init__(self):
            self.net, self.scale = torch.nn.Linear(3, 2), torch.nn.Parameter(torch.ones(1))
            with torch.no_grad():
                for p in self.net.parameters():
                    p.copy_(lin(*p.shape))
            self.opt = torch.optim.SGD([self.scale, *self.net.parameters()], lr=0.1)

        def scaled(self, x):
            return x * self.scale

        def step(self, x):
            loss = self.scaled(self.net(x)).pow(2).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            return loss.item()

    trainer = Trainer()
    show(trainer.step(lin(4, 3)), trainer.step(lin(4, 3)))
"""


LAYERS = """
    class Linear:
        def __init__(self, *shape):
            self.weight = lin(*shape)

        def __call__(self, x):
            self.out = x @ self.weight
            return self.out

        def parameters(self):
            return [self.weight]

    class Tanh:
        def __call__(self, x):
            self.out = torch.tanh(x)
            return self.out

        def parameters(self):
            return []

    layers = [Linear(3, 5), Tanh(), Linear(5, 2)]
    W = lin(4, 3)
    parameters = [W] + [p for layer in layers for p in layer.parameters()]
    for p in parameters:
        p.requires_grad = True
    for i in range(2):
        x = W[torch.tensor([0, i])]
        for layer in layers:
            x = layer(x)
        loss = F.cross_entropy(x, torch.tensor([0, 1]))
        for p in parameters:
            p.grad = None
        loss.backward()
        for p in parameters:
            p.data += -0.1 * p.grad
        show(loss.item())
"""


def test_what_no_name_holds_is_marked(announced: Callable[..., Outcome]) -> None:
    """What an optimizer trains beside a module and the loss reaches in another way: it stayed as it was, silently."""
    assert "marked" in {site.outcome for site in announced(HEAD + dedent(GIVEN), "jax").sites}


@pytest.mark.parametrize("program", [CALLED, LAYERS])
def test_what_objects_hold_is_trained(agrees: Callable[..., object], program: str) -> None:
    agrees(HEAD + dedent(program), "jax")


def test_lists_of_what_other_lists_hold(agrees: Callable[..., object]) -> None:
    """Also where one is made of the pairs of two."""
    program = """
        net = torch.nn.Linear(3, 1)
        params = list(net.parameters())
        scales = [0.5, 2.0]
        large = [p for p, s in zip(params, scales) if s > 1]
        with torch.no_grad():
            for p in params:
                p.fill_(1.0)
            for p in large:
                p.mul_(2.0)
        show(net(torch.ones(2, 3)), net.weight, net.bias)
    """
    agrees(HEAD + dedent(program), "jax")


def test_gradients_that_are_only_read(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch

        x = torch.tensor(2.0, requires_grad=True)
        y = x**2 + 3 * x
        y.backward()
        show(x.grad, x.grad.item(), x.requires_grad)
        z = x**3
        z.backward()
        show(x.grad)
        x.grad = None
        (x * 5).backward()
        show(x.grad)
        """,
        "jax",
    )
    agrees(
        """
        import torch

        x = torch.ones(2, 2, requires_grad=True)
        w = torch.full((2, 2), 3.0).requires_grad_()
        b = torch.zeros(2)
        b.requires_grad_(True)
        loss = (x @ w + b).sigmoid().sum()
        loss.backward()
        show(x.grad, w.grad, b.grad)
        x.grad.zero_()
        out = (x * w).sum()
        out.backward()
        show(x.grad, w.grad)
        v = w.detach().clone().requires_grad_(True)
        (v**2).sum().backward()
        show(v.grad, w.grad)
        """,
        "jax",
    )
    agrees(
        """
        import torch

        def fake_quant(x):
            s = (x.max() - x.min()) / 15
            return x + (torch.round(x / s) * s - x).detach()

        def main():
            x = torch.sin(torch.arange(6.0)).requires_grad_()
            y = fake_quant(x).pow(2).sum()
            y.backward()
            return x.grad.clone(), x.detach() + 1

        show(main())
        """,
        "jax",
    )
