"""Optimizers with groups of parameters: which calls may make one, and what then looks at its groups."""

from __future__ import annotations

import ast
from typing import Any
from weakref import WeakKeyDictionary

from rewriters.infer import Project
from rewriters.infer.joining import torch_class
from rewriters.infer.values import Bottom, External, Items, Mapping, ModuleInfo, ObjectOf, Ref, Series, Tensor, Unknown
from rewriters.places.kept_groups import changes_groups, is_kept, keeps_groups, may_be_kept
from rewriters.places.schedules import (
    OF_OPTIM,
    SCHEDULED,
    SCHEDULES,
    are_handed_one,
    are_of_one,
    class_name,
    first_of,
    is_schedule,
    schedules_in,
)
from rewriters.rewrite.class_uses import is_used_at_once
from rewriters.targets.paddle.passes.weight_makers import value_of
from rewriters.text.tree import walk

GROUPED = {
    f"torch.optim.{name}": f"torch.optim.{name}:groups"
    for name in ("SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam")
}
UNGROUPED = {
    f"torch.optim.{name}": f"torch.optim.{name}:groups"
    for name in ("ASGD", "Adafactor", "LBFGS", "Muon", "Rprop", "SparseAdam")
}
LOOKED_INTO = {name: f"{name}:looked into" for name in GROUPED}
BASES_OF_OPTIMIZERS = {f"{OF_OPTIM}Optimizer"}
BASES_OF_SCHEDULES = {f"{SCHEDULES}LRScheduler", f"{SCHEDULES}_LRScheduler"}
OF_LISTS = {"MultiStepLR", "SequentialLR", "ChainedScheduler"}
OWN = "torch.optim.Optimizer:own"
INSIDE = {"state", "defaults", "add_param_group"}  # what Paddle's optimizers do not have
COMPILED = "torch.compile:step"
# Methods by which a class calls torch's own, past itself.
ASKED_OF_BASE = {"__init__", "__setstate__", "state_dict", "load_state_dict", "add_param_group", "zero_grad"}
OF_OWN = {"add_param_group", "register_load_state_dict_pre_hook", "register_load_state_dict_post_hook"}
# What a group says in the same words in Paddle.
SHARED = {"params", "weight_decay", "name"}


class Optimizers:
    """What a project's optimizers ask for.

    own:     whether some derive from torch's Optimizer itself, or are asked for more than Paddle's have: their state,
             the dicts that a program gave them as groups.
    paced:   whether some schedules derive from torch's LRScheduler itself.
    grouped: whether it may have some with groups with rates of their own.
    staged:  those beside others with groups, whose options Paddle keeps at the parameters, which may be the same.
    loaded:  whether an optimizer's state is loaded, or its groups looked at, so that it must have its options.
    changed: whether groups may be looked into elsewhere than where an optimizer that copies them is made.
    looked:  whether it has its own, and what others have in ``state`` and ``defaults`` is asked for.
    handed:  whether it writes groups with rates of their own, which any class that is handed on may be given.
    """

    def __init__(self, project: Project) -> None:
        modules = list(project.modules.values())
        calls = [node for module in modules for node in module.nodes.of(ast.Call)]
        made = [node for node in calls if class_name(node).startswith(OF_OPTIM)]
        bases = [base for info in project.classes.values() for base in info.node.bases]
        asked = (node for module in modules for node in module.nodes.of(ast.Attribute) if node.attr in INSIDE)
        kept = bool(made) and (any(map(is_of_torchs_own, asked)) or keeps_groups(modules))
        self.changed = any(class_name(node) in UNGROUPED for node in made) and changes_groups(modules)
        self.own = kept or any(is_base(base, BASES_OF_OPTIMIZERS) for base in bases)
        self.paced = any(is_base(base, BASES_OF_SCHEDULES) for base in bases)
        self.looked = kept or (
            self.own and any(looks_inside(node) for module in modules for node in module.nodes.of(ast.Attribute))
        )
        rates = self.own or self.paced or any(is_grouped(node) or is_of_rates(node) for node in made)
        self.grouped = rates or self.has_rates_apart(modules, calls, made)
        self.handed = any(tells_rates(node) for module in modules for node in module.nodes.of(ast.Dict, ast.Call))
        self.staged = stages([node for node in made if class_name(node) in GROUPED])
        self.cycled = any(is_cycling(node) for node in made)
        self.loaded = any(
            node.func.attr == "load_state_dict" and is_of_optimizer(node.func)
            for node in calls
            if isinstance(node.func, ast.Attribute)
        ) or any(text.value == "param_groups" for module in modules for text in module.nodes.of(ast.Constant))

    def has_rates_apart(self, modules: list[ModuleInfo], calls: list[ast.Call], made: list[ast.Call]) -> bool:
        """Whether a rate is set by hand where a schedule or another group has one too, an optimizer has several
        schedules, or all groups' rates are asked for.

        made: those of the calls that make an optimizer or a schedule.
        """
        if not made:
            return False
        subscripts = [node for module in modules for node in module.nodes.of(ast.Subscript)]
        by_hand = any(sets_rate(node) for node in subscripts)
        handed = any(handed_schedules(module) for module in modules)
        if by_hand and (handed or any(is_schedule(node) for node in made)):
            return True
        if handed and any(has_groups(node) for node in made):
            return True
        if any(are_of_one(schedules_in(module), module.nodes) for module in modules) or are_handed_one(modules):
            return True
        all_told = {node for node in calls if is_method(node, "get_last_lr")} - {node.value for node in subscripts}
        return (by_hand or bool(all_told)) and any(has_groups(node) for node in made)

    def keys(self, module: ModuleInfo) -> dict[ast.AST, str]:
        found = group_keys(module) if self.grouped else {}
        found |= {node: GROUPED[class_name(node)] for node in module.nodes.of(ast.Call) if node in self.staged}
        if self.handed:
            found |= handed_optimizers(module)
        if self.own:
            own = {part.value for part in module.nodes.of(ast.Attribute) if part.attr in ASKED_OF_BASE}
            own.update(base for node in module.nodes.of(ast.ClassDef) for base in node.bases)
            found.update({base: OWN for base in own if is_base(base, BASES_OF_OPTIMIZERS)})
            for node in module.nodes.of(ast.Call):
                if isinstance(node.func, ast.Attribute) and node.func.attr in OF_OWN and is_of_optimizer(node.func):
                    found[node] = f"torch.optim.Optimizer.{node.func.attr}:own"
            found.update(dict.fromkeys(compiled_steps(module), COMPILED))
        if self.looked:
            found.update(looked_into(module))
        elif self.cycled:
            for node in module.nodes.of(ast.Call):
                if class_name(node) == "torch.optim.SGD":
                    found[node] = f"torch.optim.SGD:{'groups ' * (node in self.staged or is_grouped(node))}cycled"
        if self.loaded:
            found.update(state_keys(module))
        copying = [node for node in module.nodes.of(ast.Call) if class_name(node) in UNGROUPED and may_be_kept(node)]
        kept = (node for node in copying if not gives_tensors(node) and (self.changed or is_kept(module, node)))
        found.update({node: f"{class_name(node)}:kept" for node in kept})
        return found


