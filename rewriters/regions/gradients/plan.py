"""The plan of every file of a component: its gradients in a target's words."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from rewriters.infer import Project
from rewriters.infer.values import ModuleInfo, Tensor
from rewriters.regions.gradients.derived import Derivatives
from rewriters.regions.gradients.events import Kind
from rewriters.regions.gradients.far import Far
from rewriters.regions.gradients.find import Region, regions_of
from rewriters.regions.gradients.handed import Handed
from rewriters.regions.gradients.handed_calls import handed_on
from rewriters.regions.gradients.kept_values import kept_values
from rewriters.regions.gradients.leaves import ALL, hold_leaves
from rewriters.regions.gradients.losses import all_modules
from rewriters.regions.gradients.modes import Modes
from rewriters.regions.gradients.record import RecordedLosses, Recorder
from rewriters.regions.gradients.recorded import Bundle, Recorded, Site, code_of
from rewriters.regions.gradients.trained import Scopes
from rewriters.regions.gradients.words import Words
from rewriters.regions.gradients.write import Writer
from rewriters.regions.plan import Plan
from rewriters.regions.step import NotUnderstood
from rewriters.regions.tracing import called_by, value_of
from rewriters.report import Code, Outcome
from rewriters.text.precedence import CLOSED
from rewriters.text.tree import FUNCTIONS, walk

APART = "torch.Tensor.grad:apart"


class Found(dict[ModuleInfo, list[tuple[Region | None, ast.stmt, str]]]):
    """The regions of each file, as ``regions_of`` has them.

    bundles: what is computed where it is kept, for losses of other functions.
    cut:     where something is kept beside these that gradients do not pass.
    handed:  gradients that are taken of what other functions have computed.
    """

    bundles: list[Bundle]
    cut: list[Site]
    handed: Handed


def find_training(project: Project, modules: list[ModuleInfo], scopes: Scopes | None = None) -> Found:
    """scopes: the modules', where they are known."""
    scopes, far = scopes or Scopes(modules, project.classes.values()), Far(modules)
    kept, handed = Recorded(modules, code_of_models(project)), handed_on(modules)
    found = Found((module, list(regions_of(module, scopes, far, kept, handed.takes))) for module in modules)
    found.handed = handed
    try:
        found.bundles, found.cut = kept.to_write()
    except NotUnderstood as reason:
        found.bundles, found.cut = [], []
        for module, regions in found.items():
            found[module] = [
                (None, first, str(reason)) if region is not None and region.recorded else (region, first, why)
                for region, first, why in regions
            ]
    return found


UNNAMED = "what is trained is no Module that the function has a name for: hand it on as an argument"


def plan_training(
    project: Project,
    modules: list[ModuleInfo],
    words: Words,
    found: Found | None = None,
    held: Collection[ast.AST] = (),
) -> dict[ModuleInfo, Plan]:
    """What is written for each file; what is not understood is marked with its reason.

    found: what ``find_training`` gives, where that is known.
    held:  branches that values decide, and that are written so that a compiled function holds them.
    """
    scopes = Scopes(modules, project.classes.values())
    found = found if found is not None else find_training(project, modules, scopes)
    plans: dict[ModuleInfo, Plan] = {}
    modes: dict[ModuleInfo, Modes] = {}
    regions = [region for those in found.values() for region, _, _ in those if region is not None]
    every = any(ALL in all_modules(loss) for region in regions for loss in region.losses.values())
    differentiated, homes, writers = code_of_models(project), set[ast.AST](), list[Writer]()
    for module in modules:
        plan, inside = Plan(of="TRAINING"), set[ast.AST]()
        steps = Derivatives(module, plan, words).prepare(found.handed)
        if words.lays:
            hold_leaves(module, plan, words, every)
        for statement, reason in kept_values(module, scopes):
            plan.say(statement, reason, Code.DIFFERS, Outcome.DIFFERS)
        for region, first, reason in found[module]:
            if region is None or (region.laid and not words.lays):
                if region is None or region.losses or any(event.kind is Kind.CONSUME for event in region.events):
                    why = reason or (region.reason if region is not None else "") or UNNAMED
                    plan.refuse(first, f"the training step: {why}")
            else:
                kind = RecordedLosses if region.recorded else Writer
                writers.append(kind(region, module, plan, words, held))
                writers[-1].prepare()
                differentiated |= code_of_losses(region)
                if region.losses:
                    homes.add(region.home.node or module.tree)
                steps |= {event.statement for event in region.losses}
                inside |= {node for loss in region.losses.values() for part in loss.inside for node in walk(part)}
        plan.given |= {site.value: APART for site in found.cut if site.module is module}
        for bundle in (one for one in found.bundles if one.module is module):
            Recorder(bundle, plan, words).prepare()
            differentiated |= code_of([*bundle.loss.inside, bundle.loss.final])
            homes.add(bundle.home)
            inside |= {node for part in bundle.loss.inside for node in walk(part)}
        modes[module] = Modes(module, plan, words, differentiated, homes, inside, steps)
        plans[module] = plan
    for module, mode in modes.items():
        mode.prepare()
        for value in formatted(module, mode) if words.number else ():
            plans[module].wraps[value] = ("", words.number) if isinstance(value, CLOSED) else ("(", f"){words.number}")
    for writer in writers:
        writer.prepare_within(modes[writer.module].blocks)
    return {module: plan for module, plan in plans.items() if plan.marks or plan.edits or plan.given}


def formatted(module: ModuleInfo, modes: Modes) -> Iterator[ast.expr]:
    """Tensors that code which is differentiated formats with a width: ``f"{h.sum():.3f}"``."""
    for node in module.nodes.of(ast.FormattedValue):
        if node.format_spec is not None and isinstance(value_of(node.value), Tensor):
            within = any(one in modes.differentiated for one in module.nodes.all_around(node, *FUNCTIONS))
            if within or node in modes.inside:
                yield node.value


def code_of_models(project: Project) -> set[ast.AST]:
    """The functions that run when a model is called."""
    models = [info for info in project.classes.values() if info.is_module]
    return {one.node for one in called_by(info.functions["forward"] for info in models if "forward" in info.functions)}


def code_of_losses(region: Region) -> set[ast.AST]:
    """The functions that a region's losses call."""
    return code_of([part for loss in region.losses.values() for part in [*loss.inside, loss.final]])
