"""Optimizers and schedulers of which a project asks more than OneFlow's own have: groups that are dicts, state by
torch's names, a state_dict that can be read and edited; rates that a schedule goes on from.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from rewriters.infer import Project
from rewriters.infer.joining import torch_class
from rewriters.infer.values import Items, Mapping, ModuleInfo, Ref, Tensor
from rewriters.places.kept_groups import changes_groups, is_kept, keeps_groups, may_be_kept
from rewriters.places.schedules import are_handed_one, are_of_one, schedules_in
from rewriters.rewrite.class_uses import is_used_at_once
from rewriters.text.tree import walk
from rewriters.torch.table import mro

KINDS = {"SGD", "Adam", "AdamW", "Adadelta"}
OPTIMIZERS = {f"torch.optim.{name}" for name in KINDS}
# Those whose groups are copies of the program's dicts.
COPYING = {f"torch.optim.{name}" for name in ("RMSprop", "Adagrad", "Adamax", "ASGD", "NAdam", "RAdam", "Rprop")}
SCHEDULERS = {
    f"torch.optim.lr_scheduler.{name}"
    for name in (
        "StepLR",
        "MultiStepLR",
        "ExponentialLR",
        "CosineAnnealingLR",
        "LinearLR",
        "ConstantLR",
        "PolynomialLR",
    )
}
OF_SCHEDULE = "torch.optim.lr_scheduler.LRScheduler"
# Functions that go through groups, or count them.
GOING_THROUGH = {"enumerate", "len", "zip", "reversed", "list", "iter", "range", "isinstance"}
OF_DICTS = {"keys", "items", "values", "get", "update", "pop"}


def keys(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """Constructor calls that need them, with the special rule's key."""
    made = [node for node in module.nodes.of(ast.Call) if isinstance(getattr(node.func, "v", None), Ref)]
    optimizers = [node for node in made if node.func.v.name in OPTIMIZERS]
    schedulers = [node for node in made if node.func.v.name in SCHEDULERS]
    found: dict[ast.AST, str] = {}
    if optimizers:
        deep = questions_of(project).looks_into
        found |= {n: f"{n.func.v.name}:groups" for n in optimizers if deep or gives_single(n)}
    handed = handed_on(module)
    if handed and (questions_of(project).looks_into or questions_of(project).gives_single):
        found |= {node: f"{node.v.name}:groups" for node in handed}
    copying = [node for node in made if node.func.v.name in COPYING and may_be_kept(node) and may_be_groups(node)]
    changed = bool(copying) and questions_of(project).changes_groups
    kept = (node for node in copying if changed or is_kept(module, node))
    found |= {node: f"{node.func.v.name}:kept" for node in kept}
    asked = questions_of(project)
    if schedulers and (
        asked.sets_rates or asked.hands_one or are_several(module) or are_of_one(schedules_in(module), module.nodes)
    ):
        found |= {node: f"{node.func.v.name}:on" for node in schedulers}
    schedules = [
        node for node in named(module) if node.v.name in SCHEDULERS and not is_used_at_once(node, module.nodes)
    ]
    if schedules and (asked.sets_rates or asked.hands_one):
        found |= {node: f"{node.v.name}:on" for node in schedules}
    if asked.counts_steps:
        found |= {node: f"{OF_SCHEDULE}.{node.func.attr}:counted" for node in states_of_schedules(module)}
    return found


def named(module: ModuleInfo) -> list[Any]:
    """Names of torch's, where they are read."""
    names: list[Any] = [*module.nodes.of(ast.Attribute), *module.nodes.of(ast.Name)]
    return [node for node in names if isinstance(node.ctx, ast.Load) and isinstance(getattr(node, "v", None), Ref)]


