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
def test_what_is_read_elsewhere_is_marked(announced: Callable[..., Outcome], loss: str) -> None:
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
    assert "marked" in {site.outcome for site in announced(HEAD + dedent(program), "jax").sites}
