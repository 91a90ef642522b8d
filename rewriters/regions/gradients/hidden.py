"""Modules that code comes to by itself, not by an argument: in ``self.compute_loss(batch)`` it is ``self.model``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from rewriters.infer.leaves import own_names
from rewriters.infer.syntax import all_arguments, path_of
from rewriters.infer.values import Choice, FunctionInfo, Items, Mapping, ObjectOf, Series, Value
from rewriters.regions.tracing import functions_in, is_module, parts_of, value_of
from rewriters.text.tree import FUNCTIONS, walk
from rewriters.torch.table import mro

HOLDING = (Choice, Items, Mapping, Series)
HELD = "modules_in("
WAYS = 16
"""By so many objects one function is told apart; code that calls itself on what its object holds (``self.env.step()``,
``self.next.loss()``) comes to ever further ones, of which none has a name to the caller."""


@dataclass(frozen=True)
class Way:
    """How code comes to a module.

    text: as that code writes it. path: as the caller would, "" where it cannot. node: what is a module.
    """

    text: str
    path: str
    node: ast.expr


@dataclass(frozen=True)
class Called:
    """A function that a call runs. receiver: what its object is to the caller, "" where it has no name there."""

    info: FunctionInfo
    receiver: str


def reaches(call: ast.Call) -> str:
    """How the code of a call comes to a module other than by an argument: by its text, "" where it does not."""
    return next((way.text for way in ways_of(call, most=0)), "")


def ways_of(call: ast.Call, most: int = WAYS) -> Iterator[Way]:
    """All of these; torch's losses have no parameters, and are none. most: named receivers of one function."""
    seen: dict[FunctionInfo, set[str]] = {}
    stack = list(called(call))
    while stack:
        one = stack.pop()
        info = one.info
        receivers = seen.setdefault(info, set())
        if len(receivers) >= most:
            one = Called(info, "")
        if one.receiver in receivers or (info.owner is not None and info.owner.is_module):
            continue
        receivers.add(one.receiver)
        own = {argument.arg for argument in all_arguments(info.node.args)}
        itself = info.node.args.args[0].arg if info.kind == "method" and info.node.args.args else ""
        bound = {n.id for n in walk(info.node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for node in walk(info.node):
            if isinstance(node, (ast.Name, ast.Attribute)) and (path := path_of(node)) is not None:
                root, _, rest = path.partition(".")
                if root in (own | bound) - {itself} or is_stateless(node):
                    continue
                if is_module(value_of(node)):
                    told = root == itself or is_seen(root, info, call)
                    yield Way(path, named(root, rest, itself, one) if told else "", node)
                elif holds_modules(value_of(node)):
                    told = root == itself or is_seen(root, info, call)
                    yield Way(path, held_in(named(root, rest, itself, one)) if told else "", node)
            if isinstance(node, ast.Call):
                stack += inner(node, itself, one, call)


def outer_ways(call: ast.Call) -> Iterator[Way]:
    """The same, each to the outermost module of its chain: of ``self.net.head`` to ``self.net``."""
    for way in ways_of(call):
        if holds_modules(value_of(way.node)):
            yield way
            continue
        text = shortest(way.node, way.text)
        yield Way(text, way.path.removesuffix(way.text.removeprefix(text)), part_at(way.node, text))


def shortest(node: ast.expr, path: str) -> str:
    """The outermost module of a chain: of ``self.net.head`` it is ``self.net``."""
    found, part = path, node
    while isinstance(part, ast.Attribute):
        part = part.value
        if is_module(value_of(part)) and path_of(part) != "self":
            found = path_of(part) or found
    return found


def part_at(node: ast.expr, path: str) -> ast.expr:
    """The part of a chain that has this path."""
    while path_of(node) != path:
        assert isinstance(node, ast.Attribute)
        node = node.value
    return node


def called(call: ast.Call) -> Iterator[Called]:
    """The project's functions that a call runs, as its own code sees them; those of its objects among them."""
    value = value_of(call.func)
    if isinstance(value, ObjectOf) and not value.info.is_module:
        found = value.info.functions.get("__call__")
        if found is not None:
            yield Called(found, path_of(call.func) or "")
        return
    receiver = path_of(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    yield from (Called(info, receiver or "") for info in functions_in(value))


def inner(call: ast.Call, itself: str, around: Called, first: ast.Call) -> Iterator[Called]:
    """Those that a call in a function runs, as the first caller sees them."""
    for one in called(call):
        root, _, rest = one.receiver.partition(".")
        told = root and (root == itself or is_seen(root, around.info, first))
        yield Called(one.info, named(root, rest, itself, around) if told else "")


def named(root: str, rest: str, itself: str, around: Called) -> str:
    """A path of a function as its caller writes it: of ``self.model``, where it is a method of ``trainer``,
    ``trainer.model``. A name that is not the function's own is the file's, or that of a function around."""
    first = around.receiver if root == itself and itself else root
    return ".".join(filter(None, [first, rest])) if first else ""


def held_in(path: str) -> str:
    """The path of all modules that a list or a dict holds."""
    return f"{HELD}{path})" if path else ""


def holds_modules(value: Value | None) -> bool:
    """Whether it is a list or a dict of modules, or one of several."""
    return isinstance(value, HOLDING) and any(is_module(part) for part in parts_of(value))


def is_seen(root: str, info: FunctionInfo, call: ast.Call) -> bool:
    """Whether a name that a function reads from around it is the same where a call of another stands."""
    nodes = info.module.nodes
    if nodes.around(call, ast.Module) is not info.module.tree:
        return False  # another file's
    home, around = nodes.around(call, *FUNCTIONS), list(nodes.all_around(info.node, *FUNCTIONS))
    binding = next((one for one in around if root in own_names(one)), None)
    homes = [] if home is None else [home, *nodes.all_around(home, *FUNCTIONS)]
    return binding is next((one for one in homes if root in own_names(one)), None)


def is_stateless(node: ast.expr) -> bool:
    """Whether a module is one of torch's losses, which have no parameters."""
    name = getattr(value_of(node), "name", "")
    return "torch.nn.modules.loss._Loss" in mro(name) or (name.startswith("torch.nn.") and name.endswith("Loss"))
