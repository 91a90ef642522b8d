"""To JAX: losses whose gradient is given, that are an attribute of what a model gives, or fill a dict or a list."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

from tests.programs.model_head import HEAD


def test_gradients_that_are_given(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn as nn

        m = nn.Linear(3, 2)
        with torch.no_grad():
            m.weight.copy_(torch.linspace(-1, 1, 6).reshape(2, 3))
            m.bias.fill_(0.1)
        opt = torch.optim.SGD(m.parameters(), lr=0.1)
        x = torch.linspace(-1, 1, 12).reshape(4, 3)
        for i in range(3):
            opt.zero_grad()
            y = m(x)
            y.backward(torch.ones_like(y) / (i + 1))
            opt.step()
            show(m.weight.grad, m.weight)

        a = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
        b = a * 2
        b.backward(gradient=torch.tensor([1.0, 0.1, 0.01]))
        show(a.grad)
    """
    agrees(program, "jax")


def test_losses_that_fill_a_dict(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn as nn
        import torch.nn.functional as F


        class Two(nn.Module):
            def __init__(self):
                super().__init__()
                self.body = nn.Linear(3, 4)
                self.a = nn.Linear(4, 2)
                self.b = nn.Linear(4, 1)

            def forward(self, x):
                h = torch.tanh(self.body(x))
                return self.a(h), self.b(h)


        net = Two()
        with torch.no_grad():
            for p in net.parameters():
                p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
        opt = torch.optim.Adam(net.parameters(), lr=0.01)
        x = torch.linspace(-1, 1, 15).reshape(5, 3)
        t = torch.tensor([0, 1, 1, 0, 1])
        v = torch.ones(5, 1)
        for _ in range(3):
            opt.zero_grad()
            a, b = net(x)
            la = F.cross_entropy(a, t)
            lb = F.mse_loss(b, v)
            la.backward(retain_graph=True)
            lb.backward()
            norm = nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            opt.step()
            show(la.item(), lb.item(), norm)
        losses = {}
        for _ in range(2):
            opt.zero_grad()
            a, b = net(x)
            losses["ce"] = F.cross_entropy(a, t)
            losses["mse"] = 0.5 * F.mse_loss(b, v)
            total = sum(losses.values())
            total.backward()
            opt.step()
            show({k: round(l.item(), 4) for k, l in losses.items()})
    """
    agrees(program, "jax")


def test_losses_that_a_model_gives(agrees: Callable[..., object]) -> None:
    program = """
        from dataclasses import dataclass
        from typing import Optional


        @dataclass
        class Output:
            logits: torch.Tensor
            loss: Optional[torch.Tensor] = None
            hidden: tuple = ()


        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.enc = nn.Linear(3, 4)
                self.head = nn.Linear(4, 2)

            def forward(self, x, labels=None):
                h = torch.tanh(self.enc(x))
                logits = self.head(h)
                loss = F.cross_entropy(logits, labels) if labels is not None else None
                return Output(logits=logits, loss=loss, hidden=(h,))


        model = init(Model())
        opt = torch.optim.AdamW(model.parameters(), lr=0.05)
        x, y = torch.linspace(-1, 1, 12).reshape(4, 3), torch.tensor([0, 1, 1, 0])
        for _ in range(3):
            out = model(x, labels=y)
            out.loss.backward()
            opt.step()
            opt.zero_grad()
            show(out.loss.item(), out.logits.argmax(-1), out.hidden[0].mean())
        for _ in range(2):
            out = model(x, labels=y)
            loss = out.loss
            loss.backward()
            opt.step()
            opt.zero_grad()
            show(loss.item(), out.logits.sum())
    """
    agrees(HEAD + dedent(program), "jax")


def test_losses_in_dicts_and_lists(agrees: Callable[..., object]) -> None:
    program = """
        net = init(nn.Linear(3, 2))
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        x = torch.linspace(-1, 1, 6).reshape(2, 3)
        stats = {}
        for i in range(3):
            opt.zero_grad()
            out = net(x)
            stats["loss"] = out.pow(2).mean()
            stats["max"] = out.max().item()
            stats["loss"].backward()
            opt.step()
            show(stats["loss"].item(), stats["max"])
        for i in range(2):
            opt.zero_grad()
            res = {"loss": F.l1_loss(net(x), torch.zeros(2, 2))}
            res["loss"].backward()
            opt.step()
            show(res["loss"].item())
        for i in range(2):
            opt.zero_grad()
            (net(x) ** 2).sum().backward()
            opt.step()
            F.mse_loss(net(x), torch.ones(2, 2)).backward()
            opt.step()
            opt.zero_grad()
            losses = [net(x).mean(), net(x).abs().max()]
            torch.stack(losses).sum().backward()
            sum(l * 0 + p.grad.sum() for l, p in zip(losses, net.parameters()))
            opt.step()
            show(net.weight)
    """
    agrees(HEAD + dedent(program), "jax")


def test_two_backwards_of_one_value(agrees: Callable[..., object]) -> None:
    program = """
        import torch

        w = torch.tensor([1.0, 2.0], requires_grad=True)
        z = w * w
        z.sum().backward(retain_graph=True)
        show(w.grad)
        z.mean().backward()
        show(w.grad)
    """
    agrees(program, "jax")


def test_tensors_that_a_model_formats(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn as nn


        class Net(nn.Module):
            def __init__(self, verbose=True):
                super().__init__()
                self.a = nn.Linear(3, 4)
                self.b = nn.Linear(4, 1)
                self.verbose = verbose

            def forward(self, x):
                h = torch.relu(self.a(x))
                if self.verbose:
                    print(f"h mean {h.mean():.3f} max {h.max().item():.3f}")
                    print("shape", tuple(h.shape), "sum = %.3f" % h.sum().item())
                return self.b(h)


        net = Net()
        with torch.no_grad():
            for p in net.parameters():
                p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        x, y = torch.linspace(-1, 1, 12).reshape(4, 3), torch.ones(4, 1)
        for i in range(3):
            opt.zero_grad()
            out = net(x)
            print(f"out {out.sum():.4f}")
            loss = ((out - y) ** 2).mean()
            print("loss: {:.4f}".format(loss))
            loss.backward()
            opt.step()
            print(f"{i}: {loss:.3f}, {loss.item():.2e}")
            show(loss)
    """
    agrees(program, "jax")


def test_losses_that_are_given_together(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn as nn

        a, b = nn.Linear(3, 2), nn.Linear(3, 1)
        with torch.no_grad():
            for p in [*a.parameters(), *b.parameters()]:
                p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
        opt = torch.optim.SGD([*a.parameters(), *b.parameters()], lr=0.1)
        x = torch.linspace(-1, 1, 12).reshape(4, 3)
        for i in range(4):
            opt.zero_grad()
            l1, l2 = a(x).pow(2).mean(), (b(x) - 1).abs()
            if i % 2:
                torch.autograd.backward([l1, l2], [None, torch.ones_like(l2)])
            else:
                torch.autograd.backward((l1 * 2, l2.mean()))
            opt.step()
            show(l1.item(), l2.mean().item())
        show(a.weight, b.bias)
    """
    agrees(program, "jax")