def stages(made: list[ast.Call]) -> set[ast.Call]:
    """Of calls that make optimizers, those that another one with groups may share parameters with."""
    groups = [node for node in made if is_grouped(node) or has_groups(node)]
    owners = {node: owners_of(node) for node in made} if groups else {}
    return {
        node
        for node, own in owners.items()
        if any(one is not node and (not own or not owners[one] or overlap(own, owners[one])) for one in groups)
    }


def overlap(some: set[str], others: set[str]) -> bool:
    """Whether one of them is one of the others, or a part: ``net[0]`` of ``net``."""
    return any(
        f"{a}.".startswith((f"{b}.", f"{b}[")) or f"{b}.".startswith((f"{a}.", f"{a}[")) for a in some for b in others
    )


def owners_of(call: ast.Call) -> set[str]:
    """What an optimizer is given parameters of, by its texts: ``net``, ``self.head``; none where that is not told."""
    first = first_of(call)
    calls = [part for part in walk(first) if isinstance(part, ast.Call)] if first is not None else []
    receivers = [part.func.value for part in calls if isinstance(part.func, ast.Attribute)]
    return {ast.unparse(one) for one in receivers}


def is_of_torchs_own(node: ast.Attribute) -> bool:
    """``optimizer.state[p]``, ``optimizer.add_param_group(...)`` of one of torch's own that has groups here."""
    return isinstance(node.ctx, ast.Load) and torch_class(value_of(node.value)) in GROUPED


def looks_inside(node: ast.Attribute) -> bool:
    """``base_optimizer.defaults``, of another optimizer than the one whose method it is, as far as its name tells."""
    if not isinstance(node.ctx, ast.Load) or getattr(node.value, "id", "") == "self":
        return False
    return node.attr == "defaults" or (node.attr == "state" and is_of_optimizer(node))


def compiled_steps(module: ModuleInfo) -> list[ast.AST]:
    """``torch.compile(optimizer.step)``, whatever it is a method of."""
    return [
        node
        for node in module.nodes.of(ast.Call)
        if node.args and isinstance(of := node.args[0], ast.Attribute) and of.attr == "step"
        if getattr(getattr(node.func, "v", None), "name", "") == "torch.compile"
    ]


