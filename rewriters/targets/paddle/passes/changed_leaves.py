"""Changes in place of gradients, and of what a state_dict gives; and what is computed of the latter.

In torch these take part in no graph. In Paddle they are leaves that gradients flow to, which it changes under
``paddle.no_grad()`` alone: elsewhere what is changed is ``x.grad.detach()``, in the same memory. What is computed of a
state_dict's tensors would have gradients flow to the parameters.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, TypeGuard

from rewriters.infer.joining import torch_class
from rewriters.infer.values import Bottom, Mapping, Method, ModuleInfo, Ref, Tensor, Unknown
from rewriters.text.tree import called_name, is_in_place, walk

CHANGED = "torch.Tensor.grad:changed"
HELD = "torch.Tensor.grad:held"
STATE = "torch.nn.Module.state_dict:changed"
UNRECORDED = {"no_grad", "inference_mode", "set_grad_enabled"}
SAVED = {"items", "values", "get", "pop", "copy"}
# Give nothing through which a gradient would flow, or a copy of one tensor.
QUIET = {
    "allclose", "clone", "contiguous", "copy_", "cpu", "cuda", "detach", "dim", "element_size", "equal", "get_device",
    "is_tensor", "item", "ndimension", "nelement", "numel", "numpy", "save", "size", "stride", "to", "tolist", "type",
    "is_floating_point", "data_ptr",
}  # fmt: skip


def changed_leaves(module: ModuleInfo) -> dict[ast.AST, str]:
    """The gradients and state_dicts of a module's code that are changed in place, with the rules' keys."""
    found: dict[ast.AST, str] = {}
    parents = module.nodes.parents
    grads = [node for node in module.nodes.of(ast.Attribute) if node.attr == "grad" and is_gradient(node, parents)]
    states = [node for node in module.nodes.of(ast.Call) if is_state(node)]
    if not grads and not states:
        return found
    changed = [node for node in changes(module) if not unrecorded(node, parents)]
    names = {node.id for node in map(root, changed) if isinstance(node, ast.Name)}
    names |= gone_through(module, names)
    found.update((node, CHANGED) for node in changed if node in set(grads))
    for node in module.nodes.of(ast.Attribute):
        if node.attr == "requires_grad" and node.value in set(grads):
            found[node.value] = CHANGED
    for node in grads:
        if isinstance(node.ctx, ast.Load) and node not in found and names & set(kept_as(node, parents, names)):
            found[node] = HELD
    if states:
        used = [node for node in operands(module) if not unrecorded(node, parents)]
        roots = {root(node) for node in (*changed, *used)}
        names |= computed_with(module, used)
        found.update((node, STATE) for node in states if node in roots or names & set(kept_as(node, parents, names)))
    return found


def operands(module: ModuleInfo) -> Iterator[ast.expr]:
    """What is computed with, and what is asked whether it requires a gradient."""
    for node in module.nodes.of(ast.BinOp):
        yield from (node.left, node.right)
    yield from (node.operand for node in module.nodes.of(ast.UnaryOp))
    yield from (node.value for node in module.nodes.of(ast.AugAssign))
    yield from (node.value for node in module.nodes.of(ast.Attribute) if node.attr == "requires_grad")
    for call in module.nodes.of(ast.Call):
        called = getattr(call.func, "v", None)
        if not isinstance(called, (Ref, Method)) or called.name.rpartition(".")[2] in QUIET:
            continue
        of_tensor = called.name.startswith("torch.Tensor.")
        if isinstance(called, Method) and not of_tensor:
            continue
        for part in call.args:
            yield from part.elts if isinstance(part, (ast.List, ast.Tuple)) else [part]
        if of_tensor and isinstance(call.func, ast.Attribute):
            yield call.func.value


def computed_with(module: ModuleInfo, used: list[ast.expr]) -> set[str]:
    """Of these, the names of dicts whose items they are, and of what loops over a dict's items bind."""
    items = {node.id for node in used if isinstance(node, ast.Name)}
    found = {one.id for node in used if (one := root(node)) is not node and is_dict(one)}
    for node in module.nodes.of(ast.Assign):
        target, of = node.targets[0], root(node.value)
        if isinstance(target, ast.Name) and target.id in items and of is not node.value:
            if is_dict(of):
                found.add(of.id)
            elif isinstance(of, ast.Call) and called_name(of) == "state_dict":
                found.add(target.id)
    for loop in module.nodes.of(ast.For, ast.comprehension):
        if isinstance(loop.iter, ast.Call) and called_name(loop.iter) in {"items", "values"}:
            found |= {part.id for part in walk(loop.target) if isinstance(part, ast.Name)} & items
    return found | gone_through(module, found)


