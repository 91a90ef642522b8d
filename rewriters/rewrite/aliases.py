"""Names that stand for what a list or a dict holds: ``m = state["m"]``, ``for p, m in zip(params, self.m)``. Where
arrays do not change, what becomes of such a name is stored there, too.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from rewriters.infer.syntax import path_of
from rewriters.infer.values import Mapping, Ref, Tensor
from rewriters.members.items import is_item
from rewriters.places.changed_by_calls import changed_in as changed_by_call
from rewriters.rewrite.resolving import value_at
from rewriters.text.source_text import Source
from rewriters.text.tree import LOOPS, Nodes, called_name, children, given_to, is_in_place, walk

NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
STILL = {"torch.Tensor.requires_grad_", "torch.Tensor.detach_"}
PLACE = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.expr_context)


@dataclass
class Bindings:
    """Of a function, or of a file's statements: name -> where it is bound; texts of items that are stored."""

    names: dict[str, list[ast.AST]] = field(default_factory=dict)
    items: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Turns:
    """A loop over lists: the name that counts its turns, "" where there is none yet; name -> the list it is of."""

    index: str
    lists: dict[str, str]


class Aliases:
    """Of one file."""

    def __init__(self, source: Source) -> None:
        self.source, self.nodes = source, source.nodes
        self.known: dict[ast.AST, Bindings] = {}
        self.counted: dict[ast.For, str] = {}

    def place(self, node: ast.AST) -> str:
        """The item that a name stands for when something becomes of it; "" where it is none, or not known to be."""
        if not isinstance(node, ast.Name):
            return ""
        bound = self.bindings(node)
        stores = bound.names.get(node.id, [])
        if (loop := self.loop_of(node)) is not None:
            turns = turns_of(loop) if self.is_bound_by(loop, node.id, bound) else None
            index = self.counted.get(loop, turns.index) if turns is not None else ""
            alone = loop in self.counted or self.is_bound_by(loop, index, bound)
            return f"{turns.lists[node.id]}[{index}]" if turns and index and alone and node.id in turns.lists else ""
        if len(stores) != 1 or not isinstance(stores[0], ast.Name):
            return ""
        made = self.nodes.parents.get(stores[0])
        while isinstance(made, (ast.Tuple, ast.List)):
            made = self.nodes.parents.get(made)
        return self.of_assignment(node, stores[0], made, bound) if isinstance(made, ast.Assign) else ""

    def loop_of(self, node: ast.Name) -> ast.For | None:
        """The innermost loop that a name stands in and is bound by."""
        for loop in self.nodes.all_around(node, ast.For):
            inside = isinstance(loop, ast.For) and is_inside(node, loop, self.nodes)
            if inside and any(getattr(part, "id", "") == node.id for part in walk(loop.target)):  # type: ignore[attr-defined]
                return loop  # type: ignore[return-value]
        return None

    def is_bound_by(self, loop: ast.For, name: str, bound: Bindings) -> bool:
        """Whether a name is bound by a loop alone, as far as the loop goes."""
        within = [one for one in bound.names.get(name, []) if loop in self.nodes.all_around(one, ast.For)]
        return len(within) == 1 and within[0] in walk(loop.target)

    def of_assignment(self, node: ast.Name, store: ast.Name, made: ast.Assign, bound: Bindings) -> str:
        value = given_to(store, made)
        if not isinstance(value, ast.Subscript) or not all(isinstance(part, PLACE) for part in walk(value)):
            return ""
        if isinstance(value_at(value.value), Tensor) or node.lineno <= made.lineno:
            return ""
        loop = self.nodes.around(made, *LOOPS)
        if loop is not None and loop not in list(self.nodes.all_around(node, *LOOPS)):
            return ""
        roots = {part.id for part in walk(value) if isinstance(part, ast.Name)}
        if any(len(bound.names.get(root, [])) > 1 for root in roots):
            return ""
        if bound.items.get(ast.unparse(value), 0) > made.lineno:
            return ""
        return self.source.text(value, [])

    def bindings(self, node: ast.AST) -> Bindings:
        home = self.nodes.around(node, *NESTED) or self.source.tree
        if home not in self.known:
            self.known[home] = bindings_of(home)
        return self.known[home]

    def count(self, node: ast.For) -> None:
        """Have a loop count its turns where something becomes of what one of its names stands for."""
        turns = turns_of(node)
        if turns is None or turns.index or not any(self.becomes_other(node, name) for name in turns.lists):
            return
        taken = {part.id for part in self.nodes.of(ast.Name)}
        index = next(name for name in ("index", *(f"index{n}" for n in range(2, 99))) if name not in taken)
        self.counted[node] = index
        start, end = self.source.start(node.target), self.source.end(node.target)
        bare = isinstance(node.target, ast.Tuple) and self.source.text(node.target, [])[:1] != "("
        self.source.edit(start, start, f"{index}, {'(' if bare else ''}")
        if bare:
            self.source.edit(end, end, ")")
        self.source.edit(self.source.start(node.iter), self.source.start(node.iter), "enumerate(")
        self.source.edit(self.source.end(node.iter), self.source.end(node.iter), ")")

    def becomes_other(self, loop: ast.For, name: str) -> bool:
        """Whether a tensor by this name changes in place in a loop, and is no parameter, which is written to."""
        for statement in loop.body:
            for part in walk(statement):
                root = changed_in(part)
                if root is not None and root.id == name and not is_item(root, self.nodes):
                    sure = isinstance(value_at(root), Tensor) or is_rebinding(part)
                    if sure and self.is_bound_by(loop, name, self.bindings(root)):
                        return True
        return False