def states_of_schedules(module: ModuleInfo) -> Iterator[Any]:
    """``schedule.state_dict()`` and ``schedule.load_state_dict(state)``."""
    for node in module.nodes.of(ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in {"state_dict", "load_state_dict"}:
            kind = torch_class(getattr(node.func.value, "v", None)) or ""  # type: ignore[arg-type]
            if kind.startswith("torch.optim.lr_scheduler."):
                yield node


class Questions:
    """What some file of a project asks of optimizers; each is looked for once, where a file makes one."""

    def __init__(self, project: Project) -> None:
        self.modules = list(project.modules.values())

    @cached_property
    def looks_into(self) -> bool:
        return any(map(looks_into, self.modules)) or keeps_groups(self.modules)

    @cached_property
    def gives_single(self) -> bool:
        return any(gives_single(node) for module in self.modules for node in module.nodes.of(ast.Call))

    @cached_property
    def changes_groups(self) -> bool:
        return changes_groups(self.modules)

    @cached_property
    def hands_one(self) -> bool:
        return are_handed_one(self.modules)

    @cached_property
    def counts_steps(self) -> bool:
        """Whether some file speaks of what OneFlow's schedules keep under another name."""
        texts = (text.value for module in self.modules for text in module.nodes.of(ast.Constant))
        return any(isinstance(text, str) and text in {"last_epoch", "_step_count"} for text in texts)

    @cached_property
    def sets_rates(self) -> bool:
        return any(map(sets_rates, self.modules))


_of_project: WeakKeyDictionary[Any, Questions] = WeakKeyDictionary()


def questions_of(project: Project) -> Questions:
    """Those of a project, found once."""
    if project not in _of_project:
        _of_project[project] = Questions(project)
    return _of_project[project]


def handed_on(module: ModuleInfo) -> list[Any]:
    """Where optimizers' classes are named, to be called elsewhere: ``SAM(parameters, torch.optim.SGD)``."""
    named = [node for node in module.nodes.of(ast.Attribute) if node.attr in KINDS]
    named += [node for node in module.nodes.of(ast.Name) if node.id in KINDS]
    named = [node for node in named if getattr(getattr(node, "v", None), "name", "") in OPTIMIZERS]
    return [node for node in named if isinstance(node.ctx, ast.Load) and not is_used_at_once(node, module.nodes)]


def gives_single(node: ast.Call) -> bool:
    """Groups that are a tensor in place of a list, or a generator of groups: OneFlow takes lists."""
    first = node.args[0] if node.args else next((w.value for w in node.keywords if w.arg == "params"), None)
    if isinstance(first, ast.GeneratorExp):
        return isinstance(first.elt, ast.Dict)
    groups = first.elts if isinstance(first, (ast.List, ast.Tuple)) else []
    for group in groups:
        for key, value in zip(group.keys, group.values, strict=True) if isinstance(group, ast.Dict) else []:
            if isinstance(key, ast.Constant) and key.value == "params" and isinstance(value, (ast.Name, ast.Attribute)):
                return True
    return False


def may_be_groups(node: ast.Call) -> bool:
    """Whether an optimizer is given what may hold dicts."""
    first = node.args[0] if node.args else next((w.value for w in node.keywords if w.arg == "params"), None)
    value = getattr(first, "v", None)
    held = value.values if isinstance(value, Items) else [getattr(value, "element", None)]
    return first is not None and not (held and all(isinstance(one, Tensor) for one in held))


def looks_into(module: ModuleInfo) -> bool:
    """Whether a file reads what OneFlow's optimizers have under other names."""
    groups = names_of_groups(module)
    for node in module.nodes.of(ast.Subscript):
        if isinstance(node.slice, ast.Constant):
            if node.slice.value == "param_groups":
                return True
            if node.slice.value == "params" and is_group(node.value, groups):
                return True
    for node in module.nodes.of(ast.Attribute):
        value = getattr(node.value, "v", None)
        if node.attr in {"state", "defaults"} and is_optimizer(value):
            return True
        if node.attr in OF_DICTS and is_group(node.value, groups):
            return True
    if any(is_handed_on(node, module) for node in whole_groups(module, groups)):
        return True
    states = [node for node in module.nodes.of(ast.Call) if is_state(node)]
    if not states:
        return False
    given: dict[str, list[ast.expr]] = {}
    for node in module.nodes.of(ast.Assign):
        for name in {target.id for target in node.targets if isinstance(target, ast.Name)}:
            given.setdefault(name, []).append(node.value)
    held = {name for name, values in given.items() if len(values) == 1 and values[0] in states}
    read = [node.value for node in module.nodes.of(ast.Subscript)]
    return any(node in states or (isinstance(node, ast.Name) and node.id in held) for node in read)


def whole_groups(module: ModuleInfo, names: set[str]) -> Iterator[ast.expr]:
    """Where a file speaks of groups, or of one."""
    for node in module.nodes.of(ast.Name):
        if isinstance(node.ctx, ast.Load) and node.id in names and isinstance(getattr(node, "v", None), Mapping):
            yield node
    for node in module.nodes.of(ast.Attribute):
        if node.attr == "param_groups" and isinstance(node.ctx, ast.Load):
            around = module.nodes.parents.get(node)
            yield around if isinstance(around, ast.Subscript) and around.value is node else node


def is_handed_on(node: ast.expr, module: ModuleInfo) -> bool:
    """Whether a call is given it, or it is kept or returned: what is read of it then is not seen here."""
    around = module.nodes.parents.get(node)
    if isinstance(around, ast.Call):
        return not isinstance(around.func, ast.Name) or around.func.id not in GOING_THROUGH
    named = isinstance(around, ast.Assign) and all(isinstance(target, ast.Name) for target in around.targets)
    kept = isinstance(around, ast.Assign) and not named
    return kept or isinstance(around, (ast.Return, ast.keyword, ast.List, ast.Tuple, ast.Dict, ast.Starred))


def is_state(node: ast.Call) -> bool:
    """``opt.state_dict()``"""
    owner = node.func.value if isinstance(node.func, ast.Attribute) and node.func.attr == "state_dict" else None
    return owner is not None and is_optimizer(getattr(owner, "v", None))


def is_optimizer(value: Any) -> bool:
    return value is not None and "torch.optim.Optimizer" in mro(torch_class(value) or "")


def names_of_groups(module: ModuleInfo) -> set[str]:
    """Names that a file gives to groups of an optimizer's."""
    found = set()
    for node in module.nodes.of(ast.For, ast.comprehension):
        if mentions_groups(node.iter):
            found |= {part.id for part in walk(node.target) if isinstance(part, ast.Name)}
    for node in module.nodes.of(ast.Assign):
        if isinstance(node.value, ast.Subscript) and mentions_groups(node.value):
            found |= {part.id for target in node.targets for part in walk(target) if isinstance(part, ast.Name)}
    return found


def mentions_groups(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Attribute) and part.attr == "param_groups" for part in walk(node))


