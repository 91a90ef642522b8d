"""What torch's modules have beside their layers: hooks, buffers, lazy parameters, parametrizations."""

from __future__ import annotations

import tempfile
from typing import Any

import numpy
import paddle
from framework import wanting_gradient
from probing import close, fails, probe


class Small(paddle.nn.Layer):
    """Notes what is registered, by which way."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, (paddle.nn.Layer, paddle.Tensor)):
            self.seen.append(f"__setattr__ {name}")
        super().__setattr__(name, value)

    def add_sublayer(self, name: str, sublayer: Any) -> Any:
        self.seen.append(f"add_sublayer {name}")
        return super().add_sublayer(name, sublayer)

    def add_parameter(self, name: str, parameter: Any) -> Any:
        self.seen.append(f"add_parameter {name}")
        return super().add_parameter(name, parameter)

    def register_buffer(self, name: str, tensor: Any, persistable: bool = True) -> None:
        self.seen.append(f"register_buffer {name}")
        super().register_buffer(name, tensor, persistable)


def no_hooks(*words: str) -> None:
    """No hook of Paddle's layers is for this."""
    hooks = {name for name in dir(paddle.nn.Layer) if "hook" in name and not name.startswith("__")}
    assert hooks == {
        "register_forward_hook", "register_forward_post_hook", "register_forward_pre_hook", "register_state_dict_hook",
    }  # fmt: skip
    assert not any(word in hook for hook in hooks for word in words)


@probe()
def buffers(names: list[str]) -> None:
    layer = paddle.nn.Layer()
    layer.plain = paddle.ones([2])  # a tensor that is assigned is a buffer, which is not saved
    layer.register_buffer("kept", paddle.ones([2]))
    layer.register_buffer("left", paddle.ones([2]), persistable=False)
    assert [name for name, _ in layer.named_buffers()] == ["plain", "kept", "left"]
    assert list(layer.state_dict()) == ["kept"]


@probe()
def buffers_registered(names: list[str]) -> None:
    no_hooks("buffer")
    layer = Small()
    layer.a = paddle.ones([1])
    layer.register_buffer("b", paddle.ones([1]))
    assert layer.seen == ["__setattr__ a", "register_buffer b"]


@probe()
def layers_registered(names: list[str]) -> None:
    no_hooks("layer", "module")
    layer = Small()
    layer.a = paddle.nn.ReLU()
    layer.add_sublayer("b", paddle.nn.ReLU())
    assert layer.seen == ["__setattr__ a", "add_sublayer b"]
    assert len(layer.sublayers()) == 2


@probe()
def parameters_registered(names: list[str]) -> None:
    no_hooks("parameter")
    layer = Small()
    layer.a = layer.create_parameter([1])
    layer.add_parameter("b", layer.create_parameter([1]))
    assert layer.seen == ["__setattr__ a", "add_parameter b"]
    assert len(layer.parameters()) == 2


@probe()
def hooks_of_all(names: list[str]) -> None:
    seen: list[str] = []
    model = paddle.nn.Sequential(paddle.nn.Linear(3, 3), paddle.nn.ReLU())
    for layer in model.sublayers(include_self=True):
        layer.register_forward_post_hook(lambda layer, given, found: seen.append(type(layer).__name__))
        layer.register_forward_pre_hook(lambda layer, given: seen.append("before"))
    model(paddle.ones([1, 3]))
    assert seen == ["before", "before", "Linear", "before", "ReLU", "Sequential"]


def hooked_gradient() -> None:
    no_hooks("backward")
    seen: list[Any] = []
    x = wanting_gradient(3)
    y = x * 2
    y.register_hook(seen.append)
    y.sum().backward()
    close(seen[0], [1, 1, 1])


@probe()
def backward_hooks(names: list[str]) -> None:
    fails(AttributeError, lambda: paddle.nn.ReLU().register_full_backward_hook(print))
    fails(RuntimeError, lambda: paddle.ones([1]).register_hook(print), "stop gradient")  # it must take a gradient
    hooked_gradient()


@probe()
def inside_of_backward_hooks(names: list[str]) -> None:
    assert not hasattr(paddle.nn.Layer, "register_full_backward_hook")
    assert callable(paddle.Tensor.register_hook)
    hooked_gradient()


@probe()
def handles(names: list[str]) -> None:
    seen: list[int] = []
    layer = paddle.nn.ReLU()
    x = wanting_gradient(3)
    ofs = [
        layer.register_forward_post_hook(lambda *given: seen.append(1)),
        x.register_hook(lambda grad: seen.append(2)),
    ]
    assert [type(handle).__name__ for handle in ofs] == ["HookRemoveHelper", "TensorHookRemoveHelper"]
    assert not any(hasattr(handle, "id") for handle in ofs)
    layer(x).sum().backward()
    for handle in ofs:
        handle.remove()
    layer(x).sum().backward()
    assert seen == [1, 2]


@probe()
def saved_without_hooks(names: list[str]) -> None:
    x = wanting_gradient(3)
    x.register_hook(lambda grad: grad * 0)  # which no pickle could hold
    with tempfile.NamedTemporaryFile(suffix=".pdtensor") as file:
        paddle.save(x, file.name)
        found = paddle.load(file.name)
    close(found, x.detach())
    found.stop_gradient = False
    found.sum().backward()
    close(found.grad, [1, 1, 1])


@probe()
def parameters_have_shapes(names: list[str]) -> None:
    layer = paddle.nn.Layer()
    fails(TypeError, lambda: layer.create_parameter(), "shape")
    assert layer.create_parameter([2, 3]).shape == [2, 3]


@probe()
def buffers_have_shapes(names: list[str]) -> None:
    fails(TypeError, lambda: paddle.empty())

    class Counts(paddle.nn.Layer):
        def forward(self, x: Any) -> Any:
            if "counts" not in self._buffers:
                self.register_buffer("counts", paddle.zeros(x.shape[-1:]))
            return x + self.counts

    layer = Counts()
    close(layer(paddle.ones([2, 3])), numpy.ones([2, 3]))
    assert layer.state_dict()["counts"].shape == [3]


@probe()
def lazy(names: list[str]) -> None:
    class Scale(paddle.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.weight: Any = None

        def forward(self, x: Any) -> Any:
            if self.weight is None:
                self.weight = self.create_parameter([x.shape[-1]])
            return x * self.weight

    layer = Scale()
    assert layer(paddle.ones([2, 3])).shape == [2, 3]
    assert [name for name, _ in layer.named_parameters()] == ["weight"]


@probe()
def instance_norm(names: list[str]) -> None:
    for layer, shape in (
        (paddle.nn.InstanceNorm1D(3), [2, 3, 8]),
        (paddle.nn.InstanceNorm2D(3), [2, 3, 4, 4]),
        (paddle.nn.InstanceNorm3D(3), [2, 3, 4, 4, 4]),
    ):
        assert list(layer.named_buffers()) == []
        x = paddle.rand(shape)
        trained = layer(x)
        layer.eval()
        close(layer(x), trained)
    fails(TypeError, lambda: paddle.nn.InstanceNorm1D(3, track_running_stats=True))


@probe(namesakes=("orthogonal",))
def orthogonal(names: list[str]) -> None:
    fails(AttributeError, lambda: paddle.nn.utils.parametrizations)
    skew = wanting_gradient(4, 4)
    found = paddle.linalg.matrix_exp(skew - skew.T)
    close(found @ found.T, numpy.eye(4))
    (found * paddle.rand([4, 4])).sum().backward()
    assert skew.grad.abs().sum().item() > 0
