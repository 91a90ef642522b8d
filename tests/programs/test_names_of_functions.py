"""Functions of torch's that are handed on say torch's names, wherever a program asks for them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

REGISTERED = """
    import torch
    import torch.nn.functional as F
    FUNCTIONS = {f.__name__: f for f in (F.relu, torch.tanh, F.silu, torch.clamp, torch.softmax, torch.pow)}
    show(sorted(FUNCTIONS), torch.clamp.__name__, F.logsigmoid.__name__, torch.linalg.norm.__name__)
    def log(fn, *given):
        return fn.__name__, fn(*given)
    x = torch.tensor([1.0, -2.0])
    show(log(torch.abs, x), log(torch.clamp, x, 0), log(F.softplus, x), log(torch.sum, x))
    class Registry(dict):
        def register(self, fn):
            self[fn.__name__] = fn
            return fn
    registry = Registry()
    @registry.register
    def mine(x):
        return x + 1
    for fn in (torch.sigmoid, torch.exp, F.leaky_relu):
        registry.register(fn)
    show(sorted(registry), registry["exp"](x), registry["mine"](x), registry["leaky_relu"](x, 0.1))
    def pick(name, *fns):
        return next(fn for fn in fns if fn.__name__ == name)
    show(pick("mean", torch.sum, torch.mean)(x))
"""
KEPT = """
    import functools
    import torch
    class Operation:
        def __init__(self, fn, name=None):
            self.fn, self.name = fn, name or fn.__name__
        def __call__(self, *given, **options):
            return self.fn(*given, **options)
    made = [Operation(torch.add), Operation(torch.cat, "join"), Operation(lambda x: x), Operation(torch.where)]
    show([one.name for one in made], torch.Tensor.add.__name__, torch.nn.init.xavier_uniform_.__name__)
    def label(fn):
        return getattr(fn, "__name__", "partial")
    show(label(torch.where), label(functools.partial(torch.clamp, min=0)), label(len), label(Operation))
    def timed(fn):
        @functools.wraps(fn)
        def called(*given, **options):
            return fn(*given, **options)
        return called
    show(timed(torch.clamp).__name__, timed(label).__name__)
"""
OTHERS = """
    import torch
    def label(fn):
        return fn.__name__
    class Net(torch.nn.Module):
        def forward(self, x):
            return self.__class__.__name__, x + 1
    show(label(len), Net()(torch.ones(1)))
"""


@pytest.mark.parametrize("program", [REGISTERED, KEPT], ids=["registered", "kept"])
@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_are_torchs(program: str, target: str, agrees: Callable[..., object]) -> None:
    agrees(program, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_are_asked_plainly_where_none_is_handed_on(target: str, agrees: Callable[..., object]) -> None:
    assert "torch_name" not in agrees(OTHERS, target).converted["program.py"]  # type: ignore[attr-defined]
