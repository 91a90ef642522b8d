"""Statements between those that compute a loss: what is differentiated is computed in one place, behind them.

Those that change names which have been read before are computed with it: ``y = net(x); x = x + 1; loss = f(y, x)``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from weakref import WeakKeyDictionary

from rewriters.infer.leaves import is_leaf
from rewriters.infer.syntax import path_of
from rewriters.infer.values import ClassInfo, FunctionInfo, Items, Mapping, ObjectOf, Series, Unknown, Value
from rewriters.regions.gradients.names import CHANGING, free_in, of_node
from rewriters.regions.gradients.trained import arguments, outermost
from rewriters.regions.step import Function, NotUnderstood, Parents
from rewriters.regions.tracing import called_by, classes_in, functions_in, is_module, traced, value_of
from rewriters.text.tree import Nodes, called_name, is_in_place, walk

LEAVING = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await)
MODES = {"train", "eval", "requires_grad_"}
OF_LAYERS = {"weight", "bias"}
HOOKING = re.compile(r"register(_full)?_(forward|backward)(_pre)?_hook")


@dataclass(frozen=True)
class Change:
    """What a statement changes that is no name of its own.

    path: as it is written there: of an attribute, of a module whose mode changes, of a global name.
    name: of the attribute; owner: whose it is. Both are empty where all of an object changes.
    here: whether the path is the statement's own, and not that of a function which it calls.
    """

    path: str
    name: str = ""
    owner: Value | None = None
    here: bool = True


def in_order(inside: list[ast.stmt], parents: Parents) -> list[ast.stmt]:
    """These, and what between them changes names that they have read or bound. Raises NotUnderstood."""
    if len(inside) < 2:
        return inside
    block, own = parents.block(inside[0]), set(inside)
    found: list[ast.stmt] = []
    held: set[str] = set()
    around: set[str] = set()
    for statement in block[block.index(inside[0]) : block.index(inside[-1]) + 1]:
        names = of_node(statement)
        if names.binds & around:
            name = sorted(names.binds & around)[0]
            raise NotUnderstood(
                f"line {statement.lineno} binds `{name}`, which a function reads by itself that the loss is computed "
                "with: hand it on as an argument"
            )
        if statement not in own:
            check_apart(statement, found)
            if not names.binds & held and not reads_of_hooks(statement, found, parents):
                continue
            check_joined(statement, parents)
        found.append(statement)
        held |= names.reads | names.binds
        around |= read_around(statement, parents)
    return found


def read_around(statement: ast.stmt, parents: Parents) -> set[str]:
    """The names that functions read which a statement calls, and that are those of the code around the statement."""
    home = next((one for one in parents.around(statement) if isinstance(one, Function)), None)
    calls = (node for node in walk(statement) if isinstance(node, ast.Call))
    called = called_by(info for call in calls for info in functions_in(value_of(call.func)))
    if home is None:
        called += [info for one in models_in(statement) for info in traced(one)]
    found: set[str] = set()
    for info in called:
        if info.module.nodes is not parents.nodes or (home is not None and home not in parents.around(info.node)):
            continue
        found |= free_in(info.node)
    return found


def reads_of_hooks(statement: ast.stmt, before: Sequence[ast.stmt], parents: Parents) -> bool:
    """Whether it keeps what hooks of the file put somewhere while a module was called: ``h = seen["layer1"]``."""
    names = of_node(statement)
    if not names.binds or not any(is_module(value_of(part)) for one in before for part in outermost(one)):
        return False
    return any(
        of_body(info) & names.reads or any(asks(statement, one) for one in changes_in(info.node))
        for info in hooks_in(parents.nodes)
    )


@lru_cache(maxsize=4)
def hooking(nodes: Nodes) -> tuple[ast.Call, ...]:
    """The calls of a file that register hooks."""
    return tuple(call for call in nodes.of(ast.Call) if HOOKING.fullmatch(called_name(call)))


def watches_gradients(nodes: Nodes) -> bool:
    """Whether a file registers hooks of gradients."""
    return any("backward" in called_name(call) for call in hooking(nodes))


# They are asked for at each statement between those that compute a loss.
_hooks: WeakKeyDictionary[Nodes, list[FunctionInfo]] = WeakKeyDictionary()


def hooks_in(nodes: Nodes) -> list[FunctionInfo]:
    """The functions that a file registers as hooks, and what these call."""
    if nodes not in _hooks:
        given = (part for call in hooking(nodes) for part in call.args)
        _hooks[nodes] = called_by(info for part in given for info in functions_in(value_of(part)))
    return _hooks[nodes]


def check_joined(statement: ast.stmt, parents: Parents) -> None:
    """That a statement can be computed with the loss. Raises NotUnderstood."""
    for node in walk(statement):
        if isinstance(node, LEAVING):
            raise NotUnderstood(f"line {node.lineno} may leave while the loss is computed")
        if isinstance(node, ast.Name) and node.id in of_node(statement).changes and is_leaf(node, parents.nodes):
            raise NotUnderstood(
                f"line {node.lineno} changes `{node.id}`, of which the loss has been computed in part: write it in "
                "front of that, or behind backward"
            )


def check_apart(statement: ast.stmt, others: Sequence[ast.stmt]) -> None:
    """That a statement changes nothing but names that others read, which it has changed places with. Raises
    NotUnderstood.
    """
    for change in changes_of(statement):
        if any(reads(one, change) for one in others):
            changes = "changes" if change.here else "calls what changes"
            raise NotUnderstood(
                f"line {statement.lineno} {changes} `{change.path}`, with which the loss is computed in part: write it "
                "in front of that, or behind backward"
            )


def changes_of(statement: ast.stmt) -> Iterator[Change]:
    """What a statement changes itself, and by what it calls."""
    yield from changes_in(statement)
    for call in walk(statement):
        if not isinstance(call, ast.Call):
            continue
        direct = functions_in(value_of(call.func))
        for info in direct:
            yield from given_and_changed(call, info)
        for info in called_by(direct):
            shared = {name for part in walk(info.node) if isinstance(part, ast.Global) for name in part.names}
            bound = of_body(info)
            yield from (Change(name) for name in sorted(shared & bound))
            yield from (replace(one, here=False) for one in changes_in(info.node) if one.name)


def of_body(info: FunctionInfo) -> set[str]:
    """The names that a function binds or changes."""
    body = info.node.body
    return set().union(*(of_node(part).binds for part in (body if isinstance(body, list) else [body])))


def given_and_changed(call: ast.Call, info: FunctionInfo) -> Iterator[Change]:
    """The names that a call hands to a function which changes them."""
    changed, given = of_body(info), arguments(call, info)
    placed = [(name, value) for name, value in given.items() if name in changed]
    if changed and any(isinstance(one, ast.Starred) for one in call.args):
        placed += [("", one) for one in call.args]  # which parameter each is given to is not told
    for _, value in placed:
        if isinstance(value, ast.Name) and isinstance(value_of(value), (Items, Series, Mapping)):
            yield Change(value.id)


def changes_in(code: ast.AST) -> Iterator[Change]:
    """The attributes that code stores or changes in place, and modules whose mode it changes."""
    for node in walk(code):
        target: ast.expr | None = None
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            target = node
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            method, of = node.func.attr, node.func.value
            is_of_module = is_module(value_of(of))
            in_place = (is_in_place(method) or method in CHANGING) and not is_of_module
            target = of if in_place or (method in MODES and is_of_module) else None
        while isinstance(target, ast.Subscript) or (isinstance(target, ast.Attribute) and target.attr == "data"):
            target = target.value
        if isinstance(target, ast.Attribute) and not is_module(value_of(target)):
            path = path_of(target) or next(
                (part.id for part in walk(target) if isinstance(part, ast.Name) and is_module(value_of(part))), ""
            )
            yield Change(path or target.attr, target.attr, value_of(target.value))
        elif target is not None and is_module(value_of(target)):
            own = path_of(target)
            yield from [Change(own)] if own else []


def reads(statement: ast.stmt, change: Change) -> bool:
    """Whether what a statement computes may depend on what is changed."""
    for chain in outermost(statement) if change.here else ():
        own = path_of(chain)
        if own is None:
            continue
        if f"{own}.".startswith(f"{change.path}."):
            return True
        of_module = change.path.startswith(f"{own}.") and is_module(value_of(chain))
        if of_module and (change.name in OF_LAYERS or not classes_in(value_of(chain))):
            return True
    if not change.name:
        return False
    run = [info for one in models_in(statement) for info in traced(one)]
    calls = [node for node in walk(statement) if isinstance(node, ast.Call)]
    run += called_by(info for call in calls for info in functions_in(value_of(call.func)))
    return any(asks(code, change) for code in (statement, *(info.node for info in run)))


def models_in(statement: ast.stmt) -> list[ClassInfo]:
    """The project's Modules that a statement names."""
    named = (info for part in outermost(statement) for info in classes_in(value_of(part)) if info.is_module)
    return [*dict.fromkeys(named)]


def asks(code: ast.AST, change: Change) -> bool:
    """Whether code reads an attribute that may be the one that is changed."""
    return any(
        isinstance(node, ast.Attribute)
        and node.attr == change.name
        and isinstance(node.ctx, ast.Load)
        and may_be(value_of(node.value), change.owner)
        for node in walk(code)
    )


def may_be(one: Value | None, other: Value | None) -> bool:
    """Whether two values may be the same object, of which attributes are stored."""
    if isinstance(one, ObjectOf) and isinstance(other, ObjectOf):
        above, below = kin(one.info), kin(other.info)
        return one.info in below or other.info in above
    return all(isinstance(value, (ObjectOf, Unknown)) or value is None for value in (one, other))


def kin(info: ClassInfo) -> set[ClassInfo]:
    return {owner for owner in info.linear() if isinstance(owner, ClassInfo)}
