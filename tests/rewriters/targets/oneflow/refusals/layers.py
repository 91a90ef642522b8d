"""Layers, their functions, hooks and what is done to their weights."""

from __future__ import annotations

import numpy
import oneflow
import oneflow.nn.functional as F
from framework import named, wanting_gradient
from probing import close, fails, probe


@probe("OneFlow 0.9 has no such convolution; use torch.nn.functional.conv1d, conv2d or conv3d")
def convolution(names: list[str]) -> None:
    assert named(oneflow, "conv_") == []
    close(F.conv1d(oneflow.ones(1, 1, 3), oneflow.ones(1, 1, 2)), [[[2, 2]]])


@probe("OneFlow 0.9 has no product of scaled or grouped matrices; scale, and multiply each group by oneflow.matmul")
def grouped(names: list[str]) -> None:
    assert named(oneflow, "grouped", "scaled") == named(F, "grouped", "scaled") == []
    x, y = oneflow.ones(2, 3), oneflow.ones(3, 2)
    close(oneflow.matmul(x * 0.5, y), numpy.full([2, 2], 1.5))


@probe("OneFlow 0.9 has no fractional max pooling; use max_pool2d, or adaptive_max_pool2d for a given output size")
def fractional(names: list[str]) -> None:
    x = oneflow.rand(1, 1, 4, 4)
    close(F.max_pool2d(x, 2), F.adaptive_max_pool2d(x, 2))


@probe("OneFlow 0.9 has no such fused loss; use Linear and CrossEntropyLoss")
def fused_loss(names: list[str]) -> None:
    layer, loss = oneflow.nn.Linear(3, 4), oneflow.nn.CrossEntropyLoss()
    assert loss(layer(oneflow.rand(2, 3)), oneflow.tensor([0, 1])).shape == ()


@probe("OneFlow 0.9 has no fused kernel of attention to choose; remove it")
def attention(names: list[str]) -> None:
    assert named(oneflow.nn, "attention") == named(F, "attention") == []


@probe("OneFlow 0.9 has no class for buffers; use self.register_buffer(name, tensor)")
def buffers(names: list[str]) -> None:
    layer = oneflow.nn.Module()
    layer.register_buffer("mean", oneflow.ones(2))
    assert list(layer.state_dict()) == ["mean"]


@probe(
    "OneFlow 0.9's parameters have a shape from the start; give it, or make oneflow.nn.Parameter(tensor) at the first "
    "call of forward"
)
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


@probe(
    "OneFlow 0.9 has no parameters without a shape, and x.is_lazy is of its graphs; remove the question",
    namesakes=("is_lazy",),
)
def lazy(names: list[str]) -> None:
    x, seen = oneflow.ones(2), []
    assert not x.is_lazy

    class Graph(oneflow.nn.Graph):
        def build(self, x):
            seen.append(x.is_lazy)
            return x * 2

    Graph()(x)
    assert seen == [True]


@probe(
    "sorts out device= and dtype= for torch's constructors; pass them yourself: oneflow.zeros(shape, dtype=dtype, "
    "device=device)"
)
def factory_arguments(names: list[str]) -> None:
    assert oneflow.zeros((2,), dtype=oneflow.float64, device="cpu").dtype == oneflow.float64


@probe(
    "OneFlow runs one process for each device; use torch.nn.parallel.DistributedDataParallel",
    namesakes=("gather", "scatter"),
)
def parallel(names: list[str]) -> None:
    # of one tensor's elements, or between processes
    rows = oneflow.tensor([[1.0, 2.0], [3.0, 4.0]])
    close(oneflow.gather(rows, 0, oneflow.tensor([[1, 0]])), [[3.0, 2.0]])
    close(oneflow.scatter(rows, 0, oneflow.tensor([[1, 0]]), rows), [[1.0, 2.0], [1.0, 4.0]])
    assert not any(hasattr(oneflow.nn.parallel, name) for name in ("gather", "scatter"))
    layer, x = oneflow.nn.Linear(3, 2), oneflow.rand(4, 3)
    expected = layer(x)
    close(oneflow.nn.parallel.DistributedDataParallel(layer)(x), expected)


@probe("OneFlow 0.9 has no hooks of all modules; register one on each of model.modules()")
def hooks_of_all(names: list[str]) -> None:
    assert named(oneflow.nn.modules.module, "register") == []
    model, seen = oneflow.nn.Sequential(oneflow.nn.ReLU(), oneflow.nn.Tanh()), []
    for module in model.modules():
        module.register_forward_hook(lambda module, given, found: seen.append(type(module).__name__))
    model(oneflow.ones(2))
    assert seen == ["ReLU", "Tanh", "Sequential"]


@probe("OneFlow 0.9's layers have no backward hooks; register one on the tensor: tensor.register_hook(hook)")
def backward_hooks(names: list[str]) -> None:
    assert named(oneflow.nn.Module, "backward") == []
    tensor, seen = wanting_gradient(2), []
    tensor.register_hook(lambda grad: seen.append(grad))
    (tensor * 3).sum().backward()
    close(seen[0], [3, 3])


@probe("OneFlow 0.9's forward hooks give no handle, and its tensors' neither; keep a flag that the hook reads")
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


@probe(
    "OneFlow 0.9 has no such function of state dicts; write {key.removeprefix(prefix): value for key, value in "
    "state_dict.items()}"
)
def prefixes(names: list[str]) -> None:
    state_dict, prefix = {"module.weight": 1, "bias": 2}, "module."
    assert {key.removeprefix(prefix): value for key, value in state_dict.items()} == {"weight": 1, "bias": 2}


@probe(
    "OneFlow 0.9 parametrizes no weights; compute the weight in forward, or use oneflow.nn.utils.weight_norm",
    namesakes=("weight_norm",),
)
def parametrized(names: list[str]) -> None:
    assert named(oneflow.nn.utils, "parametri") == []
    # of the old kind: two parameters, and a hook that multiplies them
    layer = oneflow.nn.utils.weight_norm(oneflow.nn.Linear(3, 2))
    assert sorted(name for name, _ in layer.named_parameters()) == ["bias", "weight_g", "weight_v"]
    x, weight = oneflow.rand(4, 3), oneflow.rand(3, 3)
    close(F.linear(x, weight - weight.T), x.numpy() @ (weight - weight.T).numpy().T)


@probe(
    "OneFlow 0.9 has no pruning; keep a mask as a buffer and multiply by it: module.weight.data.mul_(mask)",
    namesakes=("Identity",),
)
def pruned(names: list[str]) -> None:
    assert issubclass(oneflow.nn.Identity, oneflow.nn.Module)  # the layer
    assert named(oneflow.nn.utils, "prun") == []
    module, mask = oneflow.nn.Linear(2, 1), oneflow.tensor([[1.0, 0.0]])
    expected = module.weight.numpy() * mask.numpy()
    module.weight.data.mul_(mask)
    close(module.weight, expected)


@probe("the inside of torch's packed sequences; use oneflow.nn.utils.rnn.PackedSequence")
def packed(names: list[str]) -> None:
    made = oneflow.nn.utils.rnn.pack_sequence([oneflow.ones(2, 1), oneflow.ones(1, 1)])
    assert type(made) is oneflow.nn.utils.rnn.PackedSequence
    fails(AttributeError, lambda: oneflow.nn.utils.rnn.PackedSequence_)
