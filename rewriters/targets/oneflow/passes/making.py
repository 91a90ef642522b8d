"""Tensors made of others, and of what numpy holds: detached parts, numbers with a dtype, shared memory, copies."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rewriters.infer import Project
from rewriters.infer.values import (
    BOOL,
    BOOLEAN,
    BYTES,
    INT,
    NUMPY,
    Bottom,
    Instance,
    Method,
    ModuleInfo,
    Plain,
    Ref,
    Tensor,
    Unknown,
    is_bare,
)
from rewriters.places.bindings import MOST_STEPS
from rewriters.places.by_text import is_in_place
from rewriters.places.byte_sums import TESTS
from rewriters.targets.oneflow.passes.kept_parts import kept_of
from rewriters.targets.oneflow.passes.parts import LIKE, PARTS, PASSING, TURNING, is_part_of
from rewriters.text.tree import Parents, called_name

# What gives a view, or the tensor itself.
VIEWING = PARTS | LIKE | PASSING
VIEWS = PARTS | (LIKE - {"detach", "data"})
# Layers that may give what they are given.
HANDING = {f"torch.nn.{name}" for name in ("Identity", "Sequential", "Flatten", "Unflatten", "Dropout", "DataParallel")}
VARIABLE = "torch.autograd.Variable"
ADDING = {"torch.add", "torch.Tensor.add", "torch.Tensor.add_"}
DETACHING = {"torch.Tensor.detach", "torch.detach", VARIABLE}
PARAMETER = "torch.nn.Parameter"
REDUCING = {"mean", "sum", "std", "var", "max", "min", "median", "prod", "dot", "ptp", "average", "float64"}


def keys(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """Calls and attributes of a file that a special rule answers for, with the rule's key."""
    found: dict[ast.AST, str] = {}
    detached = [node for node in module.nodes.of(ast.Call) if name_of(node) in DETACHING]
    data = [node for node in module.nodes.of(ast.Attribute) if node.attr == "data" and isinstance(node.ctx, ast.Load)]
    parts = [(node, whole) for node in detached if (whole := operand(node)) is not None]
    parts += [(node, node.value) for node in data if isinstance(getattr(node.value, "v", None), Tensor)]
    for node, whole in parts:
        name = name_of(node) if isinstance(node, ast.Call) else "torch.Tensor.data"
        if not begins_later(module, whole) and not is_kept_part(project, module, node, whole):
            viewed = name != VARIABLE and may_be_part(module, node, whole)
        else:
            viewed = is_viewed(module, node) if name == VARIABLE else may_be_viewed(node, module.nodes.parents)
        if viewed:
            found[node] = f"{name}:part"
    for node in data:
        unknown = isinstance(getattr(node.value, "v", Unknown()), (Unknown, Bottom))
        if unknown and is_viewed(module, node) and is_kept_part(project, module, node, node.value):
            found[node] = "torch.Tensor.data:part_unknown"
    for node in detached_unknown(module):
        if is_viewed(module, node):
            found[node.func] = "torch.Tensor.detach:part"
    picked = [node for node in module.nodes.of(ast.Subscript) if is_by_truth(node)]
    picked += changed_after(module, [node for node in module.nodes.of(ast.Subscript) if is_by_mask(node)])
    found |= dict.fromkeys(picked, "torch.Tensor.__getitem__:truth")
    unclear = changed_after(module, [node for node in module.nodes.of(ast.Subscript) if is_by_unknown(node)])
    found |= dict.fromkeys(unclear, "torch.Tensor.__getitem__:truth unknown")
    found |= {node: "torch.Tensor.__rsub__:bytes" for node in module.nodes.of(ast.BinOp) if is_less_bytes(node)}
    for sum_ in module.nodes.of(ast.BinOp):
        if isinstance(sum_.op, ast.Add) and is_of_bytes(sum_.left, sum_.right):
            found[sum_] = "torch.Tensor.__add__:bytes"
    for line in module.nodes.of(ast.AugAssign):
        if isinstance(line.op, ast.Add) and is_of_bytes(line.target, line.value):
            found[line] = "torch.Tensor.__iadd__:bytes"
    for node in module.nodes.of(ast.Call):
        name = name_of(node)
        others = node.args[-1:] if name in ADDING else ()
        if name in ADDING | TESTS and is_of_bytes(operand(node), *others):
            found[node] = f"{name}:bytes"
        elif name in ADDING and are_truths(operand(node), *node.args[-1:]):
            found[node] = f"{name}:mixed"
        if name == "torch.tensor" and len(node.args) == 1 and not any(word.arg == "dtype" for word in node.keywords):
            if is_number(module, node.args[0], 0):
                found[node] = "torch.tensor:scalar"
        elif name == "torch.full" and is_bare_size(node):
            found[node] = "torch.full:bare"
        elif name == PARAMETER and node.args and begins_later(module, node.args[0]):
            found[node] = f"{PARAMETER}:part"
    return found


