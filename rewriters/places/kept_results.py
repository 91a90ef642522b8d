"""What the target's gradients need as it was, and torch's do not: it must not change.

In ``y = a / b; y[mask] = 0`` torch's gradient goes by a and b, that of many targets by y: such a result is cloned. In
``y = x.exp(); x += 1`` torch's goes by y, that of some targets by x, which is cloned then.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from functools import lru_cache

from rewriters.infer import Project
from rewriters.infer.values import Instance, Items, Method, ModuleInfo, Ref, Series, Tensor, Unknown
from rewriters.places.asked_in_place import AskedInPlace
from rewriters.places.by_text import is_told_to_change, names_holding, names_of
from rewriters.places.changing import Changing
from rewriters.places.computed_layouts import changes
from rewriters.places.whole import PROPERTIES, VIEWS

CLONED = ":cloned"
"""The key of what is written with ``.clone()`` behind it."""
DIVIDING = {"torch.div", "torch.divide", "torch.true_divide"}
DIVIDING |= {name.replace("torch.", "torch.Tensor.") for name in DIVIDING}
RECORDING = {"backward", "grad", "requires_grad", "requires_grad_"}


def kept(
    project: Project,
    module: ModuleInfo,
    results: Collection[str],
    inputs: Collection[str],
    by_number: bool,
    binds_anew: bool,
) -> dict[ast.AST, str]:
    """Expressions of a file whose values change in place though the target's gradients need them, with the key.

    results:    torch's functions, methods and layers whose results these need, but for divisions.
    inputs:     functions and methods of which these need what is given, beside what divides a number.
    by_number:  whether results of a number divided by a tensor are needed, too.
    binds_anew: whether ``y *= 2`` changes nothing in the target.
    """
    if not records(project):
        return {}
    changing = Changing(module, asked_in(project), binds_anew)
    found = kept_results(changing, results, by_number) | kept_inputs(changing, inputs)
    return found if binds_anew else found | divided_in_place(changing)


@lru_cache(maxsize=1)
def asked_in(project: Project) -> AskedInPlace:
    """Which calls of layers change what they are given."""
    return AskedInPlace(project.modules.values())


def kept_results(changing: Changing, names: Collection[str], by_number: bool) -> dict[ast.AST, str]:
    """What such functions give, and what is divided."""
    found: dict[ast.AST, str] = {}
    nodes = changing.module.nodes
    for node in nodes.of(ast.BinOp, ast.Call):
        if not (divides(node, by_number) or gives_kept(node, names)) or node in changing.without:
            continue
        whole = taken(node, nodes.parents.get(node))
        around = nodes.parents.get(whole)
        at_once = changes(around) or (isinstance(around, ast.Call) and is_changed_by(around, whole))
        if first_changes(changing, whole) if is_pair(whole) else at_once or holder_changes(changing, whole):
            found[whole] = CLONED
    return found


def kept_inputs(changing: Changing, names: Collection[str]) -> dict[ast.AST, str]:
    """What is given to such functions, or divides a number."""
    found: dict[ast.AST, str] = {}
    nodes = changing.module.nodes
    for node in nodes.of(ast.BinOp, ast.Call):
        of = operand(node, names)
        if of is None or node in changing.without or not isinstance(getattr(of, "v", None), (Tensor, Unknown)):
            continue
        own = changing.key_of(of)
        bound = {changing.key(name, node) for name in names_of(nodes.around(node, ast.stmt))}
        if own is not None and changing.later({own}, node, but=own if own in bound else None):
            found[of] = CLONED
    return found


def operand(node: ast.expr, names: Collection[str]) -> ast.expr | None:
    """What is given to such a function, or divides a number."""
    if isinstance(node, ast.BinOp):
        number = isinstance(node.op, ast.Div) and not may_be_tensor(node.left)
        return node.right if number and may_be_tensor(node.right) else None
    if not isinstance(node, ast.Call) or name_of(node) not in names:
        return None
    if isinstance(node.func, ast.Attribute) and isinstance(getattr(node.func, "v", None), Method):
        return node.func.value
    return node.args[0] if node.args and not isinstance(node.args[0], ast.Starred) else None


def divided_in_place(changing: Changing) -> dict[ast.AST, str]:
    """``y /= b`` of what changes elsewhere, too."""
    found: dict[ast.AST, str] = {}
    for node in changing.module.nodes.of(ast.AugAssign):
        if not isinstance(node.op, ast.Div) or not (may_be_tensor(node.target) and may_be_tensor(node.value)):
            continue
        if node not in changing.without and (own := changing.key_of(node.target)) and changing.later({own}, node):
            found[node] = CLONED
    return found


@lru_cache(maxsize=1)
def records(project: Project) -> bool:
    """Whether the project records gradients, or has modules, of which others may."""
    if any(info.is_module for info in project.classes.values()):
        return True
    read = {node.attr for module in project.modules.values() for node in module.nodes.of(ast.Attribute)}
    given = {
        word.arg for module in project.modules.values() for call in module.nodes.of(ast.Call) for word in call.keywords
    }
    return not RECORDING.isdisjoint(read | given)


def divides(node: ast.expr, by_number: bool) -> bool:
    """``a / b`` and ``torch.div(a, b)`` of two tensors; by_number: ``1 / b`` too."""
    if isinstance(node, ast.BinOp):
        left, right = node.left, node.right
        if not isinstance(node.op, ast.Div):
            return False
    elif isinstance(node, ast.Call) and name_of(node) in DIVIDING and not node.keywords:
        parts = list(node.args)
        if isinstance(getattr(node.func, "v", None), Method) and isinstance(node.func, ast.Attribute):
            parts.insert(0, node.func.value)
        if len(parts) != 2:
            return False
        left, right = parts
    else:
        return False
    return may_be_tensor(right) and (by_number or may_be_tensor(left))


def may_be_tensor(node: ast.expr) -> bool:
    value = getattr(node, "v", None)
    return isinstance(value, Tensor) or (isinstance(value, Unknown) and value.tensor)


def name_of(node: ast.Call) -> str:
    """Torch's name of what is called: of a layer, its class."""
    called = getattr(node.func, "v", None)
    return called.name if isinstance(called, (Method, Ref, Instance)) else ""


