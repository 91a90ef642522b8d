"""Joining what may be an empty vector: torch passes over one, of whatever rank the others are.

``kept = torch.tensor([])``, and later ``kept = torch.cat([kept, x])``. Where a file makes such a vector, what joins a
thing of a name that it is given, directly or by way of other names, lists and functions of the file, or a list that is
made elsewhere, looks for it at run time.
"""

from __future__ import annotations

import ast

from rewriters.infer.values import ModuleInfo, Ref, Tensor
from rewriters.text.tree import Nodes, last_name

JOINING = {"torch.cat", "torch.concat", "torch.concatenate"}
# What an expression stands in where its value, or what holds it, becomes the value of the whole.
HANDING_ON = (ast.List, ast.Tuple, ast.ListComp, ast.GeneratorExp, ast.IfExp, ast.BinOp, ast.Starred)
PUTTING = {"append", "appendleft", "insert", "extend"}


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
    begun = [receivers(node, module.nodes) for node in empties]
    names = named_after({name for found in begun for name in found}, module.nodes)
    elsewhere = any(not found for found in begun)
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


def receivers(node: ast.expr, nodes: Nodes) -> list[str]:
    """The names that an expression's value is given: of variables and attributes, of lists that it is put into, of the
    function that gives it back.
    """
    inner: ast.AST = node
    around = nodes.parents.get(node)
    while isinstance(around, HANDING_ON) or (isinstance(around, ast.Call) and method(around) in PUTTING):
        if isinstance(around, ast.Call):
            return [name_within(around.func.value)] if inner in around.args else []  # type: ignore[attr-defined]
        inner, around = around, nodes.parents.get(around)
    if isinstance(around, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        targets = around.targets if isinstance(around, ast.Assign) else [around.target]
        return [name for target in targets if (name := name_within(target))]
    if isinstance(around, (ast.Return, ast.Yield)):
        functions = [one for one in nodes.all_around(around, ast.FunctionDef) if isinstance(one, ast.FunctionDef)]
        return [functions[0].name] if functions else []
    return []


def named_after(names: set[str], nodes: Nodes) -> set[str]:
    """These names, and those that get their values in turn."""
    found, new = set(names), set(names)
    given = [(one, set(receivers(one, nodes))) for one in nodes.of(ast.Name, ast.Attribute, ast.Call, ast.Subscript)]
    while new:
        new = {name for one, to in given if name_within(one) in new for name in to} - found
        found |= new
    return found


def method(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


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
