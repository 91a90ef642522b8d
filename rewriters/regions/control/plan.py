"""The plan of each file's branches and loops that values decide."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from rewriters.infer import Project
from rewriters.infer.values import FunctionInfo, ModuleInfo
from rewriters.regions import hazards
from rewriters.regions.control.conditions import decides
from rewriters.regions.control.find import Branch, Finder, Function
from rewriters.regions.control.turns import Turns, is_asked, turns
from rewriters.regions.control.words import Words
from rewriters.regions.control.write import Writer, site_of
from rewriters.regions.emit import under_no_grad
from rewriters.regions.gradients.find import Region
from rewriters.regions.gradients.plan import Found
from rewriters.regions.plan import Plan
from rewriters.regions.step import NotUnderstood, Parents
from rewriters.regions.tracing import classes_in, functions_in, traced, value_of
from rewriters.report import Code, Outcome
from rewriters.text.tree import walk

DIFFERS = (
    "a parameter that one way alone uses has a gradient of zeros where the other is taken, and none in torch: with "
    "decay or momentum an optimizer moves it"
)


def plan_control(
    project: Project, modules: list[ModuleInfo], training: Found, words: Words
) -> tuple[dict[ModuleInfo, Plan], set[ast.AST]]:
    """What is written for each file, and the branches that compiled functions hold then: in what models run when they
    are called, and in what training steps compute their losses with.

    training: the training steps of each file.
    """
    plans = {module: Plan() for module in modules}
    controls = {module: Control(module, plans[module], words) for module in modules}
    trained: dict[int, FunctionInfo] = {}
    for found in training.values():
        for region, _, _ in found:
            if region is not None:
                trained |= {id(info.node): info for info in code_of(region)}
    models = [info for info in project.classes.values() if info.is_module]
    run = {id(function.node): function for info in models for function in traced(info)} | trained
    # what is called before what calls it: a branch may call code whose own branches are written
    for info in called_first(run):
        if isinstance(info.node, ast.FunctionDef) and info.module in controls:
            controls[info.module].look(info.node, info.node.body, id(info.node) in trained)
    for module, found in training.items():
        for region, _, _ in found:
            for loss in region.losses.values() if region is not None else ():
                controls[module].look(region.home.node, loss.inside, True)  # type: ignore[union-attr]
    for info in run.values():
        if isinstance(info.node, ast.FunctionDef) and info.module in controls:
            controls[info.module].mark(info.node, hazards.owner_in(info))
    return plans, set().union(*(control.held for control in controls.values()))


def code_of(region: Region) -> list[FunctionInfo]:
    """The functions that a training step's losses run."""
    found: dict[int, FunctionInfo] = {}
    stack: list[ast.AST] = [part for loss in region.losses.values() for part in [*loss.inside, loss.final]]
    for loss in region.losses.values():
        for node in loss.modules.values():
            for owner in classes_in(value_of(node)):
                found |= {id(info.node): info for info in traced(owner)}
    while stack:
        for part in walk(stack.pop()):
            for info in functions_in(value_of(part)):
                if id(info.node) not in found:
                    found[id(info.node)] = info
                    stack.append(info.node)
    return list(found.values())


def called_first(functions: Mapping[int, FunctionInfo]) -> list[FunctionInfo]:
    """Each behind those that it calls, as far as they don't call each other."""
    order: dict[int, FunctionInfo] = {}
    begun: set[int] = set()

    def add(info: FunctionInfo) -> None:
        if id(info.node) in begun:
            return
        begun.add(id(info.node))
        for part in walk(info.node):
            value = value_of(part)
            inner = [one for owner in classes_in(value) for one in [owner.functions.get("forward")] if one is not None]
            for other in [*functions_in(value), *inner]:
                if id(other.node) in functions:
                    add(other)
        order[id(info.node)] = info

    for info in functions.values():
        add(info)
    return list(order.values())


