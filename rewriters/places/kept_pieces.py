"""What is kept of the tensor that an attribute holds, where arrays do not change: ``hist.append(self.x[0])``.

When ``self.x += 1`` gives the attribute a new array, the object has it; the list, and a class that has x for all of its
objects, have the old one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rewriters.infer.values import ClassInfo, ModuleInfo, ObjectOf, Series, Tensor
from rewriters.places.calls import adds_to_container
from rewriters.places.kept_copies import root_of
from rewriters.text.tree import walk


def kept_pieces(module: ModuleInfo) -> dict[str, int]:
    """Attributes of which a file keeps the tensor or a view in something else -> the first such line."""
    found: dict[str, int] = {}
    for name, value in kept(module):
        for part in parts_of(value):
            root = root_of(part)
            if isinstance(root, ast.Attribute) and root.attr != name and may_be_tensor(root) and not is_picked(part):
                found.setdefault(root.attr, part.lineno)
    return found


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
    indices = (part.slice for part in walk(node) if isinstance(part, ast.Subscript))
    parts = (part for index in indices for part in (index.elts if isinstance(index, ast.Tuple) else [index]))
    return any(isinstance(getattr(part, "v", None), (Tensor, Series)) or isinstance(part, ast.List) for part in parts)


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