def gives_kept(node: ast.expr, names: Collection[str]) -> bool:
    if not isinstance(node, ast.Call) or name_of(node) not in names:
        return False
    made = getattr(node.func, "v", None)
    return not isinstance(made, Ref) or not name_of(node).startswith("torch.nn.") or "functional" in name_of(node)


def taken(node: ast.expr, around: ast.AST | None) -> ast.expr:
    """What is taken of a pair: ``x.max(1)[0]``, ``x.max(1).values``."""
    pair = not isinstance(getattr(node, "v", None), Tensor)
    if pair and isinstance(around, ast.Subscript) and around.value is node and isinstance(around.ctx, ast.Load):
        return around
    return around if pair and isinstance(around, ast.Attribute) and around.attr == "values" else node


def is_pair(node: ast.expr) -> bool:
    return isinstance(getattr(node, "v", None), (Items, Series))


def first_changes(changing: Changing, pair: ast.expr) -> bool:
    """``top, where = x.max(1)``, ``r = x.max(1)``: whether what is bound to the first, or to both, changes."""
    around = changing.module.nodes.parents.get(pair)
    target = around.targets[0] if isinstance(around, ast.Assign) else None
    first = target.elts[0] if isinstance(target, ast.Tuple) and len(target.elts) == 2 else target
    if not isinstance(first, (ast.Name, ast.Attribute)):
        return False
    names = [ast.unparse(first), *([f"{ast.unparse(first)}.values"] if first is target else [])]
    return changing.later({changing.key(name, pair) for name in names}, pair)


def holder_changes(changing: Changing, node: ast.expr) -> bool:
    """Whether what its statement binds to it, or to a view of it, changes; or what holds it elsewhere."""
    parents = changing.module.nodes.parents
    around = parents.get(node)
    while isinstance(around, ast.Attribute) and around.attr in VIEWS | PROPERTIES:
        call = parents.get(around)
        node = call if isinstance(call, ast.Call) and call.func is around else around
        around = parents.get(node)
    targets = around.targets if isinstance(around, ast.Assign) else [getattr(around, "target", None)]
    bound = {ast.unparse(one) for one in targets if isinstance(one, (ast.Name, ast.Attribute))}  # an item is a copy
    far = names_holding(changing.module, node) - names_of(around) - {""}
    near = {changing.key(name, node) for name in bound}
    return (bool(near) and changing.later(near, node)) or not far.isdisjoint(changing.texts)


def is_changed_by(around: ast.Call, node: ast.expr) -> bool:
    """Whether a call changes its first argument: ``F.relu(a / b, inplace=True)``, ``F.relu_(a / b)``."""
    return around.args[:1] == [node] and (is_told_to_change(around) or name_of(around).endswith("_"))
