"""Definitions of functions and classes."""

from __future__ import annotations

import ast

from rewriters.infer.cells import BASES, DERIVED, reading
from rewriters.infer.imports import Imports
from rewriters.infer.other_libraries import COMPILED, compiles, is_transparent
from rewriters.infer.scopes import Scope
from rewriters.infer.syntax import all_arguments
from rewriters.infer.values import (
    BOTTOM,
    UNKNOWN,
    Bottom,
    ClassInfo,
    ClassOf,
    External,
    FunctionInfo,
    FunctionOf,
    ObjectOf,
    Partial,
    Ref,
    Unknown,
    Value,
)
from rewriters.infer.wrappers import passes_on

OF_CLASS = {"__init_subclass__", "__class_getitem__"}
"""Methods that are the class's without being told so."""


class Definitions(Imports):
    """Interprets definitions; bodies wait until the module has been read."""

    def do_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        info = self.project.functions.get(node)
        if info is None:
            info = self.project.functions[node] = FunctionInfo(node, self.module)
        kind = info.kind
        decorators = [(one, self.ev(one)) for one in node.decorator_list]
        made: Value = FunctionOf(info)
        for decorator, value in reversed(decorators):
            made = self.decorate(info, decorator, value, made)
        arguments = node.args
        for default in [*arguments.defaults, *arguments.kw_defaults]:
            if default is not None:
                self.ev(default)
        for argument in all_arguments(arguments):
            if argument.annotation is not None:
                self.annotation(argument.annotation)
        if node.returns is not None:
            self.annotation(node.returns)
        in_class = self.owner is not None and self.scope is self.scopes[-1] and self.function is None
        if in_class and self.owner is not None:
            info.owner = self.owner
            if info.kind == "function":
                info.kind = "classmethod" if node.name in OF_CLASS else "method"
            # A property's setter is filed beside it.
            key = node.name + ("=" if info.kind == "setter" else "")
            if self.owner.functions.get(key) is not info:
                self.owner.functions[key] = info
                self.project.touch(self.owner.cells[key])
        if info.kind != kind:
            self.project.touch(info.answers)
        if isinstance(made, Unknown) and node in self.project.told.results:
            made = FunctionOf(info)  # behind a decorator: what it gives is told
        self.bind(node.name, UNKNOWN if info.kind in {"property", "setter"} else made)
        self.later(info, self.owner)

    do_AsyncFunctionDef = do_FunctionDef

    def decorate(self, info: FunctionInfo, node: ast.expr, value: Value, given: Value) -> Value:
        """What a decorator makes of the function, or of what the one below has made of it."""
        name = node.id if isinstance(node, ast.Name) else ""
        if name in {"property", "staticmethod", "classmethod"}:
            info.kind = name
            return given
        if isinstance(node, ast.Attribute) and node.attr in {"setter", "deleter"}:
            info.kind = "setter"
            return given
        if isinstance(node, ast.Attribute) and node.attr == "getter":
            info.kind = "property"
            return given
        target = node.func if isinstance(node, ast.Call) else node
        found = getattr(target, "v", UNKNOWN)
        if isinstance(found, Ref) or (isinstance(found, External) and is_transparent(found.name)):
            return given
        if isinstance(value, FunctionOf) and passes_on(value.info):
            return given
        if isinstance(found, External) and found.name.endswith("cached_property"):
            info.kind = "property"
            return given
        words = {one.arg: getattr(one.value, "value", None) for one in getattr(node, "keywords", ())}
        if isinstance(found, External) and compiles(found.name, words):
            info.opaque = info.compiled = True
            return COMPILED
        if isinstance(value, Bottom):
            return BOTTOM  # what it does is still to come
        if not info.opaque:
            info.opaque = True
            self.project.touch(info.answers)
            self.project.decorated.setdefault(info.name, []).append(info)
        if given == COMPILED:
            return UNKNOWN
        if isinstance(given, Bottom):
            return BOTTOM
        if not isinstance(value, (FunctionOf, Partial)):
            return UNKNOWN
        made = self.call(value, [given], {})  # it may keep it, and others call it then
        return made if isinstance(made, (FunctionOf, Bottom)) else UNKNOWN

    def do_ClassDef(self, node: ast.ClassDef) -> None:
        info = self.project.classes.get(node)
        if info is None:
            info = self.project.classes[node] = ClassInfo(node, self.module)
        for decorator in node.decorator_list:
            self.ev(decorator)
        bases = [self.ev(base) for base in node.bases]
        if bases != info.bases:
            info.bases = bases
            reading.bases += 1
            self.project.touch(info.cells[BASES])
        for base in info.bases:
            if isinstance(base, ClassOf) and info not in base.info.derived and base.info is not info:
                base.info.derived.append(info)
                reading.derived += 1
                self.project.moved(base.info.cells[DERIVED])
        for word in node.keywords:
            self.ev(word.value)
        outer = (self.scope, self.scopes, self.owner, self.function)
        self.scope = Scope()
        self.scope["__class__"] = ClassOf(info)
        self.scopes = [*self.scopes, self.scope]
        self.owner, self.function = info, None
        self.block(node.body)
        body = self.scope
        self.scope, self.scopes, self.owner, self.function = outer
        for name, value in body.items():
            if isinstance(value, FunctionOf) and value.receiver is None and name not in info.functions:
                value = FunctionOf(value.info, ObjectOf(info))  # a function that a class has is its method
            elif isinstance(value, FunctionOf) or (isinstance(value, Unknown) and name in info.functions):
                continue
            if name != "__class__" and "." not in name:
                self.project.merge(info.cells[name], info.attributes, name, value)
        self.bind(node.name, ClassOf(info))
