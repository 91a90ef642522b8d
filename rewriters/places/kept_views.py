"""Attributes that hold parts and views of tensors which something else holds as well: ``self.row = table[0]``."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from rewriters.infer.held_leaves import written_out
from rewriters.infer.leaves import is_module
from rewriters.infer.syntax import all_arguments
from rewriters.infer.values import ModuleInfo
from rewriters.places.calls import is_tensor
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
    if not isinstance(value, ast.Attribute) or value.attr in PROPERTIES or not is_tensor(value):
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
    name = place.partition("[")[0]
    for made in module.nodes.of(ast.Assign):
        if not any(isinstance(one, ast.Name) and one.id == name for one in made.targets):
            continue
        held = next((one for one in written_out(made.value) if is_plain(one)), None)
        if held is not None:
            return f"{ast.unparse(held)}, whose tensor it is,"
    return ""


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