def is_bare_size(node: ast.Call) -> bool:
    """``full((), v)``: without axes, which OneFlow takes for no size at all."""
    words = {word.arg: word.value for word in node.keywords}
    size = node.args[0] if node.args else words.get("size")
    if isinstance(size, ast.Attribute) and size.attr == "shape":
        return getattr(getattr(size.value, "v", None), "ndim", None) == 0
    return isinstance(size, (ast.Tuple, ast.List)) and not size.elts


def operand(node: ast.Call) -> ast.expr | None:
    """A method's receiver, or a function's first argument."""
    if isinstance(getattr(node.func, "v", None), (Ref, Instance)):
        return node.args[0] if node.args else None
    return node.func.value if isinstance(node.func, ast.Attribute) else None


def name_of(node: ast.Call) -> str:
    called = getattr(node.func, "v", None)
    return called.name if isinstance(called, (Ref, Method, Instance)) else ""


def is_by_truth(node: ast.Subscript) -> bool:
    """``x[True]``, by a tensor without axes too."""
    index = getattr(node.slice, "v", Unknown())
    one = index == BOOL or (isinstance(index, Tensor) and index.kinds == BOOLEAN and is_bare(index))
    return one and isinstance(node.ctx, ast.Load) and isinstance(getattr(node.value, "v", None), Tensor)


def is_by_mask(node: ast.Subscript) -> bool:
    """``x[mask]`` of which the number of axes is not known: there may be none."""
    index = getattr(node.slice, "v", None)
    unclear = isinstance(index, Tensor) and index.kinds == BOOLEAN and index.ndim is None
    return unclear and isinstance(node.ctx, ast.Load) and isinstance(getattr(node.value, "v", None), Tensor)


def is_by_unknown(node: ast.Subscript) -> bool:
    """``x[at]`` of which nothing is known: it may be a mask without axes."""
    index = getattr(node.slice, "v", Unknown())
    return (
        isinstance(index, Unknown)
        and isinstance(node.slice, (ast.Name, ast.Attribute))
        and isinstance(node.ctx, ast.Load)
        and isinstance(getattr(node.value, "v", None), Tensor)
    )


def changed_after(module: ModuleInfo, nodes: list[ast.Subscript]) -> list[ast.Subscript]:
    """Those bound to a name, or of one, of which the file changes something in place, by another name too."""
    if not nodes:
        return []
    names = with_other_names(module, set(changed(module)))
    bound = {one.value: one.targets for one in module.nodes.of(ast.Assign)}
    found = []
    for node in nodes:
        targets = bound.get(node) or given_out_to(module, node)
        touched = (part for one in (node, *targets) for target in items_of(one) for part in outermost(target))
        if targets and not names.isdisjoint(touched):
            found.append(node)
    return found


def given_out_to(module: ModuleInfo, node: ast.expr) -> list[ast.expr]:
    """What the file binds to what a function gives that returns the node, alone or among others."""
    statement = module.nodes.around(node, ast.Return)
    function = module.nodes.around(node, ast.FunctionDef)
    value = getattr(statement, "value", None)
    if not isinstance(function, ast.FunctionDef) or not isinstance(value, ast.expr) or node not in items_of(value):
        return []
    calls = (one for one in module.nodes.of(ast.Assign) if isinstance(one.value, ast.Call))
    return [target for one in calls if called_name(one.value) == function.name for target in one.targets]


def items_of(node: ast.expr) -> list[ast.expr]:
    """What is written out between commas, or the node itself."""
    return node.elts if isinstance(node, (ast.Tuple, ast.List)) else [node]


def with_other_names(module: ModuleInfo, names: set[str]) -> set[str]:
    """Names, and those that are bound to the same: ``a = b``."""
    bindings = [(target, one.value) for one in module.nodes.of(ast.Assign) for target in one.targets]
    pairs = [{a.id, b.id} for a, b in bindings if isinstance(a, ast.Name) and isinstance(b, ast.Name)]
    more = set(names)
    while grown := [pair for pair in pairs if len(pair - more) == 1 and not pair.isdisjoint(more)]:
        more.update(*grown)
    return more


