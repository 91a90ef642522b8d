"""What a training step, a layer and a block without gradients keep in JAX of what torch shows beside the numbers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAMS = {
    "gradients of what goes into a loss": """
        import torch
        import torch.nn as nn
        import torch.nn.functional as F

        net = nn.Linear(3, 2)
        with torch.no_grad():
            for p in net.parameters():
                p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))


        def attack(model, data, target, epsilon):
            data.requires_grad = True
            output = model(data)
            loss = F.nll_loss(F.log_softmax(output, dim=1), target)
            model.zero_grad()
            loss.backward()
            data_grad = data.grad.data
            return data + epsilon * data_grad.sign(), data.grad, output


        show(attack(net, torch.linspace(0, 1, 12).view(4, 3), torch.tensor([0, 1, 0, 1]), 0.1))

        x = torch.linspace(0, 1, 12).view(4, 3)
        y = torch.tensor([0, 1, 0, 1])
        for _ in range(3):
            adv = x.clone().requires_grad_()
            loss = F.cross_entropy(net(adv), y)
            loss.backward()
            x = (adv + 0.1 * adv.grad.sign()).detach()
            show(x)

        optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        for i in range(2):
            inputs = torch.linspace(0, 1 + i, 12).view(4, 3)
            inputs.requires_grad_(True)
            optimizer.zero_grad()
            loss = F.cross_entropy(net(inputs), y)
            loss.backward()
            optimizer.step()
            show(loss.item(), inputs.grad.norm(), inputs.grad)
        show(net.weight)
    """,
    "batches that a normalization has seen": """
        import copy
        import torch
        import torch.nn as nn
        bn = nn.BatchNorm1d(3)
        bn(torch.ones(4, 3))
        show(bn.num_batches_tracked)
        bn(torch.ones(4, 3))
        show(int(bn.num_batches_tracked), list(bn.state_dict()), [n for n, _ in bn.named_buffers()])
        bn.num_batches_tracked += 1
        show(bn.num_batches_tracked.item())
        bn.eval()(torch.ones(4, 3))
        show(bn.num_batches_tracked.item(), bn.state_dict()["num_batches_tracked"])
        other = copy.deepcopy(bn).train()
        other(torch.ones(2, 3))
        show(bn.num_batches_tracked, other.num_batches_tracked)
        other.load_state_dict({k: v for k, v in bn.state_dict().items()})
        show(other.num_batches_tracked)
        other.load_state_dict({k: v for k, v in bn.state_dict().items() if "num" not in k})
        inn = nn.InstanceNorm1d(3, track_running_stats=True, momentum=None)
        inn(torch.linspace(0, 1, 24).view(2, 3, 4))
        show(inn.num_batches_tracked, inn.running_mean)
        show(nn.BatchNorm1d(2, track_running_stats=False).num_batches_tracked)
        cum = nn.BatchNorm1d(2, momentum=None)
        for i in range(3):
            cum(torch.arange(6.0).view(3, 2) * i)
        show(cum.running_mean, cum.running_var, cum.num_batches_tracked)
        class Own(nn.BatchNorm1d):
            def forward(self, x):
                if self.training and self.num_batches_tracked is not None:
                    self.num_batches_tracked += 1
                    m = 1.0 / float(self.num_batches_tracked)
                    with torch.no_grad():
                        self.running_mean = self.running_mean * (1 - m) + m * x.mean(0)
                return x - self.running_mean
        o = Own(2)
        show(o(torch.ones(2, 2)), o(torch.ones(2, 2) * 3), o.num_batches_tracked)
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.a, self.b = nn.Linear(3, 3), nn.BatchNorm1d(3)
            def forward(self, x):
                return self.b(self.a(x))
        net = Net()
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        for i in range(3):
            opt.zero_grad()
            loss = net(torch.arange(12.0).view(4, 3)).abs().mean()
            loss.backward()
            opt.step()
        show(net.b.num_batches_tracked, len(list(net.buffers())))
    """,
    "a block without gradients on one line": """
        import torch
        import torch.nn as nn
        x = torch.ones(3)
        with torch.no_grad(): y = x * 2; y = y + 1; z = y - 1;
        show(y, z)
        def f(x, w: nn.Parameter):
            with torch.no_grad(): x = x + w  # no gradient here
            if x.sum() > 3:
                with torch.no_grad(): return x * w
            with torch.enable_grad(): w = w * 2
            return x
        show(f(x, nn.Parameter(torch.ones(3))))
        def g(net: nn.Module, x: torch.Tensor):
            opt = torch.optim.SGD(net.parameters(), lr=0.1)
            with torch.no_grad(): goal = net(x) + 1
            for _ in range(2):
                opt.zero_grad()
                loss = (net(x) - goal).abs().sum()
                loss.backward()
                opt.step()
                with torch.no_grad(): show(loss)
            with torch.no_grad(): \
                show(net(x).shape)
        g(nn.Linear(3, 3), x[None])
    """,
    "a compiled step behind a block without gradients": """
        import torch
        import torch.nn as nn
        import torch.nn.functional as F

        inputs = torch.linspace(-1, 1.3, 9).view(3, 3)
        model = nn.Sequential(nn.Linear(3, out_features=3))
        for p in model.parameters():
            nn.init.constant_(p, 0.3)
        optim = torch.optim.SGD(model.parameters(), lr=0.05)
        with torch.no_grad():
            goal = model(inputs) * 0.5 + 0.3
        for step in range(2):
            optim.zero_grad()
            loss = F.mse_loss(model(inputs), goal)
            loss.backward()
            optim.step()
            show(loss.detach())
    """,
    "gradients that are cleared between a loss and its backward": """
        import torch
        import torch.nn as nn
        import torch.nn.functional as F

        x = torch.linspace(-1, 1, 9).view(3, 3)
        net = nn.Linear(3, 4)
        with torch.no_grad():
            for p in net.parameters():
                p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for step in range(3):
            loss = F.cross_entropy(net(x), torch.zeros(3, dtype=torch.long))
            # forget the last step
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            show(loss)
        show([p.grad is None for p in net.parameters()], net.weight.grad)


        def two(net: nn.Linear, opt: torch.optim.Optimizer, x: torch.Tensor):
            for i in range(2):
                loss = net(x).pow(2).mean()
                if i == 0:
                    net.zero_grad()
                loss.backward()
                opt.step()
                show(loss, net.bias.grad)


        two(net, optimizer, x)


        def three(net: nn.Linear, opt: torch.optim.Optimizer, x: torch.Tensor):
            opt.zero_grad()
            for i in range(3):
                loss = net(x).pow(2).mean()
                show(net.bias.grad)
                opt.zero_grad()
                loss.backward()
                opt.step()
            return net.bias.grad


        show(three(net, optimizer, x))
    """,
    "gradients of modules that no loss has in common": """
        import torch
        import torch.nn as nn
        emb = nn.Embedding(6, 3)
        tok = emb(torch.tensor(1))
        tok.sum().backward()
        show(emb.weight.grad)
        table = nn.Embedding(6, 3)
        out = table(torch.tensor(1))
        out.sum().backward()
        show(emb.weight.grad, table.weight.grad)
    """,
    "what an object was given, changes and alone has": """
        import torch
        class Meter:
            def __init__(self, w):
                self.w = w
            def update(self):
                self.w.mul_(self.w)
        obj = Meter(torch.tensor(1.5))
        obj.update()
        show(obj.w)
    """,
    "copies of what parameters are, and what is read at once": """
        import copy
        import torch
        import torch.nn as nn
        net = nn.Linear(2, 2)
        with torch.no_grad():
            for p in net.parameters():
                p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        best = None
        for epoch in range(3):
            before = net.weight.detach().clone()
            opt.zero_grad()
            loss = net(torch.ones(1, 2)).pow(2).sum()
            loss.backward()
            opt.step()
            if epoch == 0:
                best = copy.deepcopy(net.state_dict())
            state = {"net": net.state_dict(), "epoch": epoch}
            w = net.weight.detach()
            show(state, w, before)
        show(state, w)
        net.load_state_dict(best)
        show(net.weight)
    """,
}

OPEN = {
    "gradients that add up over turns": """
        import torch
        import torch.nn as nn
        import torch.nn.functional as F
        net = nn.Linear(3, 2)
        x = torch.linspace(0, 1, 12).view(4, 3).requires_grad_()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for i in range(2):
            optimizer.zero_grad()
            loss = net(x).sum()
            loss.backward()
            optimizer.step()
            show(x.grad)
    """,
    "gradients of what is computed on the way": """
        import torch
        import torch.nn as nn
        import torch.nn.functional as F
        net, head = nn.Linear(3, 2), nn.Linear(2, 1)
        def step(x: torch.Tensor):
            opt = torch.optim.SGD(list(net.parameters()) + list(head.parameters()), lr=0.1)
            h = net(x)
            h.retain_grad()
            loss = head(h).sum()
            opt.zero_grad()
            loss.backward()
            opt.step()
            return h.grad
        show(step(torch.ones(2, 3)))
    """,
    "a state that is kept while parameters change": """
        import torch
        import torch.nn as nn
        net = nn.Linear(2, 2)
        with torch.no_grad():
            for p in net.parameters():
                p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
        view = net.state_dict()
        with torch.no_grad():
            for p in net.parameters():
                p.mul_(2)
        show(view)
    """,
    "what an object was given and changes": """
        import torch
        class Meter:
            def __init__(self, w):
                self.w = w
            def update(self):
                self.w.mul_(self.w)
        out = torch.tensor(1.5)
        obj = Meter(out)
        obj.update()
        show(out)
    """,
    "a state that is kept under a condition": """
        import torch
        import torch.nn as nn
        net = nn.Linear(2, 2)
        with torch.no_grad():
            for p in net.parameters():
                p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        best, lowest = None, 1e9
        for epoch in range(3):
            opt.zero_grad()
            loss = net(torch.ones(1, 2)).pow(2).sum()
            loss.backward()
            opt.step()
            if epoch == 0:
                best = net.state_dict()
        net.load_state_dict(best)
        show(net.weight)
    """,
    "values that are read before a step on the same line": """
        import torch
        import torch.nn as nn
        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.w = nn.Parameter(torch.ones(3))
            def forward(self, x):
                return (self.w * x).sum()
        m = M()
        opt = torch.optim.SGD(m.parameters(), lr=0.1)
        def step():
            opt.zero_grad()
            loss = m(torch.ones(3))
            loss.backward()
            opt.step()
            return loss.item()
        show(m.w.detach(), step(), m.w.detach())
        a = m.w.detach()
        step()
        show(a)
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees(name: str, agrees: Callable[..., object]) -> None:
    agrees(PROGRAMS[name], "jax")


@pytest.mark.parametrize("name", OPEN)
def test_is_marked_with_what_to_do(name: str, announced: Callable[..., object]) -> None:
    announced(OPEN[name], "jax")
