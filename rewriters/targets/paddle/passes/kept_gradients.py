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
from rewriters.infer.values import Bottom, FunctionOf, ModuleInfo, Plain, Tensor, Unknown
from rewriters.places.accesses import Accesses
from rewriters.places.calls import ADDING
from rewriters.places.lookup import body_of
from rewriters.targets.paddle.passes.changed_leaves import HELD
from rewriters.text.tree import called_name, walk

BODIES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)
CLEARING = {"zero_grad", "clear_gradient"}
HANDING_BACK = {"list", "tuple", "dict", "zip", "enumerate", "reversed", "iter", "next"}
STORED = "torch.Tensor.grad=:held"
AWAY = ""  # the name of what is found by others than a name of the function


def kept_gradients(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """Reads of ``x.grad`` that somebody holds when gradients are cleared, and stores of others, with rules' keys."""
    nodes = module.nodes
    reads = [node for node in nodes.of(ast.Attribute) if node.attr == "grad" and is_read(node)]
    kept = [(node, names) for node in reads if (names := set(holders(node, nodes.parents)))]
    if not kept:
        return {}
    clearing = clearing_functions(project)
    found: dict[ast.AST, str] = {}
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
    if found:
        stores = (node for node in nodes.of(ast.Assign) if is_store(node))
        found.update(dict.fromkeys(stores, STORED))
    return found


def is_store(node: ast.Assign) -> bool:
    """``x.grad = y``; that of None clears."""
    (target, *others) = node.targets
    given = getattr(node.value, "value", node.value)
    return not others and isinstance(target, ast.Attribute) and target.attr == "grad" and given is not None


def is_read(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Load) and isinstance(getattr(node.value, "v", None), (Tensor, Unknown, Bottom))


def clearing_functions(project: Project) -> set[str]:
    """Names of the project's functions that clear gradients, or call one that does."""
    if project in _clearing:
        return _clearing[project]
    functions = [node for m in project.modules.values() for node in m.nodes.of(ast.FunctionDef, ast.AsyncFunctionDef)]
    inside = {node: calls_in(node) for node in functions}
    found = {node.name for node in functions if any(clears(part) for part in walk(node))}
    while True:
        more = {node.name for node, called in inside.items() if called & found} - found
        if not more:
            break
        found |= more
    _clearing[project] = found
    return found


# Found once for all files of a project.
_clearing: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()


def calls_in(node: ast.AST) -> set[str]:
    return {called_name(part) for part in walk(node) if isinstance(part, ast.Call)}


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