def is_less_bytes(node: ast.BinOp) -> bool:
    """``1.0 - mask.byte()``: OneFlow takes the negative of the bytes first."""
    left, right = getattr(node.left, "v", None), getattr(node.right, "v", None)
    if not isinstance(node.op, ast.Sub) or not isinstance(right, Tensor) or not right.hints & BYTES:
        return False
    return isinstance(left, Plain) and left != INT


def is_of_bytes(*operands: ast.expr | None) -> bool:
    """Whether something says of each that it is a tensor of 8 bits."""
    values = [getattr(one, "v", None) for one in operands]
    return all(isinstance(value, Tensor) and value.hints & BYTES for value in values)


def are_truths(*operands: ast.expr | None) -> bool:
    """Whether each is a tensor of truth values: of these, spread over one another, OneFlow counts."""
    values = [getattr(one, "v", None) for one in operands]
    return all(isinstance(value, Tensor) and value.kinds == BOOLEAN for value in values)


def may_be_viewed(node: ast.AST, around: Parents) -> bool:
    """Whether a view may be taken of a value: not where something new is computed of it at once."""
    user = around.get(node)
    if isinstance(user, ast.Attribute):
        called = around.get(user)
        if user.attr in PASSING and isinstance(called, ast.Call) and called.func is user:
            return may_be_viewed(called, around)
        return user.attr in VIEWING
    if isinstance(user, ast.Call):
        name = name_of(user)
        return node is user.func or not name.startswith("torch.") or name.rpartition(".")[2] in VIEWING
    return not isinstance(user, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.FormattedValue, ast.Expr))


def detached_unknown(module: ModuleInfo) -> list[ast.Call]:
    """``h.detach()`` of what is not known."""
    return [
        node
        for node in module.nodes.of(ast.Call)
        if isinstance(node.func, ast.Attribute)
        and node.func.attr == "detach"
        and not node.args
        and isinstance(getattr(node.func.value, "v", Unknown()), (Unknown, Bottom))
    ]


def begins_later(module: ModuleInfo, node: ast.expr) -> bool:
    """Whether it is a part of another tensor, and none that begins where that begins: ``x[:n]``, ``x.t()``."""
    if isinstance(node, ast.Subscript) and isinstance(getattr(node.value, "v", None), Tensor):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if all(isinstance(part, ast.Slice) and part.lower is None for part in parts):
            return begins_later(module, node.value)
    turned = node.func if isinstance(node, ast.Call) else node
    if isinstance(turned, ast.Attribute) and turned.attr in TURNING:
        return begins_later(module, turned.value)
    return is_part_of(module, node, 0)


def is_kept_part(project: Project, module: ModuleInfo, node: ast.AST, whole: ast.expr) -> bool:
    """``box.x.data[0]``, where box may keep a part of another tensor as x."""
    kept = [one for one in given(module, whole) if isinstance(one, ast.Attribute)]
    if not kept or not may_be_viewed(node, module.nodes.parents):
        return False
    return any(map(kept_of(project).may_be_part, kept))


def may_be_part(module: ModuleInfo, node: ast.AST, whole: ast.expr) -> bool:
    """``h.detach()[0]`` of what may be a part of another tensor: it came by a parameter, an item, or the like.

    What ``.data`` is read of are parameters of models most often, or what a model gives: whole, unless it is an item.
    """
    if isinstance(node, ast.Attribute) and not comes_of_item(module, whole, 0):
        return False
    return is_viewed(module, node) and not is_whole(module, whole, 0)


def comes_of_item(module: ModuleInfo, node: ast.expr, depth: int) -> bool:
    """Whether it is an item, or what shares memory with one: ``rows[1]``, ``torch.flatten(rows[1])``."""
    if isinstance(node, ast.Name) and depth < MOST_STEPS:
        return any(comes_of_item(module, value, depth + 1) for value in given_to(module, node.id))
    if isinstance(node, ast.Call) and called_name(node) in VIEWING and (of := operand(node)) is not None:
        return comes_of_item(module, of, depth)
    return isinstance(node, ast.Subscript)


