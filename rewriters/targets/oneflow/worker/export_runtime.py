"""OneFlow's models on disk as they are deployed, and its checkpoints read.

Loaded by path in the interpreter that has OneFlow; imports nothing else than it.
"""

from __future__ import annotations

import oneflow as flow
from oneflow import nn


def tensors(value):
    """The tensors in nested containers, in order."""
    if isinstance(value, flow.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [found for item in value for found in tensors(item)]
    return []


def save(model, fill, inputs, folder, asked):
    """Write the model's graph, for inputs of these shapes: ``model.mlir`` and a folder for each variable.

    fill:   tensors -> (args, kwargs) of the model.
    asked:  axes of the inputs: a graph has none that are free.
    """
    free = [f"{name}: {axis}" for name, axes in asked["axes"].items() for axis in axes.values()]
    if free:
        raise ValueError(f"a graph of OneFlow holds the sizes of its inputs; no axis can be free ({', '.join(free)})")

    class Exported(nn.Graph):
        def __init__(self):
            super().__init__()
            self.model = model

        def build(self, *given):
            args, kwargs = fill(given)
            return tensors(self.model(*args, **kwargs))

    graph = Exported()
    graph(*inputs)
    flow.save(graph, folder)
    return {"files": ["model.mlir"]}


def read_checkpoint(path):
    """Name -> tensor, of a checkpoint of OneFlow's own."""
    return flow.load(path)