def bindings_of(home: ast.AST) -> Bindings:
    found = Bindings()
    arguments = getattr(home, "args", None)
    for part in walk(arguments) if arguments is not None else ():
        if isinstance(part, ast.arg):
            found.names.setdefault(part.arg, []).append(part)
    stack = children(home)
    while stack:
        part = stack.pop()
        if isinstance(part, (ast.Global, ast.Nonlocal)):
            for name in part.names:
                found.names.setdefault(name, []).extend([part, part])
        if isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name):
            stack.append(part.value)
            continue
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            found.names.setdefault(part.id, []).append(part)
        if isinstance(part, ast.Subscript) and not isinstance(part.ctx, ast.Load):
            text = ast.unparse(part)
            found.items[text] = max(part.lineno, found.items.get(text, 0))
        if not isinstance(part, NESTED):
            stack += children(part)
    return found


def turns_of(loop: ast.For) -> Turns | None:
    """Of a loop over lists that have names; None of others."""
    target, given, index = loop.target, loop.iter, ""
    counted = arguments_of(given, "enumerate")
    if len(counted) == 1 and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        if not isinstance(target.elts[0], ast.Name):
            return None
        index, target, given = target.elts[0].id, target.elts[1], counted[0]
    if (held := items_of(given)) and isinstance(target, ast.Tuple) and not index:
        key, value = target.elts if len(target.elts) == 2 else (None, None)
        names = isinstance(key, ast.Name) and isinstance(value, ast.Name)
        return Turns(key.id, {value.id: held}) if names else None  # type: ignore[union-attr]
    pairs = [(target, given)]
    if zipped := arguments_of(given, "zip"):
        if not isinstance(target, ast.Tuple) or len(target.elts) != len(zipped):
            return None
        pairs = list(zip(target.elts, zipped, strict=True))
    lists = {one.id: path_of(over) for one, over in pairs if isinstance(one, ast.Name) and is_list(over)}
    return Turns(index, {name: path for name, path in lists.items() if path}) if lists else None


def items_of(node: ast.expr) -> str:
    """``d`` of ``d.items()``"""
    of_dict = isinstance(node, ast.Call) and called_name(node) == "items" and isinstance(node.func, ast.Attribute)
    held = node.func.value if of_dict else None  # type: ignore[attr-defined]
    return (path_of(held) or "") if held is not None and isinstance(value_at(held), Mapping) else ""


def is_list(node: ast.expr) -> bool:
    return path_of(node) is not None and not isinstance(value_at(node), Tensor)


def arguments_of(node: ast.expr, name: str) -> list[ast.expr]:
    """Those of a call of that name; none of other expressions."""
    own = isinstance(node, ast.Call) and getattr(node.func, "id", "") == name and not node.keywords
    return node.args if own else []  # type: ignore[attr-defined]


def changed_in(node: ast.AST) -> ast.Name | None:
    """The name of what a node changes in place."""
    place: ast.AST | None = None
    if isinstance(node, ast.AugAssign):
        place = node.target
    elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        place = node
    elif isinstance(node, ast.Call) and is_in_place(called_name(node)):
        place = changed_by_call(node)
    while isinstance(place, (ast.Subscript, ast.Call)) or (isinstance(place, ast.Attribute) and place.attr == "data"):
        place = place.func if isinstance(place, ast.Call) else place.value
        if isinstance(place, ast.Attribute) and place.attr != "data":
            place = place.value
    return place if isinstance(place, ast.Name) else None


def is_rebinding(node: ast.AST) -> bool:
    """Whether it is a method that changes a tensor: ``m.mul_(2)``, and not ``m.requires_grad_()``."""
    return (
        isinstance(node, ast.Call)
        and not isinstance(value_at(node.func), Ref)
        and f"torch.Tensor.{called_name(node)}" not in STILL
    )


def is_inside(node: ast.AST, loop: ast.For, nodes: Nodes) -> bool:
    """Whether it stands in the body of a loop."""
    around = next((one for one in [node, *nodes.all_around(node, ast.stmt)] if nodes.parents.get(one) is loop), None)
    return around in loop.body