def given(module: ModuleInfo, node: ast.expr) -> list[ast.expr]:
    """What a name is bound to; the expression itself, if it is none."""
    return list(given_to(module, node.id)) if isinstance(node, ast.Name) else [node]


def is_viewed(module: ModuleInfo, node: ast.AST) -> bool:
    """Whether a view is taken of a value at once, or by the name that it is bound to."""
    user = module.nodes.parents.get(node)
    if isinstance(user, ast.Attribute):
        called = module.nodes.parents.get(user)
        if isinstance(called, ast.Call) and called.func is user and user.attr in PASSING:
            return user.attr in VIEWS or is_viewed(module, called)
        return user.attr in VIEWS
    if isinstance(user, ast.Assign) and user.value is node and len(user.targets) == 1:
        target = user.targets[0]
        function = module.nodes.around(node, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
        if isinstance(target, (ast.Tuple, ast.List)):
            return True
        return isinstance(target, ast.Name) and any(
            is_taken_of(module, use)
            for use in module.nodes.of(ast.Name)
            if use.id == target.id
            and isinstance(use.ctx, ast.Load)
            and module.nodes.around(use, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda) is function
        )
    return is_taken_of(module, node)


def is_taken_of(module: ModuleInfo, node: ast.AST) -> bool:
    """Whether the expression around a value is a view of it, or a loop over it."""
    user = module.nodes.parents.get(node)
    if isinstance(user, ast.Attribute):
        return user.attr in VIEWS
    if isinstance(user, ast.Subscript) and user.value is node:
        return not isinstance(getattr(user.slice, "v", None), Tensor)
    return isinstance(user, (ast.For, ast.comprehension)) and user.iter is node


def is_whole(module: ModuleInfo, node: ast.expr, depth: int) -> bool:
    """Whether a value is surely no part of another tensor: it was just computed."""
    if isinstance(node, ast.Name) and depth < 3:
        given = list(given_to(module, node.id))
        return bool(given) and all(is_whole(module, value, depth + 1) for value in given)
    if isinstance(node, ast.IfExp):
        return is_whole(module, node.body, depth) and is_whole(module, node.orelse, depth)
    if not isinstance(node, ast.Call):
        return isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare))
    called = getattr(node.func, "v", None)
    name = called_name(node)
    if isinstance(called, Instance):
        return called.name.startswith("torch.nn.") and called.name not in HANDING
    if name in PASSING | LIKE and isinstance(node.func, ast.Attribute):
        return is_whole(module, node.func.value, depth)
    return isinstance(called, (Ref, Method)) and called.name.startswith("torch.") and name not in PARTS | VIEWING


def is_number(module: ModuleInfo, node: ast.expr, depth: int) -> bool:
    """``np.float64(2)``, ``array.mean()``, ``array[0]``, by a name too: numbers of numpy's."""
    if isinstance(node, ast.Name) and depth < 3:
        return any(is_number(module, value, depth + 1) for value in given_to(module, node.id))
    if isinstance(node, ast.Subscript):
        return getattr(node.value, "v", None) == NUMPY and not isinstance(node.slice, (ast.Slice, ast.Tuple))
    if isinstance(node, ast.BinOp):
        return is_number(module, node.left, depth) or is_number(module, node.right, depth)
    return isinstance(node, ast.Call) and getattr(node, "v", None) == NUMPY and called_name(node) in REDUCING


def changed(module: ModuleInfo) -> Iterator[str]:
    """Names of what changes in place anywhere in a file."""
    for node in module.nodes.of(ast.AugAssign):
        yield from outermost(node.target)
    for node in module.nodes.of(ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                yield from outermost(target)
    for node in module.nodes.of(ast.Call):
        name = called_name(node)
        if isinstance(node.func, ast.Attribute) and (name == "fill" or (name.endswith("_") and name[0] != "_")):
            yield from outermost(node.func.value)
        if is_in_place(node) or (isinstance(node.func, ast.Call) and is_in_place(node.func)):
            for part in node.args[:1]:  # nn.ReLU(inplace=True)(x), F.relu(x, inplace=True)
                yield from outermost(part)


def outermost(node: ast.AST) -> Iterator[str]:
    """The name that a chain of attributes, items and calls begins with."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Name):
        yield node.id


def given_to(module: ModuleInfo, name: str) -> Iterator[ast.expr]:
    for node in module.nodes.of(ast.Assign):
        if any(isinstance(target, ast.Name) and target.id == name for target in node.targets):
            yield node.value
