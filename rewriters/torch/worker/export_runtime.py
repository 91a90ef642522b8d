"""Torch's models on disk as they are deployed: saved by torch.export, or as ONNX, and run.

Loaded by path in the interpreter that has torch; imports nothing else than it.
"""

from __future__ import annotations

import os
import re

import torch

FRAME = re.compile(r'File "([^"]+)", line (\d+)')


class Exported(torch.nn.Module):
    """A model over tensors alone."""

    def __init__(self, model, fill):
        super().__init__()
        self.model = model
        self.fill = fill

    def forward(self, *given):
        args, kwargs = self.fill(given)
        return tensors(self.model(*args, **kwargs))


def tensors(value):
    """The tensors in nested containers, in order."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [found for item in value for found in tensors(item)]
    return []


def save(model, fill, inputs, folder, asked):
    """Write the model, in eval mode, to the folder: ``model.pt2``, or with the form "onnx" ``model.onnx``.

    fill:   tensors -> (args, kwargs) of the model.
    asked:  names and axes of the inputs, opset.
    """
    exported = Exported(model, fill).eval()
    # DYNAMIC: over whatever range of sizes the model allows; an axis that it has only one size for is refused.
    shapes = tuple({int(axis): torch.export.Dim.DYNAMIC for axis in asked["axes"][name]} for name in asked["names"])
    try:
        program = torch.export.export(
            exported,
            tuple(inputs),
            dynamic_shapes=(shapes,),
            prefer_deferred_runtime_asserts_over_guards=True,  # sizes that the model treats apart are refused when run
        )
        if asked["form"] != "onnx":
            torch.export.save(program, os.path.join(folder, "model.pt2"))
            return {"files": ["model.pt2"], "shapes": shapes_of(program)}
        made = torch.onnx.export(
            program, dynamo=True, verbose=False, opset_version=asked["opset"], input_names=asked["names"]
        )
    except ImportError:
        raise
    except Exception as error:
        raise Refused(said(error), blamed(error, asked["project"])) from error
    made.save(os.path.join(folder, "model.onnx"), external_data=False)
    return {"files": ["model.onnx"]}


def shapes_of(program):
    """Of the outputs; a size that is free is None."""
    last = next(node for node in program.graph.nodes if node.op == "output")
    return [[size if isinstance(size, int) else None for size in node.meta["val"].shape] for node in last.args[0]]


class Refused(Exception):
    """What torch cannot export; ``where``: the project's line, or None."""

    def __init__(self, message, where):
        super().__init__(message)
        self.where = where


def said(error):
    """The innermost cause in a line."""
    while error.__cause__ is not None:
        error = error.__cause__
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {' '.join(lines[:2])}"[:400]


def blamed(error, project):
    """The innermost line of the project that torch names in its message."""
    frames = []
    while error is not None:
        frames += [f"{file}:{line}" for file, line in FRAME.findall(str(error)) if file.startswith(project + os.sep)]
        error = error.__cause__
    return frames[-1] if frames else None


def load(folder, manifest, threads):
    """What runs the saved program: arrays in the order of its inputs -> arrays in that of its outputs."""
    torch.set_num_threads(threads)
    program = torch.export.load(os.path.join(folder, "model.pt2")).module()

    def run(arrays):
        with torch.no_grad():
            return [value.numpy() for value in program(*map(torch.from_numpy, arrays))]

    return run


def version():
    """Of what runs it."""
    return torch.__version__
