"""Attributes that hold parts and views of tensors which something else holds as well: ``self.row = table[0]``."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from rewriters.infer.held_leaves import written_out
from rewriters.infer.leaves import is_module
from rewriters.infer.syntax import all_arguments
from rewriters.infer.values import Items, ModuleInfo, ObjectOf, Series
from rewriters.places.calls import adds_to_container, is_tensor
from rewriters.places.changing import FUNCTIONS
from rewriters.places.kept_copies import stored_by_name
from rewriters.places.kept_pieces import is_picked
from rewriters.places.whole import PROPERTIES, VIEWS
from rewriters.text.tree import walk

# What a view is of, or holds that, and what stores it; whether it holds it.
View = tuple[ast.Name | ast.Attribute, ast.AST, bool]


def kept_views(module: ModuleInfo) -> dict[str, list[View]]:
    """Attribute -> what it holds views of."""
    found: dict[str, list[View]] = {}
    for attribute, value, stored in stored_by_name(module.nodes):
        base = viewed(value)
        if (base is value and not is_plain(value)) or is_picked(value):
            continue
        held = base is value or isinstance(base, ast.Subscript)  # by an object, a dict or a list
        while isinstance(base, ast.Subscript):
            base = base.value
        own = isinstance(base, ast.Attribute) and base.attr == attribute
        if isinstance(base, (ast.Name, ast.Attribute)) and not own:
            found.setdefault(attribute, []).append((base, stored, held))
    return found


def is_plain(value: ast.expr) -> bool:
    """``box.x``, a tensor that an object holds which is no module: those have holders of their parameters."""
    if not isinstance(value, ast.Attribute) or not is_tensor(value):
        return False
    if value.attr in PROPERTIES and is_tensor(value.value):  # x.data of a tensor
        return False
    return not is_module(getattr(value.value, "v", None))


def viewed(node: ast.expr) -> ast.expr:
    """The tensor that a part or a view is of; the node itself where it is none, or nothing is known of that."""
    while True:
        inner: ast.expr | None = None
        if isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and node.attr in PROPERTIES):
            inner = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in VIEWS:
            inner = node.func.value
        if inner is None or not is_tensor(inner):
            return node
        node = inner


def beside_items(place: str, module: ModuleInfo) -> str:
    """Who else has an item of a list or a dict that is written out with attributes of objects: ``xs = [box.x]``.

    place: the item, as ``xs[i]``.
    """
    for one in stored_in(place.partition("[")[0], module):
        if is_plain(one) or is_of_tuple(one):
            return f"{ast.unparse(one)}, whose tensor it is,"
        if any(map(is_repeated, walk(one))):
            return f"the other items (line {one.lineno}), which are the same tensor,"
    return ""


def is_repeated(node: ast.AST) -> bool:
    """``[torch.zeros(3)] * n``"""
    sides = [node.left, node.right] if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) else []
    return any(is_tensor(part) for side in sides if isinstance(side, (ast.List, ast.Tuple)) for part in side.elts)


def stored_in(name: str, module: ModuleInfo) -> Iterator[ast.expr]:
    """What a list or a dict of that name is made with, and is given later."""
    for made in module.nodes.of(ast.Assign):
        for target in made.targets:
            if isinstance(target, ast.Name) and target.id == name:
                yield from written_out(made.value) or [made.value]
            elif isinstance(target, ast.Subscript) and getattr(target.value, "id", "") == name:
                yield made.value
    for call in module.nodes.of(ast.Call):
        if adds_to_container(call) and getattr(call.func.value, "id", "") == name:
            yield from [*call.args[-1:], *(part for one in call.args[-1:] for part in written_out(one))]


def is_of_tuple(node: ast.expr) -> bool:
    """``pair[1]``, a tensor that a tuple holds: another cannot be stored there."""
    if not isinstance(node, ast.Subscript) or not is_tensor(node):
        return False
    owner = getattr(node.value, "v", None)
    return isinstance(owner, (Items, Series, ObjectOf)) and getattr(owner, "kind", "tuple") == "tuple"


def beside_views(views: Iterable[View], changed: ast.Attribute, module: ModuleInfo) -> str:
    """Who else sees a change of an attribute that holds such a view; "" for nobody."""
    for base, stored, held in views:
        if held or isinstance(base, ast.Attribute):
            return f"{ast.unparse(base)}, whose tensor it lies in,"
        home = module.nodes.around(stored, ast.FunctionDef, ast.AsyncFunctionDef)
        if home is not None and base.id in {one.arg for one in all_arguments(home.args)}:  # type: ignore[attr-defined]
            return f"whoever gives {base.id}, of which it is a view,"
        if is_read_beside(base, home or module.tree, changed, module):
            return f"{base.id}, of which it is a view,"
    return ""


def is_read_beside(base: ast.Name, home: ast.AST, changed: ast.Attribute, module: ModuleInfo) -> bool:
    """Whether what a name holds is read after the change, or handed on or kept at all."""
    parents = module.nodes.parents
    for part in walk(home):
        if not isinstance(part, ast.Name) or part.id != base.id or not isinstance(part.ctx, ast.Load) or part is base:
            continue
        inside = module.nodes.around(part, *FUNCTIONS)
        if part.lineno > changed.lineno or inside is not module.nodes.around(base, *FUNCTIONS):
            return True
        around = parents.get(part)
        if isinstance(around, (ast.Assign, ast.Return, ast.List, ast.Tuple, ast.Dict, ast.keyword)):
            return True
    return False