def looked_into(module: ModuleInfo) -> dict[ast.AST, str]:
    """Where torch's own optimizers are named."""
    named: list[ast.expr] = [*module.nodes.of(ast.Attribute), *module.nodes.of(ast.Name)]
    refs = ((node, getattr(node, "v", None)) for node in named)
    found: dict[ast.AST, str] = {
        node: LOOKED_INTO[ref.name] for node, ref in refs if isinstance(ref, Ref) and ref.name in LOOKED_INTO
    }
    found.update({node: found[node.func] for node in module.nodes.of(ast.Call) if node.func in found})
    return found


def is_base(base: ast.expr, classes: set[str]) -> bool:
    """Whether it is one of torch's classes itself, from which a program's own derives."""
    value = getattr(base, "v", None)
    return isinstance(value, Ref) and value.name in classes


def is_method(call: ast.Call, name: str) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == name


def sets_rate(node: ast.Subscript) -> bool:
    """``group["lr"] = 0.1``"""
    return isinstance(node.ctx, ast.Store) and getattr(node.slice, "value", None) == "lr"


def has_groups(call: ast.Call) -> bool:
    """Whether a call makes an optimizer of groups."""
    if class_name(call) not in GROUPED:
        return False
    first = first_of(call)
    value = value_of(first) if first is not None else None
    groups = value.values if isinstance(value, Items) else [getattr(value, "element", None)]
    return any(isinstance(group, Mapping) for group in groups)


def is_cycling(call: ast.Call) -> bool:
    """``OneCycleLR(...)``, which gives an optimizer a momentum unless told otherwise."""
    told = any(word.arg == "cycle_momentum" and getattr(word.value, "value", True) is False for word in call.keywords)
    return class_name(call) == f"{SCHEDULES}OneCycleLR" and not told


def is_of_rates(call: ast.Call) -> bool:
    """``OneCycleLR(opt, max_lr=[0.1, 0.5])``"""
    name = class_name(call)
    if not name.startswith(SCHEDULES) or name.removeprefix(SCHEDULES) not in SCHEDULED - OF_LISTS:
        return False
    given = [*call.args, *(word.value for word in call.keywords)]
    return any(isinstance(part, (ast.List, ast.ListComp)) for part in given)


def is_grouped(call: ast.Call) -> bool:
    """Whether a call makes an optimizer of what may be groups in words that Paddle does not share."""
    if class_name(call) not in GROUPED:
        return False
    first = first_of(call)
    return first is not None and not are_parameters(value_of(first)) and not gives_parameters(first)


def handed_schedules(module: ModuleInfo) -> dict[ast.AST, str]:
    """Names of schedules that are handed on: ``{"cosine": CosineAnnealingLR}``."""
    named: list[ast.expr] = [*module.nodes.of(ast.Attribute), *module.nodes.of(ast.Name)]
    refs = ((node, getattr(node, "v", None)) for node in named if isinstance(node.ctx, ast.Load))  # type: ignore[attr-defined]
    return {
        node: f"{ref.name}:groups"
        for node, ref in refs
        if isinstance(ref, Ref) and ref.name.startswith(SCHEDULES) and ref.name.removeprefix(SCHEDULES) in SCHEDULED
        if not is_used_at_once(node, module.nodes)
    }


def handed_optimizers(module: ModuleInfo) -> dict[ast.AST, str]:
    """Names of optimizers that are handed on: ``{"sgd": SGD}``, ``partial(SGD, lr=0.1)``."""
    named: list[ast.expr] = [*module.nodes.of(ast.Attribute), *module.nodes.of(ast.Name)]
    refs = ((node, getattr(node, "v", None)) for node in named if isinstance(node.ctx, ast.Load))  # type: ignore[attr-defined]
    return {
        node: GROUPED[ref.name]
        for node, ref in refs
        if isinstance(ref, Ref) and ref.name in GROUPED and not is_used_at_once(node, module.nodes)
    }


def tells_rates(node: ast.Dict | ast.Call) -> bool:
    """Whether it writes out a group in words that Paddle does not share: ``{"params": ps, "lr": 0.1}``."""
    if isinstance(node, ast.Dict):
        keys = [getattr(key, "value", None) for key in node.keys]
    else:
        is_dict = isinstance(node.func, ast.Name) and node.func.id == "dict"
        keys = [word.arg for word in node.keywords] if is_dict else []
    return "params" in keys and not SHARED.issuperset(keys)


