"""To JAX: modes that a class sets itself, parts with several names or by torch's own dicts, buffers begun as None."""

from __future__ import annotations

from collections.abc import Callable


def test_each_part_is_set_to_a_mode_by_its_own_method(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        from torch import nn

        class Merged(nn.Linear):
            def __init__(self, i, o):
                super().__init__(i, o)
                self.merged, self.log = False, []

            def train(self, mode=True):
                super().train(mode)
                self.log.append(mode)
                if not mode and not self.merged:
                    self.weight.data += torch.ones(2, 3)
                    self.merged = True
                return self

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.norm = nn.BatchNorm1d(3)
                self.part = Merged(3, 2)
                self.drop = nn.Dropout(0.5)

            def forward(self, x):
                return self.part(self.norm(x))

            def train(self, mode=True):
                super().train(mode)
                self.norm.eval()
                return self

        net = nn.Sequential(Net())
        with torch.no_grad():
            net[0].part.weight.fill_(1.0)
            net[0].part.bias.zero_()
        net.train()
        show(net[0].norm.training, net[0].part.training, net[0].drop.training, net.training)
        x = torch.arange(6.0).view(2, 3)
        show(net(x), net[0].norm.running_mean.clone())
        net.eval()
        show(net[0].part.log, net[0].part.merged, net(x), net[0].drop.training, net[0].part.weight.clone())
        """,
        "jax",
    )


def test_a_module_with_several_names_has_each_in_the_state(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        from torch import nn

        shared = nn.Linear(2, 2)
        net = nn.Sequential(shared, nn.ReLU(), shared)
        seen = []
        net.apply(lambda m: seen.append(type(m).__name__))
        show(list(net.state_dict()), [n for n, _ in net.named_parameters()], len(list(net.modules())), seen)
        show(len(list(net.children())), [n for n, _ in net.named_children()])
        show([n for n, _ in net.named_modules(remove_duplicate=False)])
        show(net.load_state_dict({k: torch.ones_like(v) for k, v in net.state_dict().items()}))
        show(net(torch.ones(1, 2)), shared.weight.clone())
        """,
        "jax",
    )


def test_parts_by_the_dicts_that_torch_keeps_them_in(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(2, 3)
                self.body = nn.Sequential(nn.ReLU(), nn.Linear(3, 2), nn.Tanh())
                self.register_buffer("scale", torch.ones(2))

            def forward(self, x):
                return self.body(self.fc(x)) * self.scale

        def replace(model, path, new):
            *before, last = path.split(".")
            for name in before:
                model = model._modules[name]
            model._modules[last] = new

        net = Net()
        with torch.no_grad():
            for i, p in enumerate(net.parameters()):
                p.copy_(torch.sin(torch.arange(p.numel()).float() + i).view_as(p))
        x = torch.arange(6.0).view(3, 2)
        replace(net, "body.0", nn.Sigmoid())
        show(net(x))
        for name, part in net._modules["body"]._modules.items():
            if isinstance(part, nn.Tanh):
                net.body._modules[name] = nn.Identity()
        show(net(x), list(net._modules), "fc" in net._modules, [type(m).__name__ for m in net.body])
        del net.body._modules["0"]
        show(net(x), [n for n, _ in net.body.named_children()], sorted(net.state_dict()))
        show([n for n in net.fc._parameters], list(net._buffers), net.fc._parameters["weight"].shape)

        layers = nn.ModuleList([nn.Linear(2, i + 1) for i in range(4)])
        layers.pop(0)
        del layers[1]
        show([m.out_features for m in layers], [n for n, _ in layers.named_parameters()])
        """,
        "jax",
    )


def test_an_array_under_the_name_of_a_buffer_begun_as_none_is_one(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import copy
        import torch
        from torch import nn

        class Centred(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(2, 2)
                self.register_buffer("mean", None)
                self.register_buffer("scratch", None, persistent=False)

            def forward(self, x):
                x = self.fc(x)
                m = x.detach().mean(0)
                self.mean = m if self.mean is None else 0.9 * self.mean + 0.1 * m
                self.scratch = m * 2
                return x - self.mean

        net = Centred()
        with torch.no_grad():
            net.fc.weight.fill_(0.5)
            net.fc.bias.zero_()
        show(sorted(net.state_dict()))
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        for k in range(3):
            loss = (net(torch.ones(3, 2) * k) - 1).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
        show(net.state_dict(), [n for n, _ in net.named_buffers()], net.mean)
        twin = copy.deepcopy(net)
        twin(torch.ones(1, 2) * 100)
        show(net.mean, twin.mean, sorted(twin.state_dict()))
        state = {k: v.clone() for k, v in net.state_dict().items()}
        state["mean"] = torch.tensor([7.0, 8.0])
        twin.load_state_dict(state)
        net.double()
        show(twin.mean, net.mean.dtype == torch.float64)
        """,
        "jax",
    )


