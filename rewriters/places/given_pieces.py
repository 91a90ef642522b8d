"""Attributes that functions of the project give a tensor they are handed, which whoever calls them reads again:
``box.fill(z)``, whose ``self.x = t`` has the object hold it.

Where arrays do not change, ``box.x += 1`` gives the object a new one, and z stays what it was.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rewriters.infer.values import (
    ClassInfo,
    ClassOf,
    FunctionInfo,
    FunctionOf,
    Items,
    Mapping,
    ModuleInfo,
    ObjectOf,
    Series,
    Tensor,
)
from rewriters.places.kept_copies import method_of
from rewriters.places.kept_pieces import is_picked, is_read_behind, may_be_tensor
from rewriters.places.parameters import Parameters, parameters_of
from rewriters.places.whole import whole
from rewriters.text.tree import FUNCTIONS, walk


class Given(NamedTuple):
    """A call by which an object comes to have a tensor.

    owner: the class of the object; None where it is not known.
    """

    owner: ast.ClassDef | None
    file: str
    line: int

    def shown(self, file: str) -> str:
        return f"line {self.line}" if file == self.file else f"line {self.line} of {self.file.rpartition('/')[2]}"


class Stored(NamedTuple):
    """What a function does with a parameter: it stores it under an attribute. keyword: that of the call's keyword."""

    parameter: str
    attribute: str
    owner: ast.ClassDef | None
    keyword: bool = False


GivenPieces = dict[str, list[Given]]


def given_pieces(modules: Iterable[ModuleInfo]) -> GivenPieces:
    """By attribute, in all files."""
    found: GivenPieces = {}
    stored: dict[ast.AST, list[Stored]] = {}
    for module in modules:
        for call in module.nodes.of(ast.Call):
            info, spec, fields = called(call)
            if spec is None:
                continue
            if info is not None and info.node not in stored:
                stored[info.node] = list(stored_by(info.node))
            uses = fields if info is None else stored[info.node]
            if uses:
                for attribute, owner in kept_by(call, spec, uses, module):
                    found.setdefault(attribute, []).append(Given(owner, str(module.path), call.lineno))
    return found


def given_to(root: ast.Attribute, pieces: GivenPieces, module: ModuleInfo) -> str:
    """The line of the call by which an attribute has a tensor that whoever calls has too; "" for none."""
    value = getattr(root.value, "v", None)
    line = value.info.linear() if isinstance(value, ObjectOf) else ()
    owners = {one.node for one in line if isinstance(one, ClassInfo)}
    for one in pieces.get(root.attr, ()):
        here = one.file == str(module.path)  # in another file it is another's, as far as anything says
        if one.owner in owners or (here and (not owners or one.owner is None)):
            return one.shown(str(module.path))
    return ""


def called(call: ast.Call) -> tuple[FunctionInfo | None, Parameters | None, list[Stored]]:
    """The function of the project that a call runs, its parameters, and what a class without a constructor keeps."""
    value = getattr(call.func, "v", None)
    if isinstance(value, ClassOf):
        made = method_of(value.info, "__init__")
        if made is not None:
            return made, parameters_of(made.node, bound=True), []
        names = tuple(value.info.fields())
        return None, Parameters(names), [Stored(name, name, value.info.node) for name in names]
    if isinstance(value, ObjectOf):
        run = method_of(value.info, "forward")
        return (run, parameters_of(run.node, bound=True), []) if run is not None else (None, None, [])
    if isinstance(value, FunctionOf):
        bound = value.receiver is not None and value.info.kind in {"method", "classmethod"}
        return value.info, parameters_of(value.info.node, bound=bound), []
    return None, None, []


def stored_by(function: ast.AST) -> Iterator[Stored]:
    """Attributes that a function gives what comes by a parameter: it, a part or a view of it, an item."""
    spec = getattr(function, "args", None)
    parameters = parameters_of(function).names if isinstance(spec, ast.arguments) else ()
    for node in walk(function) if parameters else ():
        if isinstance(node, ast.Assign):
            names = [one.id for one in choices(node.value) if isinstance(one, ast.Name) and one.id in parameters]
            for target in (part for one in node.targets for part in getattr(one, "elts", [one])):
                if isinstance(target, ast.Attribute):
                    yield from (Stored(name, target.attr, owner_of(target)) for name in names)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "update":
            words = [one.id for one in node.args if isinstance(one, ast.Name)]
            words += [word.value.id for word in node.keywords if word.arg is None and isinstance(word.value, ast.Name)]
            held = node.func.value
            if spec is not None and spec.kwarg and spec.kwarg.arg in words and is_of_names(held):
                yield Stored(spec.kwarg.arg, "", owner_of(held), keyword=True)


def choices(value: ast.expr) -> list[ast.expr]:
    """What an expression gives one of: ``x``, ``x[0].detach()``, ``y if c else x``, ``x or y``."""
    if isinstance(value, ast.IfExp):
        return [*choices(value.body), *choices(value.orelse)]
    if isinstance(value, ast.BoolOp):
        return [part for one in value.values for part in choices(one)]
    return [] if is_picked(value) else [whole(value)]


def is_of_names(node: ast.expr) -> bool:
    """``self.__dict__``, ``vars(self)``"""
    return getattr(node, "attr", "") == "__dict__" or getattr(getattr(node, "func", None), "id", "") == "vars"


def owner_of(node: ast.expr) -> ast.ClassDef | None:
    given = node.args[0] if isinstance(node, ast.Call) and node.args else getattr(node, "value", None)
    value = getattr(given, "v", None)
    return value.info.node if isinstance(value, ObjectOf) else None


def kept_by(
    call: ast.Call, spec: Parameters, uses: list[Stored], module: ModuleInfo
) -> Iterator[tuple[str, ast.ClassDef | None]]:
    """The attributes that a call has something hold which whoever calls has too."""
    places = [(place, one) for place, one in enumerate(call.args) if not isinstance(one, ast.Starred)]
    given: list[tuple[int | str, ast.expr]] = [*places, *((word.arg, word.value) for word in call.keywords if word.arg)]
    roots = [ast.unparse(whole(value)) for _, value in given]
    home = module.nodes.around(call, *FUNCTIONS) or module.tree
    for place, value in given:
        root = whole(value)
        if not isinstance(root, (ast.Name, ast.Attribute)) or is_picked(value) or not may_hold_tensor(value):
            continue
        seen = isinstance(root, ast.Attribute) or is_read_behind(root.id, call, home)
        if not seen and roots.count(ast.unparse(root)) == 1:
            continue
        taken = spec.taken_by(place)
        for use in uses:
            if use.parameter in taken:
                yield (str(place) if use.keyword else use.attribute), use.owner


def may_hold_tensor(node: ast.expr) -> bool:
    value = getattr(node, "v", None)
    if isinstance(value, Items):
        return any(isinstance(one, Tensor) for one in value.values)
    if isinstance(value, Series):
        return isinstance(value.element, Tensor)
    if isinstance(value, Mapping):
        return any(isinstance(one, Tensor) for one in (value.element, *(held for _, held in value.known)))
    return may_be_tensor(node)
