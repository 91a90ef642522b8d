"""Lists and dicts of tensors that a program trains by themselves, as parameters of JAX's."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

PROGRAMS = {
    "names in a list": """
        import torch
        torch.manual_seed(0)
        x = torch.linspace(-1, 1, 20).unsqueeze(1)
        y = x ** 2
        w1 = torch.full((1, 4), 0.5, requires_grad=True)
        b1 = torch.tensor([0.1, -0.2, 0.3, 0.0], requires_grad=True)
        w2 = torch.full((4, 1), 0.3, requires_grad=True)
        params = [w1, b1, w2]
        opt = torch.optim.Adam(params, lr=0.05)
        for i in range(10):
            h = torch.tanh(x @ params[0] + params[1])
            loss = ((h @ params[2] - y) ** 2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            show(loss.item())
    """,
    "a dict": """
        import torch
        p = {"w": torch.tensor([[0.5], [-0.3]], requires_grad=True), "b": torch.zeros(1, requires_grad=True)}
        X = torch.tensor([[1.0, 2.0], [3.0, -1.0], [0.5, 0.5]])
        y = torch.tensor([[1.0], [0.0], [2.0]])
        opt = torch.optim.SGD(p.values(), lr=0.05, momentum=0.9)
        for i in range(8):
            pred = X @ p["w"] + p["b"]
            loss = torch.nn.functional.mse_loss(pred, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            show(i, loss.item())
        show(p["w"].detach().flatten().tolist())
    """,
    "a list, changed by hand": """
        import torch
        ws = [torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([0.5, -0.5], requires_grad=True)]
        x = torch.tensor([0.3, 0.7])
        for i in range(5):
            loss = ((ws[0] * x).sum() - 1) ** 2 + (ws[1] - x).pow(2).sum()
            loss.backward()
            with torch.no_grad():
                for w in ws:
                    w -= 0.1 * w.grad
                    w.grad.zero_()
            show(loss.item())
        show([w.tolist() for w in ws])
    """,
    "handed to a function": """
        import torch
        import torch.nn.functional as F
        def forward(x, p):
            h = F.relu(F.linear(x, p["w1"], p["b1"]))
            return F.linear(h, p["w2"])
        p = {
            "w1": torch.linspace(-0.5, 0.6, 12).view(4, 3).requires_grad_(),
            "b1": torch.zeros(4).requires_grad_(),
            "w2": torch.full((2, 4), -0.1).requires_grad_(),
        }
        opt = torch.optim.Adam(list(p.values()), lr=0.05)
        x = torch.linspace(-1, 1, 12).view(4, 3)
        y = torch.tensor([0, 1, 1, 0])
        for i in range(5):
            loss = F.cross_entropy(forward(x, p), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            show(loss.item())
    """,
    "lists of layers, made in comprehensions": """
        import torch
        sizes = [2, 3, 1]
        Ws = [torch.linspace(-0.5, 0.5, a * b).view(a, b).requires_grad_(True) for a, b in zip(sizes[:-1], sizes[1:])]
        bs = [torch.zeros(b, requires_grad=True) for b in sizes[1:]]
        def net(x):
            for W, b in zip(Ws[:-1], bs[:-1]):
                x = torch.tanh(x @ W + b)
            return x @ Ws[-1] + bs[-1]
        x = torch.tensor([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
        y = torch.tensor([[1.0], [1.0], [0.0]])
        lr = 0.1
        for i in range(6):
            loss = ((net(x) - y) ** 2).mean()
            loss.backward()
            for p in Ws + bs:
                p.data -= lr * p.grad
                p.grad = None
            show(loss.item())
    """,
    "appended": """
        import torch
        ws = []
        for k in range(3):
            ws.append(torch.full((2,), 0.5 + k, requires_grad=True))
        opt = torch.optim.SGD(ws, lr=0.1)
        x = torch.tensor([1.0, -1.0])
        for i in range(3):
            loss = sum(((w * x).sum() - 1) ** 2 for w in ws)
            opt.zero_grad()
            loss.backward()
            opt.step()
            show(loss.item())
    """,
    "in groups of an optimizer": """
        import torch
        p = [torch.nn.Parameter(torch.tensor([1.0, 2.0])), torch.nn.Parameter(torch.tensor([3.0]))]
        opt = torch.optim.SGD([{"params": [p[0]], "lr": 0.1}, {"params": [p[1]], "lr": 0.01}], lr=0.5)
        for i in range(3):
            opt.zero_grad()
            loss = (p[0] ** 2).sum() * p[1].sum()
            loss.backward()
            opt.step()
            show(loss.item(), p[0].sum().item(), p[1].item())
    """,
    "in a function": """
        import torch
        def fit(x, y, steps):
            params = {"a": torch.tensor(0.5, requires_grad=True), "b": torch.tensor(0.0, requires_grad=True)}
            opt = torch.optim.Adam(params.values(), lr=0.1)
            hist = []
            for _ in range(steps):
                opt.zero_grad()
                pred = params["a"] * x + params["b"]
                loss = torch.mean((pred - y) ** 2)
                loss.backward()
                opt.step()
                hist.append(loss.item())
            return {k: v.item() for k, v in params.items()}, hist
        x = torch.linspace(0, 1, 5)
        show(fit(x, 2 * x + 1, 6))
    """,
    "a dict that is gone through": """
        import torch
        P = {n: torch.full((2,), v, requires_grad=True) for n, v in (("a", 0.5), ("b", -1.0))}
        x = torch.tensor([1.0, 3.0])
        for i in range(3):
            loss = (P["a"] * x + P["b"]).pow(2).sum()
            loss.backward()
            with torch.no_grad():
                for n, q in P.items():
                    q -= 0.01 * q.grad
                    q.grad = None
            show(loss.item())
        show(sorted((n, q.sum().item()) for n, q in P.items()))
    """,
    "gradients that are read and clipped": """
        import torch
        ws = [torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([0.5], requires_grad=True)]
        loss = (ws[0] ** 2).sum() + (3 * ws[1]).sum()
        loss.backward()
        show([w.grad.norm().item() for w in ws], ws[0].grad.tolist())
        torch.nn.utils.clip_grad_norm_(ws, 1.0)
        show([w.grad.norm().item() for w in ws])
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_tensors_that_are_held_together(agrees: Callable[..., object], program: str) -> None:
    agrees(dedent(program), "jax")


def test_a_tensor_of_the_file_that_a_function_changes_in_place(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        image = torch.zeros(4, requires_grad=True)
        goal = torch.tensor([0.5, 2.0, -1.0, 0.3])
        opt = torch.optim.LBFGS([image], lr=0.5, max_iter=4)
        runs = [0]


        def closure():
            with torch.no_grad():
                image.clamp_(0, 1)
            opt.zero_grad()
            loss = ((image - goal) ** 2).sum()
            loss.backward()
            runs[0] += 1
            return loss


        for _ in range(3):
            show(opt.step(closure).item())
        show(image, runs)
    """
    agrees(dedent(program), "jax")


LOSSES = ("theta", "theta[0]")


@pytest.mark.parametrize("loss", LOSSES)
def test_losses_that_lie_in_what_is_trained_are_named(announced: Callable[..., object], loss: str) -> None:
    program = f"""
        import torch
        theta = torch.tensor([0.567]).requires_grad_()
        loss = {loss}
        loss.backward()
        with torch.no_grad():
            theta -= theta.grad
        show(loss)
    """
    announced(dedent(program), "jax")
