"""Layers, their functions, hooks and what is done to their weights."""

from __future__ import annotations

import numpy
import oneflow
import oneflow.nn.functional as F
from framework import named, wanting_gradient
from probing import close, fails, probe


@probe()
def grouped(names: list[str]) -> None:
    assert named(oneflow, "grouped", "scaled") == named(F, "grouped", "scaled") == []
    x, y = oneflow.ones(2, 3), oneflow.ones(3, 2)
    close(oneflow.matmul(x * 0.5, y), numpy.full([2, 2], 1.5))


@probe()
def fused_loss(names: list[str]) -> None:
    layer, loss = oneflow.nn.Linear(3, 4), oneflow.nn.CrossEntropyLoss()
    assert loss(layer(oneflow.rand(2, 3)), oneflow.tensor([0, 1])).shape == ()


@probe()
def buffers(names: list[str]) -> None:
    layer = oneflow.nn.Module()
    layer.register_buffer("mean", oneflow.ones(2))
    assert list(layer.state_dict()) == ["mean"]


@probe()
def without_shape(names: list[str]) -> None:
    assert named(oneflow.nn, "lazy", "uninitialized") == []

    class Lazy(oneflow.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_parameter("weight", None)

        def forward(self, x):
            if self.weight is None:
                self.weight = oneflow.nn.Parameter(oneflow.ones(x.shape[1], 2))
            return x @ self.weight

    layer = Lazy()
    close(layer(oneflow.ones(1, 3)), [[3, 3]])


@probe(namesakes=("is_lazy",))
def lazy(names: list[str]) -> None:
    x, seen = oneflow.ones(2), []
    assert not x.is_lazy

    class Graph(oneflow.nn.Graph):
        def build(self, x):
            seen.append(x.is_lazy)
            return x * 2

    Graph()(x)
    assert seen == [True]


@probe(namesakes=("gather", "scatter"))
def parallel(names: list[str]) -> None:
    # of one tensor's elements, or between processes
    rows = oneflow.tensor([[1.0, 2.0], [3.0, 4.0]])
    close(oneflow.gather(rows, 0, oneflow.tensor([[1, 0]])), [[3.0, 2.0]])
    close(oneflow.scatter(rows, 0, oneflow.tensor([[1, 0]]), rows), [[1.0, 2.0], [1.0, 4.0]])
    assert not any(hasattr(oneflow.nn.parallel, name) for name in ("gather", "scatter"))
    layer, x = oneflow.nn.Linear(3, 2), oneflow.rand(4, 3)
    expected = layer(x)
    close(oneflow.nn.parallel.DistributedDataParallel(layer)(x), expected)


@probe()
def hooks_of_all(names: list[str]) -> None:
    assert named(oneflow.nn.modules.module, "register") == []
    model, seen = oneflow.nn.Sequential(oneflow.nn.ReLU(), oneflow.nn.Tanh()), []
    for module in model.modules():
        module.register_forward_hook(lambda module, given, found: seen.append(type(module).__name__))
    model(oneflow.ones(2))
    assert seen == ["ReLU", "Tanh", "Sequential"]


@probe()
def backward_hooks(names: list[str]) -> None:
    assert named(oneflow.nn.Module, "backward") == []
    tensor, seen = wanting_gradient(2), []
    tensor.register_hook(lambda grad: seen.append(grad))
    (tensor * 3).sum().backward()
    close(seen[0], [3, 3])


@probe()
def handles(names: list[str]) -> None:
    layer, on, seen = oneflow.nn.ReLU(), [True], []

    def hook(*given):
        if on[0]:
            seen.append(1)

    assert layer.register_forward_hook(hook) is None
    assert wanting_gradient(2).register_hook(lambda grad: None) is None
    layer(oneflow.ones(2))
    on[0] = False
    layer(oneflow.ones(2))
    assert seen == [1]


@probe()
def prefixes(names: list[str]) -> None:
    state_dict, prefix = {"module.weight": 1, "bias": 2}, "module."
    assert {key.removeprefix(prefix): value for key, value in state_dict.items()} == {"weight": 1, "bias": 2}


@probe()
def orthogonal(names: list[str]) -> None:
    assert named(oneflow.nn.utils, "parametri") == []
    free, one = oneflow.rand(3, 3), oneflow.eye(3)
    found = oneflow.linalg.inv(one + free - free.T) @ (one - free + free.T)
    close(found @ found.T, numpy.eye(3))


@probe(namesakes=("Identity",))
def pruned(names: list[str]) -> None:
    assert issubclass(oneflow.nn.Identity, oneflow.nn.Module)  # the layer
    assert named(oneflow.nn.utils, "prun") == []
    module, mask = oneflow.nn.Linear(2, 1), oneflow.tensor([[1.0, 0.0]])
    expected = module.weight.numpy() * mask.numpy()
    module.weight.data.mul_(mask)
    close(module.weight, expected)


@probe()
def packed(names: list[str]) -> None:
    made = oneflow.nn.utils.rnn.pack_sequence([oneflow.ones(2, 1), oneflow.ones(1, 1)])
    assert type(made) is oneflow.nn.utils.rnn.PackedSequence
    fails(AttributeError, lambda: oneflow.nn.utils.rnn.PackedSequence_)
