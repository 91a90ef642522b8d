"""Samples written by hand, for what PyTorch's own never pass: the functions in ``samples/*.py``. Runs in torch's
interpreter.

A parameter's annotation says what it is: a tensor as ``migrate check --input`` takes it (``"float32[2,3]"``), or, for
a first parameter ``module``, the expression that builds it (``"torch.nn.Linear(4, 3)"``). A function whose name ends
in ``_train`` runs with the module in train mode; integer and boolean tensors, and those whose name ends in ``_``,
take no gradient.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

from ...worker import tensor_spec

SAMPLES = Path(__file__).parents[1] / "samples"


def entries() -> dict[str, list[Any]]:
    """The functions by file: its name, and a digest of its text, so that a file that changes is another entry."""
    found: dict[str, list[Any]] = {}
    for path in sorted(SAMPLES.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text, str(path))
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        found[f"{path.stem}-{digest}"] = [
            (path.stem, node, text) for node in tree.body if isinstance(node, ast.FunctionDef)
        ]
    return found


def covers(group: list[Any]) -> list[str]:
    """All names in the functions: attributes, whatever they are of."""
    found = set()
    for _, function, _ in group:
        words = [ast.literal_eval(argument.annotation) for argument in function.args.args if argument.arg == "module"]
        for tree in (function, *(ast.parse(word) for word in words)):
            found |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return sorted(found)


def programs(entry: Any, arguments: Any, few: int | None = None) -> Iterator[dict[str, Any]]:
    """The one that the function is; ``few`` or not."""
    stem, node, text = entry
    given = {}
    build = ""
    for position, argument in enumerate(node.args.args):
        spec = ast.literal_eval(argument.annotation)
        if argument.arg == "module":
            build = spec
            continue
        tensor = torch.from_numpy(tensor_spec.TensorSpec.parse(spec).draw([0, position]))
        given[argument.arg] = tensor.requires_grad_(tensor.is_floating_point() and not argument.arg.endswith("_"))
    lines = text.split("\n")[node.body[0].lineno - 1 : node.end_lineno]
    body = "\n".join(line.removeprefix("    ") for line in lines)
    train = node.name.endswith("_train")
    yield {
        "label": f"{stem}.{node.name}:train:0" if train else f"{stem}.{node.name}:float32:0",
        "key": "",
        "train": train,
        "forms": [("written", build)],
        "body": body,
        "tensors": given,
    }
