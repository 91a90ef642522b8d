"""Which functions of the project a model's forward may run."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from rewriters.infer.syntax import path_of
from rewriters.infer.values import (
    Choice,
    ClassInfo,
    ClassOf,
    FunctionInfo,
    FunctionOf,
    Instance,
    Items,
    Mapping,
    ObjectOf,
    Series,
    Value,
)
from rewriters.text.tree import walk

__all__ = ["called_by", "classes_in", "functions_in", "is_module", "path_of", "reached", "traced", "value_of"]


def value_of(node: ast.AST) -> Value | None:
    """What the inference says of an expression."""
    return getattr(node, "v", None)


def parts_of(value: Value | None, depth: int = 0) -> Iterator[Value]:
    """A value and what it may hold."""
    if value is None or depth > 6:
        return
    yield value
    inner: list[Any] = []
    if isinstance(value, (Choice, Items)):
        inner = list(value.values)
    elif isinstance(value, (Series, Mapping)):
        inner = [value.element]
    elif isinstance(value, Instance):
        inner = [value.element, value.members]
    for item in inner:
        yield from parts_of(item, depth + 1)


def classes_in(value: Value | None) -> list[ClassInfo]:
    """The project's classes that a value is, is an instance of, or holds."""
    return [part.info for part in parts_of(value) if isinstance(part, (ClassOf, ObjectOf))]


def functions_in(value: Value | None) -> list[FunctionInfo]:
    """The project's functions that a value is or holds."""
    return [part.info for part in parts_of(value) if isinstance(part, FunctionOf)]


def is_module(value: Value | None) -> bool:
    """Whether calling it runs a Module's forward."""
    if isinstance(value, Choice):
        return bool(value.values) and all(is_module(item) for item in value.values)
    if isinstance(value, ObjectOf):
        return value.info.is_module
    return isinstance(value, Instance) and value.name.startswith("torch.nn.") and value.name != "torch.nn.Parameter"


def reached(root: ClassInfo) -> list[ClassInfo]:
    """The Module classes that a model of this class is made of, itself first; its parents among them."""
    found: dict[ClassInfo, None] = {}
    functions: set[int] = set()

    def add(info: ClassInfo) -> None:
        for owner in info.linear():
            if isinstance(owner, ClassInfo) and owner.is_module and owner not in found:
                found[owner] = None
                for function in owner.functions.values():
                    look(function)
                for value in owner.attributes.values():
                    for part in classes_in(value):
                        add(part)

    def look(function: FunctionInfo) -> None:
        if id(function) in functions:
            return
        functions.add(id(function))
        for node in walk(function.node):
            value = value_of(node)
            for info in classes_in(value):
                if info.is_module:
                    add(info)
            for called in functions_in(value):
                look(called)

    add(root)
    return list(found)


def traced(root: ClassInfo) -> list[FunctionInfo]:
    """The functions that run when a model of this class is called: each forward, and what they call."""
    return called_by(info.functions["forward"] for info in reached(root) if "forward" in info.functions)


def called_by(functions: Iterable[FunctionInfo]) -> list[FunctionInfo]:
    """These functions, and what they call, at any depth."""
    found: dict[FunctionInfo, None] = {}

    def add(function: FunctionInfo) -> None:
        if function in found:
            return
        found[function] = None
        for node in walk(function.node):
            if isinstance(node, (ast.Call, ast.Attribute)):
                value = value_of(node.func if isinstance(node, ast.Call) else node)
                for called in functions_in(value):
                    add(called)

    for function in functions:
        add(function)
    return list(found)
