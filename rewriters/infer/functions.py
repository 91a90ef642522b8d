"""Bodies of functions: what parameters hold, what comes back."""

from __future__ import annotations

import ast

from rewriters.infer.calls import Calls
from rewriters.infer.names import Scope
from rewriters.infer.syntax import has_return, is_forward, shared_names
from rewriters.values import (
    ASSUMED,
    BOTTOM,
    NONE,
    UNKNOWN,
    Bottom,
    ClassInfo,
    ClassOf,
    FunctionInfo,
    Mapping,
    ObjectOf,
    Series,
    Unknown,
    Value,
    join,
)
from rewriters.words import value_of_annotation


class Functions(Calls):
    """Interprets the bodies of the project's functions."""

    def body_of(self, info: FunctionInfo, scopes: list[Scope], owner: ClassInfo | None) -> None:
        node = info.node
        outer = (self.scope, self.scopes, self.function, self.owner, self.globals, self.shared)
        if info.shared is None:
            info.shared = shared_names(node) if self.module.nodes.of(ast.Nonlocal) else frozenset()
        self.globals, self.shared = set(), info.shared
        self.scope = {}
        self.scopes = [*scopes, self.scope]
        self.function, self.owner = info, owner
        arguments = node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults)) + list(
            arguments.defaults
        )
        for index, (argument, default) in enumerate(
            [*zip(positional, defaults, strict=True), *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
        ):
            self.scope[argument.arg] = self.parameter(info, argument, default, first=index == 0)
        if arguments.vararg:
            promised = value_of_annotation(arguments.vararg.annotation, self.quiet)
            inner = promised or info.arguments.get("*" + arguments.vararg.arg, UNKNOWN)
            self.scope[arguments.vararg.arg] = Series(inner, "tuple")
        if arguments.kwarg:
            promised = value_of_annotation(arguments.kwarg.annotation, self.quiet)
            self.scope[arguments.kwarg.arg] = Mapping(promised or UNKNOWN)
        if isinstance(node, ast.Lambda):
            self.returned(self.ev(node.body))
        else:
            self.block(node.body)
            if info.gives is None:
                info.gives = has_return(node)
            if not info.gives:
                self.returned(NONE)
        self.scope, self.scopes, self.function, self.owner, self.globals, self.shared = outer

    def parameter(self, info: FunctionInfo, argument: ast.arg, default: ast.expr | None, first: bool) -> Value:
        if first and info.kind in {"method", "property", "setter"} and info.owner:
            return ObjectOf(info.owner)
        if first and info.kind == "classmethod" and info.owner:
            return ClassOf(info.owner)
        promised = value_of_annotation(argument.annotation, self.quiet)
        if promised is not None and not isinstance(promised, Unknown):
            return promised
        value = info.arguments.get(argument.arg, BOTTOM)
        if default is not None:
            value = join(value, self.ev(default))
        if isinstance(value, Bottom) or value == NONE:
            if self.project.open:
                return BOTTOM
            return ASSUMED if is_forward(info) else UNKNOWN
        return value

    def returned(self, value: Value) -> None:
        assert self.function is not None
        new = self.project.joined(self.function.returns, value)
        if new != self.function.returns:
            self.function.returns = new
            self.project.changed = True
