"""Gradients that code keeps while they are cleared: ``grads = [p.grad for p in ps]; opt.zero_grad(); use(grads)``.

Torch's parameter lets go of its gradient. Paddle's ``clear_grad`` empties the memory, and whoever holds the gradient
holds nothing; assigning another one writes it into that memory. What is kept is a view, then: it keeps the memory.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

from rewriters.infer import Project
from rewriters.infer.syntax import all_arguments
from rewriters.infer.values import Bottom, FunctionOf, ModuleInfo, Plain, Tensor, Unknown
from rewriters.places.accesses import Accesses
from rewriters.places.calls import ADDING
from rewriters.places.lookup import body_of
from rewriters.places.whole import whole
from rewriters.targets.paddle.passes.changed_leaves import HELD
from rewriters.text.tree import called_name, walk

BODIES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)
CLEARING = {"zero_grad", "clear_gradient"}
HANDING_BACK = {"list", "tuple", "dict", "zip", "enumerate", "reversed", "iter", "next"}
STORED, STORED_OF_ANY = "torch.Tensor.grad=:held", "torch.Tensor.grad=:unknown"
MAY_BE_TENSOR = (Tensor, Unknown, Bottom)
VIEWS = {
    "detach", "view", "view_as", "reshape", "narrow", "select", "unsqueeze", "squeeze", "flatten", "t", "transpose",
    "requires_grad_",
}  # fmt: skip
AWAY = ""  # the name of what is found by others than a name of the function


def kept_gradients(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """Reads of ``x.grad`` that somebody holds when gradients are cleared, and stores of others, with rules' keys."""
    nodes = module.nodes
    found: dict[ast.AST, str] = {}
    found.update((node, key_of_store(node)) for node in stores_of(module) if is_held_besides(node, module))
    reads = [node for node in nodes.of(ast.Attribute) if node.attr == "grad" and is_read(node)]
    kept = [(node, names) for node in reads if (names := set(holders(node, nodes.parents)))]
    if not kept:
        return found
    clearing = clearing_functions(project)
    holding = len(found)
    known: dict[ast.AST, tuple[list[ast.stmt], Accesses]] = {}
    for node, names in kept:
        home = nodes.around(node, *BODIES) or module.tree
        if home not in known:
            accesses = Accesses.of(body_of(home))
            known[home] = ([one for one in accesses.around if clears_itself(one, clearing)], accesses)
        events, accesses = known[home]
        away = AWAY in names and bool(clearing or events)
        if away or any(accesses.later_read(name, event, frozenset()) for name in names for event in events):
            found[node] = HELD
    if len(found) > holding:
        found.update((node, key_of_store(node)) for node in stores_of(module))
    return found


def stores_of(module: ModuleInfo) -> list[ast.Assign]:
    return [node for node in module.nodes.of(ast.Assign) if is_store(node)]


def key_of_store(node: ast.Assign) -> str:
    of = getattr(node.targets[0], "value", None)
    return STORED if isinstance(getattr(of, "v", None), Tensor) else STORED_OF_ANY


def is_held_besides(node: ast.Assign, module: ModuleInfo) -> bool:
    """``p.grad = flat[2:4]``: whether ``flat`` may be read afterwards, to which torch adds what is added to the
    gradient.
    """
    target, nodes = node.targets[0], module.nodes
    if not (isinstance(target, ast.Attribute) and isinstance(getattr(target.value, "v", None), MAY_BE_TENSOR)):
        return False
    if not any(called_name(call) == "backward" or clears(call) for call in nodes.of(ast.Call)):
        return False
    root = whole(node.value, VIEWS)
    if isinstance(root, ast.Attribute):
        return True
    if not isinstance(root, ast.Name):
        return False
    home = nodes.around(node, *BODIES) or module.tree
    names, spare = {root.id}, set(walk(node))
    for loop in nodes.all_around(node, ast.For):
        assert isinstance(loop, ast.For)
        if names & set(bound(loop.target)):
            spare.update(walk(loop.iter))
            names |= {part.id for one in given_to(loop, names) for part in walk(one) if isinstance(part, ast.Name)}
    if isinstance(home, (ast.FunctionDef, ast.AsyncFunctionDef)) and names & {
        one.arg for one in all_arguments(home.args)
    }:
        return True
    accesses = Accesses.of(body_of(home))
    return any(accesses.later_read(name, node, frozenset(spare)) for name in names)


