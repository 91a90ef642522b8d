"""What a block without gradients leaves elsewhere than under names: in attributes of objects, in lists and dicts."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from typing import TypeGuard

from rewriters.infer.values import ClassOf, FunctionOf, ModuleOf, ObjectOf, Ref, Tensor
from rewriters.regions.gradients.names import CHANGING
from rewriters.regions.gradients.trained import outermost, stored
from rewriters.regions.tracing import functions_in, value_of
from rewriters.text.tree import children, is_in_place

NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
PARTS = (ast.Attribute, ast.Subscript, ast.Call)


def own(node: ast.AST) -> Iterator[ast.AST]:
    """What is in a statement, functions and classes inside aside."""
    stack = children(node)
    while stack:
        part = stack.pop()
        if not isinstance(part, NESTED):
            yield part
            stack += children(part)


def changed_objects(node: ast.AST) -> list[str]:
    """Names of objects of which an attribute is stored or changed in it, also by functions that it calls; what is bound
    in it stands for what it is of (``for p in net.parameters()``)."""
    found: dict[str, None] = {}
    within = [part for part in own(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
    bound = {part.id for part in within}
    for part in own(node):
        place = changed_place(part)
        if place is None and isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
            called = functions_in(value_of(part.func))
            if any(changed_place(inner) is not None for info in called for inner in own(info.node)):
                place = part.func
        name = root_of(place)
        for root in [name] if name is None or name.id not in bound else sources_of(name.id, node, bound):
            if root is not None and not isinstance(value_of(root), (Ref, ModuleOf, FunctionOf, ClassOf)):
                found[root.id] = None
    return [name for name in found if name not in bound]


def sources_of(name: str, block: ast.AST, bound: set[str]) -> Iterator[ast.Name]:
    """The names from outside of a block that what is bound under a name in it is made of."""
    stack, seen = [name], {name}
    while stack:
        name = stack.pop()
        for part in own(block):
            for made in stored(part, name):
                roots = [root for chain in outermost(made) if (root := root_of(chain)) is not None]
                yield from (root for root in roots if root.id not in bound and not hasattr(builtins, root.id))
                stack += [root.id for root in roots if root.id in bound and root.id not in seen]
                seen |= {root.id for root in roots}


def changed_place(node: ast.AST) -> ast.expr | None:
    """The attribute that it stores or changes: ``self.x = y``, ``self.x[0] = y``, ``self.x.mul_(2)``."""
    found = None
    if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
        found = attribute_in(node)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        name = node.func.attr
        if is_in_place(name):
            found = attribute_in(node.func.value)
    return None if getattr(found, "attr", "") == "grad" else found  # of which no gradients are taken


def data_changes(function: ast.AST) -> Iterator[tuple[ast.stmt, str]]:
    """Statements that change an attribute's tensor by its ``.data``, with the name of the object that has it."""
    for part in own(function):
        if isinstance(part, ast.Expr):
            places: list[ast.expr] = [part.value]
        elif isinstance(part, (ast.Assign, ast.AugAssign)):
            places = part.targets if isinstance(part, ast.Assign) else [part.target]
        else:
            continue
        names = [root_of(place) for place in places if changed_place(place) is not None and by_data(place)]
        if names and names[0] is not None:
            yield part, names[0].id


def by_data(node: ast.expr) -> bool:
    """Whether a chain goes by the ``.data`` of an attribute: ``self.w.data``, and not ``p.data``."""
    while isinstance(node, PARTS):
        if isinstance(node, ast.Attribute) and node.attr == "data" and attribute_in(node.value) is not None:
            return True
        node = node.func if isinstance(node, ast.Call) else node.value
    return False


def attribute_in(node: ast.expr) -> ast.expr | None:
    """The innermost attribute of a chain; None where it is a name alone."""
    found = None
    while isinstance(node, PARTS):
        found = node if isinstance(node, ast.Attribute) else found
        node = node.func if isinstance(node, ast.Call) else node.value
    return found


def root_of(node: ast.expr | None) -> ast.Name | None:
    while isinstance(node, PARTS):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node if isinstance(node, ast.Name) else None


def containers_given(node: ast.AST) -> Iterator[ast.expr]:
    """What is put into lists and dicts in it: ``found.append(x)``, ``found["a"] = x``."""
    for part in own(node):
        if isinstance(part, ast.Assign):
            places = [place for place in part.targets if isinstance(place, ast.Subscript)]
            if any(not isinstance(value_of(place.value), Tensor) for place in places):
                yield part.value
        elif is_adding(part):
            yield from part.args


def is_adding(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether it calls such a method of what is no tensor and no object of the project's."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in CHANGING:
        return False
    return not isinstance(value_of(node.func.value), (Tensor, ObjectOf))


def stores_attributes(node: ast.AST) -> bool:
    return any(changed_place(part) is not None for part in own(node))
