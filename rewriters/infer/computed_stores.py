"""Stores to attributes whose names are computed: ``setattr(self, name, v)``, ``self.__dict__.update(kw)``."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from rewriters.infer.attributes import ANY, Attributes
from rewriters.infer.cells import COMPUTED
from rewriters.infer.computed_names import has_beginning, pattern
from rewriters.infer.joining import either_way, gives_tensor, low_kinds
from rewriters.infer.syntax import is_dict_of, is_text, whose_dict
from rewriters.infer.values import (
    ANY_KIND,
    UNKNOWN,
    ClassOf,
    Mapping,
    ModuleOf,
    ObjectOf,
    Plain,
    Unknown,
    Value,
)

# The methods of a dict that store what they are given.
STORING = {"update", "setdefault", "__setitem__"}


class ComputedStores(Attributes):
    """Notes what is stored under names that are not written out."""

    def stored_by(self, name: str, positional: list[Value], node: ast.Call | None) -> None:
        """What a call of a built-in function stores under names that it is given."""
        if name == "setattr":
            self.set_attribute(positional, node)
        elif name == "type" and len(positional) == 3:
            self.made_class(positional[2])

    def set_attribute(self, positional: list[Value], node: ast.Call | None) -> None:
        """``setattr(x, name, value)``: where the name is computed, any attribute may be meant."""
        if len(positional) != 3 or node is None or len(node.args) != 3:
            return
        receiver, _, value = positional
        self.store_under(receiver, node.args[1], value)

    def store_under(self, receiver: Value, word: ast.expr, value: Value) -> None:
        """A store to the attribute that an expression names."""
        if isinstance(word, ast.Constant) and isinstance(word.value, str):
            self.store_attribute(receiver, word.value, value)
        else:
            self.store_anywhere(receiver, value, pattern(word))

    def store_anywhere(self, receiver: Value, value: Value, likeness: str = "") -> None:
        """A store to an attribute whose name is computed, as far as it is known."""
        if self.project.is_early():
            return
        if isinstance(receiver, (ObjectOf, ClassOf)):
            self.project.merge(receiver.info.cells[COMPUTED], receiver.info.computed, likeness, value)
        elif isinstance(receiver, ModuleOf):
            held = either_way(UNKNOWN, value)
            self.project.merge(receiver.info.bound, receiver.info.rebound, COMPUTED + likeness, held)
        elif isinstance(receiver, (Unknown, Plain)) and not has_beginning(likeness) and not isinstance(value, Plain):
            self.project.scatter()
            # Any attribute of anything reads it: what hints at more than its kinds would have all of them read anew.
            held = Unknown(gives_tensor(value), low_kinds(value) & ANY_KIND)
            self.project.merge(self.project.stray_cell(ANY), self.project.stray, ANY, held)

    def made_class(self, held: Value) -> None:
        """``type("C", (), {"n": x})``: any object's attribute of that name may be x."""
        if isinstance(held, Mapping) and held.known:
            for name, value in held.known:
                self.store_attribute(UNKNOWN, str(name), value)
        else:
            self.store_all(UNKNOWN, held)

    def store_all(self, receiver: Value, held: Value) -> None:
        """``receiver.__dict__ = held``, ``receiver.__dict__.update(held)``: any attribute may be any of its values."""
        self.store_anywhere(receiver, either_way(UNKNOWN, self.values_in(held)))

    def stored_by_call(self, node: ast.Call, positional: Sequence[Value], held: Sequence[Value]) -> None:
        """What ``x.__dict__.update(held)`` and ``x.__setattr__(name, value)`` store."""
        method = node.func
        if not isinstance(method, ast.Attribute):
            return
        if method.attr in STORING and (is_dict_of(method.value) or is_globals(method.value)):
            receiver = self.owner_of_dict(method.value)
            if method.attr == "update":
                for one in (*positional, *held):
                    self.store_all(receiver, one)
            elif len(positional) == len(node.args) == 2:
                self.store_under(receiver, node.args[0], positional[1])
        elif method.attr == "__setattr__" and len(positional) == len(node.args) in {2, 3}:
            receiver = positional[0] if len(positional) == 3 else self.receiver_of(method.value)
            self.store_under(receiver, node.args[-2], positional[-1])

    def owner_of_dict(self, node: ast.expr) -> Value:
        """Of ``x.__dict__`` or ``vars(x)``: x; of ``globals()`` the file."""
        if is_globals(node):
            return ModuleOf(self.module)
        found: Value = getattr(whose_dict(node) or node, "v", UNKNOWN)
        return found

    def receiver_of(self, node: ast.expr) -> Value:
        """Whose method is called: of ``super()``, the object's."""
        found: Value = getattr(node, "v", UNKNOWN)
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Name) and called.id == "super" and self.owner is not None:
            return ObjectOf(self.owner)
        return found

    def stored_in_dict(self, target: ast.expr, key: ast.expr, value: Value) -> None:
        """``x.__dict__[name] = value`` is a store to an attribute; ``globals()["n"] = value`` to a file's name."""
        if is_dict_of(target) or is_globals(target):
            receiver = self.owner_of_dict(target)
            if is_text(key):
                self.store_under(receiver, key, value)
            else:
                self.store_anywhere(receiver, either_way(UNKNOWN, value), pattern(key))


def is_globals(node: ast.expr) -> bool:
    """``globals()``; ``vars()`` and ``locals()``, which are that at the top of a file."""
    if not isinstance(node, ast.Call) or node.args or not isinstance(node.func, ast.Name):
        return False
    return node.func.id in {"globals", "vars", "locals"}
