"""To JAX: gradients that lie at parameters, where optimizers of a program's own and other functions read them."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

HEAD = """
import torch
import torch.nn as nn
import torch.nn.functional as F


def made():
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    with torch.no_grad():
        for k, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape) * (k + 1) / 2)
    return net


def batches(count):
    return [(torch.linspace(-2, 2 + i, 15).reshape(5, 3), torch.tensor([0, 1, 1, 0, 1])) for i in range(count)]


"""

TRAINED = """

def train(net: nn.Module, opt):
    for x, y in batches(3):
        opt.zero_grad()
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
        show(loss.item())
    show([p.detach() for p in net.parameters()])

"""


def test_derived_from_torchs(agrees: Callable[..., object]) -> None:
    program = """
        class Signs(torch.optim.Optimizer):
            def __init__(self, params, lr=1e-2, betas=(0.9, 0.99), weight_decay=0.0):
                if lr < 0.0:
                    raise ValueError(f"Invalid learning rate: {lr}")
                super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

            @torch.no_grad()
            def step(self, closure=None):
                loss = None
                if closure is not None:
                    with torch.enable_grad():
                        loss = closure()
                for group in self.param_groups:
                    for p in group["params"]:
                        if p.grad is None:
                            continue
                        grad, state = p.grad, self.state[p]
                        if len(state) == 0:
                            state["step"] = 0
                            state["exp_avg"], state["exp_avg_sq"] = torch.zeros_like(p), torch.zeros_like(p.data)
                        state["step"] += 1
                        exp_avg, exp_avg_sq = state["exp_avg"], state["exp_avg_sq"]
                        beta1, beta2 = group["betas"]
                        p.data.mul_(1 - group["lr"] * group["weight_decay"])
                        exp_avg.mul_(beta1).add_(grad, alpha=1 - beta1)
                        exp_avg_sq.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
                        p.add_(torch.sign(exp_avg) + exp_avg_sq, alpha=-group["lr"])
                return loss


        net = made()
        opt = Signs([{"params": net[0].parameters(), "lr": 0.05}, {"params": net[2].parameters()}], weight_decay=0.1)
        halving = torch.optim.lr_scheduler.StepLR(opt, 1, 0.5)
        train(net, opt)
        halving.step()
        kept = opt.state_dict()
        show(kept["param_groups"], sorted(kept["state"]), kept["state"][1]["exp_avg"], opt.state[net[0].bias]["step"])
        again = Signs(net.parameters())
        again = Signs([{"params": net[0].parameters()}, {"params": net[2].parameters()}])
        again.load_state_dict(kept)
        train(net, again)
    """
    agrees(HEAD + TRAINED + dedent(program), "jax")


def test_of_no_class(agrees: Callable[..., object]) -> None:
    program = """
        class Momentum:
            def __init__(self, params, lr, momentum):
                self.params, self.lr, self.momentum = list(params), lr, momentum
                self.velocity = [torch.zeros_like(p) for p in self.params]

            def step(self):
                with torch.no_grad():
                    for p, v in zip(self.params, self.velocity):
                        if p.grad is None:
                            continue
                        v *= self.momentum
                        v += p.grad
                        p -= self.lr * v

            def zero_grad(self):
                for p in self.params:
                    p.grad = None


        class Adam:
            def __init__(self, params, lr=0.05, betas=(0.9, 0.999)):
                self.params = list(params)
                self.lr, self.betas, self.t = lr, betas, 0
                self.m = [torch.zeros_like(p.data) for p in self.params]
                self.v = [torch.zeros_like(p.data) for p in self.params]

            def step(self):
                self.t += 1
                b1, b2 = self.betas
                for i, (p, m) in enumerate(zip(self.params, self.m)):
                    g = p.grad.data
                    m.mul_(b1).add_(g, alpha=1 - b1)
                    self.v[i] = b2 * self.v[i] + (1 - b2) * g * g
                    p.data -= self.lr * (m / (1 - b1**self.t)) / ((self.v[i] / (1 - b2**self.t)).sqrt() + 1e-8)

            def zero_grad(self):
                for p in self.params:
                    if p.grad is not None:
                        p.grad.zero_()


        net = made()
        train(net, Momentum(net.parameters(), 0.1, 0.9))
        train(net, Adam(net.parameters()))
    """
    agrees(HEAD + TRAINED + dedent(program), "jax")


def test_steps_in_several_functions(agrees: Callable[..., object]) -> None:
    program = """
        class Warmed:
            def __init__(self, optimizer):
                self.optimizer, self.count = optimizer, 0

            def step(self):
                self.count += 1
                for group in self.optimizer.param_groups:
                    group["lr"] = 0.05 * self.count
                self.optimizer.step()


        def clipped(model, most):
            total = 0.0
            for p in model.parameters():
                if p.grad is not None:
                    total += p.grad.data.norm(2).item() ** 2
            share = most / (total**0.5 + 1e-6)
            if share < 1:
                for p in model.parameters():
                    p.grad.data.mul_(share)
            return total**0.5


        def descend(params, rate):
            with torch.no_grad():
                for p in params:
                    p -= rate * p.grad
                    p.grad.zero_()


        def backward(net: nn.Module, x, y):
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            return loss.item()


        net = made()
        warmed = Warmed(torch.optim.Adam(net.parameters(), lr=0, betas=(0.9, 0.98)))
        for x, y in batches(3):
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            show(loss.item(), clipped(net, 0.1))
            nn.utils.clip_grad_norm_(net.parameters(), 0.05)
            warmed.step()
            warmed.optimizer.zero_grad()
        opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        for x, y in batches(3):
            show(backward(net, x, y), backward(net, x, y), nn.utils.clip_grad_norm_(net.parameters(), 1.0))
            opt.step()
            net.zero_grad()
        for x, y in batches(2):
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            descend(net.parameters(), 0.1)
            show(loss.item())
        for x, y in batches(2):

            def closure():
                opt.zero_grad()
                loss = F.cross_entropy(net(x), y)
                loss.backward()
                return loss

            show(opt.step(closure).item())
        show([p.detach() for p in net.parameters()])
    """
    agrees(HEAD + dedent(program), "jax")


def test_models_that_are_discarded(agrees: Callable[..., object]) -> None:
    program = """
        import gc


        def clipped(model):
            for p in model.parameters():
                p.grad.data.mul_(0.1)


        def tried():
            net = made()
            for x, y in batches(1):
                F.cross_entropy(net(x), y).backward()
                clipped(net)
            return net[0].weight.grad.sum().item()


        for _ in range(20):
            show(tried())
        gc.collect()
        tried()
        show(sum(isinstance(held, nn.Parameter) for held in gc.get_objects()) < 20)
    """
    agrees(HEAD + dedent(program), "jax")
