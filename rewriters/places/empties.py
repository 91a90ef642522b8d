"""Joining what may be an empty vector: torch passes over one, of whatever rank the others are.

``kept = torch.tensor([])``, and later ``kept = torch.cat([kept, x])``. Where a file makes such a vector, what joins a
thing of that name, or a list that is made elsewhere, looks for it at run time.
"""

from __future__ import annotations

import ast

from rewriters.infer.values import ModuleInfo, Ref, Tensor
from rewriters.text.tree import last_name

JOINING = {"torch.cat", "torch.concat", "torch.concatenate"}


def keys(module: ModuleInfo) -> dict[ast.AST, str]:
    """Calls of a file that are converted by the rule that looks, with its key."""
    joins = {
        node: called.name
        for node in module.nodes.of(ast.Call)
        if isinstance(called := getattr(node.func, "v", None), Ref) and called.name in JOINING and not is_known(node)
    }
    empties = [node for node in module.nodes.of(ast.Call) if makes_empty(node)] if joins else []
    if not empties:
        return {}
    around = [module.nodes.parents.get(node) for node in empties]
    names = {name for node in around for name in bound_by(node)}
    elsewhere = any(not bound_by(node) for node in around)
    found = {}
    for node, name in joins.items():
        parts = joined(node)
        if elsewhere if parts is None else any(name_within(part) in names for part in parts):
            found[node] = f"{name}:empties"
    return found


def joined(node: ast.Call) -> list[ast.expr] | None:
    """What is joined, None where the list is not written there."""
    first = node.args[0] if node.args else node.keywords[0].value if node.keywords else None
    return first.elts if isinstance(first, (ast.List, ast.Tuple)) else None


def is_known(node: ast.Call) -> bool:
    """Whether the ranks of all that is joined are known, and the same."""
    values = [getattr(item, "v", None) for item in joined(node) or ()]
    ranks = {value.ndim if isinstance(value, Tensor) else None for value in values}
    return len(ranks) == 1 and None not in ranks


def bound_by(node: ast.AST | None) -> list[str]:
    """The names and attributes that a statement assigns to."""
    if not isinstance(node, (ast.Assign, ast.AnnAssign)):
        return []
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [name for target in targets if (name := name_within(target))]


def name_within(node: ast.expr) -> str:
    """The last name in ``x.parts()[0]``."""
    while isinstance(node, (ast.Subscript, ast.Call)):
        node = node.value if isinstance(node, ast.Subscript) else node.func
    return last_name(node)


def makes_empty(node: ast.Call) -> bool:
    """``torch.tensor([])``, ``torch.Tensor()``, ``torch.empty(0)``."""
    called = getattr(node.func, "v", None)
    name = called.name.rpartition(".")[2] if isinstance(called, Ref) and called.name.startswith("torch.") else ""
    if name in {"tensor", "as_tensor"} or name.endswith("Tensor"):
        return not node.args or is_empty_list(node.args[0])
    if name in {"empty", "zeros", "ones", "full"}:
        return bool(node.args) and all(map(is_nothing, sizes(node, name)))
    return False


def sizes(node: ast.Call, name: str) -> list[ast.expr]:
    given = node.args[:1] if name == "full" else node.args
    if len(given) == 1 and isinstance(given[0], (ast.Tuple, ast.List)):
        return given[0].elts or given
    return given


def is_empty_list(node: ast.expr) -> bool:
    return isinstance(node, (ast.List, ast.Tuple)) and not node.elts


def is_nothing(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0