def is_gradient(node: ast.Attribute, parents: Any) -> bool:
    """``x.grad`` of a tensor, or of what may be one where a method that changes tensors is called."""
    owner = getattr(node.value, "v", None)
    if isinstance(owner, Tensor):
        return True
    above = parents.get(node)
    is_changed = isinstance(above, ast.Attribute) and is_in_place(above.attr)
    return isinstance(owner, (Unknown, Bottom)) and is_changed


def is_state(node: ast.Call) -> bool:
    """``model.state_dict()``."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "state_dict" or node.args or node.keywords:
        return False
    kind = torch_class(getattr(node.func.value, "v", None))  # type: ignore[arg-type]
    return kind is not None and not kind.startswith("torch.optim.")


def changes(module: ModuleInfo) -> Iterator[ast.expr]:
    """The expressions whose tensors are changed in place."""
    for node in module.nodes.of(ast.Call):
        func = node.func
        name = func.attr if isinstance(func, ast.Attribute) else ""
        if isinstance(func, ast.Attribute) and is_in_place(name):
            called = getattr(func, "v", None)
            if not isinstance(called, Ref):
                yield func.value
            elif node.args:
                first = node.args[0]
                yield from first.elts if isinstance(first, (ast.List, ast.Tuple)) else [first]
        yield from (word.value for word in node.keywords if word.arg == "out")
    for node in module.nodes.of(ast.AugAssign):
        yield node.target.value if isinstance(node.target, ast.Subscript) else node.target
        yield node.target
    for node in module.nodes.of(ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                yield target.value


def is_dict(node: ast.expr) -> TypeGuard[ast.Name]:
    """Whether it is a name of a dict, or of what may be one."""
    return isinstance(node, ast.Name) and isinstance(getattr(node, "v", None), (Mapping, Unknown, Bottom))


def gone_through(module: ModuleInfo, names: set[str]) -> set[str]:
    """Of ``for one in grads`` and ``for p, one in zip(ps, grads)``, ``grads``, where ``one`` is among the names."""
    found: set[str] = set()
    for loop in module.nodes.of(ast.For, ast.comprehension):
        if any(isinstance(part, ast.Name) and part.id in names for part in walk(loop.target)):
            called = loop.iter if isinstance(loop.iter, ast.Call) else None
            sources = [loop.iter, *(called.args if called else ())]
            found |= {one.id for one in map(root, sources) if isinstance(one, ast.Name)}
    return found


def root(node: ast.expr) -> ast.expr:
    """What an item, or an item's, is of: ``state`` of ``state[k]``, the call of ``m.state_dict()[k]``."""
    while True:
        if isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SAVED:
            node = node.func.value
        else:
            return node


def unrecorded(node: ast.AST, parents: Any) -> bool:
    """Whether it runs under ``torch.no_grad()``, as far as the function around it says."""
    above = parents.get(node)
    while above is not None:
        asked: list[ast.expr] = []
        if isinstance(above, (ast.With, ast.AsyncWith)):
            asked = [item.context_expr for item in above.items]
        elif isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef)):
            asked = above.decorator_list
        for one in asked:
            named = one.func if isinstance(one, ast.Call) else one
            if (named.attr if isinstance(named, ast.Attribute) else getattr(named, "id", "")) in UNRECORDED:
                return True
        if isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return False
        above = parents.get(above)
    return False


def kept_as(node: ast.expr, parents: Any, names: set[str]) -> Iterator[str]:
    """The names under which it, or a container that it is put into, is found: any, where it is handed on."""
    above: ast.AST | None = parents.get(node)
    below: ast.AST = node
    while above is not None:
        if isinstance(above, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
            for target in above.targets if isinstance(above, ast.Assign) else [above.target]:
                yield from (part.id for part in walk(target) if isinstance(part, ast.Name))
                if not isinstance(target, ast.Name):
                    yield from names
            return
        if isinstance(above, (ast.For, ast.comprehension)):
            if below is above.iter:
                yield from (part.id for part in walk(above.target) if isinstance(part, ast.Name))
            if below is not above.iter or isinstance(above, ast.For):
                return
        if isinstance(above, ast.Call) and below is not above.func and called_name(above) != "deepcopy":
            called = getattr(above.func, "v", None)
            if called_name(above) != "load_state_dict" and (not isinstance(called, Ref) or "_foreach" in called.name):
                yield from names
            return
        if isinstance(above, (ast.Return, ast.Yield, ast.Lambda)):
            yield from names
            return
        if isinstance(above, ast.Attribute) and above.attr not in SAVED:
            return
        if isinstance(above, (ast.stmt, ast.BinOp, ast.UnaryOp, ast.Compare)):
            return
        if isinstance(above, ast.IfExp) and below is above.test:
            return
        below, above = above, parents.get(above)
