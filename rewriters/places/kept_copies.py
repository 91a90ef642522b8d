"""Copies that objects keep beside what torch makes them views of: ``self.parts = self.flat.split(sizes)``.

Whoever changes the one, anywhere in the project, changes the other in torch.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from rewriters.source.effects import effects_of
from rewriters.tree import walk
from rewriters.values import ModuleInfo

BODIES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)


def kept_copies(modules: Iterable[ModuleInfo], may_copy: Callable[[ast.Call], bool]) -> dict[ast.Call, str]:
    """Calls that make such copies, each with the attribute that changes in place.

    may_copy: whether a call gives a copy of what shares memory in torch.
    """
    modules = list(modules)
    pairs = [pair for module in modules for pair in kept(module, may_copy)]
    if not pairs:
        return {}
    changed = {name for module in modules for name in changed_attributes(module)}
    return {call: min(names & changed) for call, names in pairs if names & changed}


def kept(module: ModuleInfo, may_copy: Callable[[ast.Call], bool]) -> Iterator[tuple[ast.Call, set[str]]]:
    """Calls whose result an attribute keeps, with the names of that attribute and of what holds their base."""
    for statement in module.nodes.of(ast.Assign, ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        parts = (part for target in targets for part in walk(target))
        names = {part.attr for part in parts if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)}
        if not names or statement.value is None:
            continue
        for call in walk(statement.value):
            if isinstance(call, ast.Call) and may_copy(call):
                bases = [*call.args[:1], *([call.func.value] if isinstance(call.func, ast.Attribute) else [])]
                owners = {name for base in bases for name in attributes_of(base, statement, module)}
                if owners:
                    yield call, names | owners


def attributes_of(base: ast.expr, statement: ast.stmt, module: ModuleInfo) -> set[str]:
    """The attribute that an expression is, or lies in; of a name, those that its function stores it under."""
    root = root_of(base)
    if isinstance(root, ast.Attribute):
        return {root.attr}
    if not isinstance(root, ast.Name):
        return set()
    home = module.nodes.around(statement, *BODIES) or module.tree
    stores = (part for part in walk(home) if isinstance(part, ast.Assign) and root_of(part.value, root.id))
    return {target.attr for store in stores for target in store.targets if isinstance(target, ast.Attribute)}


def root_of(node: ast.expr, name: str = "") -> ast.expr | None:
    """What items and views are of; with a name, None where that is not it."""
    while True:
        if isinstance(node, (ast.Subscript, ast.Starred)):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_view(node.func.attr):
            node = node.func.value
        else:
            break
    return node if not name or (isinstance(node, ast.Name) and node.id == name) else None


def is_view(name: str) -> bool:
    schema = effects_of(f"torch.Tensor.{name}")
    return schema is not None and bool(schema.aliases)


def changed_attributes(module: ModuleInfo) -> Iterator[str]:
    """Names of attributes in which something changes in place, also by the name that a loop gives their items."""
    nodes = module.nodes
    changed: list[ast.expr] = [node.target for node in nodes.of(ast.AugAssign)]
    changed += [node.value for node in nodes.of(ast.Subscript) if isinstance(node.ctx, ast.Store)]
    for node in nodes.of(ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr.endswith("_"):
            changed.append(node.func.value)
    roots = [root_of(node) for node in changed]
    names = {root.id for root in roots if isinstance(root, ast.Name)}
    for loop in nodes.of(ast.For, ast.comprehension):
        if any(isinstance(part, ast.Name) and part.id in names for part in walk(loop.target)):
            called = loop.iter.args if isinstance(loop.iter, ast.Call) else ()
            roots += [root_of(node) for node in (loop.iter, *called)]
    yield from (root.attr for root in roots if isinstance(root, ast.Attribute))
