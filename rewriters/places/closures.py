"""Who else has what a function changes of the one around it, where the target binds that name anew (``nonlocal x``)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rewriters.infer.syntax import all_arguments, path_of
from rewriters.infer.values import ModuleInfo
from rewriters.places.calls import adds_to_container
from rewriters.places.kept_copies import root_of
from rewriters.places.kept_pieces import is_picked
from rewriters.places.lookup import Places
from rewriters.text.tree import COMPREHENSIONS, FUNCTIONS, Nodes, walk

SCOPES = (*FUNCTIONS, ast.Lambda, ast.ClassDef, *COMPREHENSIONS)
PLACES = (ast.Attribute, ast.Subscript)


def beside_closure(name: ast.expr, module: ModuleInfo, places: Places) -> str:
    """In words, "" where nobody has it, and of what is no name of a function around."""
    nodes = module.nodes
    if not isinstance(name, ast.Name):
        return ""
    inner = nodes.around(name, *FUNCTIONS)
    home = next((one for one in nodes.all_around(name, *FUNCTIONS) if name.id in bound_in(one, nodes)), None)
    if not isinstance(inner, FUNCTIONS) or home is None or home is inner:
        return ""
    if name.id in given_to(home) and not is_bound_before(name.id, inner, home, nodes):
        return f"whoever gives {name.id}"
    parts = walk(home)
    for call in (one for one in parts if isinstance(one, ast.Call) and getattr(one.func, "id", "") == inner.name):
        change = places.change(call, nodes.around(call, *FUNCTIONS), module)
        if change is not None and str(change.seen or "").startswith("whoever"):
            return str(change.seen)
    read = {one.id for one in parts if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
    for made in (one for one in parts if isinstance(one, ast.Assign)):
        for other in same_as(made, name.id):
            if "." in other or other in read:
                return f"{other} (the same tensor)"
    uses = (one for one in parts if isinstance(one, ast.Name) and one.id == name.id)
    lines = [use.lineno for use in uses if is_given_out(use, home, inner, nodes)]
    return f"who has what line {min(lines)} keeps or gives of it" if lines else ""


def given_to(home: ast.AST) -> set[str]:
    return {one.arg for one in all_arguments(home.args)}  # type: ignore[attr-defined]


def bound_in(function: ast.AST, nodes: Nodes) -> set[str]:
    """The names that are a function's own: its parameters, and what its statements bind."""
    own = given_to(function)
    if isinstance(function, ast.Lambda):
        return own
    parts = walk(function)
    told = {name for one in parts if isinstance(one, (ast.Nonlocal, ast.Global)) for name in one.names
            if nodes.around(one, *FUNCTIONS) is function}  # fmt: skip
    stored = (one for one in parts if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))
    return (own | {one.id for one in stored if nodes.around(one, *SCOPES) is function}) - told


def is_bound_before(name: str, inner: ast.AST, home: ast.AST, nodes: Nodes) -> bool:
    """Whether a statement of the function itself makes a parameter stand for another tensor before."""
    for statement in home.body:  # type: ignore[attr-defined]
        if statement is inner or inner in walk(statement):
            return False
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if any(isinstance(one, ast.Name) and one.id == name for one in targets):
            return not isinstance(statement.value, (ast.Name, *PLACES))
    return False


def same_as(made: ast.Assign, name: str) -> Iterator[str]:
    """What else an assignment has stand for the same, or a part: ``alias = x``, ``top = x[0]``, ``x = self.x``."""
    root = root_of(made.value)
    named = [one.id for one in made.targets if isinstance(one, ast.Name)]
    if is_picked(made.value):
        return
    if isinstance(root, ast.Name) and root.id == name:
        yield from (one for one in named if one != name)
    elif name in named and isinstance(root, (ast.Name, ast.Attribute)):
        yield path_of(root) or ""


def is_given_out(use: ast.Name, home: ast.AST, inner: ast.AST, nodes: Nodes) -> bool:
    """Whether it is given, yielded, or kept by something else.

    What the function itself gives at its end counts where the one that changes it is given, too.
    """
    part: ast.AST = use
    around = nodes.parents.get(part)
    while isinstance(around, (ast.Tuple, ast.List, ast.Dict, ast.Starred)):
        part, around = around, nodes.parents.get(around)
    if isinstance(around, (ast.Yield, ast.Return)):
        own = nodes.around(use, *FUNCTIONS) is home
        return not own or isinstance(around, ast.Yield) or any(is_handed(one, nodes) for one in naming(inner, home))
    if isinstance(around, ast.Assign) and around.value is part:
        return any(isinstance(one, PLACES) for one in around.targets)
    return isinstance(around, ast.Call) and adds_to_container(around) and part in around.args


def naming(inner: ast.AST, home: ast.AST) -> Iterator[ast.Name]:
    """The uses of a function's name in the one that defines it."""
    name = getattr(inner, "name", "")
    yield from (one for one in walk(home) if isinstance(one, ast.Name) and one.id == name)


def is_handed(use: ast.Name, nodes: Nodes) -> bool:
    """Whether a function is given out of another, not only called: what it changes may change later."""
    around = nodes.parents.get(use)
    while isinstance(around, (ast.Tuple, ast.List, ast.Dict)):
        around = nodes.parents.get(around)
    return isinstance(around, (ast.Return, ast.Yield))