def test_what_parameters_and_optimizers_are_asked(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        from torch import nn

        net = nn.Sequential(nn.Linear(3, 2), nn.LayerNorm([2], elementwise_affine=False))
        with torch.no_grad():
            net[0].weight.copy_(torch.arange(6.0).view(2, 3) % 3)
            net[0].bias.zero_()
        show(sum(int((p == 0).sum()) for p in net.parameters()), [(p != 0).float().mean() for p in net.parameters()])
        for p in net.parameters():
            if p.dim() > 1:
                show([row.sum() for row in p], p % 2, abs(p), p // 2)
        norm = nn.LayerNorm([2, 3], elementwise_affine=False)
        show(norm.weight, norm.bias, norm(torch.arange(6.0).view(1, 2, 3)))
        opt = torch.optim.SGD(net.parameters(), lr=0.5, momentum=0.9)
        show(opt.defaults["lr"], opt.defaults["momentum"])
        held = nn.ParameterDict({"b": nn.Parameter(torch.ones(1)), "a": nn.Parameter(torch.zeros(1))})
        held.update({"d": nn.Parameter(torch.ones(2)), "c": nn.Parameter(torch.zeros(2))})
        show(list(held), [n for n, _ in held.named_parameters()])
        """,
        "jax",
    )


def test_parameters_of_a_loop_are_compared_and_given_to_functions(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        from torch import nn

        class Gate(nn.Module):
            def __init__(self, n):
                super().__init__()
                self.w = nn.Parameter(torch.eye(n))
                self.register_buffer("mask", torch.ones(n))

            def forward(self, x):
                return torch.where(self.mask > 0, x, torch.zeros_like(x)) * (self.w > 0).float().sum()

        net = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
        with torch.no_grad():
            for i, p in enumerate(net.parameters()):
                p.copy_(torch.sin(torch.arange(p.numel()).float() + i).view_as(p))
        for n, p in net.named_parameters():
            show(n, torch.abs(p).max(), (p > 0).sum(), p >= 0, 0 <= p)
            show(torch.maximum(p, torch.zeros_like(p)), torch.relu(p))
        gate = Gate(3)
        with torch.no_grad():
            gate.mask[0] = 0
            gate.mask *= 2
        show(gate(torch.arange(6.0).view(2, 3)), gate.mask + 0)
        """,
        "jax",
    )


def test_parameters_that_names_take_at_once(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn as nn


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = nn.Parameter(torch.tensor([[1.0, -2.0], [3.0, -4.0]]))
                self.bias = nn.Parameter(torch.tensor([0.5, -0.5]))

            def forward(self, x):
                w, b = self.weight, self.bias
                first, second = map(lambda t: t > t.mean(), (self.weight, b))
                w, b = torch.where(w > 0, w, 0.1 * w), torch.stack([b, b.abs()])
                return w @ x + b.sum(0) + first.sum() - 2 * second.sum()


        net = Net()
        y = net(torch.tensor([1.0, 2.0]))
        y.sum().backward()
        show(y, net.weight.grad, net.bias.grad)
    """
    agrees(program, "jax")
