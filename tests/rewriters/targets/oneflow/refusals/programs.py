"""TorchScript, and what of torch's functions stands for a program."""

from __future__ import annotations

import os
import tempfile
import time

import oneflow
from framework import named
from probing import close, fails, probe


@probe(namesakes=("load", "save"))
def script_files(names: list[str]) -> None:
    assert named(oneflow.jit, "") == ["ignore", "script"]
    layer, other, x = oneflow.nn.Linear(3, 2), oneflow.nn.Linear(3, 2), oneflow.rand(4, 3)
    with tempfile.TemporaryDirectory() as folder:
        oneflow.save(layer.state_dict(), os.path.join(folder, "model"))
        other.load_state_dict(oneflow.load(os.path.join(folder, "model")))
        close(other(x), layer(x))


def graph_of_a_layer() -> None:
    layer, x = oneflow.nn.Linear(3, 2), oneflow.rand(4, 3)

    class Graph(oneflow.nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.layer = layer

        def build(self, x):
            return self.layer(x)

    close(Graph()(x), layer(x))


@probe()
def traced(names: list[str]) -> None:
    assert named(oneflow.jit, "trace") == []
    graph_of_a_layer()


@probe()
def passes(names: list[str]) -> None:
    assert named(oneflow.jit, "") == ["ignore", "script"]
    layer = oneflow.nn.Sequential(oneflow.nn.Linear(3, 2), oneflow.nn.Dropout(0.5)).eval()
    x = oneflow.rand(4, 3)
    close(layer(x), layer(x))


@probe()
def insides_of_script(names: list[str]) -> None:
    # what OneFlow has of torch.jit gives back what it is given
    def doubled(x):
        return x * 2

    assert oneflow.jit.script(doubled) is doubled


@probe()
def sizes(names: list[str]) -> None:
    x = oneflow.ones(2, 3)
    assert {type(size) for size in (*x.shape, x.numel(), x.ndim, x.size(0))} == {int}


@probe()
def measured(names: list[str]) -> None:
    layer, x = oneflow.nn.Linear(3, 2), oneflow.rand(4, 3)
    start = time.perf_counter()
    layer(x).numpy()
    assert 0 < time.perf_counter() - start < 60


@probe()
def overrides(names: list[str]) -> None:
    class Own:
        @classmethod
        def __torch_function__(cls, *given):
            return "asked"

    fails(TypeError, lambda: oneflow.add(Own(), Own()))


@probe()
def module_of_a_class(names: list[str]) -> None:
    class Own:
        pass

    Own.__module__ = "elsewhere"
    assert repr(Own).startswith("<class 'elsewhere.")


@probe()
def control_flow(names: list[str]) -> None:
    x = oneflow.ones(2)
    while x.sum() < 10:
        x = x * 2
    close(x, [8, 8])


@probe()
def containers(names: list[str]) -> None:
    fails(TypeError, lambda: isinstance([1], list[int]), "parameterized generic")
    x = [oneflow.ones(2)]
    assert isinstance(x, list)
    assert all(isinstance(part, oneflow.Tensor) for part in x)


@probe()
def attributes(names: list[str]) -> None:
    layer = oneflow.nn.Linear(3, 2)
    assert oneflow.jit.script(layer) is layer
    layer.factor = 2.5
    assert layer.factor == 2.5
