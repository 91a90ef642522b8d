"""Methods that have another name in the target, and attributes that hold a parameter or a buffer.

A parameter's attribute holds an object of its own in a target whose arrays do not change, which is read where the array
is meant, and is what is handed on, tied and written to.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from rewriters.infer.leaves import attributes_of
from rewriters.infer.values import Choice, ClassInfo, FunctionOf, Instance, ObjectOf, Ref, Tensor, Value
from rewriters.text.tree import FUNCTIONS, walk
from rewriters.torch.table import mro

MODULE = "torch.nn.Module"


class Role(Enum):
    """What an attribute of a module is."""

    PARAMETER = "parameter"
    BUFFER = "buffer"
    PLAIN = "plain"


MAKES = {
    "torch.nn.Parameter": Role.PARAMETER,
    "torch.nn.UninitializedParameter": Role.PARAMETER,
    "torch.nn.Buffer": Role.BUFFER,
}
REGISTERS = {"register_parameter": Role.PARAMETER, "register_buffer": Role.BUFFER}


class Stored(NamedTuple):
    """Of the attributes that a class itself stores.

    roles:  attribute -> its role.
    absent: those that it also makes None.
    """

    roles: Mapping[str, Role]
    absent: Collection[str]


NOTHING = Stored({}, ())
FOLLOWED = 8  # names and functions, one out of the other
Asking = Collection[ast.AST | tuple[ast.AST, str]]


@dataclass(eq=False)
class Members:
    """Of a project's classes.

    renamed: definitions of methods -> their names in the target.
    kept:    what classes store, of those that were asked for.
    """

    renamed: dict[ast.AST, str] = field(default_factory=dict)
    kept: dict[ClassInfo, Stored] = field(default_factory=dict)

    def stored(self, info: ClassInfo) -> Stored:
        if info not in self.kept:
            self.kept[info] = stored_by(info) if info.is_module else trained_by_itself(info)
        return self.kept[info]

    def role(self, owner: Value, name: str) -> Role:
        """What an attribute of a value is: of torch's layers, each tensor is held; where it does not follow, plain."""
        if isinstance(owner, Choice):
            found = {self.role(one, name) for one in owner.values}
            return found.pop() if len(found) == 1 else Role.PLAIN
        if isinstance(owner, Instance):
            return Role.PARAMETER if MODULE in mro(owner.name) else Role.PLAIN
        if not isinstance(owner, ObjectOf):
            return Role.PLAIN
        line = owner.info.linear()
        stored_as = (self.stored(one).roles.get(name) for one in line if isinstance(one, ClassInfo))
        own = next((role for role in stored_as if role is not None), None)
        if own is not None:
            return own
        stored = any(isinstance(one, ClassInfo) and name in one.attributes for one in line)
        of_torchs = any(isinstance(one, str) and one not in {MODULE, "?"} and MODULE in mro(one) for one in line)
        return Role.PARAMETER if of_torchs and not stored else Role.PLAIN

    def may_be_none(self, owner: Value, name: str) -> bool:
        """Whether the attribute is None at times, as far as the classes say."""
        if isinstance(owner, Choice):
            return any(self.may_be_none(one, name) for one in owner.values)
        if isinstance(owner, Instance):
            return name == "bias"
        infos = owner.info.linear() if isinstance(owner, ObjectOf) else []
        return any(isinstance(one, ClassInfo) and name in self.stored(one).absent for one in infos)


def members_of(classes: Iterable[ClassInfo], methods: Mapping[str, str]) -> Members:
    """What there is to know of them; ``methods``: the target's (``Target.methods``)."""
    found = Members()
    classes = list(dict.fromkeys(classes))
    names = {key.rpartition(".")[2]: (key.rpartition(".")[0], new) for key, new in methods.items()}
    for info in classes:
        for name, (owner, new) in names.items():
            if name in info.functions and new not in info.functions and is_of(info, owner):
                found.renamed[info.functions[name].node] = new
    return found


def is_of(info: ClassInfo, owner: str) -> bool:
    """Whether it derives from a class of torch's, or is mixed into one that does."""
    return owner in info.linear() or any(owner in one.linear() for one in info.below())


