"""From a checkpoint's tensors to the target's: which becomes which, decided before any is loaded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from migrate.errors import Unusable
from migrate.weights.carry.model import Model, ModelEntry
from migrate.weights.carry.move import Move, keep, make_move
from migrate.weights.readers.tensor import TensorRef
from rewriters.rules.layouts import Function, Layouts
from rewriters.weights.layout import Layout, same_layout
from rewriters.weights.recipe import Module, NoLayout, Recipe

__all__ = ["Layouts", "Move", "carry", "keep"]

MODULE = "torch.nn.Module"
LISTED = 4


def carry(tensors: Mapping[str, TensorRef], model: Model, layouts: Layouts | None, target: str) -> list[Move]:
    """Every tensor as the target has it, in the model's order.

    layouts: the target's; None keeps torch's: names and shapes are compared with the model's, no more.
    target:  its title, for messages.

    Raises Unusable when the names or a shape differ between checkpoint and model, for a class of which the layout is
    not known, and for what the target's class cannot hold.
    """
    plan = _plan(model, layouts, target) if layouts else _as_torch(model)
    _same_names(tensors, model, plan.dropped)
    shapes = {entry.name: entry.shape for entry in model.entries}
    for name, tensor in tensors.items():
        if tensor.shape != shapes[name]:
            raise Unusable(
                f"{name}: {_shape(tensor.shape)} in the checkpoint, {_shape(shapes[name])} in {model.spec}",
                "build the model as it was trained, e.g. --model 'MODULE:CALLABLE(num_classes=...)'",
            )
    moves = [make_move(group, tensors) for group in _groups(plan.recipes)]
    moves += [
        Move(((name, tensors[name]),), (), (), dropped=reason)
        for name, reason in plan.dropped.items()
        if name in tensors
    ]
    _no_collision(moves)
    order = {name: index for index, name in enumerate(shapes)}
    return sorted(moves, key=lambda move: order[move.source])


@dataclass
class Plan:
    """What becomes of a model's parameters, by their full names.

    recipes: (the target's name, its recipe), in the model's order. dropped: name -> why nothing is lost.
    """

    recipes: list[tuple[str, Recipe]]
    dropped: dict[str, str]


def _as_torch(model: Model) -> Plan:
    return Plan([(entry.name, same_layout.recipes(entry.name)[entry.name]) for entry in model.entries], {})


def _plan(model: Model, layouts: Layouts, target: str) -> Plan:
    """Each module by the first class of its MRO that has a layout."""
    plan = Plan([], {})
    modules = _modules(model)
    prefixes = layouts.prefixes(modules)
    whole = _by_functions(modules, model, layouts, prefixes, target, plan)
    single = {entry.name: _layout_of(entry, layouts, target) for entry in model.entries if entry.name not in whole}
    if layouts.keeps_ties:
        _tied_alike(single, model, target)
    for entry in model.entries:
        if entry.name in whole:
            continue
        layout, before = single[entry.name], _before(entry.module)
        if layout.drop:
            plan.dropped[entry.name] = layout.drop
        for name, recipe in layout.recipes(entry.attribute).items():
            plan.recipes.append((prefixes[entry.module] + name, recipe.within(before)))
    shapes = {entry.name: entry.shape for entry in model.entries}
    plan.recipes = [(name, _fitting(recipe, shapes)) for name, recipe in plan.recipes]
    return plan


def _modules(model: Model) -> dict[str, Module]:
    """By path, each after those above it; a description may leave out what is known of an entry's own classes."""
    found = dict(model.modules)
    for entry in model.entries:
        found.setdefault(entry.module, Module(entry.module, entry.classes))
    return found


def _by_functions(
    modules: Mapping[str, Module],
    model: Model,
    layouts: Layouts,
    prefixes: Mapping[str, str],
    target: str,
    plan: Plan,
) -> set[str]:
    """Lays out the modules whose class has a function, which speaks for their children too; the names it did."""
    whole: set[str] = set()
    for path, module in modules.items():
        cls, of_class = _function_of(module, layouts)
        before = _before(path)
        shapes = (
            {e.name.removeprefix(before): e.shape for e in model.entries if e.name.startswith(before)} if cls else {}
        )
        own = {attribute for attribute in shapes if "." not in attribute}
        if of_class is None or not own or not whole.isdisjoint(before + attribute for attribute in own):
            continue
        try:
            found = of_class(replace(module, shapes=shapes))
        except NoLayout as error:
            raise Unusable(f"{path or 'the model'} ({cls}) in {target}: {error.why}", error.mend) from None
        used = set()
        for name, recipe in found.items():
            if isinstance(recipe, Layout):
                plan.dropped[before + name] = recipe.drop
                used.add(name)
            else:
                plan.recipes.append((prefixes[path] + name, recipe.within(before)))
                used.update(recipe.sources)
        if odd := sorted((own - used) | (used - set(shapes))):
            raise Unusable(f"{cls}: the layout of {target} does not fit: {', '.join(odd)}", "mend its layouts.py")
        whole |= {before + name for name in used}
    return whole


def _function_of(module: Module, layouts: Layouts) -> tuple[str, Function | None]:
    """The first class of the MRO with a layout, and that where it is a function; for a project's class Module's."""
    cls = next((cls for cls in module.classes if cls != MODULE and cls in layouts.classes), "")
    if not cls and _foreign(module.classes) is None:
        cls = MODULE
    of_class = layouts.classes.get(cls)
    return (cls, of_class) if callable(of_class) else ("", None)


def _foreign(classes: Sequence[str]) -> str | None:
    """The first class of torch's own, of which a project's class knows nothing; None for one that is the project's."""
    return next((cls for cls in classes if cls.startswith("torch.") and cls not in (MODULE, *CONTAINERS)), None)


def _layout_of(entry: ModelEntry, layouts: Layouts, target: str) -> Layout:
    """The layout that the first class of the owner's MRO with a rule declares.

    Module itself may have a rule, as a base class; it says nothing of a parameter.
    """
    classes = [cls for cls in entry.classes if cls != MODULE]
    derived = bool(classes) and not classes[0].startswith("torch.")
    for cls in classes:
        of_class = layouts.classes.get(f"{cls}:base") if derived else None
        of_class = layouts.classes.get(cls) if of_class is None else of_class
        if of_class is not None and not callable(of_class):
            return of_class.get(entry.attribute, same_layout)
    if not entry.classes:
        raise Unusable(
            f"{entry.name}: no module of the model owns it, so its layout in {target} is not known",
            "save a state_dict without hooks that rename its entries",
        )
    foreign = _foreign(classes)
    if foreign is None:
        return same_layout  # a class of the project's own: its conversion owns the parameter as it is
    raise Unusable(
        f"{entry.name} belongs to {foreign}, for which {target} has no rule: its layout is not known",
        "replace that module, or add a rule with its layout",
    )


CONTAINERS = {
    f"torch.nn.{name}" for name in ("ParameterList", "ParameterDict", "Sequential", "ModuleList", "ModuleDict")
}
"""What they own is the project's."""


def _tied_alike(layouts: dict[str, Layout], model: Model, target: str) -> None:
    """One tensor has one layout: where a tie joins classes of different ones, the converted code keeps torch's.

    A Linear that shares an Embedding's weight is the case that occurs; its own rule gives it torch's (out, in) weight.
    """
    for group in model.tied:
        names = [name for name in group if name in layouts]
        if len({layouts[name] for name in names}) <= 1:
            continue
        if not any(keeps_form(layouts[name]) for name in names):
            raise Unusable(
                f"{', '.join(group)} are one tensor, and {target} stores it in several layouts",
                "untie them in the model",
            )
        layouts.update((name, same_layout) for name in names if not keeps_form(layouts[name]))


def keeps_form(layout: Layout) -> bool:
    """Whether what is stored is torch's tensor, if under another name."""
    return layout.keeps_bytes and layout.shape is None


def _fitting(recipe: Recipe, shapes: Mapping[str, tuple[int, ...]]) -> Recipe:
    """Without a reshape that changes nothing. Raises Unusable where a shape does not admit the recipe."""
    try:
        if recipe.result_shape(shapes) == replace(recipe, shape=None).result_shape(shapes):
            return replace(recipe, shape=None)
    except ValueError as error:
        raise Unusable(str(error), "the target's layout of its class is wrong") from None
    return recipe


def _groups(recipes: list[tuple[str, Recipe]]) -> list[list[tuple[str, Recipe]]]:
    """Recipes that share a source are one move, so that each tensor is loaded once."""
    found: list[list[tuple[str, Recipe]]] = []
    of_source: dict[str, int] = {}
    for name, recipe in recipes:
        places = {of_source[source] for source in recipe.sources if source in of_source}
        place = min(places, default=len(found))
        if place == len(found):
            found.append([])
        found[place].append((name, recipe))
        for other in sorted(places - {place}):
            found[place] += found[other]
            found[other] = []
        of_source.update({source: place for _, one in found[place] for source in one.sources})
    return [group for group in found if group]


def _same_names(tensors: Mapping[str, TensorRef], model: Model, dropped: Mapping[str, str]) -> None:
    names = {entry.name for entry in model.entries}
    missing = [entry.name for entry in model.entries if entry.name not in tensors and entry.name not in dropped]
    foreign = [name for name in tensors if name not in names]
    if not missing and not foreign:
        return
    parts = []
    if missing:
        parts.append(f"{len(missing)} of the model's are not in the checkpoint: {_listed(missing)}")
    if foreign:
        parts.append(f"{len(foreign)} of the checkpoint's are not in {model.spec}: {_listed(foreign)}")
    raise Unusable("; ".join(parts), _cause(missing, foreign, model))


def _cause(missing: list[str], foreign: list[str], model: Model) -> str:
    """The likely reason why names differ."""
    wanted = set(missing)
    for name in foreign:
        prefix, _, rest = name.partition(".")
        if rest in wanted:
            return f"the checkpoint's names begin with {prefix!r}: build the model that was saved, wrapper and all"
    have = set(foreign)
    for name in missing:
        prefix, _, rest = name.partition(".")
        if rest in have:
            return f"the model's names begin with {prefix!r}: give the inner model's callable"
    tied = {name for group in model.tied for name in group}
    if missing and not foreign and tied.issuperset(missing):
        return "they are tied to others: save model.state_dict(), which has every name"
    return "give the callable and the arguments of the model that was saved"


def _no_collision(moves: list[Move]) -> None:
    sources: dict[str, str] = {}
    for move in moves:
        for entry in move.entries:
            if entry.name in sources:
                raise Unusable(
                    f"{sources[entry.name]} and {move.source} would both become {entry.name}", "rename one in the model"
                )
            sources[entry.name] = move.source


def _before(module: str) -> str:
    return f"{module}." if module else ""


def _listed(names: list[str]) -> str:
    return ", ".join(names[:LISTED]) + (", ..." if len(names) > LISTED else "")


def _shape(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape)) or "a scalar"
