"""What the target's gradients need as it was, and torch's do not: it must not change.

In ``y = a / b; y[mask] = 0`` torch's gradient goes by a and b, that of many targets by y: such a result is cloned. In
``y = x.exp(); x += 1`` torch's goes by y, that of some targets by x, which is cloned then.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from rewriters.infer import Project
from rewriters.infer.values import Instance, Method, ModuleInfo, Ref, Tensor, Unknown
from rewriters.places.asked_in_place import AskedInPlace
from rewriters.places.by_text import is_told_to_change, names_holding, names_of, text
from rewriters.places.computed_layouts import changes, with_others
from rewriters.text.tree import walk

CLONED = ":cloned"
"""The key of what is written with ``.clone()`` behind it."""
VIEWS = {
    "view", "view_as", "reshape", "flatten", "ravel", "t", "transpose", "permute", "squeeze", "unsqueeze", "expand",
    "expand_as", "detach", "narrow", "select", "diagonal", "swapaxes", "movedim", "unflatten", "contiguous",
}  # fmt: skip
PROPERTIES = {"T", "mT", "data"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
NO_GRAD = {"torch.no_grad", "torch.inference_mode"}
DIVIDING = {"torch.div", "torch.divide", "torch.true_divide"}
DIVIDING |= {name.replace("torch.", "torch.Tensor.") for name in DIVIDING}
RECORDING = {"backward", "grad", "requires_grad", "requires_grad_"}


def kept_results(
    project: Project, module: ModuleInfo, names: Collection[str], by_number: bool, binds_anew: bool
) -> dict[ast.AST, str]:
    """Expressions of a file whose results change in place, with the key.

    names:      torch's functions, methods and layers whose results the target's gradients need, but for divisions.
    by_number:  whether those of a number divided by a tensor do, too.
    binds_anew: whether ``y *= 2`` changes nothing in the target.
    """
    found: dict[ast.AST, str] = {}
    if not records(project):
        return found
    changed: set[str] | None = None
    without: set[ast.AST] = set()
    parents, asked = module.nodes.parents, AskedInPlace(project.modules.values())
    for node in module.nodes.of(ast.BinOp, ast.Call):
        if not (divides(node, by_number) or gives_kept(node, names)):
            continue
        if changed is None:
            changed, without = with_others(module, changed_in(module, asked, binds_anew)), under_no_grad(module)
        if node in without:
            continue
        whole = taken(node, parents.get(node))
        around = parents.get(whole)
        at_once = changes(around) or (isinstance(around, ast.Call) and is_changed_by(around, whole))
        if at_once or not changed.isdisjoint(held_by(module, whole)):
            found[whole] = CLONED
    return found if binds_anew else found | divided_in_place(module, asked)


def kept_inputs(project: Project, module: ModuleInfo, names: Collection[str], binds_anew: bool) -> dict[ast.AST, str]:
    """What is given to functions of these names, or divides a number, and changes in place afterwards, with the key."""
    found: dict[ast.AST, str] = {}
    events: list[tuple[str, ast.AST]] | None = None
    for node in module.nodes.of(ast.BinOp, ast.Call):
        of = operand(node, names)
        holder = text(whole(of)) if of is not None else ""
        if of is None or not holder or not records(project):
            continue
        if events is None:
            asked, without = AskedInPlace(project.modules.values()), under_no_grad(module)
            events = [one for one in changes_of(module, asked, binds_anew) if one[1] not in without]
        alike = with_others(module, {holder})
        if any(name in alike and comes_later(module, node, by) for name, by in events):
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


def comes_later(module: ModuleInfo, node: ast.AST, change: ast.AST) -> bool:
    """Whether a change may come after what a node does: below it, in one loop with it, in another function."""
    function = module.nodes.around(node, *FUNCTIONS)
    if module.nodes.around(change, *FUNCTIONS) is not function:
        return True
    if (change.lineno, change.col_offset) > (node.lineno, node.col_offset):  # type: ignore[attr-defined]
        return True
    loop = module.nodes.around(node, ast.For, ast.While)
    return loop is not None and any(part is change for part in walk(loop))


def divided_in_place(module: ModuleInfo, asked: AskedInPlace) -> dict[ast.AST, str]:
    """``y /= b`` of what changes elsewhere, too."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.AugAssign):
        if not isinstance(node.op, ast.Div) or not (may_be_tensor(node.target) and may_be_tensor(node.value)):
            continue
        others = with_others(module, changed_in(module, asked, False, node))
        if text(whole(node.target)) in others and node not in under_no_grad(module):
            found[node] = CLONED
    return found


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


def held_by(module: ModuleInfo, node: ast.expr) -> set[str]:
    """The texts of what holds it: by its statement, or through views of it."""
    around = module.nodes.parents.get(node)
    while isinstance(around, ast.Attribute) and around.attr in VIEWS | PROPERTIES:
        call = module.nodes.parents.get(around)
        node = call if isinstance(call, ast.Call) and call.func is around else around
        around = module.nodes.parents.get(node)
    if isinstance(around, ast.NamedExpr):
        return {around.target.id}
    if isinstance(around, ast.AnnAssign):
        return {text(around.target)} - {""}
    return (names_of(around) | names_holding(module, node)) - {""}


def changed_in(module: ModuleInfo, asked: AskedInPlace, binds_anew: bool, but: ast.AST | None = None) -> set[str]:
    """The texts of what changes in place somewhere in the file, but by one statement, also through a view."""
    return {name for name, by in changes_of(module, asked, binds_anew) if by is not but}


def changes_of(module: ModuleInfo, asked: AskedInPlace, binds_anew: bool) -> Iterator[tuple[str, ast.AST]]:
    """The same, with what changes it."""
    parts: list[tuple[ast.expr, ast.AST]] = [
        (node.target, node)
        for node in module.nodes.of(ast.AugAssign)
        if not binds_anew or isinstance(node.target, ast.Subscript)
    ]
    for node in module.nodes.of(ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        given = [word.value for word in node.keywords if word.arg == "out"]
        if name.endswith("_") and not name.startswith("_"):
            given += [node.func.value, *node.args[:1]]
        given += node.args[:1] if is_told_to_change(node) or asked.asked(node) else []
        parts += [(part, node) for part in given]
    parts += [(node, node) for node in module.nodes.of(ast.Subscript) if isinstance(node.ctx, ast.Store)]
    yield from ((name, by) for part, by in parts if (name := text(whole(part))))


def is_changed_by(around: ast.Call, node: ast.expr) -> bool:
    """Whether a call changes its first argument: ``F.relu(a / b, inplace=True)``, ``F.relu_(a / b)``."""
    return around.args[:1] == [node] and (is_told_to_change(around) or name_of(around).endswith("_"))


def whole(node: ast.expr) -> ast.expr:
    """What a part or a view is of."""
    while True:
        if isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and node.attr in PROPERTIES):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in VIEWS:
            node = node.func.value
        else:
            return node


def under_no_grad(module: ModuleInfo) -> set[ast.AST]:
    """What stands in blocks and functions that record no gradients."""
    blocks: list[ast.AST] = [
        node for node in module.nodes.of(ast.With) if any(stops(item.context_expr) for item in node.items)
    ]
    blocks += [node for node in module.nodes.of(ast.FunctionDef) if any(map(stops, node.decorator_list))]
    return {part for node in blocks for part in walk(node)}


def stops(node: ast.expr) -> bool:
    value = getattr(node.func, "v", None) if isinstance(node, ast.Call) else None
    return isinstance(value, Ref) and value.name in NO_GRAD