def stored_by(info: ClassInfo) -> Stored:
    roles: dict[str, Role] = {}
    absent: set[str] = set()
    for part in walk(info.node):
        if isinstance(part, (ast.Assign, ast.AnnAssign)):
            targets = part.targets if isinstance(part, ast.Assign) else [part.target]
            names = [target.attr for target in targets if of_self(target)]  # type: ignore[attr-defined]
            home = info.module.nodes.around(part, *FUNCTIONS) if isinstance(part.value, ast.Name) else None
            role = role_of(part.value, home)
            if role is not None:
                roles.update(dict.fromkeys(names, role))
            if may_give_none(part.value):
                absent.update(names)
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in REGISTERS:
            name, value = registered(part)
            if name and of_self(part.func) and may_give_none(value):
                absent.add(name)
            if name and of_self(part.func):
                roles[name] = REGISTERS[part.func.attr]
    return Stored(roles, absent)


def trained_by_itself(info: ClassInfo) -> Stored:
    """Of a class that is no module: its tensors that are trained."""
    names = attributes_of(info.node, info.module.nodes)
    return Stored(dict.fromkeys(names, Role.PARAMETER), ()) if names else NOTHING


def registered(call: ast.Call) -> tuple[str, ast.expr | None]:
    """The name under which a call registers something, where it is a text, and what."""
    words = {word.arg: word.value for word in call.keywords}
    name = call.args[0] if call.args else words.get("name")
    value = call.args[1] if len(call.args) > 1 else words.get("tensor", words.get("param"))
    text = name.value if isinstance(name, ast.Constant) else None
    return (text if isinstance(text, str) else ""), value


def of_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def role_of(node: ast.expr | None, home: ast.AST | None = None, asking: Asking = ()) -> Role | None:
    """The role of what an expression makes; None where it makes no such thing.

    home:   the function that it stands in, whose names count.
    asking: functions of the project of which it is being found out what they give, and names in functions.
    """
    if isinstance(node, ast.IfExp):
        return role_of(node.body, home, asking) or role_of(node.orelse, home, asking)
    if isinstance(node, ast.Name) and home is not None:
        asked = (home, node.id)  # x = y if y is not None else x
        known = asked in asking or len(asking) > FOLLOWED
        return None if known else role_of_all(given_to_name(node.id, home), home, (*asking, asked))
    value = getattr(node.func, "v", None) if isinstance(node, ast.Call) else None
    if isinstance(value, FunctionOf) and isinstance(value.info.node, FUNCTIONS) and value.info.node not in asking:
        body = value.info.node
        given = [part.value for part in walk(body) if isinstance(part, ast.Return)]
        return role_of_all(given, body, (*asking, body))
    return MAKES.get(value.name) if isinstance(value, Ref) else None


def role_of_all(given: Sequence[ast.expr | None], home: ast.AST, asking: Asking) -> Role | None:
    """The role that all of these have in common."""
    found = {
        role_of(one, home, asking) for one in given if not isinstance(one, ast.Name) or (home, one.id) not in asking
    }
    return found.pop() if len(found) == 1 else None


def given_to_name(name: str, home: ast.AST) -> list[ast.expr | None]:
    """What a function binds a name of its own to, [None] where nothing says it."""
    parts = list(walk(home))
    named = (part for part in parts if isinstance(part, ast.Name) and part.id == name)
    stores = [part for part in named if not isinstance(part.ctx, ast.Load)]
    made = [
        part.value
        for part in parts
        if isinstance(part, ast.Assign) and any(target in stores for target in part.targets)
    ]
    return list(made) if len(made) == len(stores) else [None]


def may_give_none(node: ast.expr | None) -> bool:
    """``None``, ``nn.Parameter(x) if bias else None``"""
    if isinstance(node, ast.IfExp):
        return may_give_none(node.body) or may_give_none(node.orelse)
    return isinstance(node, ast.Constant) and node.value is None


def is_array(node: ast.AST) -> bool:
    """Whether an expression is a tensor for sure."""
    value = getattr(node, "v", None)
    return isinstance(value, Tensor) and not value.assumed
