"""Names and what they hold: scopes, binding, looking up."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Sequence

from rewriters.infer.axes_in_place import reranked
from rewriters.infer.builtin_names import BUILTINS
from rewriters.infer.cells import reading
from rewriters.infer.computed_names import named_anyhow
from rewriters.infer.either import holders, of_length
from rewriters.infer.joining import element, join, joined
from rewriters.infer.look_ups import LookUps
from rewriters.infer.scopes import Scope, Unit, Waiting
from rewriters.infer.summaries import Summaries
from rewriters.infer.syntax import parsed, path_of
from rewriters.infer.values import (
    BOTTOM,
    UNKNOWN,
    Choice,
    ClassInfo,
    ClassOf,
    Either,
    External,
    FunctionInfo,
    FunctionOf,
    Instance,
    Items,
    Mapping,
    ModuleInfo,
    ModuleOf,
    ObjectOf,
    Plain,
    Series,
    Tensor,
    Unknown,
    Value,
)
from rewriters.text.tree import walk

# Before a name of a function around, where a test has said what it holds; with a dot, as what is known of attributes.
OUTER = "outer."


class Names(LookUps, ABC):
    """The state of one pass over one module; the classes built on it interpret."""

    def __init__(self, project: Summaries, module: ModuleInfo) -> None:
        self.project = project
        self.module = module
        self.scope = Scope()
        self.scopes: list[Scope] = [self.scope]
        self.function: FunctionInfo | None = None
        self.owner: ClassInfo | None = None
        # Names that the function declares global; names that it shares with an inner function by nonlocal.
        self.globals: set[str] = set()
        self.shared: frozenset[str] = frozenset()
        # Names and attributes of one function that may be the same container.
        self.aliases: dict[str, dict[str, ast.expr]] = {}
        self.pending: dict[FunctionInfo, Waiting] = {}
        # What is being interpreted; whether that is the file itself.
        self.unit = Unit(project.clock, self.scopes, 0)
        # Of the scopes around: how much had been bound there when the function was made.
        self.made: dict[int, int] = {}
        # The names of the loops and try statements around, as they are where control leaves for their end.
        self.breaks: list[list[dict[str, Value]]] = []
        self.continues: list[list[dict[str, Value]]] = []
        self.trying: list[dict[str, Value]] = []
        # Names that stay what they are: torch's, behind ``except ImportError``.
        self.settled: frozenset[str] = frozenset()
        # What calls have shown to be tensors; whether they may be something else here.
        self.blurred = project.others.may_be_anything(module.name)
        self.shown: set[ast.expr] = set()

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
        self,
        callee: FunctionOf,
        positional: list[Value],
        keywords: dict[str, Value],
        starred: bool,
        node: ast.Call | None = None,
    ) -> Value:
        """The value of calling a function of the project, which learns its arguments."""

    def answered(self, path: str | None, value: Value) -> Value:
        """What a person has said of a name here, where the code leaves it open."""
        if self.function is not None:
            place: ast.AST = self.function.node
        else:
            place = self.module.tree if self.owner is None else self.owner.node
        return self.project.told.about(place, path, value) if path is not None else value

    def answered_attribute(self, receiver: Value, name: str, value: Value) -> Value:
        """The same of an attribute."""
        if self.project.told.told and isinstance(receiver, (ObjectOf, ClassOf)):
            for owner in receiver.info.linear():
                if isinstance(owner, ClassInfo):
                    value = self.project.told.about(owner.node, name, value)
        return value

    def bind(self, name: str, value: Value) -> None:
        if name in self.settled:
            return
        if self.project.told.matched:
            value = self.answered(name, value)
        if self.function is not None and name in self.function.filled and isinstance(value, (Items, Series, Mapping)):
            value = join(value, self.function.filled[name])
        if name in self.globals:
            self.project.merge(self.module.bound, self.module.rebound, name, value)
            return
        self.set_path(name, value)
        self.scope.note(name, value)
        if self.scope.dotted and name in self.project.narrowed:
            self.scope.pop(OUTER + name, None)
            for key in [key for key in self.scope if key.startswith((name + ".", OUTER + name + "."))]:
                del self.scope[key]

    def set_path(self, path: str, value: Value) -> None:
        """What is known of a name or a dotted name from here on; binding its root anew forgets the latter."""
        self.scope[path] = value
        if "." in path:
            self.project.narrow(path.partition(".")[0])
            self.scope.dotted = True
        for record in self.trying:
            record[path] = join(record[path], value) if path in record else value

    def remakes(self, what: int) -> None:
        """The function changes this of some tensor in place: whoever gives it one may have another afterwards."""
        if self.function is not None and ~self.function.remakes & what:
            self.function.remakes |= what
            self.project.moved(self.function.answers)

    def later(self, info: FunctionInfo, owner: ClassInfo | None) -> None:
        """Interpret a body once what is around it has been read: it may see whatever is bound there."""
        if info not in self.pending:
            scopes = [scope for scope in self.scopes if not scope.get("__class__")]
            made = {id(s): self.made.get(id(s), s.count) for s in scopes}
            self.pending[info] = self.unit.waiting[info] = Waiting(scopes, owner, made)

    def forget(self) -> None:
        """What others may have changed: after a call of who knows what, an attribute is what is stored anywhere."""
        if self.scope.dotted:
            for key in [key for key in self.scope if "." in key]:
                del self.scope[key]
            self.scope.dotted = False

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
            self.store_attribute(receiver, target.attr, value)
            target.v = self.attribute(receiver, target.attr)  # type: ignore[attr-defined]
            if target.attr == "__dict__":
                self.store_all(receiver, value)
            if target.attr == "data":
                reranked(self, receiver, value)
            if self.scope.dotted:
                end = "." + target.attr
                for key in [key for key in self.scope if key.endswith(end)]:
                    del self.scope[key]  # under another name it may be the same object's
            if target.attr == "grad" and isinstance(receiver, (Tensor, Unknown)):
                return  # a backward pass stores there, too
            if (path := path_of(target)) and not self.has_function(receiver, target.attr):
                self.bind(path, self.answered_attribute(receiver, target.attr, value))
        elif isinstance(target, ast.Subscript):
            container = self.ev(target.value)
            self.ev(target.slice)
            held = container.element if isinstance(container, Mapping) else element(container)
            target.v = held  # type: ignore[attr-defined]
            self.store(target.value, container, target.slice, value)

    def store_attribute(self, receiver: Value, name: str, value: Value) -> None:
        """``receiver.name = value``: what is stored to some object's attribute may be stored to any object's."""
        if isinstance(receiver, (ObjectOf, ClassOf)):
            setter = self.function_of(receiver, name + "=")
            if setter is not None:
                self.call_function(FunctionOf(setter, receiver), [value], {}, False)
            else:
                self.project.merge(receiver.info.cells[name], receiver.info.attributes, name, value)
        elif isinstance(receiver, ModuleOf):
            self.project.merge(receiver.info.bound, receiver.info.rebound, name, value)
        elif isinstance(receiver, Choice):
            for one in receiver.values:
                self.store_attribute(one, name, value)
        elif isinstance(receiver, (Unknown, Plain)) or is_any_module(receiver):
            self.project.merge(self.project.stray_cell(name), self.project.stray, name, value)

    @abstractmethod
    def store_all(self, receiver: Value, held: Value) -> None:
        """Any attribute of the object may be any of a dict's values."""

    @abstractmethod
    def stored_in_dict(self, target: ast.expr, key: ast.expr, value: Value) -> None:
        """``x.__dict__[name] = value`` is a store to an attribute."""

    @abstractmethod
    def store(self, target: ast.expr, container: Value, key: ast.expr, value: Value) -> None:
        """``container[i] = value`` widens what a local container holds."""

    def unpack(self, targets: Sequence[ast.expr], value: Value) -> None:
        starred = any(isinstance(target, ast.Starred) for target in targets)
        value = self.as_items(value)
        if isinstance(value, Either) and not starred:
            parts = [self.parts(one, len(targets)) for one in of_length(holders(value), len(targets))]
            for place, target in enumerate(targets):
                self.assign(target, joined(part[place] for part in parts) if parts else UNKNOWN)
            return
        if isinstance(value, Items) and len(value.values) == len(targets) and not starred:
            for target, item in zip(targets, value.values, strict=True):
                self.assign(target, item)
            return
        inner = element(value)
        for target in targets:
            self.assign(target, value if isinstance(target, ast.Starred) else inner)

    @staticmethod
    def parts(value: Value, count: int) -> Sequence[Value]:
        """What so many targets are bound to."""
        return value.values if isinstance(value, Items) else [element(value)] * count

    def as_items(self, value: Value) -> Value:
        """An object of a class derived from NamedTuple is what its fields hold, in order."""
        if not isinstance(value, ObjectOf):
            return value
        for info in value.info.linear():
            if isinstance(info, ClassInfo) and External("typing.NamedTuple") in info.bases:
                return Items(tuple(self.attribute(value, name) for name in info.fields()))
        return value

    def look_up(self, name: str) -> Value:
        if name in self.shared:
            return UNKNOWN
        innermost = self.scopes[-1]
        if name in innermost and innermost is self.scope and name not in self.project.narrowed:
            value = innermost[name]
            if len(self.scopes) > 1:
                return value
            if name not in innermost.bound:  # as the last pass left it
                reading.cells.add(self.module.named[name])
            return join(value, self.module.rebound.get(name, BOTTOM))
        here = True
        narrowed = OUTER + name if name in self.project.narrowed else ""
        for place in range(len(self.scopes) - 1, -1, -1):
            scope = self.scopes[place]
            if scope is not self.scope and "__class__" in scope:
                here = False
                continue
            if narrowed and narrowed in scope and here:
                return scope[narrowed]
            if name in scope:
                # A function sees what a name of those around it holds when it is called, whenever that is.
                value = scope[name] if here else scope.since(name, self.made.get(id(scope), 0))
                if place < self.unit.depth:
                    self.unit.seen[name] = value
                if place:
                    return value
                if not self.unit.depth and name not in scope.bound:
                    reading.cells.add(self.module.named[name])
                return join(value, self.module.rebound.get(name, BOTTOM))
            here = here and scope.within
        self.unit.seen[name] = None
        reading.cells.add(self.module.named[name])
        if name in self.module.scope or name in self.module.rebound:
            return join(self.module.scope.get(name, BOTTOM), self.module.rebound.get(name, BOTTOM))
        return BUILTINS.get(name) or named_anyhow(self.module.rebound, name)

    def quiet(self, node: ast.expr) -> Value:
        """The value of a (dotted) name in an annotation."""
        if isinstance(node, ast.Name):
            return self.look_up(node.id)
        if isinstance(node, ast.Attribute):
            return self.attribute(self.quiet(node.value), node.attr)
        return UNKNOWN

    def annotation(self, node: ast.expr) -> None:
        """Give the names in an annotation their values, quoted ones too."""
        if isinstance(node, ast.Name):  # most are
            node.v = self.quiet(node)  # type: ignore[attr-defined]
            return
        for part in walk(node):
            if isinstance(part, (ast.Name, ast.Attribute)):
                part.v = self.quiet(part)  # type: ignore[union-attr]
            elif isinstance(part, ast.Constant) and isinstance(part.value, str):
                quoted = getattr(part, "quoted", None) or parsed(part.value)
                if quoted is not None:
                    part.quoted = quoted  # type: ignore[attr-defined]
                    self.annotation(quoted)

    def replace_scope(self, other: dict[str, Value]) -> dict[str, Value]:
        """Take ``other`` as the current scope's content; give back what it held."""
        self.scope.dotted = True  # it may hold some
        held = dict(self.scope)
        self.scope.clear()
        self.scope.update(other)
        return held

    def join_scope(self, other: dict[str, Value]) -> None:
        """What holds after either: of a dotted name, only what is known in both."""
        scope = self.scope
        for name, value in other.items():
            mine = scope.get(name)
            if mine is value:
                continue
            if mine is not None:
                both = scope[name] = join(mine, value)
                if both is not mine:
                    scope.note(name, both)
            elif "." not in name:
                scope[name] = value
                scope.note(name, value)
        if scope.dotted:
            for name in [name for name in scope if "." in name and name not in other]:
                del scope[name]


def is_any_module(value: Value) -> bool:
    """A Module of which not even the class is known."""
    return isinstance(value, Instance) and value.name == "torch.nn.Module"
