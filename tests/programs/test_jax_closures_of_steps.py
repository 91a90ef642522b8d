"""To JAX: optimizers that call a closure several times in a step: L-BFGS."""

from __future__ import annotations

from collections.abc import Callable


def test_fixed_steps_and_searches(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn as nn


        def filled(net):
            with torch.no_grad():
                for p in net.parameters():
                    p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
            return net


        x = torch.linspace(-1, 1, 10).unsqueeze(1)
        for search in (None, "strong_wolfe"):
            net = filled(nn.Sequential(nn.Linear(1, 4), nn.Tanh(), nn.Linear(4, 1)))
            optimizer = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=5, history_size=3, line_search_fn=search)
            calls = [0]

            def closure():
                optimizer.zero_grad()
                loss = ((net(x) - x**2) ** 2).mean()
                loss.backward()
                calls[0] += 1
                return loss

            for i in range(4):
                loss = optimizer.step(closure)
                show(loss.item(), calls[0])
            kept = optimizer.state_dict()["state"][0]
            show(net(x), kept["n_iter"], kept["func_evals"], optimizer.param_groups[0]["lr"])
    """
    agrees(program, "jax")


def test_tensors_that_are_trained_by_themselves_and_methods_that_are_closures(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn as nn

        w = torch.tensor([-1.5, 2.0], dtype=torch.float64, requires_grad=True)
        opt = torch.optim.LBFGS([w], max_iter=10, line_search_fn="strong_wolfe")


        def valley():
            opt.zero_grad()
            f = (1 - w[0]) ** 2 + 100 * (w[1] - w[0] ** 2) ** 2
            f.backward()
            return f


        for i in range(4):
            show(opt.step(valley).item(), w.detach())


        class Trainer:
            def __init__(self):
                self.net = nn.Linear(2, 1)
                with torch.no_grad():
                    self.net.weight.copy_(torch.tensor([[0.5, -1.0]]))
                    self.net.bias.zero_()
                self.optimizer = torch.optim.LBFGS(self.net.parameters(), lr=0.1)
                self.x, self.n = torch.linspace(-1, 1, 8).reshape(4, 2), 0

            def loss_func(self):
                self.optimizer.zero_grad()
                loss = (self.net(self.x) - 1).pow(2).mean()
                loss.backward()
                self.n += 1
                return loss

            def train(self):
                self.optimizer.step(self.loss_func)
                show(self.n, self.net.weight)


        Trainer().train()
    """
    agrees(program, "jax")