def group_keys(module: ModuleInfo) -> dict[ast.AST, str]:
    """Schedules, and rates that are read, where a rate is each group's."""
    found: dict[ast.AST, str] = handed_schedules(module)
    for node in module.nodes.of(ast.Call):
        if is_schedule(node):
            found[node] = f"{class_name(node)}:groups"
        elif isinstance(node.func, ast.Attribute) and is_asked_of_schedule(node.func):
            kind = "own" if is_of_own_schedule(node.func) else "groups"
            found[node] = f"{SCHEDULES}LRScheduler.{node.func.attr}:{kind}"
    for node in module.nodes.of(ast.Attribute):
        if node.attr == "base_lrs" and isinstance(node.ctx, ast.Load):
            found[node] = f"{SCHEDULES}LRScheduler.base_lrs:{'own' if is_of_own_schedule(node) else 'groups'}"
    for node in module.nodes.of(ast.Assign):
        target = node.targets[0]
        if isinstance(target, ast.Attribute) and target.attr == "base_lrs" and not is_of_own_schedule(target):
            found[node] = f"{SCHEDULES}LRScheduler.base_lrs=:groups"
    for node in module.nodes.of(ast.Subscript):
        inner = node.value if isinstance(node.ctx, ast.Load) else None
        # No rule has these keys: the rules for the whole chain, which know one rate only, are passed over.
        if isinstance(inner, ast.Subscript) and getattr(inner.value, "attr", "") == "param_groups":
            found[node] = "torch.optim.Optimizer.param_groups:each"
        elif isinstance(inner, ast.Call) and getattr(inner.func, "attr", "") == "get_last_lr":
            found[node] = f"{SCHEDULES}LRScheduler.get_last_lr:each"
    return found


def is_asked_of_schedule(node: ast.Attribute) -> bool:
    """Whether it is a method of schedules; ``load_state_dict`` and ``get_lr``, which others have, of a known one."""
    known = (torch_class(value_of(node.value)) or "").startswith(SCHEDULES)
    if node.attr == "load_state_dict":
        return is_of_own_schedule(node)
    return node.attr == "get_last_lr" or (known and node.attr == "get_lr")


def is_of_own_schedule(node: ast.Attribute) -> bool:
    """Whether it is an attribute of what derives from torch's LRScheduler itself."""
    value = value_of(node.value)
    return isinstance(value, ObjectOf) and value.info.torch_base() in BASES_OF_SCHEDULES


def is_of_optimizer(node: ast.Attribute) -> bool:
    owner = torch_class(value_of(node.value)) or ""
    return owner.startswith("torch.optim.") and not owner.startswith((SCHEDULES, "torch.optim.swa_utils."))


def state_keys(module: ModuleInfo) -> dict[ast.AST, str]:
    return {
        node: "torch.optim.Optimizer.state_dict:groups"
        for node in module.nodes.of(ast.Call)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "state_dict" and is_of_optimizer(node.func)
    }


def are_parameters(value: Any) -> bool:
    """Whether an optimizer's first argument is known to hold parameters, or groups in words that Paddle shares."""
    if isinstance(value, Items):
        return all(is_plain(item) for item in value.values)
    return isinstance(value, Series) and is_plain(value.element)


def are_tensors(value: Any) -> bool:
    """Whether it is known to hold parameters, and no groups."""
    items = value.values if isinstance(value, Items) else [value.element] if isinstance(value, Series) else []
    return bool(items) and all(isinstance(item, Tensor) for item in items)


def gives_tensors(call: ast.Call) -> bool:
    """Whether what an optimizer is given is known to be parameters, and no groups."""
    first = first_of(call)
    return first is None or are_tensors(value_of(first)) or gives_parameters(first)


def gives_parameters(node: ast.expr) -> bool:
    """``model.parameters()`` of what is not known, or a selection of that: only a project's own class, which would be
    known, gives groups by that name.
    """
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr == "parameters":
            return isinstance(getattr(node, "v", None), (Unknown, Bottom))
        if isinstance(node.func, ast.Name) and node.func.id in ("list", "tuple", "filter") and node.args:
            return gives_parameters(node.args[-1])
        chained = bool(node.args) and getattr(node.func, "v", None) == External("itertools.chain")
        return chained and all(gives_parameters(part) or are_parameters(getattr(part, "v", None)) for part in node.args)
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)) and isinstance(node.elt, ast.Name):
        (first, *others) = node.generators
        return (
            not others
            and isinstance(first.target, ast.Name)
            and first.target.id == node.elt.id
            and gives_parameters(first.iter)
        )
    return isinstance(node, ast.BinOp) and gives_parameters(node.left) and gives_parameters(node.right)


def is_plain(item: Any) -> bool:
    if isinstance(item, Mapping):
        decay = dict(item.known).get("weight_decay")
        return bool(item.known) and {key for key, _ in item.known} <= SHARED and getattr(decay, "kind", "") != "int"
    return isinstance(item, Tensor)


_of_project: WeakKeyDictionary[Any, Optimizers] = WeakKeyDictionary()


def optimizers_of(project: Project) -> Optimizers:
    """What a project's optimizers ask for, found once."""
    if project not in _of_project:
        _of_project[project] = Optimizers(project)
    return _of_project[project]
