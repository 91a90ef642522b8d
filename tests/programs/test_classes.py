"""Classes as values: compared, looked up, handed on, derived from, and what layers remember of how they were made."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

from migrate.programs import Outcome

TARGETS = ("paddle", "oneflow")
HEAD = """
import torch
import torch.nn as nn
import torch.nn.functional as F

"""
NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, padding=1)
        self.bn = nn.BatchNorm2d(4)
        self.act = nn.ReLU()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(self.act(self.bn(self.conv(x))).mean((2, 3)))

"""
IDENTITY = {
    "in a tuple": "show([type(m) in (nn.Linear, nn.Conv2d) for m in Net().modules()])",
    "in a list": "show([m.__class__ in [nn.ReLU, nn.BatchNorm2d] for m in Net().modules()])",
    "in a set": "show([type(m) in {nn.ReLU, nn.BatchNorm2d} for m in Net().modules()])",
    "not in": "show([type(m) not in (nn.Linear, nn.Conv2d) for m in Net().modules()])",
    "is": "show([type(m) is nn.Linear for m in Net().modules()])",
    "is not": "show([type(m) is not nn.Conv2d for m in Net().modules()])",
    "equal": "show([type(m) == nn.BatchNorm2d for m in Net().modules()])",
    "of __class__": "show([m.__class__ is nn.ReLU for m in Net().modules()])",
    "on the left": "show([nn.Linear is type(m) or nn.ReLU == type(m) for m in Net().modules()])",
    "of a loop over classes": "show([[type(m) is c for c in (nn.Linear, nn.Conv2d)] for m in Net().modules()])",
    "of a parameter": """
        def count(net, cls):
            return sum(type(m) is cls for m in net.modules()), sum(isinstance(m, cls) for m in net.modules())
        show(count(Net(), nn.Linear), count(Net(), nn.BatchNorm2d), count(Net(), nn.Tanh), count(Net(), nn.Module))
    """,
    "of a name": """
        wanted = nn.BatchNorm2d
        show([type(m) is wanted for m in Net().modules()], [isinstance(m, wanted) for m in Net().modules()])
        kind = type(Net().fc)
        show(kind is nn.Linear, kind == nn.Linear, kind in (nn.Linear,))
    """,
    "a list of types": """
        TYPES = [nn.Linear, nn.Conv2d]
        show([type(m) in TYPES for m in Net().modules()])
        show([any(isinstance(m, t) for t in TYPES) for m in Net().modules()])
        show([isinstance(m, tuple(TYPES)) for m in Net().modules()])
    """,
    "types that grow": """
        types = [nn.Linear]
        types.append(nn.Conv2d)
        types += [nn.ReLU]
        show([type(m) in types for m in Net().modules()], [isinstance(m, tuple(types)) for m in Net().modules()])
        show(types.index(nn.ReLU), types.count(nn.Linear), nn.Conv2d in types, nn.Tanh in types)
    """,
    "a dict by class": """
        RULES = {nn.Linear: "linear", nn.BatchNorm2d: "norm"}
        show([RULES.get(type(m), "other") for m in Net().modules()], [type(m) in RULES for m in Net().modules()])
        show({nn.ReLU: 1, nn.Conv2d: 2}[type(Net().conv)])
    """,
    "a dict that is filled": """
        seen = {}
        seen[nn.Linear] = 1
        seen.setdefault(nn.ReLU, []).append(2)
        for m in Net().modules():
            seen[type(m)] = seen.get(type(m), 10)
        show(seen[nn.Linear], seen[nn.ReLU], seen[nn.Conv2d], len(seen), nn.Tanh in seen)
    """,
    "a dict whose keys are walked": """
        SIZES = {nn.Linear: (3, 2), nn.Conv2d: (1, 2, 3)}
        made = [cls(*sizes) for cls, sizes in SIZES.items()]
        show([type(m) in SIZES for m in made], [SIZES[type(m)] for m in made])
    """,
    "a counter": """
        from collections import Counter
        counts = Counter(type(m) for m in Net().modules())
        show(counts[nn.Linear], counts[nn.Conv2d], counts[nn.Tanh])
    """,
    "a default dict": """
        from collections import defaultdict
        groups = defaultdict(list)
        for name, m in Net().named_modules():
            groups[type(m)].append(name)
        show(groups[nn.Linear], groups[nn.ReLU], groups[nn.BatchNorm2d])
    """,
    "a set of types": """
        kinds = {type(m) for m in Net().modules()}
        show(nn.Linear in kinds, nn.Tanh in kinds, len(kinds), kinds & {nn.ReLU} == {nn.ReLU})
    """,
    "issubclass": """
        show([issubclass(type(m), nn.Module) for m in Net().modules()], issubclass(nn.Linear, nn.Module))
        show([issubclass(type(m), (nn.Linear, nn.Conv2d)) for m in Net().modules()])
        def derived(a, b):
            return issubclass(a, b)
        show(derived(nn.Linear, nn.Module), derived(nn.Linear, nn.Conv2d), derived(nn.ReLU, nn.ReLU))
        show(derived(int, nn.Tanh))
    """,
    "isinstance type": """
        def make(layer):
            return layer(2, 3) if isinstance(layer, type) else layer
        show(type(make(nn.Linear)) is nn.Linear, make(4), callable(nn.ReLU))
    """,
    "singledispatch": """
        from functools import singledispatch
        @singledispatch
        def tell(m):
            return "other"
        @tell.register(nn.Linear)
        def _(m):
            return "linear"
        @tell.register(nn.Conv2d)
        def _(m):
            return "conv"
        show([tell(m) for m in Net().modules()])
    """,
    "match": """
        def tell(m):
            match m:
                case nn.Linear():
                    return "linear"
                case nn.Conv2d() | nn.BatchNorm2d():
                    return "spatial"
                case _:
                    return "other"
        show([tell(m) for m in Net().modules()])
    """,
    "derived classes": """
        class Mine(nn.Linear):
            pass
        class Own(nn.BatchNorm2d):
            pass
        layers = [Mine(2, 3), Own(4), nn.Linear(2, 3), nn.BatchNorm2d(4)]
        show([type(m) is nn.Linear for m in layers], [isinstance(m, nn.Linear) for m in layers])
        show([type(m) in (Mine, nn.BatchNorm2d) for m in layers])
        show([issubclass(type(m), nn.BatchNorm2d) for m in layers])
    """,
    "a norm that is compared": """
        from functools import partial
        def bias(norm_layer):
            if type(norm_layer) == partial:
                return norm_layer.func == nn.InstanceNorm2d
            return norm_layer == nn.InstanceNorm2d
        show(bias(nn.InstanceNorm2d), bias(nn.BatchNorm2d), bias(partial(nn.InstanceNorm2d, affine=True)))
        def kind(norm=nn.BatchNorm2d):
            if norm is nn.BatchNorm2d:
                return "batch"
            elif norm is nn.LayerNorm:
                return "layer"
            return "none"
        show(kind(), kind(nn.LayerNorm), kind(None))
    """,
    "optimizers": """
        p = [nn.Parameter(torch.ones(2))]
        opts = [torch.optim.SGD(p, lr=0.1), torch.optim.SGD(p, lr=0.1, momentum=0.9), torch.optim.AdamW(p, lr=0.1)]
        show([type(o) is torch.optim.SGD for o in opts], [isinstance(o, torch.optim.SGD) for o in opts])
        show([isinstance(o, (torch.optim.SGD, torch.optim.AdamW)) for o in opts])
        show([type(o) in (torch.optim.SGD, torch.optim.AdamW) for o in opts])
    """,
    "a tied head": """
        class Lm(nn.Module):
            def __init__(self):
                super().__init__()
                self.wte = nn.Embedding(5, 3)
                self.fc = nn.Linear(3, 3)
                self.head = nn.Linear(3, 5, bias=False)
                self.head.weight = self.wte.weight
        show([type(m) in (nn.Linear,) for m in Lm().modules()], [type(m) is nn.Linear for m in Lm().modules()])
        kinds = [nn.Linear]
        show([type(m) in kinds for m in Lm().modules()], [isinstance(m, nn.Linear) for m in Lm().modules()])
    """,
}
LOOKED_INTO = {
    "one of two": """
        class Two(nn.Module):
            def __init__(self):
                super().__init__()
                self.a = nn.Linear(2, 3)
                self.b = nn.Linear(3, 2)
            def forward(self, x):
                return self.b(self.a(x))
        net = Two()
        show(net.a.weight[0].shape, [type(m) is nn.Linear for m in net.modules()])
        show([type(m) in (nn.Linear, nn.ReLU) for m in net.modules()])
        show([isinstance(m, nn.Linear) for m in net.modules()])
        F = {nn.Linear: 1, nn.ReLU: 2}
        show([type(m) in F and F[type(m)] for m in net.modules()])
    """,
    "handed on": """
        class Normed(nn.Module):
            def __init__(self, cls=nn.Linear):
                super().__init__()
                self.a = cls(2, 3)
                self.bn = nn.BatchNorm1d(3)
        net = Normed()
        for p in net.parameters():
            nn.init.ones_(p)
        for m in net.modules():
            if type(m) is nn.BatchNorm1d:
                show(m.running_mean, m.running_var.shape)
            if isinstance(m, nn.Linear):
                show(m.weight.shape, m.weight[0])
        REG = {"linear": nn.Linear, "norm": nn.BatchNorm1d}
        show(REG["linear"](2, 3).weight.shape, [type(m) in REG.values() for m in net.modules()])
        show(sum(p.numel() for p in net.parameters()), [type(m) == nn.BatchNorm1d for m in net.modules()])
        KIND = {nn.BatchNorm1d: 1, nn.Linear: 2}
        show([KIND.get(type(m)) for m in net.modules()])
    """,
}
TENSORS = {
    "classes of one dtype": """
        x = torch.ones(2)
        show(isinstance(x, torch.FloatTensor), isinstance(x, torch.DoubleTensor))
        show(isinstance(x.long(), torch.LongTensor))
        show(isinstance(3, torch.FloatTensor), isinstance(x, (torch.LongTensor, torch.FloatTensor)))
        show(isinstance(x > 0, torch.BoolTensor), isinstance(x.byte(), torch.ByteTensor))
        show(isinstance(x, torch.cuda.FloatTensor))
        kinds = (torch.LongTensor, torch.IntTensor)
        show([isinstance(t, kinds) for t in (x, x.long(), x.int())])
    """,
    "Tensor and Parameter": """
        tensors = [torch.ones(1), nn.Parameter(torch.ones(1))]
        show([t.__class__ is torch.Tensor for t in tensors], [type(t) is nn.Parameter for t in tensors])
        show([isinstance(t, torch.Tensor) for t in tensors], {torch.Tensor: 1, list: 2}[type(torch.ones(1))])
        show(issubclass(nn.Parameter, torch.Tensor), isinstance(torch.ones(2).shape, torch.Size))
    """,
    "devices and dtypes": """
        devices = [torch.device("cpu"), torch.ones(1).device, "cpu"]
        show([isinstance(d, torch.device) for d in devices], isinstance(torch.float32, torch.dtype))
    """,
    "exceptions": """
        def tried(error):
            try:
                raise error
            except torch.OutOfMemoryError:
                return "memory"
            except (torch.cuda.OutOfMemoryError, KeyError):
                return "key"
            except ValueError:
                return "value"
        show(tried(ValueError()), tried(KeyError()))
    """,
    "datasets": """
        from torch.utils.data import Dataset, IterableDataset
        class Data(Dataset):
            def __len__(self):
                return 2
            def __getitem__(self, index):
                return index
        def iterates(data, kind=IterableDataset):
            return isinstance(data, kind)
        show(isinstance(Data(), Dataset), issubclass(Data, Dataset), type(Data()) is Data, iterates(Data()))
    """,
}
NAMES = {
    "looked for in": """
        def init(m):
            classname = m.__class__.__name__
            if classname.find("Conv") != -1:
                nn.init.ones_(m.weight)
            elif classname.find("BatchNorm") != -1:
                nn.init.zeros_(m.bias)
        net = Net()
        net.apply(init)
        show(net.conv.weight.sum())
    """,
    "compared": """
        def kind(m):
            return type(m).__name__ in ("BatchNorm2d", "ReLU")
        def is_conv(m):
            name = type(m).__name__
            return "Conv2d" in name or name.startswith("Module")
        show([kind(m) for m in Net().modules()], [is_conv(m) for m in Net().modules()])
        show([m.__class__.__name__ == "BatchNorm2d" for m in Net().modules()])
    """,
    "shown": """
        net = nn.Sequential(nn.SiLU(), nn.Conv1d(1, 2, 1), nn.ModuleList([nn.Tanh()]), Net())
        show([type(m).__name__ for m in net.modules()])
        show([f"{name}: {type(m).__name__}" for name, m in net.named_modules()], nn.BatchNorm2d.__name__)
        layers = {"norm": nn.BatchNorm2d, "act": nn.SiLU}
        show([cls.__name__ for cls in layers.values()])
    """,
}
RESET = {
    "its own": """
        class Lin(nn.Linear):
            def reset_parameters(self):
                nn.init.constant_(self.weight, 0.5)
                if self.bias is not None:
                    nn.init.constant_(self.bias, 0.25)
        class Conv(nn.Conv2d):
            def __init__(self, i, o):
                super().__init__(i, o, kernel_size=3)
            def reset_parameters(self):
                super().reset_parameters()
                nn.init.constant_(self.bias, 0.25)
        class Emb(nn.Embedding):
            def reset_parameters(self):
                nn.init.normal_(self.weight, 1.0, 0.0)
        show(Lin(2, 3).weight, Lin(2, 3).bias, Lin(2, 3, bias=False).bias, Conv(2, 3).bias, Emb(4, 2).weight)
    """,
    "of what is handed on": """
        def build(base):
            class Own(base):
                def reset_parameters(self):
                    nn.init.constant_(self.weight, 2.0)
            return Own
        show(build(nn.LayerNorm)(3).weight, build(nn.BatchNorm1d)(3).weight, build(nn.Embedding)(2, 3).weight)
    """,
    "further below": """
        class Base(nn.Conv1d):
            def __init__(self, i, o):
                super().__init__(i, o, 1)
        class Half(Base):
            def reset_parameters(self):
                nn.init.constant_(self.weight, 0.5)
                nn.init.zeros_(self.bias)
        show(Half(2, 3)(torch.ones(1, 2, 2)))
    """,
    "drawn anew": """
        for layer in (nn.Linear(2, 3), nn.Conv2d(2, 3, 3), nn.BatchNorm1d(3), nn.LayerNorm(3), nn.Embedding(3, 2)):
            for p in layer.parameters():
                nn.init.constant_(p, 7.0)
            layer.reset_parameters()
            show([bool((p == 7.0).any()) for p in layer.parameters()])
        bn = nn.BatchNorm1d(2)
        bn(torch.arange(6.0).view(3, 2))
        bn.reset_running_stats()
        show(bn.running_mean, bn.running_var)
    """,
}
LOOKED_UP = {
    "by a text": """
        x = torch.linspace(-1, 1, 5)
        show(getattr(nn, "ReLU")()(x), getattr(nn, "LeakyReLU")(negative_slope=0.5)(x), getattr(F, "relu")(x))
        show(getattr(torch, "float32"), getattr(torch, "relu", None)(x))
    """,
    "by a name": """
        x = torch.linspace(-1, 1, 5)
        def act(name="GELU", **kwargs):
            return getattr(nn, name)(**kwargs)
        show(act()(x), act("SiLU")(x), act("LeakyReLU", negative_slope=0.3)(x), isinstance(act("SiLU"), nn.SiLU))
        def function(name):
            return getattr(F, name, None)
        show(function("softplus")(x), function("nothing"))
    """,
    "an optimizer": """
        import torch.optim as optim
        def make(kind, params):
            return getattr(optim, kind)(params, lr=0.1)
        w = nn.Parameter(torch.ones(2))
        opt = make("SGD", [w])
        (w * w).sum().backward()
        opt.step()
        show(w.detach(), type(make("Adam", [w])) is optim.Adam)
    """,
}
HANDED_ON = {
    "a norm": """
        class Block(nn.Module):
            def __init__(self, dim, norm_layer=nn.LayerNorm, act_layer=nn.GELU):
                super().__init__()
                self.norm = norm_layer(dim, eps=1e-3)
                self.act = act_layer()
            def forward(self, x):
                return self.act(self.norm(x))
        x = torch.arange(12.0).view(3, 4) * 0.01
        show(Block(4)(x), Block(4, act_layer=nn.ReLU)(x))
        show(Block(4, nn.BatchNorm1d).eval()(x), Block(4, nn.BatchNorm1d)(x))
    """,
    "partial": """
        from functools import partial
        x = torch.arange(12.0).view(3, 4) * 0.01
        show(partial(nn.LayerNorm, eps=1e-3)(4)(x), partial(nn.BatchNorm1d, eps=1e-2, momentum=0.5)(num_features=4)(x))
        show(partial(nn.LeakyReLU, 0.5)()(x - 0.05), partial(nn.Softmax, dim=0)()(x))
    """,
    "a registry": """
        ACT = {"relu": nn.ReLU, "leaky": nn.LeakyReLU, "gelu": nn.GELU, "swish": nn.SiLU, "none": nn.Identity}
        def act(name, **kwargs):
            return ACT[name](**kwargs)
        x = torch.linspace(-2, 2, 5)
        show([act(n)(x) for n in ACT], act("leaky", negative_slope=0.5)(x), act("gelu", approximate="tanh")(x))
        show(act("relu", inplace=True)(x.clone()), act("none")(x))
    """,
    "an attribute of the class": """
        class Base(nn.Module):
            norm = nn.LayerNorm
            def __init__(self, dim):
                super().__init__()
                self.n = self.norm(dim, eps=1e-3)
            def forward(self, x):
                return self.n(x)
        class Other(Base):
            norm = nn.BatchNorm1d
        x = torch.arange(12.0).view(3, 4) * 0.1
        show(Base(4)(x), Other(4)(x))
    """,
    "a dataclass field": """
        from dataclasses import dataclass
        from typing import Type
        @dataclass
        class Config:
            norm: Type[nn.Module] = nn.LayerNorm
            act: type = nn.Tanh
            eps: float = 1e-3
        c = Config()
        x = torch.arange(12.0).view(3, 4) * 0.1
        show(c.norm(4, eps=c.eps)(x), c.act()(x), Config(norm=nn.BatchNorm1d).norm(4, c.eps)(x))
    """,
    "derived from": """
        def with_scale(base):
            class Scaled(base):
                def __init__(self, dim, scale):
                    super().__init__(dim, eps=1e-3)
                    self.scale = scale
                def forward(self, x):
                    return super().forward(x) * self.scale
            return Scaled
        x = torch.arange(12.0).view(3, 4) * 0.01
        a, b = with_scale(nn.LayerNorm)(4, 2.0), with_scale(nn.BatchNorm1d)(4, 3.0)
        show(a(x), b(x), isinstance(a, nn.LayerNorm), type(a) is nn.LayerNorm, len(list(a.parameters())))
        show(issubclass(type(b), nn.BatchNorm1d), sorted(dict(a.named_parameters())))
    """,
    "derived and mixed": """
        from abc import ABC, abstractmethod
        def named(base):
            class Named(base, ABC):
                title = "named"
            return Named
        class Mixin:
            def twice(self, x):
                return self(self(x))
        def mixed(base):
            return type("Mixed", (Mixin, base), {})
        x = torch.linspace(-2, 2, 5)
        show(named(nn.Tanh)()(x), named(nn.Tanh).title, mixed(nn.Tanh)().twice(x))
    """,
    "a factory": """
        def conv_norm_act(i, o, conv=nn.Conv2d, norm=nn.BatchNorm2d, act=nn.ReLU, **kwargs):
            layers = [conv(i, o, kernel_size=3, padding=1, bias=norm is None, **kwargs)]
            if norm is not None:
                layers.append(norm(o, eps=1e-3, momentum=0.01))
            if act is not None:
                layers.append(act(inplace=True))
            return nn.Sequential(*layers)
        net = conv_norm_act(1, 2)
        nn.init.constant_(net[0].weight, 0.1)
        x = torch.arange(16.0).view(1, 1, 4, 4)
        show(net(x), len(conv_norm_act(1, 2, norm=None, act=None)), net[0].bias is None)
        show(isinstance(net[1], nn.BatchNorm2d))
    """,
    "optimizers": """
        OPT = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}
        OPT.update(adamw=torch.optim.AdamW, rmsprop=torch.optim.RMSprop)
        def train(name, **kwargs):
            w = nn.Parameter(torch.tensor([1.0, -2.0]))
            opt = OPT[name]([w], **kwargs)
            for _ in range(3):
                opt.zero_grad()
                (w * w).sum().backward()
                opt.step()
            return w.detach()
        show(train("sgd", lr=0.1), train("sgd", lr=0.1, momentum=0.9), train("adam", lr=0.1, betas=(0.8, 0.9)))
        show(train("adamw", lr=0.1, weight_decay=0.5), train("rmsprop", lr=0.01, alpha=0.9))
    """,
    "losses": """
        LOSS = {"mse": nn.MSELoss, "l1": nn.L1Loss, "ce": nn.CrossEntropyLoss, "bce": nn.BCEWithLogitsLoss}
        x, y = torch.tensor([[0.1, 0.9], [0.4, 0.2]]), torch.tensor([[0.0, 1.0], [1.0, 0.0]])
        show([LOSS[n](reduction="sum")(x, y) for n in ("mse", "l1", "bce")])
        labels = torch.tensor([1, 0])
        show(LOSS["ce"](label_smoothing=0.1)(x, labels), LOSS["ce"](ignore_index=0)(x, labels))
    """,
    "schedulers": """
        SCHED = {"step": torch.optim.lr_scheduler.StepLR, "exp": torch.optim.lr_scheduler.ExponentialLR}
        def rates(name, **kwargs):
            opt = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.0)
            sched = SCHED[name](opt, **kwargs)
            found = []
            for _ in range(4):
                found.append(round(sched.get_last_lr()[0], 6))
                opt.step()
                sched.step()
            return found
        show(rates("step", step_size=2, gamma=0.5), rates("exp", gamma=0.5))
    """,
    "with a device and a dtype": """
        def block(dim, norm_layer=nn.BatchNorm2d, act_layer=nn.ReLU, device=None, dtype=None):
            dd = {"device": device, "dtype": dtype}
            norm = norm_layer(num_features=dim, eps=1e-3, **dd)
            return nn.Sequential(nn.Conv2d(1, dim, 1, **dd), norm, act_layer(inplace=True))
        net = block(2)
        nn.init.ones_(net[0].weight)
        nn.init.zeros_(net[0].bias)
        x = torch.arange(8.0).view(2, 1, 2, 2)
        show(net(x), [type(m) is nn.BatchNorm2d for m in net], block(2, norm_layer=nn.InstanceNorm2d)(x).shape)
        bn = nn.BatchNorm1d(3, dtype=torch.float64)
        show(nn.BatchNorm1d(3, dtype=None).weight.dtype, bn(torch.ones(2, 3, dtype=torch.float64)), bn.eps)
    """,
    "told by its name": """
        class Named(nn.Module):
            def __init__(self, norm_layer=nn.BatchNorm1d, **dd):
                super().__init__()
                self.a = nn.Linear(2, 3)
                self.bn = norm_layer(3, device=None, dtype=None)
                self.kind = norm_layer.__name__.lower().replace("1d", "")
            def forward(self, x):
                return self.bn(self.a(x))
        net = Named()
        for p in net.parameters():
            nn.init.ones_(p)
        show(net.kind, [type(m).__name__ for m in net.modules()], net(torch.arange(4.0).view(2, 2)))
    """,
    "through another function": """
        def build(cls, *args, **kwargs):
            return cls(*args, **kwargs)
        x = torch.arange(8.0).view(2, 4) * 0.1
        pool = build(nn.MaxPool1d, 2, stride=2)
        show(pool(x.unsqueeze(1)), build(nn.LayerNorm, [4], elementwise_affine=False)(x))
        show(build(nn.Flatten, start_dim=0)(x))
        show(build(nn.Dropout, p=0.0)(x), build(nn.Embedding, num_embeddings=3, embedding_dim=2).weight.shape)
    """,
    "a list of pairs": """
        layers = []
        linear = dict(in_features=4, out_features=2, bias=False)
        for cls, kwargs in [(nn.Linear, linear), (nn.Tanh, {}), (nn.LeakyReLU, dict(negative_slope=0.3))]:
            layers.append(cls(**kwargs))
        net = nn.Sequential(*layers)
        nn.init.constant_(net[0].weight, -0.5)
        show(net(torch.ones(1, 4)), [type(m) is nn.Linear for m in net])
    """,
    "a lambda": """
        make = lambda cls=nn.ELU, **k: cls(**k)
        x = torch.linspace(-2, 2, 5)
        show(make()(x), make(alpha=0.5)(x), make(nn.Hardtanh, min_val=-0.5, max_val=0.5)(x))
    """,
    "pickled and copied": """
        import copy, pickle
        kinds = copy.deepcopy({"norm": nn.LayerNorm})
        show(kinds["norm"] is nn.LayerNorm, kinds["norm"](4)(torch.arange(8.0).view(2, 4)), kinds["norm"].__name__)
    """,
    "older constructors": """
        class Conv(nn.Conv2d):
            def __init__(self, i, o):
                nn.Conv2d.__init__(self, i, o, kernel_size=3, padding=1, bias=False)
        conv = Conv(1, 2)
        nn.init.constant_(conv.weight, 0.5)
        show(conv(torch.ones(1, 1, 3, 3)))
    """,
    "super with torch's words": """
        class LayerNorm2d(nn.LayerNorm):
            def __init__(self, dim, eps=1e-6):
                super().__init__(dim, eps=eps)
            def forward(self, x):
                x = F.layer_norm(x.permute(0, 2, 3, 1), self.normalized_shape, self.weight, self.bias, self.eps)
                return x.permute(0, 3, 1, 2)
        class Drop(nn.Dropout):
            def __init__(self, p):
                super(Drop, self).__init__(p=p, inplace=False)
        class Norm(nn.BatchNorm2d):
            def __init__(self, dim, **kwargs):
                super().__init__(dim, eps=1e-2, momentum=0.3, **kwargs)
        x = torch.arange(16.0).view(1, 4, 2, 2)
        show(LayerNorm2d(4)(x), Drop(0.3).eval()(x), Norm(4)(x), Norm(4, affine=False)(x), Drop(0.3).p)
    """,
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", IDENTITY)
def test_identity(case: str, target: str, agrees: Callable[..., object]) -> None:
    agrees(HEAD + NET + dedent(IDENTITY[case]), target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", HANDED_ON)
def test_handed_on(case: str, target: str, agrees: Callable[..., object]) -> None:
    agrees(HEAD + dedent(HANDED_ON[case]), target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", LOOKED_INTO)
def test_layers_that_keep_torchs_weights(case: str, target: str, agrees: Callable[..., object]) -> None:
    agrees(HEAD + dedent(LOOKED_INTO[case]), target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", TENSORS)
def test_of_tensors_and_others(case: str, target: str, agrees: Callable[..., object]) -> None:
    agrees(HEAD + dedent(TENSORS[case]), target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", NAMES)
def test_names(case: str, target: str, agrees: Callable[..., object]) -> None:
    agrees(HEAD + NET + dedent(NAMES[case]), target)


def test_names_stay_where_it_makes_no_difference(outcome: Callable[..., Outcome]) -> None:
    found = outcome(HEAD + NET + dedent(NAMES["looked for in"]), "paddle")
    assert "classname = m.__class__.__name__" in found.converted["program.py"]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", RESET)
def test_parameters_are_set_by_the_class(case: str, target: str, agrees: Callable[..., object]) -> None:
    agrees(HEAD + dedent(RESET[case]), target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", LOOKED_UP)
def test_looked_up(case: str, target: str, agrees: Callable[..., object]) -> None:
    agrees(HEAD + dedent(LOOKED_UP[case]), target)


def test_attributes_in_patterns_are_marked(announced: Callable[..., object]) -> None:
    program = """
        def size(m):
            match m:
                case nn.Conv2d(kernel_size=k):
                    return k
            return None
        show(size(nn.Conv2d(1, 1, 3)))
    """
    announced(HEAD + dedent(program), "paddle")


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_a_derived_class_that_becomes_another_class_of_the_targets(agrees: Callable[..., object], target: str) -> None:
    agrees(
        """
        import torch
        import torch.nn as nn

        class Token(nn.Embedding):
            def __init__(self, count, size=4):
                super().__init__(count, size, padding_idx=0)

        class Twice(nn.Embedding):
            def forward(self, x):
                return super().forward(x) * 2

        layers = Token(5), Twice(5, 4), Twice(5, 4, padding_idx=1)
        for layer in layers:
            with torch.no_grad():
                layer.weight.copy_(torch.arange(20.0).view(5, 4))
            layer(torch.tensor([0, 2, 1])).sum().backward()
            show(layer(torch.tensor([0, 2, 1])), layer.weight.grad, isinstance(layer, nn.Embedding))
        show(isinstance(layers[0], Token), type(layers[0]).__name__, layers[0].embedding_dim)
        """,
        target,
    )


@pytest.mark.parametrize("target", TARGETS)
def test_losses_of_the_program(agrees: Callable[..., object], target: str) -> None:
    """They derive from what torch's own do, and hand its constructor what that takes."""
    agrees(
        """
        import torch
        import torch.nn as nn
        import torch.nn.functional as F
        from torch.nn.modules.loss import _Loss, _WeightedLoss

        class Distance(_Loss):
            def __init__(self, size_average=None, reduce=None, reduction="mean"):
                super().__init__(size_average, reduce, reduction)

            def forward(self, a, b):
                far = (a - b).abs()
                return far.mean() if self.reduction == "mean" else far.sum()

        class Weighted(_WeightedLoss):
            def __init__(self, weight=None):
                super().__init__(weight, reduction="sum")

            def forward(self, x, target):
                return F.cross_entropy(x, target, weight=self.weight, reduction=self.reduction)

        one, other = torch.ones(3), torch.zeros(3)
        show(Distance()(one, other), Distance(size_average=False)(one, other), Distance(reduce=False).reduction)
        loss = Weighted(torch.tensor([1.0, 2.0]))
        show(loss(torch.eye(2), torch.tensor([0, 1])), list(loss.state_dict()), Weighted().weight is None)
        """,
        target,
    )


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_classes_register_themselves(agrees: Callable[..., object], target: str) -> None:
    program = """
        import torch


        class Base:
            registry = {}

            def __init_subclass__(cls, key=None, **options):
                super().__init_subclass__(**options)
                Base.registry[key or cls.__name__] = cls

            def __init__(self, x):
                self.x, self.log = x, []

            def __call__(self, *given):
                out = self.run(*given)
                self.log.append(out.sum())
                return out

            def run(self, y):
                return self.x + y


        class Twice(Base, key="twice"):
            def run(self, y):
                return super().run(y) * 2


        for key, kind in sorted(Base.registry.items()):
            made = kind(torch.arange(6.0).reshape(2, 3))
            show(key, made(torch.ones(3)), made.log)
    """
    agrees(dedent(program), target)
