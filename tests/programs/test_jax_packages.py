"""How packages are written: what their modules do when they are imported, and how their models are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

PROGRAMS = {
    "a device in quotes, imported where it is used": """
        def current() -> "torch.device | None":
            import torch
            return torch.accelerator.current_accelerator()
        def kind(device: "torch.device | str | None" = None) -> str:
            import torch
            if device is None:
                device = current() or torch.device("cpu")
            return torch.device(device).type if isinstance(device, str) else device.type
        show(kind(), kind("cpu"))
    """,
    "devices that are handed around": """
        import torch
        class Holder:
            def __init__(self, device):
                self.device = device
            def kind(self):
                return self.device.type == "cpu", self.device.index
        def of(args):
            return args.device.type, args.device.index
        class Own:
            type, index = "own", 3
        show(Holder(torch.device("cpu")).kind(), of(Holder(torch.zeros(2).device)), of(Holder(Own())))
    """,
    "variables named as parts are": """
        import torch
        index_of_whole = torch.zeros(3, 3, dtype=torch.int64)
        index_of_whole[0:, 0] = 4
        index_of_whole[0, 1:] = 3
        index, whole, i = torch.zeros(4), torch.zeros(2, 4), 2
        index[i] = 5
        whole[0, index.long()[i - 1]] = 7
        whole[1][i] = 1
        show(index_of_whole, index, whole)
    """,
    "methods by way of the class": """
        from functools import wraps
        import torch
        from torch import nn
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = nn.Linear(2, 2)
            @wraps(nn.Module.to)
            def to(self, *args, **kwargs):
                return super().to(*args, **kwargs)
            @wraps(torch.nn.Module.cuda)
            def cuda(self, *args, **kwargs):
                return super().cuda(*args, **kwargs)
            def double(self):
                return nn.Module.double(self)
            def forward(self, x):
                return self.layer(x)
        model = Model().double()
        show([p.dtype == torch.float64 for p in model.parameters()], Model.to.__name__, Model.cuda.__name__)
    """,
    "what is said to tracers": """
        import torch
        from torch import _assert
        torch.fx.wrap("len")
        @torch.fx.wrap
        def double(x):
            torch._assert(x.ndim == 1, "one axis")
            _assert(True, "")
            return x * 2
        show(double(torch.ones(2)))
        try:
            double(torch.ones(2, 2))
        except AssertionError as error:
            show(str(error))
    """,
    "whether torch has a name": """
        import torch
        from torch import nn
        import torch.nn.functional as F
        def plain(fn):
            return fn
        disable = getattr(getattr(torch, "compiler", None), "disable", None) or plain
        @disable
        def double(x):
            return x * 2
        show("silu" in dir(torch.nn.functional), "own_silu" in dir(F), "silu" not in dir(F), hasattr(F, "own_silu"))
        show(hasattr(torch, "npu") and torch.npu.is_available(), hasattr(torch, "xpu") and torch.xpu.is_available())
        show(double(torch.ones(2)), getattr(getattr(torch, "nn", None), "Linear", None) is nn.Linear)
    """,
    "every part of a model is asked for its own": """
        import torch
        from torch import nn
        def named_apply(fn, module, name=""):
            for child_name, child in module.named_children():
                named_apply(fn, child, f"{name}.{child_name}" if name else child_name)
            fn(module, name)
        class Model(nn.Module):
            def __init__(self, drop_layer=nn.Dropout):
                super().__init__()
                self.drop, self.wide, self.act = nn.Dropout(0.1), nn.Dropout2d(0.2), nn.ReLU()
                self.other = drop_layer(0.3)
                self.blocks = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.0), nn.Identity())
            def forward(self, x):
                return self.other(self.act(self.wide(self.drop(self.blocks(x)))))
        found = []
        model = Model()
        named_apply(lambda module, name: found.append((name, len(list(module.parameters())), module.training)), model)
        show(found, isinstance(model.drop, nn.Dropout), model.drop.p, model.train(False).drop.training)
        show([name for name, _ in model.named_modules()], model.eval()(torch.zeros(1, 2, 2, 2)).shape)
    """,
    "functions of the program's own that fill parameters": """
        import math
        import torch
        from torch import nn
        from torch.nn import init as torch_init
        FUNCTIONS = {"constant_": torch_init.constant_, "zeros_": torch_init.zeros_}
        def constant_(tensor: torch.Tensor, val: float) -> torch.Tensor:
            if not getattr(tensor, "_is_done", False):
                return FUNCTIONS["constant_"](tensor, val=val)
            return tensor
        def own(tensor, mean, std):
            tensor.fill_(0.5)
            tensor.erfinv_()
            tensor.mul_(std * math.sqrt(2.0))
            tensor.add_(mean)
            tensor.clamp_(min=-1, max=1)
            return tensor
        def own_(tensor, mean=0.0, std=1.0):
            with torch.no_grad():
                return own(tensor, mean, std)
        def copy_(tensor: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
            if not getattr(tensor, "_is_done", False):
                with torch.no_grad():
                    return tensor.copy_(other)
            return tensor
        def rows_(tensor: torch.Tensor):
            with torch.no_grad():
                tensor[0] = 3
                tensor[1].fill_(4)
                tensor += tensor.shape[0]
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.a, self.b, self.c = nn.Linear(2, 2), nn.Conv2d(2, 2, 1), nn.Embedding(4, 2, padding_idx=1)
                self.pos = nn.Parameter(torch.zeros(2, 2))
                self.register_buffer("table", torch.zeros(2, 2))
                self.apply(self.fill)
                own_(self.pos, std=0.02)
                rows_(self.table)
                copy_(self.a.bias, torch.arange(2.0))
            def fill(self, module):
                if isinstance(module, (nn.Linear, nn.Conv2d)):
                    constant_(module.weight, 0.02)
                    if module.bias is not None:
                        rows_(module.bias)
                elif isinstance(module, nn.Embedding):
                    own_(module.weight, 1.0)
                    torch_init.zeros_(module.weight[module.padding_idx])
                    constant_(module.weight[2:, :1], 7.0)
            def forward(self, x):
                return self.a(x) @ self.pos + self.table
        model = Model()
        show({name: value for name, value in model.state_dict().items()}, model(torch.ones(2, 2)))
    """,
    "layers in lists and dicts that are filled later, and classes by texts of a form": """
        import torch
        from torch import nn
        class Model(nn.Module):
            def __init__(self, dimensions=1, kind="batch"):
                super().__init__()
                self.stages, self.named, self.sizes = [], {}, []
                for i in range(2):
                    self.stages.append([nn.Linear(3, 3)])
                self.named["out"] = nn.Linear(3, 1)
                self.sizes.append(3)
                class_name = "Conv{}d".format(dimensions)
                self.conv = getattr(nn, class_name)(2, 2, 1)
                class_name = "{}Norm{}d".format(kind.capitalize(), dimensions)
                self.norm = getattr(nn, class_name)(2)
                self.pool = getattr(nn, "MaxPool%dd" % dimensions)(1)
            def every(self):
                return [*(l for stage in self.stages for l in stage), self.named["out"], self.conv]
            def forward(self, x):
                x = self.pool(self.norm(self.conv(x)))
                for stage in self.stages:
                    x = torch.tanh(stage[0](x))
                return self.named["out"](x) * self.sizes[0]
        model = Model()
        with torch.no_grad():
            for layer in model.every():
                for p in layer.parameters():
                    p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
        optimizer = torch.optim.SGD([p for layer in model.every() for p in layer.parameters()], lr=0.1)
        for i in range(3):
            loss = model(torch.linspace(0, 1, 12).reshape(2, 2, 3)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            show(loss.item())
        show(len(list(model.parameters())), len(model.state_dict()))
    """,
    "copies and devices of what is not known, while gradients are taken": """
        import torch
        from torch import nn
        class Box:
            device = "mine"
            def clone(self):
                return 7
        def twice(x):
            device = x.device
            return x.clone(), device == "mine"
        def needs(values):
            return any([v.requires_grad for v in values])
        class Model(nn.Module):
            def __init__(self, f):
                super().__init__()
                self.f, self.lin = f, nn.Linear(3, 3)
                with torch.no_grad():
                    for p in self.parameters():
                        p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
            def forward(self, x, **more):
                h = self.f["si" + "g"](self.lin(more.get("y", x)))
                value, own = twice(h)
                return value * 2 if needs([value]) and not own else value
        things = {"a": Box(), "b": torch.ones(2)}
        show(twice(things["a"]), twice(things["b"])[0])
        model = Model({"sig": torch.sigmoid})
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for i in range(2):
            loss = model(torch.ones(2, 3)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            show(loss.item())
    """,
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_packages(agrees: Callable[..., Any], name: str) -> None:
    agrees(PROGRAMS[name], "jax")
