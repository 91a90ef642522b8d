"""JAX: idioms of libraries of models, as they stand there."""

from __future__ import annotations

from collections.abc import Callable

HOOKS = """
import torch
import torch.nn as nn

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        nn.init.constant_(self.fc.weight, 0.5)
        nn.init.zeros_(self.fc.bias)

    def forward(self, x, scale=1.0):
        return self.fc(x) * scale

class Wide(Block):
    def forward(self, x, scale=1.0):
        return super().forward(x, scale) + 1

def report(told: list, name: str):
    def hook(module, args, output):
        told.append((name, type(module).__name__, args[0].sum().item(), output.sum().item()))
    return hook

def watch(model: nn.Module, told: list):
    for name, module in model.named_children():
        module.register_forward_hook(report(told, name))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = Block(), Wide()
    def forward(self, x):
        return self.b(self.a(x), scale=2.0)

net, x, told = Net(), torch.ones(2, 3), []
show(net(x))
watch(net, told)
show(net(x), told)
block: nn.Module = net.a
handle = block.register_forward_hook(lambda module, args, output: output * 2)
first = block.register_forward_pre_hook(lambda module, args: (args[0] + 1,))
show(net(x), told[2:])
handle.remove()
show(net(x))
first.remove()
other: nn.Module = net.b
with other.register_forward_hook(lambda module, args, kwargs, output: output + kwargs["scale"], with_kwargs=True):
    twice = lambda module, args, kwargs: (args, {"scale": kwargs["scale"] * 2})
    other.register_forward_pre_hook(twice, with_kwargs=True)
    show(net(x))
show(net(x), len(told))

class Renamed(nn.Module):
    def __init__(self):
        super().__init__()
        self.new = nn.Parameter(torch.zeros(2))
        self._register_load_state_dict_pre_hook(self.load_hook)
        self.register_load_state_dict_pre_hook(doubled)

    def load_hook(self, state_dict, prefix, *args):
        for k in list(state_dict):
            if "old" in k:
                state_dict[k.replace("old", "new")] = state_dict.pop(k)

def doubled(module, state_dict, prefix, *args):
    state_dict[prefix + "new"] = state_dict[prefix + "new"] * 2

class Holder(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = Renamed()

holder, given = Holder(), {"part.old": torch.ones(2)}
show(holder.load_state_dict(given).missing_keys, holder.part.new + 0, sorted(given))
"""


def test_hooks_of_modules(agrees: Callable[..., object]) -> None:
    agrees(HOOKS, "jax")


