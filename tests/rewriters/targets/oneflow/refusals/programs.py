"""TorchScript, and what of torch's functions stands for a program."""

from __future__ import annotations

import inspect
import os
import tempfile
import time

import oneflow
from framework import named
from probing import close, fails, nothing_more, probe


@probe(
    "OneFlow 0.9 writes no TorchScript and reads none; save state_dict() with oneflow.save, and load it into the class",
    namesakes=("load", "save"),
)
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


@probe("OneFlow 0.9 traces no calls; call the function itself, or write an nn.Graph: `migrate convert --static`")
def traced(names: list[str]) -> None:
    assert named(oneflow.jit, "trace") == []
    graph_of_a_layer()


@probe("OneFlow 0.9 has no pass over a loaded program; call eval() on the module")
def passes(names: list[str]) -> None:
    assert named(oneflow.jit, "") == ["ignore", "script"]
    layer = oneflow.nn.Sequential(oneflow.nn.Linear(3, 2), oneflow.nn.Dropout(0.5)).eval()
    x = oneflow.rand(4, 3)
    close(layer(x), layer(x))


@probe("the inside of TorchScript, of which OneFlow 0.9 has nothing; remove it")
def insides_of_script(names: list[str]) -> None:
    # what OneFlow has of torch.jit gives back what it is given
    def doubled(x):
        return x * 2

    assert oneflow.jit.script(doubled) is doubled


@probe("OneFlow 0.9's sizes are Python's own numbers; use int, float, max, min, sum and not")
def sizes(names: list[str]) -> None:
    x = oneflow.ones(2, 3)
    assert {type(size) for size in (*x.shape, x.numel(), x.ndim, x.size(0))} == {int}


@probe("measures TorchScript modules; time the calls yourself, with time.perf_counter()")
def measured(names: list[str]) -> None:
    layer, x = oneflow.nn.Linear(3, 2), oneflow.rand(4, 3)
    start = time.perf_counter()
    layer(x).numpy()
    assert 0 < time.perf_counter() - start < 60


@probe("TorchScript's annotation; write int | list[int]")
def broadcasting_lists(names: list[str]) -> None:
    def pooled(x, size: int | list[int]):
        return oneflow.nn.functional.max_pool2d(x, size)

    x = oneflow.ones(1, 1, 4, 4)
    assert pooled(x, 2).shape == pooled(x, [2, 2]).shape == (1, 1, 2, 2)


@probe("picks one of two functions for TorchScript; write the if")
def picked(names: list[str]) -> None:
    def pool(x, return_indices: bool):
        if return_indices:
            return oneflow.nn.functional.max_pool2d(x, 2, return_indices=True)
        return oneflow.nn.functional.max_pool2d(x, 2)

    x = oneflow.rand(1, 1, 4, 4)
    close(pool(x, False), pool(x, True)[0])


@probe("OneFlow 0.9's functions take no __torch_function__; remove the branch")
def overrides(names: list[str]) -> None:
    class Own:
        @classmethod
        def __torch_function__(cls, *given):
            return "asked"

    fails(TypeError, lambda: oneflow.add(Own(), Own()))


probe("a decorator for type checkers, which runs nothing; remove it")(nothing_more)


@probe("sets the module that a class says it is of; assign __module__")
def module_of_a_class(names: list[str]) -> None:
    class Own:
        pass

    Own.__module__ = "elsewhere"
    assert repr(Own).startswith("<class 'elsewhere.")


@probe("OneFlow 0.9 runs Python's own control flow; write if and while")
def control_flow(names: list[str]) -> None:
    x = oneflow.ones(2)
    while x.sum() < 10:
        x = x * 2
    close(x, [8, 8])


@probe("OneFlow 0.9 has no such names of types; use type(x).__name__, or x.dtype")
def names_of_types(names: list[str]) -> None:
    assert type(oneflow.ones(2)).__name__ == "Tensor"
    assert oneflow.ones(2).dtype == oneflow.float32


@probe("OneFlow 0.9 warns through Python alone; use the module warnings")
def warned(names: list[str]) -> None:
    assert named(oneflow, "warn") == []
    assert "warnings.warn" in inspect.getsource(oneflow.jit.script)


@probe("looks into containers, as Python's isinstance does not; write isinstance(x, list) and a test of the elements")
def containers(names: list[str]) -> None:
    fails(TypeError, lambda: isinstance([1], list[int]), "parameterized generic")
    x = [oneflow.ones(2)]
    assert isinstance(x, list)
    assert all(isinstance(part, oneflow.Tensor) for part in x)


@probe("a pair of value and type until the module is scripted, and OneFlow 0.9 scripts nothing; store the value")
def attributes(names: list[str]) -> None:
    layer = oneflow.nn.Linear(3, 2)
    assert oneflow.jit.script(layer) is layer
    layer.factor = 2.5
    assert layer.factor == 2.5
