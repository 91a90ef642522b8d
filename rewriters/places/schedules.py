"""Schedules of learning rates: which calls make one, and whether an optimizer has several."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Sequence

from rewriters.infer.values import FunctionOf, ModuleInfo
from rewriters.text.tree import Nodes, walk

OF_OPTIM = "torch.optim."
SCHEDULES = f"{OF_OPTIM}lr_scheduler."
SCHEDULED = {
    *("StepLR", "MultiStepLR", "LambdaLR", "MultiplicativeLR", "ExponentialLR", "CosineAnnealingLR", "OneCycleLR"),
    *("CosineAnnealingWarmRestarts", "LinearLR", "ConstantLR", "PolynomialLR", "ReduceLROnPlateau"),
    *("CyclicLR", "SequentialLR", "ChainedScheduler"),
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
    """The calls of a file that make schedules which no other one joins; none where there is one alone."""
    made = schedules_of(module)
    return unjoined(module, made) if len(made) > 1 else []


def unjoined(module: ModuleInfo, made: list[ast.Call]) -> list[ast.Call]:
    """Those of calls that give a schedule which no other one joins."""
    joining = [node for node in schedules_of(module) if class_name(node).removeprefix(SCHEDULES) in JOINING]
    parts = [part for node in joining for argument in all_given(node) for part in walk(argument)]
    names = {ast.unparse(part) for part in parts if isinstance(part, (ast.Name, ast.Attribute))}
    return [node for node in made if node not in parts and names.isdisjoint(targets_of(node, module.nodes))]


def are_of_one(schedules: list[ast.Call], nodes: Nodes) -> bool:
    """Whether two of them are made for one optimizer, as far as a function or class shows.

    Not if one is made in place of the other.
    """
    alone = (node for node in schedules if class_name(node) != f"{SCHEDULES}ChainedScheduler")
    return has_several(((node, first_of(node)) for node in alone), nodes)


def has_several(made: Iterable[tuple[ast.Call, ast.expr | None]], nodes: Nodes) -> bool:
    """Whether two calls, each with the optimizer that it is given, are of one, and neither in place of the other."""
    of: dict[tuple[ast.AST | None, str], list[ast.Call]] = {}
    for node, optimizer in made:
        if optimizer is not None:
            # ``self.opt`` is one thing in all methods
            scope = (ast.ClassDef,) if isinstance(optimizer, ast.Attribute) else FUNCTIONS
            of.setdefault((nodes.around(node, *scope), ast.unparse(optimizer)), []).append(node)
    pairs = (pair for some in of.values() for pair in itertools.combinations(some, 2))
    return any(not are_ways(one, other, nodes) for one, other in pairs)


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


def are_handed_one(modules: Sequence[ModuleInfo]) -> bool:
    """Whether functions make two schedules of one optimizer that they are given: ``warm(opt)``, ``decay(opt)``."""
    made = [(module, node) for module in modules for node in unjoined(module, schedules_of(module))]
    makers: dict[ast.AST | None, str]
    makers = {maker: name for module, node in made if (maker := maker_of(module, node)) for name in [first_name(node)]}
    if not makers:
        return False
    for module in modules:
        own = [node for one, node in made if one is module and maker_of(module, node) not in makers]
        calls = [node for node in module.nodes.of(ast.Call) if called_maker(node) in makers]
        given = [(node, first_of(node)) for node in own]
        given += [(node, argument(node, makers[called_maker(node)])) for node in unjoined(module, calls)]
        if has_several(given, module.nodes):
            return True
    return False


def schedules_of(module: ModuleInfo) -> list[ast.Call]:
    return [node for node in module.nodes.of(ast.Call) if is_schedule(node)]


def first_name(call: ast.Call) -> str:
    first = first_of(call)
    return first.id if isinstance(first, ast.Name) else ""


def maker_of(module: ModuleInfo, call: ast.Call) -> ast.AST | None:
    """The function around a call that makes a schedule of one of its parameters."""
    around, name = module.nodes.around(call, *FUNCTIONS), first_name(call)
    if not isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef)) or not name:
        return None
    words = around.args
    return around if name in {word.arg for word in [*words.posonlyargs, *words.args, *words.kwonlyargs]} else None


def called_maker(call: ast.Call) -> ast.AST | None:
    """The project's function that is called, by name."""
    value = getattr(call.func, "v", None)
    return value.info.node if isinstance(value, FunctionOf) else None


def argument(call: ast.Call, name: str) -> ast.expr | None:
    """What a call of a function of the project's gives a parameter."""
    value = call.func.v  # type: ignore[attr-defined]
    words = value.info.node.args
    names = [word.arg for word in [*words.posonlyargs, *words.args]][1 if value.receiver is not None else 0 :]
    given = dict(zip(names, call.args, strict=False)) | {word.arg: word.value for word in call.keywords if word.arg}
    return given.get(name)