def test_what_is_a_tensor_at_times(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn as nn

        MADE = {"same": lambda x: x}
        def made_by(x, how="same"):
            return MADE[how](x) if how in MADE else None

        class Config:
            pad_token_id = 0

        class Net(nn.Module):
            def __init__(self, config):
                super().__init__()
                self.config = config
                self.embed = nn.Embedding(5, 4)
                nn.init.constant_(self.embed.weight, 0.5)

            def heads(self, x, at):
                x = made_by(x).to(torch.float64)
                x = made_by(x).to(at.device)
                return made_by(x).to(at.dtype) if x is not None else x

            def forward(self, ids: torch.LongTensor, embeds: torch.FloatTensor | None = None):
                if embeds is None:
                    embeds = made_by(self.embed)(ids)
                places = torch.arange(embeds.shape[1], device=embeds.device) + 1
                if self.config.pad_token_id in ids[:, [-1, 0]] and 9 not in ids[:, 1:]:
                    places = places * 2
                at = made_by(self.embed).weight
                return (self.heads(embeds, at) * places[:, None]).sum()

        net, ids = Net(Config()), torch.tensor([[1, 2, 0], [3, 4, 1]])
        show(net(ids), net(ids[:, :2]))
        def step(net: Net, ids):
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            optimizer.zero_grad()
            loss = net(ids)
            loss.backward()
            optimizer.step()
            show(loss, net.state_dict()["embed.weight"])
        step(net, ids)
    """
    agrees(program, "jax")


def test_weights_of_norm_and_direction_by_parametrizations(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn as nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv, self.fc = nn.Conv1d(4, 6, 3, padding=1, groups=2), nn.Linear(6, 3)
                weight_norm = nn.utils.weight_norm
                if hasattr(nn.utils.parametrizations, "weight_norm"):
                    weight_norm = nn.utils.parametrizations.weight_norm
                self.conv = weight_norm(self.conv, name="weight", dim=2)
                self.fc = nn.utils.parametrizations.weight_norm(self.fc)

            def forward(self, x):
                return self.fc(self.conv(x).transpose(1, 2))

        def step(net: Net, x):
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            for _ in range(2):
                optimizer.zero_grad()
                loss = net(x).pow(2).mean()
                loss.backward()
                optimizer.step()
                show(loss)

        net = Net()
        state = {k: torch.linspace(-0.6, 0.7, v.numel()).reshape(v.shape) for k, v in net.state_dict().items()}
        show(sorted(state), [state[k].shape for k in sorted(state)])
        net.load_state_dict(state)
        step(net, torch.linspace(-1, 1, 16).reshape(2, 4, 2))
        show({k: v for k, v in sorted(net.state_dict().items())})
    """
    agrees(program, "jax")


def test_what_is_filled_under_no_grad_and_handed_back(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn as nn

        def _fill(tensor, value, ways):
            for way in ways:
                if way == "fill":
                    tensor.fill_(value)
                else:
                    tensor.mul_(2.0)
            return tensor

        def fill_(tensor, value=0.25, ways=("fill", "twice")):
            with torch.no_grad():
                return _fill(tensor, value, ways)

        @torch.no_grad()
        def scale_(tensor, by):
            tensor.mul_(by)
            return tensor

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc, self.own = nn.Linear(2, 2), nn.Parameter(torch.zeros(2))
                fill_(self.own)
                self.apply(self.begin)

            def begin(self, module):
                if isinstance(module, nn.Linear):
                    fill_(module.weight, 0.5)
                    scale_(fill_(module.bias), 3.0)

            def forward(self, x):
                with torch.no_grad():
                    kept, shape = x * 2, (x.shape, "x", None)
                return self.fc(x) * self.own + kept

        net = Net()
        show(net(torch.ones(1, 2)), net.state_dict())
    """
    agrees(program, "jax")


def test_layers_that_are_changed_when_they_are_made(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn as nn

        MADE = {"same": lambda x: x}
        def made_by(x, how="same"):
            return MADE[how](x) if how in MADE else None

        class Net(nn.Module):
            def __init__(self, per_channel=False):
                super().__init__()
                self.qkv = nn.Linear(2, 6, bias=False)
                if not per_channel:
                    self.register_buffer("x_min", torch.zeros(1))
                    self.x_min -= 0.5
                self.register_buffer("mask", self.made(per_channel), persistent=False)
                self.register_buffer("other", self.made(True))
                self.register_buffer("count", torch.zeros(1, dtype=torch.int64))
                q, v = nn.Parameter(torch.zeros(2) + 1), nn.Parameter(torch.zeros(2) + 2)
                self.qkv.bias = nn.Parameter(torch.cat((q, torch.zeros_like(v, requires_grad=False), v)))
                nn.init.constant_(self.qkv.weight, 0.5)
                self.shift, self.cut = nn.ZeroPad2d((0, 0, 1, -1)), nn.ConstantPad1d((-1, 2), 3.0)

            def made(self, there):
                mask = None
                if there:
                    mask = torch.ones(2)
                return mask

            def forward(self, x):
                if self.mask is not None:
                    x = x * self.mask
                if self.other is not None:
                    x = x + self.other
                self.x_min *= 2
                self.count += 1
                y = made_by(self.qkv(x))
                y = y.reshape(y.size()[:-1] + (3, -1))
                return self.shift(y), self.cut(x), made_by(y)[..., 0].repeat(1, 1, 2, 2), self.x_min + 0, self.count + 0

        net = Net()
        x = torch.arange(12.0).reshape(2, 3, 2)
        for one in (net(x), net(x)):
            show(*one)
        show(sorted(net.state_dict()))
    """
    agrees(program, "jax")


def test_forward_of_a_class_is_replaced(agrees: Callable[..., object]) -> None:
    program = """
        from functools import wraps
        import torch
        import torch.nn as nn

        def doubled(experts_class: type[nn.Module] | None = None, by=2):
            def wrapper(experts_class: type[nn.Module]):
                original_init, original_forward = experts_class.__init__, experts_class.forward

                @wraps(original_init)
                def __init__(self, *args, **kwargs):
                    original_init(self, *args, **kwargs)
                    self.by = by

                @wraps(original_forward)
                def forward(self, *args, **kwargs):
                    return original_forward(self, *args, **kwargs) * self.by

                experts_class.__init__ = __init__
                experts_class.forward = forward
                return experts_class

            return wrapper if experts_class is None else wrapper(experts_class)

        @doubled
        class First(nn.Module):
            def forward(self, x):
                return x + 1

        @doubled(by=3)
        class Second(nn.Module):
            def __init__(self):
                super().__init__()
                self.first = First()
            def forward(self, x):
                return self.first(x) + 1

        def plain(x):
            return x - 1

        net, x = Second(), torch.ones(2)
        show(net(x), net.by)
        First.forward = lambda self, x: x
        show(net(x))
        one: nn.Module = Second()
        one.forward = plain
        show(one(x), net(x), type(one).__name__)
    """
    agrees(program, "jax")


def test_layers_of_one_way_in_place_and_of_another_forward(agrees: Callable[..., object]) -> None:
    program = """
        import math
        import torch
        import torch.nn as nn


        def swish(x, inplace: bool = False):
            return x.mul_(x.sigmoid()) if inplace else x.mul(x.sigmoid())


        def made(x, how):
            return x.get(how)


        class Box:
            def get(self, how):
                return torch.ones(2)


        def tanh(x, inplace=False):
            return x.tanh_() if inplace else x.tanh()


        class Sigmoid(nn.Module):
            def __init__(self, inplace: bool = False):
                super().__init__()
                self.inplace = inplace

            def forward(self, x):
                return x.sigmoid_() if self.inplace else x.sigmoid()


        class Scale(nn.Module):
            def __init__(self, dim, inplace=False):
                super().__init__()
                self.inplace = inplace
                self.gamma = nn.Parameter(2.0 * torch.ones(dim))

            def forward(self, x):
                return x.mul_(self.gamma).add_(1) if self.inplace else x * self.gamma + 1


        class Attn(nn.Module):
            def __init__(self):
                super().__init__()
                self.proj = nn.Linear(3, 3)
                self.table = nn.Parameter(torch.arange(8.0).view(2, 4))
                self.register_buffer("idxs", torch.empty((2, 2), dtype=torch.long), persistent=False)
                self.idxs.copy_(torch.tensor([[0, 1], [3, 2]]))

            def bias(self):
                return self.table[:, self.idxs]

            def forward(self, x):
                return self.proj(x) + self.bias().sum() + (x > 0).permute(1, 0).to(self.table).sum()


        class Block(nn.Module):
            def __init__(self, forward="slicing"):
                super().__init__()
                self.attn, self.act = Attn(), Sigmoid(True)
                if forward == "slicing":
                    self.forward = self.forward_slicing
                else:
                    self.forward = self.forward_whole

            def forward_slicing(self, x):
                return self.act(self.attn(x))

            def forward_whole(self, x):
                return self.attn(x)


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.blocks = nn.ModuleList([Block() for _ in range(2)])
                for p in self.parameters():
                    nn.init.constant_(p, 0.25)
                self.fix(0.5)

            def fix(self, by):
                def rescale(param, layer):
                    param.div_(math.sqrt(2.0 * layer))

                for at, block in enumerate(self.blocks):
                    rescale(block.attn.proj.weight.data, at + 1)
                    rescale(block.attn.table.data, at + 1)
                    block.attn.proj.weight.data *= by
                    block.attn.table.data += torch.tensor(1, dtype=torch.float64)
                for p in self.parameters():
                    p.data -= 0.125

            def forward(self, x):
                for block in self.blocks:
                    x = block(x)
                return x


        def doubled(module):
            called = module.forward
            module.forward = lambda x: called(x) * 2


        net = Net()
        doubled(net.blocks[1].attn)
        x = torch.linspace(-1, 1, 6).view(2, 3)
        y = net(x)
        show(y)
        y.sum().backward()
        for name, p in net.named_parameters():
            show(name, p.grad, p + 0)
        with torch.no_grad():
            show(swish(torch.ones(2, 3), True), swish(x), Scale(3, True)(x * 1), Scale(3)(x))
            show(tanh(made(Box(), "b"), inplace=True), tanh(made({"a": torch.ones(2)}, "a")))
    """
    agrees(program, "jax")


def test_modes_that_are_stored_and_classes_of_norms(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn as nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv, self.bn, self.drop = nn.Conv2d(3, 3, 1), nn.BatchNorm2d(3), nn.Dropout(0.5)
                nn.init.constant_(self.conv.weight, 0.5)
                nn.init.zeros_(self.conv.bias)

            def forward(self, x):
                return self.drop(self.bn(self.conv(x)))

        net, x = Net(), torch.linspace(1, 2, 24).view(2, 3, 2, 2)
        show([isinstance(m, torch.nn.modules.batchnorm._BatchNorm) for m in (net.conv, net.bn, nn.BatchNorm1d(2))])
        modes = [(m, m.training) for m in net.modules()]
        try:
            net.eval()
            show(net(x))
        finally:
            for module, training in modes:
                module.training = training
        show([m.training for m in net.modules()], (net(x) == 0).any())
        net.drop.training = False
        show(net(x), net.training)

        def flat(f, x):
            return f(x).flatten(2).transpose(1, 2)

        show(flat(net.bn.eval() if x.sum() > 3 else net.conv, x))
        torch._assert_async((x > 0).all())
        try:
            torch._assert_async((x > 1).all())
        except RuntimeError:
            show("raised")
    """
    agrees(program, "jax")
