"""Statements that compute with modules, or with what came out of these."""

from __future__ import annotations

import ast
from collections.abc import Callable

from rewriters.infer.values import FunctionInfo, Items, Mapping, Plain, Ref, Series
from rewriters.regions.emit import NO_GRAD
from rewriters.regions.gradients.events import NESTED
from rewriters.regions.gradients.hidden import reaches
from rewriters.regions.gradients.leaves import computes_alone
from rewriters.regions.gradients.names import of_node
from rewriters.regions.gradients.reads import DETACHED, reads_parameters
from rewriters.regions.tracing import functions_in, is_module, value_of
from rewriters.text.tree import LOOPS, walk

Reads = Callable[[ast.AST], bool]
CUT = {*DETACHED, "tolist", "numpy"}


def never(node: ast.AST) -> bool:
    """Of nodes: none."""
    return False


def from_modules(
    statements: list[ast.stmt],
    made: set[str],
    kept: Reads = never,
    numbers: bool = True,
    alone: frozenset[str] = frozenset(),
) -> dict[ast.stmt, set[str]]:
    """Statements that compute with modules, or with what came out of these -> the names that they bind.

    made: names that came out of these before; kept: as of ``find_loss``; numbers: Python's numbers and texts, too;
    alone: names of tensors that are trained by themselves, wherever they are made.
    """
    names = set(made)
    found: dict[ast.stmt, set[str]] = {}
    for statement in statements:
        names |= alone
        of = of_node(statement)
        begins = isinstance(statement, (ast.Assign, ast.AnnAssign)) and (alone & of.sure or makes_modules(statement))
        if begins or (isinstance(statement, NESTED) and not (names - alone) & of.reads):  # what calls it says the rest
            names -= of.sure
        elif is_without(statement):  # what it gives is a constant for gradients
            if (names - alone) & of.reads:
                found[statement] = of.binds
                names |= of.binds
            else:
                names -= of.sure
        elif any(one(statement) for one in (computes, reads_parameters, computes_alone, kept)) or names & of.reads:
            found[statement] = binds = of.binds - made_apart(statement, names, kept, numbers, alone)
            names |= binds if numbers else binds - numbers_in(statement)
            names -= of.sure - binds
        else:
            names -= of.sure
    return found


def makes_modules(statement: ast.Assign | ast.AnnAssign) -> bool:
    """``net = filled(Net())``, ``net = DataParallel(net)``: all that it binds are modules, handed on or made."""
    names = [part for part in walk(statement) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
    return bool(names) and all(is_module(value_of(name)) for name in names)


def made_apart(statement: ast.stmt, made: set[str], kept: Reads, numbers: bool, alone: frozenset[str]) -> set[str]:
    """The names that a loop binds to what has nothing to do with modules: the batch of its last turn."""
    if not isinstance(statement, LOOPS):
        return set()
    body, names = [*statement.body, *statement.orelse], set(made)
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        named = [part for part in walk(statement.target) if isinstance(part, ast.Name)]
        if not all(isinstance(value_of(one), Plain) for one in named):  # numbers; of others nobody knows
            names |= of_node(statement.target).binds
    inside = from_modules(body, names, kept, numbers, alone)
    for binds in inside.values():
        names |= binds
    derived = names.union(*from_modules(body, names, kept, numbers, alone).values())
    return of_node(statement).binds - derived


def numbers_in(statement: ast.stmt) -> set[str]:
    """Names that a statement binds to Python's numbers and texts, and to what no gradient passes."""
    stored = [n for n in walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    if isinstance(statement, ast.Assign) and gives_constants(statement.value):
        return {node.id for node in stored}
    return {node.id for node in stored if isinstance(value_of(node), Plain)}


def gives_constants(node: ast.expr) -> bool:
    """``x.item()``, and what functions of the project that give such return."""
    if is_cut(node) or isinstance(value_of(node), Plain):
        return True
    called = functions_in(value_of(node.func)) if isinstance(node, ast.Call) else []
    returned = [part.value for info in called for part in walk(info.node) if isinstance(part, ast.Return)]
    return bool(returned) and all(
        one is not None and (is_cut(one) or isinstance(value_of(one), Plain)) for one in returned
    )


def is_cut(node: ast.AST) -> bool:
    """``x.detach()``, ``x.item()``, ``x.shape``: no gradient passes."""
    part = node.func if isinstance(node, ast.Call) else node
    return isinstance(part, ast.Attribute) and part.attr in CUT


def is_without(statement: ast.stmt) -> bool:
    """``with torch.no_grad():``"""
    if not isinstance(statement, ast.With):
        return False
    values = [value_of(i.context_expr.func) for i in statement.items if isinstance(i.context_expr, ast.Call)]
    return bool(values) and all(isinstance(value, Ref) and value.name in NO_GRAD for value in values)


def computes(statement: ast.AST) -> bool:
    """Whether it calls a module, hands one on, or calls code that does."""
    for node in walk(statement):
        if isinstance(node, ast.Call) and (is_module(value_of(node.func)) or reaches(node)):
            return True
        method = node.func if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
        # net.features(x), and not net.train() nor self.make_batch()
        called = functions_in(value_of(method)) if method is not None and is_module(value_of(method.value)) else []
        if any(uses_own_parts(info) for info in called):
            return True
        if isinstance(node, ast.Call) and any(is_module(value_of(part)) for part in node.args):
            return True
    return False


def uses_own_parts(info: FunctionInfo) -> bool:
    """Whether a method may compute with what its object consists of: all but numbers and what it keeps in lists."""
    seen: set[ast.AST] = set()
    waiting = [info]
    while waiting:
        one = waiting.pop()
        if one.node in seen:
            continue
        seen.add(one.node)
        methods = own_methods_alone(one)
        if methods is None:
            return True
        waiting += methods
    return False


def own_methods_alone(info: FunctionInfo) -> list[FunctionInfo] | None:
    """The methods of its own object that a method names; None where it computes with other parts of it itself."""
    given = [*info.node.args.posonlyargs, *info.node.args.args]
    if info.kind != "method" or not given:
        return None
    found: list[FunctionInfo] = []
    for node in walk(info.node):
        if not isinstance(node, ast.Name) or node.id != given[0].arg:
            continue
        around = info.module.nodes.parents.get(node)
        if not isinstance(around, ast.Attribute):
            return None
        value = value_of(around)
        inner = functions_in(value)
        found += inner
        plain = isinstance(value, (Plain, Items, Series, Mapping)) or isinstance(around.ctx, ast.Store)
        if not inner and not plain:
            return None
    return found
