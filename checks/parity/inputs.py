"""The inputs of a check, from specs such as ``float32[2,3,224,224]``, ``tokens=int64[2,16]<50257`` or ``batch.npz``.

A spec is a tensor, a plain value (None, True, 2.5, 'text'), a list, tuple or dict of specs, or the path of an .npz.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from checks.worker.noise import half_ulp_noise
from checks.worker.tensor_spec import DTYPES, FLOATS, INTEGERS, TensorSpec, WrongSpec
from checks.worker.tensor_spec import GRAMMAR as TENSOR
from rewriters.text.parsing import expression_of

__all__ = ["DTYPES", "FLOATS", "GRAMMAR", "INTEGERS", "Drawn", "Input", "WrongSpec", "parse_all"]

GRAMMAR = (
    f"[NAME=]SPEC; SPEC is a tensor, {TENSOR}; a plain value, None or 2.5 or 'text'; [SPEC, ...], (SPEC, ...) or "
    "{'KEY': SPEC, ...} of such; or FILE.npz, whose arr_0, arr_1, ... are positional and whose other names are keywords"
)

Node = dict[str, Any]  # of checks.worker.nested, with a TensorSpec or an array where that has the tensor's name

_NAMED = re.compile(r"\s*([A-Za-z_]\w*)\s*=(?!=)(.*)", re.DOTALL)
_POSITIONAL = re.compile(r"arr_(\d+)")
_NO_SIZES = re.compile(r"(?<=\w)\[\s*\]")


@dataclass(frozen=True)
class Input:
    """One argument.

    text:  the spec as it was given.
    name:  keyword under which it is passed; None when positional.
    node:  what it is made of (``checks.worker.nested``); the leaves are TensorSpecs, or arrays of a file.
    """

    text: str
    name: str | None
    node: Node

    def draw(self, seed: int, position: int) -> np.ndarray:
        """The array of an input that is one tensor."""
        return np.asarray(_draw_leaf(self.node["tensor"], [seed, position]))


@dataclass
class Drawn:
    """The arguments of one call.

    arrays:      path of each tensor (``0``, ``x``, ``1['ids'][0]``) -> array.
    positional,
    keywords:    what is passed, as ``checks.worker.nested`` describes it.
    """

    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    positional: list[Node] = field(default_factory=list)
    keywords: dict[str, Node] = field(default_factory=dict)

    def noisy(self, seed: int) -> dict[str, np.ndarray]:
        """The arrays in double precision under ``half_ulp_noise``."""
        return {name: half_ulp_noise(array, seed, i) for i, (name, array) in enumerate(self.arrays.items())}


def parse(text: str, folder: Path = Path()) -> list[Input]:
    """Read one spec: one input, or those of a file; ``folder`` is where its relative path starts. Raises WrongSpec."""
    if text.strip().endswith(".npz"):
        return _file(text.strip(), folder)
    named = _NAMED.fullmatch(text)
    name, rest = (named[1], named[2]) if named else (None, text)
    if _is_nested(rest):
        # A tensor without sizes, float32[], is no Python expression.
        source = _NO_SIZES.sub("[()]", rest.strip())
        try:
            node = _node(expression_of(source), source)
        except SyntaxError as error:
            raise WrongSpec(f"input {text!r} is not of the form {GRAMMAR} ({error.msg})") from None
        except WrongSpec as error:
            raise WrongSpec(f"input {text!r}: {error}") from None
        return [Input(text.strip(), name, node)]
    try:
        spec = TensorSpec.parse(rest)
    except WrongSpec as error:
        raise WrongSpec(f"input {text!r}: {error}" if name else f"input {error}") from None
    return [Input(text.strip(), name, {"tensor": spec})]


def parse_all(texts: Sequence[str], folder: Path = Path()) -> list[Input]:
    """Read the specs in order. Raises WrongSpec, also when a keyword is given twice."""
    inputs = [item for text in texts for item in parse(text, folder)]
    names = [item.name for item in inputs if item.name]
    for name in names:
        if names.count(name) > 1:
            raise WrongSpec(f"input {name!r} is given twice")
    return inputs


def draw(inputs: Sequence[Input], seed: int) -> Drawn:
    """The arguments; each tensor is the same for the same seed and place, whatever the others are."""
    drawn = Drawn()
    for position, item in enumerate(inputs):
        path = item.name or str(len(drawn.positional))
        node = _draw(item.node, path, [seed, position], drawn.arrays)
        if item.name:
            drawn.keywords[item.name] = node
        else:
            drawn.positional.append(node)
    return drawn


def _is_nested(text: str) -> bool:
    text = text.strip()
    if text[:1] in ("[", "(", "{", "'", '"') or text in ("None", "True", "False"):
        return True
    try:
        float(text)
    except ValueError:
        return False
    return True


def _node(node: ast.expr, source: str) -> Node:
    """The syntax of a spec as a node. Raises WrongSpec."""
    if isinstance(node, (ast.Subscript, ast.Compare)):
        return {"tensor": TensorSpec.parse(ast.get_source_segment(source, node) or "")}
    if isinstance(node, (ast.List, ast.Tuple)):
        kind = "list" if isinstance(node, ast.List) else "tuple"
        return {kind: [_node(item, source) for item in node.elts]}
    if isinstance(node, ast.Dict):
        keys = [_plain(key, source) for key in node.keys]
        return {"dict": [[key, _node(item, source)] for key, item in zip(keys, node.values, strict=True)]}
    return {"value": _plain(node, source)}


def _plain(node: ast.expr | None, source: str) -> Any:
    try:
        value = ast.literal_eval(node) if node is not None else ...
    except ValueError:
        value = ...
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    written = "**" if node is None else ast.get_source_segment(source, node)
    raise WrongSpec(f"{written} is neither a tensor ({TENSOR}) nor a plain value; text stands in quotes")


def _draw(node: Node, path: str, seed: list[int], arrays: dict[str, np.ndarray]) -> Node:
    if "tensor" in node:
        arrays[path] = _draw_leaf(node["tensor"], seed)
        return {"tensor": path}
    for kind in ("list", "tuple"):
        if kind in node:
            items = enumerate(node[kind])
            return {kind: [_draw(item, f"{path}[{i}]", [*seed, i], arrays) for i, item in items]}
    if "dict" in node:
        pairs = enumerate(node["dict"])
        return {"dict": [[key, _draw(item, f"{path}[{key!r}]", [*seed, i], arrays)] for i, (key, item) in pairs]}
    return node


def _draw_leaf(leaf: TensorSpec | np.ndarray, seed: list[int]) -> np.ndarray:
    return leaf.draw(seed) if isinstance(leaf, TensorSpec) else leaf


def _file(text: str, folder: Path) -> list[Input]:
    """The arrays of an .npz: arr_0, arr_1, ... in the order of their numbers, then the named ones."""
    path = folder / text
    try:
        with np.load(path, allow_pickle=False) as file:
            found = {name: file[name] for name in file.files}
    except FileNotFoundError:
        raise WrongSpec(f"input {text!r}: {path} does not exist") from None
    except Exception as error:  # numpy raises what zipfile, zlib and its own reader do
        raise WrongSpec(f"input {text!r}: {path} is no .npz of plain arrays: {error}") from None
    if not found:
        raise WrongSpec(f"input {text!r}: {path} has no arrays")
    for name, array in found.items():
        if array.dtype.name not in DTYPES:
            raise WrongSpec(f"input {text!r}: {name} is of dtype {array.dtype}; known: {', '.join(DTYPES)}")
        if not name.isidentifier():
            raise WrongSpec(f"input {text!r}: {name!r} is no name of a parameter")
    numbered = sorted((int(match[1]), name) for name in found if (match := _POSITIONAL.fullmatch(name)))
    positional = [name for _, name in numbered]
    ordered = [*positional, *(name for name in found if name not in positional)]
    return [Input(text, None if name in positional else name, {"tensor": found[name]}) for name in ordered]
