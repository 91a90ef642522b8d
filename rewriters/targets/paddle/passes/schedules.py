"""Schedules of learning rates: which calls make one, and whether an optimizer has several."""

from __future__ import annotations

import ast
import itertools

from rewriters.infer.values import ModuleInfo
from rewriters.text.tree import Nodes, walk

OF_OPTIM = "torch.optim."
SCHEDULES = f"{OF_OPTIM}lr_scheduler."
SCHEDULED = {
    *("StepLR", "MultiStepLR", "LambdaLR", "MultiplicativeLR", "ExponentialLR", "CosineAnnealingLR", "OneCycleLR"),
    *("CosineAnnealingWarmRestarts", "LinearLR", "ConstantLR", "PolynomialLR", "ReduceLROnPlateau"),
    *("SequentialLR", "ChainedScheduler"),
}
AVERAGING = f"{OF_OPTIM}swa_utils.SWALR"
JOINING = {"SequentialLR", "ChainedScheduler"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def first_of(call: ast.Call) -> ast.expr | None:
    """What an optimizer is made of, which comes first, by name too."""
    return call.args[0] if call.args else call.keywords[0].value if call.keywords else None


def constructed(call: ast.Call | None) -> str | None:
    """The torch class that a call constructs."""
    value = getattr(call.func, "v", None) if call is not None else None
    return getattr(value, "name", None)


def class_name(call: ast.Call) -> str:
    """The torch class that a call by name constructs, or ""."""
    return constructed(call) or "" if isinstance(call.func, (ast.Name, ast.Attribute)) else ""


def is_schedule(call: ast.Call) -> bool:
    name = class_name(call)
    return name == AVERAGING or (name.startswith(SCHEDULES) and name.removeprefix(SCHEDULES) in SCHEDULED)


def schedules_in(module: ModuleInfo) -> list[ast.Call]:
    """The calls of a file that make schedules which no other one joins."""
    made = [node for node in module.nodes.of(ast.Call) if is_schedule(node)]
    if len(made) < 2:
        return []
    joining = [node for node in made if class_name(node).removeprefix(SCHEDULES) in JOINING]
    parts = [part for node in joining for argument in all_given(node) for part in walk(argument)]
    names = {ast.unparse(part) for part in parts if isinstance(part, (ast.Name, ast.Attribute))}
    return [node for node in made if node not in parts and names.isdisjoint(targets_of(node, module.nodes))]


def are_of_one(schedules: list[ast.Call], nodes: Nodes) -> bool:
    """Whether two of them are made for one optimizer, as far as a function or class shows.

    Not if one is made in place of the other.
    """
    of: dict[tuple[ast.AST | None, str], list[ast.Call]] = {}
    for node in schedules:
        first = first_of(node)
        if first is not None and class_name(node) != f"{SCHEDULES}ChainedScheduler":
            # ``self.opt`` is one thing in all methods
            scope = (ast.ClassDef,) if isinstance(first, ast.Attribute) else FUNCTIONS
            of.setdefault((nodes.around(node, *scope), ast.unparse(first)), []).append(node)
    return any(
        not are_ways(one, other, nodes) for made in of.values() for one, other in itertools.combinations(made, 2)
    )


def are_ways(one: ast.Call, other: ast.Call, nodes: Nodes) -> bool:
    """Whether two calls stand in different branches of one statement or expression, or in its test and after it."""
    steps = {}
    node: ast.AST | None = one
    while node is not None:
        above = nodes.parents.get(node)
        if above is not None:
            steps[above] = node
        node = above
    node = other
    while node is not None and node not in steps:
        below, node = node, nodes.parents.get(node)
    if node is None or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return ends_early(steps[node]) if node is not None else False
    if isinstance(node, ast.If):
        return (steps[node] in node.body) != (below in node.body)
    return isinstance(node, (ast.IfExp, ast.Match, ast.Try, ast.Dict))


def ends_early(statement: ast.AST) -> bool:
    """Whether nothing after a branch of a statement is come to: ``if kind == "step": return StepLR(opt, 5)``."""
    return isinstance(statement, ast.Return) or (
        isinstance(statement, ast.If)
        and bool(statement.body)
        and isinstance(statement.body[-1], (ast.Return, ast.Raise))
    )


def targets_of(call: ast.Call, nodes: Nodes) -> set[str]:
    """The names that an assignment gives what a call makes."""
    above = nodes.parents.get(call)
    return {ast.unparse(target) for target in above.targets} if isinstance(above, ast.Assign) else set()


def all_given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(word.value for word in call.keywords)]