class Control:
    """Of one file.

    held:    branches that a compiled function holds, its gradients too; written: all that is written as functions.
    """

    def __init__(self, module: ModuleInfo, plan: Plan, words: Words) -> None:
        self.module, self.plan = module, plan
        self.parents = Parents(module)
        self.held: set[ast.AST] = set()
        self.written: set[ast.AST] = set()
        self.moved: set[ast.AST] = set()
        self.reasons: dict[ast.AST, str] = {}
        names = {node.id for node in module.nodes.of(ast.Name)} | set(module.scope)
        self.writer = Writer(plan, words, names)

    def look(self, function: Function | None, statements: list[ast.stmt], trained: bool) -> None:
        """Find what becomes functions in these statements."""
        body = function.body if function is not None else self.module.tree.body
        finder = Finder(function, body, self.parents, self.written)
        if function is not None and any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in walk(function)):
            return
        constant = function is not None and under_no_grad([function])
        for node in inside_out(statements):
            if node in self.written or node in self.reasons:
                continue
            try:
                found = self.find(finder, node, trained and not constant)
            except NotUnderstood as reason:
                self.reasons[node] = str(reason)
                self.unmove(node)
                continue
            if found is None:
                continue
            self.written.add(node)
            if isinstance(found, Branch) and found.moved:
                self.moved.add(node)
            if isinstance(found, Branch) and not any(isinstance(part, (ast.While, ast.For)) for part in walk(node)):
                self.held.add(node)
            differs = isinstance(found, Branch) and found.differs and not constant
            if differs and isinstance(node, ast.IfExp):
                at = finder.statement(node)
                self.plan.say(at, DIFFERS, Code.DIFFERS, Outcome.DIFFERS)  # type: ignore[arg-type]
            elif differs:
                self.plan.site(node, Outcome.DIFFERS, DIFFERS)
            else:
                self.plan.site(node, Outcome.STATIC, site_of(found))
            note = Code.DIFFERS.comment(DIFFERS) if differs and not isinstance(node, ast.IfExp) else ""
            self.writer.prepare(found, note)

    def unmove(self, node: ast.AST) -> None:
        """An ``if`` stays: so does its ``elif`` whose other way stands behind it."""
        if isinstance(node, ast.If) and len(node.orelse) == 1 and node.orelse[0] in self.moved:
            inner = node.orelse[0]
            assert isinstance(inner, ast.If)
            self.moved.discard(inner)
            self.written.discard(inner)
            self.held.discard(inner)
            self.writer.forget(inner)
            self.reasons[inner] = "the `if` that it belongs to stays"
            self.unmove(inner)

    def find(self, finder: Finder, node: ast.AST, trained: bool) -> Branch | Turns | None:
        """Raises NotUnderstood. None where no value decides."""
        if isinstance(node, ast.If) and decides(node.test) and not self.stops(node):
            return finder.branch(node, trained)
        if isinstance(node, ast.IfExp) and decides(node.test):
            return finder.choice(node, trained)
        if isinstance(node, (ast.While, ast.For)) and is_asked(node):
            return turns(finder, node)
        return None

    def stops(self, node: ast.If) -> bool:
        """Whether it is the ``if ...: break`` at the end of a loop, which is the loop's."""
        around = self.parents.of.get(node)
        return isinstance(around, ast.While) and node is around.body[-1] and isinstance(node.body[0], ast.Break)

    def mark(self, function: Function, owner: str) -> None:
        """Name what stays and no compiled function holds."""
        for statement in function.body:
            for hazard in hazards.in_statement(statement, owner, self.written):
                why = self.reasons.get(hazard.statement)
                self.plan.mark(hazard.statement, f"{hazard.reason}; {why}" if why else hazard.reason)


def inside_out(statements: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Branches and loops, each behind those in it and behind those that follow it: what follows an ``if`` that returns
    is its other way. Those of functions inside aside.
    """
    for node in reversed(statements):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        yield from inside_out(list(ast.iter_child_nodes(node)))
        if isinstance(node, (ast.If, ast.IfExp, ast.While, ast.For)):
            yield node
