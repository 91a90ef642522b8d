"""What an augmented assignment changes: an item of a tensor, of a list, or of what may be either."""

from __future__ import annotations

import ast

from rewriters.infer.values import NUMERIC, Bottom, ObjectOf, Plain, Tensor, Unknown, Value
from rewriters.rewrite.resolving import value_at
from rewriters.text.slots import class_of
from rewriters.text.tree import Nodes, called_name, walk

# What a target may be made of that is read twice, and evaluated with that.
READ_AGAIN = (
    ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Slice, ast.Tuple, ast.UnaryOp, ast.BinOp,
    ast.expr_context, ast.operator, ast.unaryop,
)  # fmt: skip


def is_open(value: Value) -> bool:
    """Whether nothing says for sure whether it is a tensor."""
    return isinstance(value, (Unknown, Bottom)) or (isinstance(value, Tensor) and value.assumed)


def is_item(target: ast.Subscript) -> bool:
    """``x[i] += y`` of a tensor: what is stored into it is seen by all."""
    of_tensor = isinstance(target.slice, (ast.Slice, ast.Tuple, ast.List)) or isinstance(value_at(target.slice), Tensor)
    return isinstance(value_at(target.value), Tensor) or of_tensor  # no list is asked so


def may_be_gathered(target: ast.Subscript) -> bool:
    """Whether ``x[i]`` may be a copy of some of a tensor's elements, stored to it anew: ``box.x[box.x > 0]``."""
    if not is_open(value_at(target.value)) or is_number_value(value_at(target.slice)):
        return False
    return all(isinstance(part, (*READ_AGAIN, ast.Compare, ast.cmpop)) for part in walk(target))


def is_number_value(value: object) -> bool:
    return isinstance(value, Plain) and value.kind in NUMERIC | {"figures"}


def is_like(one: ast.expr, target: ast.expr, text: str) -> bool:
    return class_of(one) is class_of(target) and ast.unparse(one) == text


def is_same(one: ast.expr, target: ast.expr, text: str) -> bool:
    """Whether a store is to what is changed: ``meter.sum = y`` too, of an object of that class."""
    if is_like(one, target, text):
        return True
    if not (isinstance(one, ast.Attribute) and isinstance(target, ast.Attribute) and one.attr == target.attr):
        return False
    holders = value_at(one.value), value_at(target.value)
    infos = [value.info for value in holders if isinstance(value, ObjectOf)]
    return len(infos) == 2 and (infos[0] in infos[1].linear() or infos[1] in infos[0].linear())


def is_like_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def is_looked_up(name: str, nodes: Nodes) -> bool:
    """``v = getattr(x, key)``, ``with lent(t) as v``: it may be what others hold, whatever gives it."""
    given = (one.value for one in nodes.of(ast.Assign) if is_like_name(one.targets[0], name))
    entered = (item.optional_vars for one in nodes.of(ast.With, ast.AsyncWith) for item in one.items)
    return any(map(looks_up, given)) or any(one is not None and is_like_name(one, name) for one in entered)


def looks_up(node: ast.expr) -> bool:
    """Whether it gives what an object holds under a name that is computed, or what is waited for."""
    if isinstance(node, ast.Call):
        computed = called_name(node) == "getattr" and len(node.args) > 1
        return computed and not isinstance(node.args[1], ast.Constant)
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Attribute) and node.value.attr in {"_buffers", "_parameters"}
    return isinstance(node, ast.Await)


def parts_of(target: ast.expr) -> list[ast.expr]:
    """What a tuple or a list binds; nothing of another target."""
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
    return [
        one for part in parts for one in ([part] if not isinstance(part, (ast.Tuple, ast.List)) else parts_of(part))
    ]


def is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float))