def given_to(loop: ast.For, names: set[str]) -> list[ast.expr]:
    """What names of a loop's are taken of: of ``for p, g in zip(ps, grads)`` and ``g``, ``grads``."""
    call = loop.iter if isinstance(loop.iter, ast.Call) else None
    if call is None or called_name(call) != "zip" or not isinstance(loop.target, ast.Tuple):
        return [loop.iter]
    pairs = zip(loop.target.elts, call.args, strict=False)
    return [given for part, given in pairs if names & set(bound(part))]


def is_store(node: ast.Assign) -> bool:
    """``x.grad = y``; that of None clears."""
    (target, *others) = node.targets
    given = getattr(node.value, "value", node.value)
    return not others and isinstance(target, ast.Attribute) and target.attr == "grad" and given is not None


def is_read(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Load) and isinstance(getattr(node.value, "v", None), MAY_BE_TENSOR)


def clearing_functions(project: Project) -> set[str]:
    """Names of the project's functions that clear gradients, or call one that does."""
    if project in _clearing:
        return _clearing[project]
    calls: dict[str, list[tuple[ModuleInfo, ast.Call]]] = {}
    found: set[str] = set()
    for module in project.modules.values():
        for node in module.nodes.of(ast.Call, ast.Attribute):
            if clears(node):
                found |= functions_around(module, node)
            if isinstance(node, ast.Call):
                calls.setdefault(called_name(node), []).append((module, node))
    waiting = list(found)
    while waiting:
        more = set().union(*(functions_around(*call) for call in calls.pop(waiting.pop(), ()))) - found
        found |= more
        waiting += more
    _clearing[project] = found
    return found


# Found once for all files of a project.
_clearing: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()


def functions_around(module: ModuleInfo, node: ast.AST) -> set[str]:
    """Names of the functions that a node stands in."""
    around: Iterator[Any] = module.nodes.all_around(node, ast.FunctionDef, ast.AsyncFunctionDef)
    return {function.name for function in around}


def clears(node: ast.AST) -> bool:
    """``opt.zero_grad()``, ``x.grad = None``."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr in CLEARING
    return isinstance(node, ast.Attribute) and node.attr == "grad" and not isinstance(node.ctx, ast.Load)


def clears_itself(statement: ast.stmt, clearing: set[str]) -> bool:
    """Whether a statement, those in it aside, clears gradients or calls a function that does."""
    waiting = [part for part in ast.iter_child_nodes(statement) if not isinstance(part, ast.stmt)]
    parts = [part for one in waiting for part in walk(one)]
    return any(clears(part) or (isinstance(part, ast.Call) and called_name(part) in clearing) for part in parts)


def holders(node: ast.expr, parents: Any) -> Iterator[str]:
    """Names under which the value, or a container that it is put into, is found afterwards."""
    below: ast.AST = node
    above = parents.get(node)
    while above is not None:
        if isinstance(above, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
            for target in above.targets if isinstance(above, ast.Assign) else [above.target]:
                yield from bound(target)
            return
        if isinstance(above, ast.For) or (isinstance(above, ast.comprehension) and below is above.iter):
            yield from bound(above.target) if below is above.iter else ()
            return
        if isinstance(above, ast.Call) and below is not above.func:
            if isinstance(getattr(above.func, "v", None), FunctionOf):
                yield AWAY
                return
            if isinstance(above.func, ast.Attribute) and above.func.attr in ADDING:
                yield root_name(above.func.value)
                return
            if not is_handing_back(above.func):
                return
        elif isinstance(above, (ast.Return, ast.Yield, ast.Lambda)):
            yield AWAY
            return
        elif not hands_up(above, below):
            return
        below, above = above, parents.get(above)


def hands_up(above: ast.AST, below: ast.AST) -> bool:
    """Whether a node's value may be, or hold, that of a node in it."""
    if isinstance(above, ast.Attribute):
        return above.attr in {"items", "values"}
    if isinstance(above, ast.IfExp):
        return below is not above.test
    if isinstance(above, ast.Subscript):
        return below is above.value
    nothing = (ast.stmt, ast.BinOp, ast.UnaryOp, ast.Compare, ast.comprehension, ast.JoinedStr)
    return not isinstance(above, nothing)


def is_handing_back(func: ast.expr) -> bool:
    value = getattr(func, "v", None)
    if isinstance(func, ast.Attribute):
        return func.attr in {"items", "values"}
    return isinstance(func, ast.Name) and func.id in HANDING_BACK and isinstance(value, Plain)


def bound(target: ast.expr) -> Iterator[str]:
    if isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from bound(part)
    elif isinstance(target, ast.Starred):
        yield from bound(target.value)
    elif not (isinstance(target, ast.Attribute) and target.attr == "grad"):
        yield root_name(target)


def root_name(node: ast.expr) -> str:
    """Of ``held[k]``, ``held``; of an attribute others may hold it."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else AWAY
