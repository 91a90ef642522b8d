"""What containers hold that change in place, and who sees it."""

from __future__ import annotations

import ast
from dataclasses import replace

from rewriters.infer.cells import reading
from rewriters.infer.joining import element, join, with_item
from rewriters.infer.names import Names
from rewriters.infer.syntax import bound_names, path_of
from rewriters.infer.values import (
    BOTTOM,
    STR,
    UNKNOWN,
    FunctionInfo,
    Instance,
    Items,
    Mapping,
    Series,
    Tensor,
    Value,
)

# Methods by which a list, a set or a deque takes something in.
ADDING = {"append", "add", "insert", "extend", "appendleft", "extendleft", "update"}


class Filling(Names):
    """Lists, sets and dicts under the names that they have."""

    def store(self, target: ast.expr, container: Value, key: ast.expr, value: Value) -> None:
        """``container[i] = value`` widens what a local container holds."""
        self.stored_in_dict(target, key, value)
        if isinstance(container, Mapping):
            new: Value = with_item(container, key, value)
        elif isinstance(container, (Series, Items)):
            stored = element(value) if isinstance(key, ast.Slice) else value
            new = Series(join(element(container), stored), container.kind)
        elif isinstance(container, Instance) and container.members is not None and not isinstance(value, Tensor):
            new = replace(container, members=with_item(container.members, key, value))
        else:
            return
        self.altered(target, new)

    def is_of_file(self, name: str) -> bool:
        """Whether a name in a function is the file's own."""
        info = self.function
        if info is None:
            return False
        reading.cells.add(self.module.named[name])
        self.unit.sheltered |= self.unit.depth > 1
        if name not in self.module.scope or any(name in scope for scope in self.scopes[1:-1]):
            return False
        return name not in self.bound_in(info)

    @staticmethod
    def bound_in(info: FunctionInfo) -> frozenset[str]:
        """The names that a function binds."""
        if info.bound is None:
            info.bound = bound_names(info.node)
        return info.bound

    def altered(self, target: ast.expr, new: Value) -> None:
        """A container was changed in place: it is seen under the name it has here, and by who handed it in."""
        path = path_of(target)
        self.stored(target, new)
        for other, node in self.aliases.get(path or "", {}).items():
            if other != path:
                self.stored(node, join(self.scope.get(other, BOTTOM), new))

    def same(self, one: ast.expr, other: ast.expr) -> None:
        """Two places hold one container from here on."""
        paths = path_of(one), path_of(other)
        if paths[0] and paths[1]:
            group = self.aliases.get(paths[0], {}) | self.aliases.get(paths[1], {}) | {paths[0]: one, paths[1]: other}
            self.aliases.update(dict.fromkeys(group, group))

    def stored(self, target: ast.expr, new: Value) -> None:
        path = path_of(target)
        if path:
            self.set_path(path, new)
            self.scope.note(path, new)
            if self.function is not None and self.is_of_file(path):
                self.project.merge(self.module.bound, self.module.rebound, path, new)
            if self.function is not None and "." not in path:
                self.project.merge(self.function.answers, self.function.changes, path, new)
                self.fill_around(self.function, path, new)
        if isinstance(target, ast.Attribute):
            self.store_attribute(getattr(target.value, "v", UNKNOWN), target.attr, new)
        elif isinstance(target, ast.Subscript):
            outer = getattr(target.value, "v", UNKNOWN)
            if isinstance(outer, (Items, Series, Mapping)):
                self.store(target.value, outer, target.slice, new)
        elif isinstance(target, ast.Call) and isinstance(target.func, ast.Attribute) and target.args:
            outer = getattr(target.func.value, "v", UNKNOWN)
            if target.func.attr == "setdefault" and isinstance(outer, Mapping):
                self.store(target.func.value, outer, target.args[0], new)

    def fill_around(self, info: FunctionInfo, name: str, new: Value) -> None:
        """What a function puts into a container of one around it, that one has from where it binds the name."""
        if len(self.scopes) < 3 or name in self.bound_in(info):
            return
        for scope in reversed(self.scopes[1:-1]):
            if scope.function is not None and scope.function is not info and name in scope:
                self.project.merge(scope.function.asked, scope.function.filled, name, new)
                self.project.merge(scope.function.answers, scope.function.changes, name, new)
                return

    def filled_by_others(self, method: ast.Attribute) -> None:
        """``x.register_hook(kept.append)``: who is given a container's method may put anything in."""
        held = getattr(method.value, "v", UNKNOWN)
        if isinstance(held, (Items, Series)):
            self.altered(method.value, Series(UNKNOWN, held.kind))

    def take_groups(self, node: ast.Call) -> None:
        """An optimizer writes its options into the dicts of parameters that it is given."""
        for part in (*node.args[:1], *(word.value for word in node.keywords)):
            held = getattr(part, "v", UNKNOWN)
            if isinstance(held, Mapping):
                self.altered(part, Mapping(UNKNOWN, key=STR))
            elif isinstance(held, (Items, Series)) and isinstance(element(held), Mapping):
                self.altered(part, Series(Mapping(UNKNOWN, key=STR), held.kind))
