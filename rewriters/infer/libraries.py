"""Calls of Python's builtins, of containers' methods, and of other libraries."""

from __future__ import annotations

import ast

from rewriters.infer.attributes import Attributes
from rewriters.infer.builtin_names import BUILTIN_RESULTS
from rewriters.infer.library_names import ENVIRONMENTS, HANDS_ON, OF_TENSORS, PASS_THROUGH, PATHS, TENSORLESS
from rewriters.infer.syntax import path_of
from rewriters.values import (
    BOTTOM,
    FLOAT,
    INT,
    NONE,
    NUMPY,
    OBJECT,
    STR,
    UNKNOWN,
    ClassOf,
    Instance,
    Items,
    Mapping,
    ObjectOf,
    Plain,
    Series,
    Tensor,
    Value,
    element,
    join,
)


class Libraries(Attributes):
    """Calls of what is neither torch's nor the project's."""

    def call_builtin(
        self, name: str, positional: list[Value], keywords: dict[str, Value], node: ast.Call | None
    ) -> Value:
        first = positional[0] if positional else UNKNOWN
        if name in BUILTIN_RESULTS:
            return BUILTIN_RESULTS[name]
        if name == "range":
            return Series(INT, "range")
        if name == "enumerate":
            return Series(Items((INT, element(first))), "iterator")
        if name == "zip":
            return Series(Items(tuple(element(value) for value in positional)), "iterator")
        if name in {"list", "tuple", "sorted", "reversed", "set", "iter", "frozenset"}:
            if isinstance(first, Items) and name in {"list", "tuple"}:
                return Items(first.values, name)
            return Series(element(first) if positional else BOTTOM, name)
        if name == "next":
            return element(first)
        if name in {"max", "min"}:
            found: Value = element(first) if len(positional) == 1 else BOTTOM
            for value in positional if len(positional) > 1 else ():
                found = join(found, value)
            return found
        if name == "sum":
            return element(first) if isinstance(element(first), Tensor) else join(element(first), INT)
        if name in {"abs", "pow", "round", "divmod"}:
            return first if name != "divmod" else UNKNOWN
        if name == "dict":
            if isinstance(first, Mapping):
                return first
            inner: Value = BOTTOM
            for value in keywords.values():
                inner = join(inner, value)
            return Mapping(UNKNOWN) if positional else Mapping(inner, tuple(keywords.items()))
        if name == "super":
            return Instance("super") if self.owner is None else self.super_value()
        if name == "getattr" and node is not None and len(node.args) > 1:
            key = node.args[1]
            return (
                self.attribute(first, key.value)
                if isinstance(key, ast.Constant) and isinstance(key.value, str)
                else UNKNOWN
            )
        if name == "type" and len(positional) == 1:
            return ClassOf(first.info) if isinstance(first, ObjectOf) else UNKNOWN
        if name in {"map", "filter"} and len(positional) > 1:
            inner = element(positional[1])
            return Series(self.call(first, [inner], {}) if name == "map" else inner, "iterator")
        return UNKNOWN

    def call_builtin_method(self, receiver: Value, name: str, positional: list[Value], node: ast.Call | None) -> Value:
        if isinstance(receiver, Mapping):
            if name in {"items"}:
                return Series(Items((STR, receiver.element)), "iterator")
            if name in {"values"}:
                return Series(receiver.element, "iterator")
            if name in {"get", "pop", "setdefault"}:
                return receiver.element if len(positional) < 2 else join(receiver.element, positional[1])
            if name == "keys":
                return Series(STR, "iterator")
            if name == "update" and positional and node is not None and isinstance(node.func, ast.Attribute):
                other = positional[0]
                path = path_of(node.func.value)
                if path and isinstance(other, Mapping):
                    self.set_path(path, Mapping(join(receiver.element, other.element)))
            return receiver if name == "copy" else OBJECT
        if isinstance(receiver, (Items, Series)):
            if name in {"append", "add", "insert", "extend", "appendleft"} and positional:
                value = positional[-1] if name != "extend" else element(positional[0])
                if node is not None and isinstance(node.func, ast.Attribute):
                    self.appended(node.func.value, receiver, value)
                return NONE
            if name == "pop":
                return element(receiver)
            return receiver if name == "copy" else INT if name in {"index", "count"} else OBJECT
        if isinstance(receiver, Plain) and receiver.kind == "str":
            return (
                Series(STR)
                if name in {"split", "rsplit", "splitlines"}
                else STR
                if name not in {"index", "find", "count"}
                else INT
            )
        return OBJECT

    def appended(self, target: ast.expr, container: Value, value: Value) -> None:
        inner = element(container) if not isinstance(container, Items) or container.values else BOTTOM
        new = Series(join(inner, value))
        path = path_of(target)
        if not path:
            return
        self.set_path(path, new)
        if isinstance(target, ast.Attribute) and isinstance(receiver := getattr(target.value, "v", None), ObjectOf):
            self.project.merge(receiver.info.attributes, target.attr, new)

    def call_external(self, name: str, positional: list[Value]) -> Value:
        if name in PASS_THROUGH:
            return positional[0] if positional else UNKNOWN
        if name in OF_TENSORS:
            first = positional[0] if positional else UNKNOWN
            tensor = element(first) if isinstance(first, (Items, Series)) else first
            return Tensor(kinds=tensor.kinds) if isinstance(tensor, Tensor) else tensor
        root = name.split(".")[0]
        if root == "math":
            return FLOAT
        if name in PATHS:
            return STR
        if name == "tyro.cli" and positional and isinstance(positional[0], ClassOf):
            return ObjectOf(positional[0].info)  # the class's fields, read from the command line
        if name in {"collections.OrderedDict", "collections.defaultdict"}:
            inner = positional[0] if positional and name.endswith("OrderedDict") else None
            pairs = element(inner) if inner is not None else BOTTOM
            if isinstance(inner, Mapping):
                return inner
            return Mapping(pairs.values[1] if isinstance(pairs, Items) and len(pairs.values) == 2 else BOTTOM)
        if name in {
            "functools.partial",
            "functools.reduce",
            "itertools.chain",
            "operator.itemgetter",
            "operator.attrgetter",
        }:
            return UNKNOWN
        if root in HANDS_ON:
            return UNKNOWN
        if root == "numpy" or name in ENVIRONMENTS:
            return NUMPY
        if root in TENSORLESS:
            return Plain(name)
        return UNKNOWN
