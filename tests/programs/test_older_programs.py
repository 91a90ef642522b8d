"""What programs of torch's first years say: sizes given to constructors by type, `new`, names of types, torch._six."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAMS = {
    "sizes of another tensor": """
        import torch


        def f(x: torch.Tensor, y, n):
            sizes = x.size()
            made = [torch.FloatTensor(x.size()), torch.Tensor(x.shape), torch.LongTensor(sizes), torch.Tensor(y.size())]
            made += [torch.FloatTensor(n), torch.Tensor(*x.size()), torch.Tensor(x.size()[1:]), torch.Tensor(n, 2)]
            return [part.fill_(1) for part in made]


        show(*f(torch.zeros(2, 3), torch.zeros(3, 2), 4))
        show(torch.Tensor((2, 3)), torch.FloatTensor([2, 3]), torch.IntTensor([[1], [2]]))
    """,
    "sizes by their name": """
        import torch


        def f(n: int):
            made = [torch.ByteTensor(size=(n,)), torch.FloatTensor(size=(n, 2)), torch.LongTensor(size=[n])]
            return [part.fill_(1) for part in made]


        show(*f(3))
    """,
    "sizes that are tensors": """
        import torch


        def padded(batch):
            lengths, order = torch.sort(torch.LongTensor([len(x) for x in batch]), dim=0, descending=True)
            longest = lengths[0]
            made = torch.LongTensor(len(batch), longest)
            return made.fill_(1), torch.FloatTensor(longest, 2).fill_(2), order


        show(*padded([[4], [1, 2, 3]]))
    """,
    "imports that probe, a type of torch's as an annotation, apply() of a list": """
        import torch
        import torch.nn as nn
        try:
            from torch import _assert
        except ImportError:
            def _assert(condition, message):
                assert condition, message
        probe = getattr(torch.compiler, "is_compiling", None)


        def load():
            from torch.utils.model_zoo import tqdm  # torch has it of a package that is not here
            return tqdm(total=3)


        def sizes(x: "torch.jit.annotations.List[int]", y: torch.jit.annotations.List[int]):
            _assert(len(x) == 2, "two")
            return x + y


        layers = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])


        def ones(module):
            if isinstance(module, nn.Linear):
                nn.init.ones_(module.weight)
                nn.init.zeros_(module.bias)


        layers.apply(ones)
        x = torch.ones(1, 2)
        for layer in layers:
            x = layer(x)
        show(x, sizes([1, 2], [3]), probe is None or not probe())
    """,
    "new": """
        import torch


        def f(x: torch.Tensor, y, n):
            made = [x.new(x.size()), x.new(y.size()), x.new(*x.size()), x.new(x.size(0), 1), x.new(2), x.new(1, n, n)]
            return [part.fill_(1) for part in made]


        x = torch.zeros(2, 3, dtype=torch.float64)
        show(*f(x, torch.zeros(3, 2), 2))
        show(x.new([1, 2]), x.new((3, 4)), x.new(), torch.zeros(1, dtype=torch.int64).new([[1, 2]]))
    """,
    "sizes of what is not known": """
        import torch


        def make(sizes):
            return torch.FloatTensor(sizes).fill_(2), torch.zeros(1).new(sizes).fill_(2)


        for sizes in (torch.zeros(2, 3).size(), [1.5, 2.5], (2.0,), torch.ones(1, 2).shape):
            show(*make(sizes))
    """,
    "names of types": """
        import torch


        def f(x):
            return x.type()


        y = torch.zeros(2)
        show(f(y), f(y.long()), y.type() == "torch.FloatTensor", torch.zeros(1, dtype=torch.uint8).type())
        show((y > 0).type(), y.double().type(), y.int().type(), y.type("torch.DoubleTensor"))
    """,
    "a Variable that is volatile": """
        import torch
        from torch.autograd import Variable

        x = torch.ones(2)
        show(Variable(x, volatile=True), Variable(x, requires_grad=True).requires_grad)
    """,
    "wrappers for several devices": """
        import torch
        import torch.nn as nn


        def inner(net):
            if isinstance(net, nn.DataParallel):
                net = net.module
            if isinstance(net, (nn.DataParallel, nn.parallel.DistributedDataParallel)):
                net = net.module
            return net


        show(inner(nn.ReLU())(torch.ones(1)))
    """,
    "families of layers": """
        import torch.nn as nn
        from torch.nn.modules.batchnorm import _BatchNorm
        from torch.nn.modules.conv import _ConvNd


        def kind(layer):
            if isinstance(layer, (_BatchNorm, nn.GroupNorm)):
                return "norm"
            if isinstance(layer, nn.modules.instancenorm._InstanceNorm):
                return "instance"
            return "convolution" if isinstance(layer, _ConvNd) else "other"


        show(kind(nn.BatchNorm2d(3)), kind(nn.Conv1d(1, 1, 1)), kind(nn.ConvTranspose2d(1, 1, 1)), kind(nn.ReLU()))
        show(kind(nn.GroupNorm(1, 2)), kind(nn.InstanceNorm1d(2)), kind(nn.Linear(1, 1)))
    """,
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees(agrees: Callable[..., None], target: str, name: str) -> None:
    agrees(PROGRAMS[name], target)


def test_what_is_wrapped_is_called(agrees: Callable[..., None]) -> None:
    agrees(
        """
        import torch
        import torch.nn as nn


        class Scaled(nn.Module):
            def forward(self, x, by=2.0):
                return x * by


        model = nn.DataParallel(Scaled())
        show(model.module(torch.ones(2)), model.module(torch.ones(2), by=3.0))
        """,
        "paddle",
    )
