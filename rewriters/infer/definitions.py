"""Definitions of functions and classes."""

from __future__ import annotations

import ast

from rewriters.infer.imports import Imports
from rewriters.infer.library_names import TRANSPARENT
from rewriters.infer.syntax import all_arguments
from rewriters.values import UNKNOWN, ClassInfo, ClassOf, External, FunctionInfo, FunctionOf, Ref, Value


class Definitions(Imports):
    """Interprets definitions; bodies wait until the module has been read."""

    def do_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        info = self.project.functions.get(node)
        if info is None:
            info = self.project.functions[node] = FunctionInfo(node, self.module)
        for decorator in node.decorator_list:
            value = self.ev(decorator)
            self.decorate(info, decorator, value)
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
                info.kind = "method"
            self.owner.functions[node.name] = info
        self.bind(node.name, UNKNOWN if info.opaque else FunctionOf(info))
        scopes = [scope for scope in self.scopes if not scope.get("__class__")]
        self.pending.append((info, scopes, self.owner))

    do_AsyncFunctionDef = do_FunctionDef

    def decorate(self, info: FunctionInfo, node: ast.expr, value: Value) -> None:
        name = node.id if isinstance(node, ast.Name) else ""
        if name in {"property", "staticmethod", "classmethod"}:
            info.kind = name
            return
        if isinstance(node, ast.Attribute) and node.attr in {"setter", "getter", "deleter"}:
            info.kind = "setter"
            return
        target = node.func if isinstance(node, ast.Call) else node
        found = getattr(target, "v", UNKNOWN)
        if isinstance(found, Ref) or (isinstance(found, External) and found.name in TRANSPARENT):
            return
        if isinstance(found, External) and found.name.endswith("cached_property"):
            info.kind = "property"
            return
        info.opaque = True

    def do_ClassDef(self, node: ast.ClassDef) -> None:
        info = self.project.classes.get(node)
        if info is None:
            info = self.project.classes[node] = ClassInfo(node, self.module)
        for decorator in node.decorator_list:
            self.ev(decorator)
        info.bases = [self.ev(base) for base in node.bases]
        for word in node.keywords:
            self.ev(word.value)
        outer = (self.scope, self.scopes, self.owner, self.function)
        self.scope = {"__class__": ClassOf(info)}
        self.scopes = [*self.scopes, self.scope]
        self.owner, self.function = info, None
        self.block(node.body)
        body = self.scope
        self.scope, self.scopes, self.owner, self.function = outer
        for name, value in body.items():
            if name != "__class__" and not isinstance(value, FunctionOf):
                self.project.merge(info.attributes, name, value)
        self.bind(node.name, ClassOf(info))