def is_group(node: ast.expr, names: set[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in names or "group" in node.id
    return isinstance(node, ast.Subscript) and mentions_groups(node.value)


def sets_rates(module: ModuleInfo) -> bool:
    """Whether a file stores a learning rate: ``group["lr"] = x``."""
    stored = [t for node in module.nodes.of(ast.Assign) for t in node.targets]
    stored += [node.target for node in module.nodes.of(ast.AugAssign)]
    return any(
        isinstance(t, ast.Subscript) and isinstance(t.slice, ast.Constant) and t.slice.value == "lr" for t in stored
    )


def are_several(module: ModuleInfo) -> bool:
    """Whether some block of a file makes two schedules, which then act one upon the other.

    Or two methods of a class of one attribute, ``self.optimizer``.
    """
    parents, made = module.nodes.parents, set()
    methods: dict[tuple[ast.AST | None, str], set[ast.AST | None]] = {}
    for call in module.nodes.of(ast.Call):
        name = str(getattr(getattr(call.func, "v", None), "name", ""))
        if not (name.startswith("torch.optim.lr_scheduler.") and name.count(".") == 3):
            continue
        if call.args and isinstance(call.args[0], ast.Attribute):
            owned = (module.nodes.around(call, ast.ClassDef), ast.unparse(call.args[0]))
            methods.setdefault(owned, set()).add(module.nodes.around(call, ast.FunctionDef))
            if len(methods[owned]) > 1:
                return True
        statement = parents[call]
        while not isinstance(statement, ast.stmt):
            statement = parents[statement]
        if isinstance(statement, (ast.Assign, ast.Expr, ast.Return)):
            owner = parents[statement]
            block = next((part for part in ("body", "orelse") if statement in getattr(owner, part, ())), None)
            if block is not None and (owner, block) in made:
                return True
            made.add((owner, block))
    return False
