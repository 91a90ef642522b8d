"""Lists and dicts of tensors that a program trains by themselves, and that have no names of their own:
``ws = [torch.zeros(3, requires_grad=True), ...]``, ``p = {"w": torch.zeros(3, requires_grad=True)}``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from rewriters.infer.leaves import Key, begins, gathered, is_one_of, is_parameter, key_of, leaves_in, making, pairs_of
from rewriters.infer.values import Ref
from rewriters.text.tree import Nodes, walk

# Of dicts, what loops go through.
THROUGH = {"values", "items"}


@lru_cache(maxsize=4)
def containers_in(nodes: Nodes) -> dict[Key, list[ast.expr]]:
    """(function, name) of each -> what its items are made of; bound once, and handed to an optimizer, or asked for the
    gradients of its items."""
    found: dict[Key, list[ast.expr]] = {}
    appended: dict[Key, list[ast.expr]] = {}
    for call in nodes.of(ast.Call):
        held = call.func.value if isinstance(call.func, ast.Attribute) and call.func.attr == "append" else None
        if isinstance(held, ast.Name):
            appended.setdefault(key_of(held, nodes), []).extend(call.args)
    for made in nodes.of(ast.Assign):
        name = made.targets[0]
        if len(made.targets) > 1 or not isinstance(name, ast.Name):
            continue
        key = key_of(name, nodes)
        items = written_out(made.value) + (appended.get(key, []) if is_list(made.value) else [])
        if items and all(map(begins, items)):
            found[key] = items
    if not found:
        return found
    stored = [key_of(name, nodes) for name in nodes.of(ast.Name) if not isinstance(name.ctx, ast.Load)]
    for part in nodes.of(ast.Subscript):  # what is stored there is no holder of a parameter
        anew = not isinstance(part.ctx, ast.Load) and not isinstance(nodes.parents.get(part), ast.AugAssign)
        if anew and isinstance(part.value, ast.Name):
            stored.append(key_of(part.value, nodes))
    moved, taken = set(trained(nodes)), set(differentiated(nodes))
    return {key: items for key, items in found.items() if stored.count(key) == 1 and key in moved - taken}


def written_out(value: ast.expr) -> list[ast.expr]:
    """The items of a list, a tuple or a dict, or the one of a comprehension."""
    if isinstance(value, (ast.List, ast.Tuple)):
        return value.elts
    if isinstance(value, ast.Dict):
        return value.values
    if isinstance(value, ast.ListComp):
        return [value.elt]
    return [value.value] if isinstance(value, ast.DictComp) else []


def is_list(value: ast.expr) -> bool:
    return isinstance(value, (ast.List, ast.ListComp)) or (
        isinstance(value, ast.Call) and getattr(value.func, "id", "") == "list" and not value.args
    )


def trained(nodes: Nodes) -> Iterator[Key]:
    """Names that optimizers are given, and those of whose items gradients are read."""
    for call in nodes.of(ast.Call):
        value = getattr(call.func, "v", None)
        if isinstance(value, Ref) and value.name.startswith("torch.optim."):
            yield from (key_of(part, nodes) for part in walk(call) if isinstance(part, ast.Name))
    for read in nodes.of(ast.Attribute):
        held = read.value
        if read.attr != "grad":
            continue
        if isinstance(held, ast.Subscript) and isinstance(held.value, ast.Name):
            yield key_of(held.value, nodes)
        for loop in nodes.all_around(read, ast.For) if isinstance(held, ast.Name) else ():
            for target, given in pairs_of(loop.target, loop.iter):  # type: ignore[attr-defined]
                if any(isinstance(part, ast.Name) and part.id == held.id for part in walk(target)):
                    yield from (key_of(part, nodes) for part in walk(given) if isinstance(part, ast.Name))


def differentiated(nodes: Nodes) -> Iterator[Key]:
    """Names of which gradients are taken one by one, as values."""
    for call in nodes.of(ast.Call):
        if getattr(call.func, "v", None) == Ref("torch.autograd.grad"):
            yield from (key_of(part, nodes) for part in walk(call) if isinstance(part, ast.Name))


def gone_through(given: ast.expr) -> ast.Name | None:
    """The name of what a loop goes through: ``ws``, ``p.values()``."""
    if isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute) and given.func.attr in THROUGH:
        given = given.func.value
    return given if isinstance(given, ast.Name) else None


def is_container(node: ast.AST, nodes: Nodes) -> bool:
    """Whether it is such a name, also in a function that reads it from its file."""
    return isinstance(node, ast.Name) and is_one_of(node, containers_in(nodes), nodes)


def holds_leaves(node: ast.AST, nodes: Nodes) -> bool:
    """Whether it is the name of a list, a tuple or a dict of tensors that are trained by themselves."""
    return is_container(node, nodes) or gathered(node, nodes)


def has_leaves(nodes: Nodes) -> bool:
    """Whether a file has tensors that are trained by themselves under names."""
    return bool(leaves_in(nodes) or containers_in(nodes))


def all_made(nodes: Nodes, every: bool = False) -> Iterator[ast.expr]:
    """As ``making``, with those that lists and dicts hold."""
    yield from making(nodes, every)
    for items in containers_in(nodes).values():
        yield from (item for item in items if every or not is_parameter(item))
