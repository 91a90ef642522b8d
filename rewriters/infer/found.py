"""What has been found at the nodes of some files, handed to a process that has the same trees: some files at a time, as
all of it together takes as much memory as a tenth of the trees.
"""

from __future__ import annotations

import ast
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from rewriters.infer.own_operators import call_of_own, told_by
from rewriters.infer.syntax import parsed
from rewriters.infer.values import FunctionInfo, ModuleInfo, Value
from rewriters.text.tree import walk

NONE = -1
# Per file: numbers of the values at its nodes, in their order; at the names in quoted annotations, and at the operators
# that own methods answer.
OfFile = tuple[bytes, list[tuple[int, list[int]]], list[tuple[str, int, int, str, int]]]
# The values that come after those that have been told, and the files.
Found = tuple[list[Value], list[OfFile]]
Given = list[tuple[FunctionInfo, set[str]]]
# So many files are told at a time.
BATCH = 32


class Numbers(dict[Value, int]):
    """Values, each kept once.

    same: the numbers of objects that have been looked up, by their identity: most nodes hold one of a few. What a node
          holds lives as long as the node does.
    """

    def __init__(self) -> None:
        super().__init__()
        self.same: dict[int, int] = {}

    def of(self, value: Value | None) -> int:
        if value is None:
            return NONE
        number = self.same.get(id(value))
        if number is None:
            number = self.same[id(value)] = self[value]
        return number

    def __missing__(self, value: Value) -> int:
        number = self[value] = len(self)
        return number


def in_batches(modules: Sequence[ModuleInfo]) -> Iterator[Sequence[ModuleInfo]]:
    return (modules[start : start + BATCH] for start in range(0, len(modules), BATCH))


def found_in(modules: Iterable[ModuleInfo], numbers: Numbers) -> Found:
    """The values at the nodes of these files. numbers: of those that have been told, to which these are added."""
    told = len(numbers)
    files = [of_file(module, numbers) for module in modules]
    return list(islice(numbers, told, None)), files


def given_in(functions: Iterable[FunctionInfo]) -> Given:
    """Which parameters of functions are given tensors."""
    return [(info, vars(info.node)["tensors"]) for info in functions if "tensors" in vars(info.node)]


def of_file(module: ModuleInfo, numbers: Numbers) -> OfFile:
    found = array("i")
    for nodes in module.nodes.by_class.values():
        for node in nodes:
            found.append(numbers.of(getattr(node, "v", None)))
    quoted = []
    for place, node in enumerate(module.nodes.of(ast.Constant)):
        if hasattr(node, "quoted"):
            quoted.append((place, [numbers.of(getattr(part, "v", None)) for part in in_quotes(node)]))
    own = []
    for kind in (ast.BinOp, ast.Compare):
        for place, node in enumerate(module.nodes.of(kind)):
            if hasattr(node, "own"):
                side, name, method = told_by(node.own, node)
                own.append((kind.__name__, place, side, name, numbers[method]))
    return found.tobytes(), quoted, own


def take(found: Found, modules: Iterable[ModuleInfo], values: list[Value]) -> None:
    """Put what has been found at the nodes of these files there.

    values: those that were told before, to which these are added.
    """
    more, files = found
    values += more
    for module, (numbers, quoted, own) in zip(modules, files, strict=True):
        at = iter(array("i", numbers))
        for nodes in module.nodes.by_class.values():
            for node, number in zip(nodes, at, strict=False):
                if number != NONE:
                    node.v = values[number]
        constants: list[Any] = module.nodes.of(ast.Constant)
        for place, numbered in quoted:
            for part, number in zip(in_quotes(constants[place]), numbered, strict=True):
                if number != NONE:
                    part.v = values[number]
        for kind, place, side, name, method in own:
            node = module.nodes.of(getattr(ast, kind))[place]
            node.own = call_of_own(node, side, name, values[method])


def take_given(given: Given) -> None:
    for info, names in given:
        vars(info.node)["tensors"] = names | getattr(info.node, "tensors", set())


def in_quotes(node: ast.Constant) -> list[Any]:
    """The parts of a quoted annotation, and of those that are quoted in it."""
    found: list[Any] = []
    inner = getattr(node, "quoted", None) or parsed(str(node.value))
    if inner is not None:
        node.quoted = inner  # type: ignore[attr-defined]
        for part in walk(inner):
            found.append(part)
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                found += in_quotes(part)
    return found
