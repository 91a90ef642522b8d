"""What is kept of the tensor that an attribute holds, where arrays do not change: ``hist.append(self.x[0])``.

When ``self.x += 1`` gives the attribute a new array, the object has it; the list, and a class that has x for all of its
objects, have the old one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rewriters.infer.syntax import path_of
from rewriters.infer.values import ClassInfo, ModuleInfo, ObjectOf, Tensor
from rewriters.places.calls import adds_to_container, picks
from rewriters.places.kept_copies import root_of, stored_by_name
from rewriters.text.tree import FUNCTIONS, LOOPS, Nodes, walk


def kept_pieces(module: ModuleInfo) -> dict[str, int]:
    """Attributes of which a file keeps the tensor or a view in something else -> the first such line."""
    found: dict[str, int] = {}
    for name, value in kept(module):
        for part in parts_of(value):
            root = root_of(part)
            if isinstance(root, ast.Attribute) and root.attr != name and may_be_tensor(root) and not is_picked(part):
                found.setdefault(root.attr, part.lineno)
    for name, line in stored_twice(module.nodes):
        found.setdefault(name, line)
    return found


def stored_twice(nodes: Nodes) -> Iterator[tuple[str, int]]:
    """Attributes that are given a tensor which another one is given too, ``self.a = x; self.b = x``: with its line."""
    stores: dict[tuple[ast.AST | None, str], list[tuple[str, int]]] = {}
    for attribute, value, stored in stored_by_name(nodes):
        if isinstance(value, ast.Name) and may_be_tensor(value):
            home = nodes.around(stored, *FUNCTIONS)
            stores.setdefault((home, value.id), []).append((attribute, stored.lineno))
    for (home, name), held in stores.items():
        if len({attribute for attribute, _ in held}) == 1:
            continue
        first, last = min(line for _, line in held), max(line for _, line in held)
        bound = (part for part in nodes.of(ast.Name) if part.id == name and isinstance(part.ctx, ast.Store))
        if not any(first < part.lineno <= last and nodes.around(part, *FUNCTIONS) is home for part in bound):
            for attribute, _ in held:
                yield attribute, next(line for other, line in held if other != attribute)


def is_made_before(root: ast.Attribute, nodes: Nodes) -> bool:
    """Whether the function has just computed what changes, and nobody was given it since: ``self.out = x @ w`` before
    ``self.out += b``."""
    path, node = path_of(root), nodes.around(root, ast.stmt)
    while path is not None and node is not None and not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        around = nodes.parents.get(node)
        blocks = (getattr(around, name, None) for name in ("body", "orelse", "finalbody"))
        block = next((one for one in blocks if isinstance(one, list) and node in one), [])
        for before in reversed(block[: block.index(node)] if block else []):
            if isinstance(before, ast.Assign) and [path_of(target) for target in before.targets] == [path]:
                return isinstance(before.value, ast.BinOp)
            if not isinstance(before, ast.Assign) or gives(before, path, nodes):
                return False
        if isinstance(around, LOOPS) or (isinstance(around, ast.If) and gives(around.test, path, nodes)):
            return False
        node = around if isinstance(around, ast.stmt) else None
    return False


def gives(code: ast.AST, path: str, nodes: Nodes) -> bool:
    """Whether code may hand on what lies under a path: reads it, hands its object on, or calls a method of that."""
    for part in walk(code):
        if isinstance(part, ast.Attribute) and path_of(part) == path:
            return True
        if isinstance(part, ast.Name) and part.id == path.partition(".")[0]:
            around = nodes.parents.get(part)
            called = nodes.parents.get(around) if isinstance(around, ast.Attribute) else None
            if not isinstance(around, ast.Attribute) or (isinstance(called, ast.Call) and called.func is around):
                return True
    return False


def is_read_behind(name: str, call: ast.Call, home: ast.AST) -> bool:
    last = call.end_lineno or call.lineno
    reads = (part for part in walk(home) if isinstance(part, ast.Name) and part.id == name)
    return any(isinstance(part.ctx, ast.Load) and part.lineno > last for part in reads)


def kept(module: ModuleInfo) -> Iterator[tuple[str, ast.expr]]:
    """What is put into containers and under other attributes, and given to callers; of an attribute its name."""
    nodes = module.nodes
    yield from (("", node.value) for node in nodes.of(ast.Return) if node.value is not None)
    for call in nodes.of(ast.Call):
        if adds_to_container(call):
            yield from (("", value) for value in call.args)
    for node in nodes.of(ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Attribute):
                yield target.attr, node.value
            elif isinstance(target, ast.Subscript) and not isinstance(getattr(target.value, "v", None), Tensor):
                yield "", node.value


def parts_of(value: ast.expr) -> list[ast.expr]:
    """A value, or the items of what is written out."""
    items = value.values if isinstance(value, ast.Dict) else getattr(value, "elts", None)
    return [value] if items is None else [part for item in items for part in parts_of(item)]


def may_be_tensor(node: ast.expr) -> bool:
    value = getattr(node, "v", None)
    return isinstance(value, Tensor) and not value.assumed


def is_picked(node: ast.expr) -> bool:
    """Whether elements are picked on the way by a list or a tensor, which gives a copy in torch too."""
    return any(picks(part) for part in walk(node) if isinstance(part, ast.Subscript))


def is_of_class(node: ast.Attribute) -> bool:
    """Whether the class itself has the attribute, a tensor for all of its objects; no method stores one."""
    made = getattr(node.value, "v", None)
    if not isinstance(made, ObjectOf):
        return False
    owners = [one for one in made.info.linear() if isinstance(one, ClassInfo)]
    bound = [target for one in owners for target in bound_in(one.node)]
    stored = (part for one in owners for part in walk(one.node) if isinstance(part, ast.Assign))
    own = any(isinstance(t, ast.Attribute) and t.attr == node.attr for part in stored for t in part.targets)
    return node.attr in bound and not own


def bound_in(node: ast.ClassDef) -> Iterator[str]:
    """Names that a class's body gives values."""
    for statement in node.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets = [statement.target]
        yield from (target.id for target in targets if isinstance(target, ast.Name))
