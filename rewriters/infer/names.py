"""Names and what they hold: scopes, binding, looking up."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rewriters.infer.builtin_names import BUILTINS
from rewriters.infer.syntax import path_of
from rewriters.parsing import expression_of
from rewriters.tree import walk
from rewriters.values import (
    BOTTOM,
    UNKNOWN,
    ClassInfo,
    ClassOf,
    FunctionInfo,
    FunctionOf,
    Items,
    Mapping,
    ModuleInfo,
    ObjectOf,
    Series,
    Value,
    element,
    join,
)

if TYPE_CHECKING:
    from rewriters.infer.project import Project

Scope = dict[str, Value]


class Names(ABC):
    """The state of one pass over one module; the classes built on it interpret."""

    def __init__(self, project: Project, module: ModuleInfo) -> None:
        self.project = project
        self.module = module
        self.scope: Scope = {}
        self.scopes: list[Scope] = [self.scope]
        self.function: FunctionInfo | None = None
        self.owner: ClassInfo | None = None
        # Names that the function declares global; names that it shares with an inner function by nonlocal.
        self.globals: set[str] = set()
        self.shared: frozenset[str] = frozenset()
        self.pending: list[tuple[FunctionInfo, list[Scope], ClassInfo | None]] = []

    @abstractmethod
    def ev(self, node: ast.expr) -> Value:
        """The value of an expression, which is also left at the node as ``v``."""

    @abstractmethod
    def block(self, statements: Sequence[ast.stmt]) -> bool:
        """Interpret in order; True when control cannot leave at the end."""

    @abstractmethod
    def attribute(self, receiver: Value, name: str) -> Value:
        """``receiver.name``."""

    @abstractmethod
    def call(
        self,
        callee: Value,
        positional: list[Value],
        keywords: dict[str, Value],
        node: ast.Call | None = None,
        starred: bool = False,
    ) -> Value:
        """The value of calling ``callee``; summaries of the project's own functions learn the arguments."""

    @abstractmethod
    def call_function(
        self, callee: FunctionOf, positional: list[Value], keywords: dict[str, Value], starred: bool
    ) -> Value:
        """The value of calling a function of the project, which learns its arguments."""

    def bind(self, name: str, value: Value) -> None:
        if name in self.globals:
            self.project.merge(self.module.rebound, name, value)
            return
        self.set_path(name, value)
        if name in self.project.narrowed:
            for key in [key for key in self.scope if key.startswith(name + ".")]:
                del self.scope[key]

    def set_path(self, path: str, value: Value) -> None:
        """What is known of a name or a dotted name from here on; binding its root anew forgets the latter."""
        self.scope[path] = value
        if "." in path:
            self.project.narrowed.add(path.partition(".")[0])

    def assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            target.v = value  # type: ignore[attr-defined]
            self.bind(target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self.unpack(target.elts, value)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, Series(element(value)))
        elif isinstance(target, ast.Attribute):
            receiver = self.ev(target.value)
            target.v = self.attribute(receiver, target.attr)  # type: ignore[attr-defined]
            if isinstance(receiver, (ObjectOf, ClassOf)):
                self.project.merge(receiver.info.attributes, target.attr, value)
            path = path_of(target)
            if path:
                self.bind(path, value)
        elif isinstance(target, ast.Subscript):
            container = self.ev(target.value)
            self.ev(target.slice)
            held = container.element if isinstance(container, Mapping) else element(container)
            target.v = held  # type: ignore[attr-defined]
            self.store(target.value, container, value)

    def store(self, target: ast.expr, container: Value, value: Value) -> None:
        """``container[i] = value`` widens what a local container holds."""
        if isinstance(container, Mapping):
            new: Value = Mapping(join(container.element, value))
        elif isinstance(container, (Series, Items)):
            new = Series(join(element(container), value))
        else:
            return
        path = path_of(target)
        if path:
            self.set_path(path, new)

    def unpack(self, targets: Sequence[ast.expr], value: Value) -> None:
        starred = any(isinstance(target, ast.Starred) for target in targets)
        if isinstance(value, Items) and len(value.values) == len(targets) and not starred:
            for target, item in zip(targets, value.values, strict=True):
                self.assign(target, item)
            return
        inner = element(value)
        for target in targets:
            self.assign(target, value if isinstance(target, ast.Starred) else inner)

    def look_up(self, name: str) -> Value:
        if name in self.shared:
            return UNKNOWN
        for scope in reversed(self.scopes):
            if scope is not self.scope and "__class__" in scope:
                continue
            if name in scope:
                rebound = self.module.rebound.get(name, BOTTOM) if scope is self.scopes[0] else BOTTOM
                return join(scope[name], rebound)
        if name in self.module.scope or name in self.module.rebound:
            return join(self.module.scope.get(name, BOTTOM), self.module.rebound.get(name, BOTTOM))
        return BUILTINS.get(name, UNKNOWN)

    def quiet(self, node: ast.expr) -> Value:
        """The value of a (dotted) name in an annotation."""
        if isinstance(node, ast.Name):
            return self.look_up(node.id)
        if isinstance(node, ast.Attribute):
            return self.attribute(self.quiet(node.value), node.attr)
        return UNKNOWN

    def annotation(self, node: ast.expr) -> None:
        """Give the names in an annotation their values, quoted ones too."""
        for part in walk(node):
            if isinstance(part, (ast.Name, ast.Attribute)):
                part.v = self.quiet(part)  # type: ignore[union-attr]
            elif isinstance(part, ast.Constant) and isinstance(part.value, str):
                quoted = getattr(part, "quoted", None) or parsed(part.value)
                if quoted is not None:
                    part.quoted = quoted  # type: ignore[attr-defined]
                    self.annotation(quoted)

    def replace_scope(self, other: Scope) -> Scope:
        """Take ``other`` as the current scope's content; give back what it held."""
        held = dict(self.scope)
        self.scope.clear()
        self.scope.update(other)
        return held

    def join_scope(self, other: Scope) -> None:
        for name, value in other.items():
            mine = self.scope.get(name)
            self.scope[name] = value if mine is None else join(mine, value)


def parsed(text: str) -> ast.expr | None:
    """A quoted annotation as an expression; None when it is not one."""
    try:
        return expression_of(text)
    except (SyntaxError, ValueError):
        return None
