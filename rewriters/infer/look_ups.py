"""What is looked up of classes and attributes, and kept for as long as the same would be found."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from rewriters.infer.cells import BASES, COMPUTED, Remembered, reading
from rewriters.infer.summaries import Summaries
from rewriters.infer.values import Choice, ClassInfo, ClassOf, External, FunctionInfo, FunctionOf, ObjectOf, Ref, Value
from rewriters.text.tree import called_name, text_of, walk

# Classes whose own methods store attributes, with the names of these; as long as anyone has the class.
STORED: WeakKeyDictionary[ast.ClassDef, frozenset[str]] = WeakKeyDictionary()

# Of an interpreter: what is found under a name of a value, by reading cells and nothing else.
Find = Callable[[Any, Any, str], Any]


class LookUps:
    """Of one pass over one module."""

    project: Summaries

    def remembered(self, find: Find, receiver: Value | ClassInfo, name: str) -> Any:
        """What ``find`` finds: found out again only where something that it reads has changed."""
        asked = (find, receiver, name)
        known = self.project.looked_up.get(asked)
        if known is None:
            known = self.project.looked_up[asked] = Remembered(asked)
            self.look_again(known)
        else:
            known.newest(self.project.clock, self.look_again)
        reading.groups.add(known)
        return known.found

    def look_again(self, known: Remembered) -> None:
        """Find out what is asked for now."""
        outer = reading.cells, reading.groups
        reading.forget()
        find, receiver, name = known.asked
        found = find(self, receiver, name)
        known.take(self.project.clock, found, self.look_again)
        reading.cells, reading.groups = outer

    def has_function(self, receiver: Value, name: str) -> bool:
        """Whether the project defines a function of that name for the object: a method, or a property."""
        return self.function_of(receiver, name) is not None

    def function_of(self, receiver: Value, name: str) -> FunctionInfo | None:
        """The first function of that name, by the order of look-up, that the project defines."""
        if not isinstance(receiver, (ObjectOf, ClassOf)):
            return None
        found: FunctionInfo | None = self.remembered(LookUps.first_function, receiver.info, name)
        return found

    def first_function(self, info: ClassInfo, name: str) -> FunctionInfo | None:
        owners = [one for one in info.linear() if isinstance(one, ClassInfo)]
        reading.cells.update(one.cells.read(name) for one in owners)
        return next((one.functions[name] for one in owners if name in one.functions), None)

    def lacks(self, value: Value, name: str) -> bool:
        """Whether objects of the project's class certainly have no attribute of that name, under which nothing has been
        found.
        """
        if not isinstance(value, ObjectOf) or self.project.scattered or name in self.project.stray:
            return False
        reading.cells |= {self.project.stray_cell(name), self.project.scattering}
        line = value.info.linear()
        above = [one for one in line if isinstance(one, ClassInfo)]
        if "?" in line or not all(is_followed(base) for one in above for base in one.bases):
            return False
        owners = [*above, *value.info.below()]
        reading.cells.update(cell for one in owners for cell in (one.cells[BASES], one.cells[COMPUTED]))
        reading.cells.update(one.cells.read(word) for one in owners for word in (name, *HOOKS))
        named = {name, *HOOKS}
        if any(one.computed or not named.isdisjoint((*one.functions, *one.attributes)) for one in owners):
            return False
        return not any(name in stored_in(one.node) or name in one.fields() for one in owners)


def is_method(value: Value) -> bool:
    """Whether it is a function of the project, or one of those by which classes override one."""
    return isinstance(value, FunctionOf) or (
        isinstance(value, Choice) and all(isinstance(one, FunctionOf) for one in value.values)
    )


def is_followed(base: Value) -> bool:
    """Whether all that a class has from a base is known: of the project's classes, of torch's, and of those that add
    nothing.
    """
    return isinstance(base, (ClassOf, Ref)) or (isinstance(base, External) and base.name in ADDING_NOTHING)


# What a class has that gives anything that it is asked for.
HOOKS = ("__getattr__", "__getattribute__")
ADDING_NOTHING = {"abc.ABC", "typing.NamedTuple", "typing.Protocol", "typing.Generic"}


def is_unset(info: ClassInfo, name: str) -> bool:
    """Whether nothing has stored an attribute so far that the class's own methods store."""
    owners = info.linear()
    own = [one for one in owners if isinstance(one, ClassInfo)]
    if "?" in owners or any(name in one.functions or name in one.attributes for one in own):
        return False
    return any(name in stored_in(one.node) for one in own)


def stored_in(node: ast.ClassDef) -> frozenset[str]:
    """The names of attributes that are stored in a class's body, or registered there."""
    found = STORED.get(node)
    if found is None:
        parts = list(walk(node))
        stores = [one.attr for one in parts if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store)]
        calls = [one for one in parts if isinstance(one, ast.Call) and called_name(one).startswith("register_")]
        named = [text for call in calls if call.args and (text := text_of(call.args[0])) is not None]
        found = STORED[node] = frozenset((*stores, *named))
    return found
