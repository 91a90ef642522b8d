"""Calls that are not written as such: a property of an object of the project's that is read, an item of one."""

from __future__ import annotations

import ast

from rewriters.infer.own_operators import as_call
from rewriters.infer.values import ClassInfo, FunctionInfo, FunctionOf, ObjectOf


def hidden_call(node: ast.Attribute | ast.Subscript) -> ast.Call | None:
    """What the expression calls; None where it is a plain attribute, or an item of something else."""
    made: ast.Call | None = getattr(node, "own", None)
    if made is not None:
        return made
    owner = getattr(node.value, "v", None)
    if not isinstance(owner, ObjectOf) or not hasattr(node, "parent") or not isinstance(node.ctx, ast.Load):
        return None
    name = node.attr if isinstance(node, ast.Attribute) else "__getitem__"
    function = looked_up(owner.info, name)
    if function is None or function.opaque or (isinstance(node, ast.Attribute) and function.kind != "property"):
        return None
    arguments = [] if isinstance(node, ast.Attribute) else [node.slice]
    made = as_call(node, node.value, name, arguments, FunctionOf(function, owner))
    node.own = made  # type: ignore[union-attr]
    return made


def looked_up(info: ClassInfo, name: str) -> FunctionInfo | None:
    """The function that the class, or one that it derives from, has under that name."""
    owners = (owner for owner in info.linear() if isinstance(owner, ClassInfo))
    return next((owner.functions[name] for owner in owners if name in owner.functions), None)
