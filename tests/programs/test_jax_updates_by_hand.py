"""To JAX: training as scripts write it: parameters that are moved in loops, phases, trainers that keep models."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

HEAD = """
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F


def made(*layers):
    net = nn.Sequential(*(layers or (nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))))
    with torch.no_grad():
        for k, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape) * (k + 1) / 2)
    return net


def batches(count):
    return [(torch.linspace(-2, 2 + i, 15).reshape(5, 3), torch.tensor([0, 1, 1, 0, 1])) for i in range(count)]


"""


def test_parameters_are_moved_in_loops(agrees: Callable[..., object]) -> None:
    program = """
        net = made()
        for x, y in batches(2):
            loss = F.cross_entropy(net(x), y)
            net.zero_grad()
            loss.backward()
            with torch.no_grad():
                for p in net.parameters():
                    p -= 0.1 * p.grad
        net.zero_grad()


        def cleared_in_the_block(net: nn.Module):
            for x, y in batches(2):
                loss = F.cross_entropy(net(x), y)
                loss.backward()
                with torch.no_grad():
                    for p in net.parameters():
                        p.sub_(p.grad * 0.1)
                    net.zero_grad()
                show(loss.item())


        def cleared_one_by_one(net):
            for x, y in batches(2):
                loss = F.cross_entropy(net(x), y)
                loss.backward()
                with torch.no_grad():
                    for p in net.parameters():
                        if p.grad is None:
                            continue
                        p.data -= 0.1 * p.grad
                        p.grad.zero_()
                show(loss.item())


        cleared_in_the_block(net)
        cleared_one_by_one(net)
        show([p.detach() for p in net.parameters()])


        class Slow(nn.Module):
            def __init__(self):
                super().__init__()
                self.fast, self.slow = made(), made()

            def forward(self, x):
                with torch.no_grad():
                    for p, q in zip(self.fast.parameters(), self.slow.parameters()):
                        q.data = q.data * 0.9 + p.data * 0.1
                    k = self.slow(x)
                return self.fast(x) * k


        both = Slow()
        opt = torch.optim.SGD(both.fast.parameters(), lr=0.1)
        for x, _ in batches(3):
            loss = both(x).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            show(loss.item(), both.slow[0].bias.detach())
    """
    agrees(HEAD + dedent(program), "jax")


PHASES = """
{def_}
    for epoch in range(2):
        for phase in ["train", "val"]:
            model.train() if phase == "train" else model.eval()
            right = 0
            for x, y in batches(2):
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    out = model(x)
                    _, found = torch.max(out, 1)
                    loss = criterion(out, y)
                    # and a step
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                right += torch.sum(found == y.data)
                show(phase, loss.item(), right.item())
"""


def test_phases_turn_gradients_on(agrees: Callable[..., object]) -> None:
    called = """
        model, criterion = made(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 2)), nn.CrossEntropyLoss()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    """
    file = HEAD + dedent(called) + PHASES.format(def_="if True:")
    function = HEAD + PHASES.format(def_="def train(model, criterion, optimizer):") + dedent(called)
    for program in (file, f"{function}train(model, criterion, optimizer)\n"):
        found = agrees(program, "jax")
        assert not [site for site in found.sites if site.outcome in {"marked", "differs"}]  # type: ignore[attr-defined]


def test_models_that_trainers_keep(agrees: Callable[..., object]) -> None:
    program = """
        class Trainer:
            def __init__(self, model, rate):
                self.net = model.to("cpu")
                self.old = copy.deepcopy(model)
                self.optimizer = torch.optim.Adam([{"params": model[0].parameters(), "lr": rate}, {"params": model[2].parameters()}])
                self.other = torch.optim.SGD(params=self.old.parameters(), lr=rate)

            def epoch(self):
                for x, y in batches(2):
                    with torch.no_grad():
                        before = self.old(x)
                    loss = F.cross_entropy(self.net(x), y) + F.mse_loss(self.net(x), before)
                    self.optimizer.zero_grad()
                    loss.backward()
                    self.optimizer.step()
                    again = F.cross_entropy(self.old(x), y)
                    self.other.zero_grad()
                    again.backward()
                    self.other.step()
                    show(loss.item(), again.item())


        trainer = Trainer(made(), 0.05)
        trainer.epoch()
        show([p.detach() for p in trainer.net.parameters()], [p.detach() for p in trainer.old.parameters()])
        # one name for two optimizers, one after the other
        first, second = made(), made(nn.Linear(3, 2))
        optimizer = torch.optim.SGD(first.parameters(), lr=0.1)
        for x, y in batches(2):
            loss = F.cross_entropy(first(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            show(loss.item())
        optimizer = torch.optim.SGD(second.parameters(), lr=0.1)
        for x, y in batches(2):
            loss = F.cross_entropy(second(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            show(loss.item())
    """  # noqa: E501
    agrees(HEAD + dedent(program), "jax")


def test_parameters_of_several_modules_in_one_list(agrees: Callable[..., object]) -> None:
    program = """
        import itertools

        a, b = made(nn.Linear(3, 4)), made(nn.Linear(4, 2))
        both = list(a.parameters()) + list(b.parameters())
        opt = torch.optim.Adam(both, lr=0.05)
        for x, y in batches(2):
            loss = F.cross_entropy(b(torch.tanh(a(x))), y)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(list(a.parameters()) + list(b.parameters()), 0.1)
            opt.step()
            show(loss.item())
        for p in both:
            p.data.mul_(0.5)
        for p in itertools.chain(a.parameters(), b.parameters()):
            p.data += 0.5
        with torch.no_grad():
            for p, n in zip([*a.parameters(), *b.parameters()], range(9)):
                p -= n
        show([p.detach() for p in list(a.parameters()) + list(b.parameters())])
    """
    agrees(HEAD + dedent(program), "jax")
