"""OneFlow's models on disk as they are deployed, and run as graphs; its checkpoints read.

Loaded by path in the interpreter that has OneFlow; imports nothing else than it and numpy.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sys

import numpy as np
import oneflow as flow
from oneflow import nn

GRAPHS = 32
"""How many shapes' graphs are kept."""
LARGEST = 1_000_000
"""Bytes of a file of a project that is no code."""


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
    """Write the model's graph, for inputs of these shapes: ``model.mlir`` and a folder for each variable. Or, where
    ``form`` is project, its code and weights, of which ``load`` makes a graph for each shape.

    fill:   tensors -> (args, kwargs) of the model.
    asked:  axes of the inputs: a saved graph has none that are free.
    """
    if asked["form"] == "project":
        return save_project(model, inputs, folder, asked)
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


def save_project(model, inputs, folder, asked):
    """Write ``project/``, ``weights.npz``, ``arguments.json`` and what reads that; the graph is run once."""
    state = model.state_dict()
    np.savez(os.path.join(folder, "weights.npz"), *[value.numpy() for value in state.values()])
    arguments = {**asked["arguments"], "entry": asked["entry"], "weights": list(state)}
    with open(os.path.join(folder, "arguments.json"), "w", encoding="utf-8") as file:
        json.dump(arguments, file)
    files = ["arguments.json", "weights.npz"]
    for path in asked["readers"]:
        files.append(os.path.basename(path))
        shutil.copyfile(path, os.path.join(folder, files[-1]))
    for name in project_files(asked["project"]):
        files.append(os.path.join("project", name))
        os.makedirs(os.path.dirname(os.path.join(folder, files[-1])), exist_ok=True)
        shutil.copyfile(os.path.join(asked["project"], name), os.path.join(folder, files[-1]))
    fill = Arguments(folder).fill
    found = [list(value.shape) for value in tensors(Graph(model, fill)(*inputs))]
    return {"files": files, "shapes": free_sizes(model, fill, inputs, found, asked)}


def free_sizes(model, fill, inputs, found, asked):
    """Shapes of the outputs; a size that changes with the inputs' free axes is None. Raises ValueError where the model
    does not take larger ones.
    """
    if not any(asked["axes"].values()):
        return found
    more = []
    for name, value in zip(asked["names"], inputs):
        for axis in map(int, asked["axes"][name]):
            value = flow.cat([value, value.narrow(axis, 0, 1)], dim=axis)
        more.append(value)
    args, kwargs = fill(more)
    try:
        other = [list(value.shape) for value in tensors(model(*args, **kwargs))]
    except Exception as error:
        sizes = ", ".join(f"{name} {list(value.shape)}" for name, value in zip(asked["names"], more))
        raise ValueError(f"the model does not take {sizes}: {str(error).strip().splitlines()[-1]}") from None
    return [[one if one == two else None for one, two in zip(*shapes)] for shapes in zip(found, other)]


def project_files(project):
    """Code, and small files beside it, by their paths in the project."""
    found = []
    for root, folders, names in os.walk(project):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
        for name in sorted(names):
            path = os.path.join(root, name)
            small = os.path.getsize(path) <= LARGEST
            if not name.startswith(".") and (name.endswith(".py") or small):
                found.append(os.path.relpath(path, project))
    return found


class Arguments:
    """How a model of a project is built and called, as ``save_project`` wrote it."""

    def __init__(self, folder):
        with open(os.path.join(folder, "arguments.json"), encoding="utf-8") as file:
            told = json.load(file)
        self.told, self.folder = told, folder
        self.nested, self.entry = (self.reader(name) for name in ("nested", "entry"))

    def reader(self, name):
        spec = importlib.util.spec_from_file_location("_migrate_" + name, os.path.join(self.folder, name + ".py"))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def fill(self, values):
        """(args, kwargs) of the model, of tensors."""
        by_path = dict(zip(self.told["paths"], values))
        args = [self.nested.build(node, by_path.__getitem__) for node in self.told["positional"]]
        kwargs = {key: self.nested.build(node, by_path.__getitem__) for key, node in self.told["keywords"].items()}
        return args, kwargs

    def model(self):
        """With its weights, in eval mode."""
        entry = self.entry.parse(self.told["entry"])
        project = os.path.join(self.folder, "project")
        sys.path[:0] = [project, *self.entry.script_folders(project, entry.module)]
        module = importlib.import_module(entry.module)
        found = self.entry.find(module, entry.attribute)
        if entry.call is not None:
            args, kwargs = self.entry.arguments(module, entry.call)
            found = found(*args, **kwargs)
        elif not isinstance(found, nn.Module):
            found = found()
        with np.load(os.path.join(self.folder, "weights.npz")) as held:
            state = {name: held[f"arr_{number}"] for number, name in enumerate(self.told["weights"])}
        found.load_state_dict(state, strict=True)
        return found.eval()


class Graph(nn.Graph):
    """A model over tensors alone."""

    def __init__(self, model, fill):
        super().__init__()
        self.model = model
        self.fill = fill

    def build(self, *given):
        args, kwargs = self.fill(given)
        return tensors(self.model(*args, **kwargs))


def load(folder, manifest, threads):
    """What runs a saved project as graphs: arrays in the order of its inputs -> arrays in that of its outputs."""
    flow.set_num_threads(threads)
    arguments = Arguments(folder)
    model, graphs = arguments.model(), {}

    def run(arrays):
        shapes = tuple(array.shape for array in arrays)
        if shapes not in graphs:
            if len(graphs) == GRAPHS:
                del graphs[next(iter(graphs))]
            graphs[shapes] = Graph(model, arguments.fill)
        with flow.no_grad():
            return [value.numpy() for value in tensors(graphs[shapes](*[flow.tensor(np.array(one)) for one in arrays]))]

    return run


def version():
    """Of what runs it."""
    return flow.__version__
