"""What the program's own classes do when they are read happens as often, and in the same order, as in torch."""

from __future__ import annotations

import pytest

PROGRAMS = {
    "items read by keywords in another order": """
        import torch

        class Log:
            def __init__(self):
                self.seen = []
            def __getitem__(self, index):
                self.seen.append(index)
                return torch.full((2,), float(index + len(self.seen)))

        s = Log()
        show(torch.sub(other=s[6], input=s[7]))
        show(torch.where(other=s[1], condition=s[2] > 0, input=s[3]))
        show(torch.lerp(weight=s[1], end=s[2], input=s[3]), s.seen)
    """,
    "of several kinds, by keywords in another order": """
        import torch

        seen = []
        def read(v):
            seen.append(v.dtype)
            return v

        i, x = torch.arange(3), torch.ones(3)
        b, wide = x > 0, torch.arange(3).type(torch.float64).norm()
        show(torch.mul(other=read(i), input=read(x)), torch.sub(other=read(i), input=read(x)))
        show(torch.add(other=read(b), input=read(i)), read(x).mul(other=read(i)))
        show(torch.div(other=wide.abs(), input=(lambda v: v)(x)), torch.mul(other=read(wide), input=read(x)))
        show(torch.remainder(other=read(i + 1), input=read(x)), torch.gt(other=read(i), input=read(x)), len(seen))
    """,
    "a property that counts": """
        import torch

        class Source:
            def __init__(self):
                self.count = 0
            @property
            def batch(self):
                self.count += 1
                return torch.arange(3.0) * self.count

        src = Source()
        show(src.batch.type_as(src.batch), src.count)
        x = torch.zeros(3)
        x.copy_(src.batch)
        show(x, src.count)
        show(torch.addcmul(src.batch, src.batch, src.batch), src.count)
        show(torch.sub(other=src.batch, input=src.batch), src.count)
        show(torch.clamp(src.batch, max=src.batch, min=src.batch), src.count)
    """,
    "the same of an object that nothing is known of": """
        import torch

        class Source:
            def __init__(self):
                self.count = 0
            def __getattr__(self, name):
                self.__dict__["count"] += 1
                return torch.arange(3.0) * self.count
            def __getitem__(self, index):
                self.__dict__["count"] += 1
                return torch.arange(3.0) + self.count + index

        def use(src, x: torch.Tensor):
            show(torch.sub(other=src.batch, input=src.other), src.__dict__["count"])
            show(torch.sub(other=src[3], input=src[4]))
            show(x.copy_(src.batch), src.__dict__["count"])
            show(torch.addcmul(x, src.batch, src[1]), src.__dict__["count"])

        for make in [Source]:
            use(make(), torch.zeros(3))
    """,
    "operators and length": """
        import torch

        class Number:
            def __init__(self):
                self.calls = []
            def __add__(self, other):
                self.calls.append("+")
                return torch.ones(2) * len(self.calls) + other
            def __radd__(self, other):
                self.calls.append("r+")
                return torch.ones(2) * len(self.calls) - other
            def __neg__(self):
                self.calls.append("-")
                return torch.ones(2) * len(self.calls)
            def __len__(self):
                self.calls.append("len")
                return len(self.calls)
            def __bool__(self):
                self.calls.append("bool")
                return True
            def __lt__(self, other):
                self.calls.append("<")
                return torch.tensor([True, False])

        n = Number()
        show(torch.sub(other=n + 1, input=2 + n), n.calls)
        show(torch.sub(other=torch.ones(len(n)), input=-n), n.calls) if False else None
        show(torch.where(other=-n, condition=n < 3, input=n + 1), n.calls)
        show(torch.full((len(n),), float(len(n))), n.calls)
        show(torch.sub(other=torch.ones(2) if n else torch.zeros(2), input=-n), n.calls)
    """,
    "random numbers": """
        import torch

        def draw(log=[]):
            log.append(1)
            return torch.ones(2) * len(log)

        show(torch.sub(other=draw(), input=draw()))
        show(torch.where(other=draw(), condition=draw() > 0, input=draw()))
    """,
    "a layer with buffers that change": """
        import torch
        import torch.nn.functional as F

        mean, var = torch.zeros(3), torch.ones(3)
        x = torch.arange(6.0).reshape(2, 3)
        y = torch.sub(other=mean, input=F.batch_norm(x, mean, var, training=True, momentum=0.5))
        show(y, mean)
    """,
    "in place by a flag": """
        import torch
        import torch.nn.functional as F

        x = torch.tensor([-1.0, 2.0])
        show(torch.sub(other=F.relu(x, True), input=x + 1))
        show(x)
    """,
    "a plain property": """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(2, 2)
            @property
            def width(self):
                return self.fc.in_features
            def forward(self, x):
                return x.new_zeros(self.width).add(x.sum())

        show(Net()(torch.ones(2)))
    """,
    "an iterator": """
        import torch

        it = iter([1.0, 2.0, 3.0, 4.0])
        show(torch.sub(other=torch.tensor(next(it)), input=torch.tensor(list(it))))
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_what_is_read_is_read_as_in_torch(agrees, name, target):
    agrees(PROGRAMS[name], target)


def test_operands_of_several_kinds_in_jax(agrees):
    agrees(PROGRAMS["of several kinds, by keywords in another order"], "jax")
