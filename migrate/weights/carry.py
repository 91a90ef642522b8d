"""From a checkpoint's tensors to the target's: which becomes which, decided before any is loaded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from migrate.errors import Unusable
from migrate.weights.model import Model, ModelEntry
from migrate.weights.tensor import TensorRef
from rewriters.layout import Layout, same_layout

Layouts = Mapping[str, Mapping[str, Layout]]
"""torch class, by public name -> parameter or buffer -> its layout in the target."""

MODULE = "torch.nn.Module"
LISTED = 4


@dataclass(frozen=True)
class Entry:
    """A tensor to be written; ``shape`` and ``dtype`` as it will be stored."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype

    @property
    def nbytes(self) -> int:
        return int(np.prod(self.shape, dtype=object)) * self.dtype.itemsize


@dataclass(frozen=True)
class Move:
    """One tensor of the checkpoint and what it becomes; nothing when the target has no place for it.

    source: its name, wrappers' prefixes stripped.
    """

    source: str
    tensor: TensorRef
    layout: Layout
    attribute: str
    entries: tuple[Entry, ...]

    @property
    def change(self) -> str:
        """A few words on the layout; empty when name and bytes stay."""
        return self.layout.describe()

    def load(self) -> Iterator[tuple[Entry, np.ndarray]]:
        """The arrays to be written, views of the loaded tensor where the bytes stay."""
        if self.entries:
            arrays = self.layout.apply(self.attribute, self.tensor.load())
            yield from zip(self.entries, arrays.values(), strict=True)


def keep(tensors: Mapping[str, TensorRef]) -> list[Move]:
    """Every tensor as torch has it."""
    return [
        Move(name, tensor, same_layout, name, (Entry(name, tensor.shape, tensor.dtype),))
        for name, tensor in tensors.items()
    ]


def carry(tensors: Mapping[str, TensorRef], model: Model, layouts: Layouts | None, target: str) -> list[Move]:
    """Every tensor as the target has it, in the model's order.

    layouts: the target's, from its constructors' rules; a class with a rule is there, if only with an empty mapping.
             None keeps torch's: names and shapes are compared with the model's, no more.
    target:  its title, for messages.

    Raises Unusable when the names or a shape differ between checkpoint and model, and for a class without a rule.
    """
    rules = {entry.name: _layout_of(entry, layouts, target) for entry in model.entries}
    _tied_alike(rules, model, target)
    _same_names(tensors, model, rules)
    moves = []
    for entry in model.entries:
        if entry.name not in tensors:
            continue  # dropped in the target, so nothing is missed
        tensor, layout = tensors[entry.name], rules[entry.name]
        if tensor.shape != entry.shape:
            raise Unusable(
                f"{entry.name}: {_shape(tensor.shape)} in the checkpoint, {_shape(entry.shape)} in {model.spec}",
                "build the model as it was trained, e.g. --model 'MODULE:CALLABLE(num_classes=...)'",
            )
        moves.append(_move(entry, tensor, layout))
    _no_collision(moves)
    return moves


def _layout_of(entry: ModelEntry, layouts: Layouts | None, target: str) -> Layout:
    """The layout that the first class of the owner's MRO with a rule declares.

    Module itself may have a rule, as a base class; it says nothing of a parameter.
    """
    if layouts is None:
        return same_layout
    classes = [cls for cls in entry.classes if cls != MODULE]
    for cls in classes:
        if cls in layouts:
            return layouts[cls].get(entry.attribute, same_layout)
    if not entry.classes:
        raise Unusable(
            f"{entry.name}: no module of the model owns it, so its layout in {target} is not known",
            "save a state_dict without hooks that rename its entries",
        )
    foreign = next((cls for cls in classes if cls.startswith("torch.")), None)
    if foreign is None:
        return same_layout  # a class of the project's own: its conversion owns the parameter as it is
    raise Unusable(
        f"{entry.name} belongs to {foreign}, for which {target} has no rule: its layout is not known",
        "replace that module, or add a rule with its layout",
    )


def _tied_alike(rules: dict[str, Layout], model: Model, target: str) -> None:
    """One tensor has one layout: where a tie joins classes of different ones, the converted code keeps torch's.

    A Linear that shares an Embedding's weight is the case that occurs; its own rule gives it torch's (out, in) weight.
    """
    for group in model.tied:
        layouts = {rules[name] for name in group}
        if len(layouts) == 1:
            continue
        if same_layout not in layouts:
            raise Unusable(
                f"{', '.join(group)} are one tensor, and {target} stores it in {len(layouts)} different layouts",
                "untie them in the model",
            )
        rules.update(dict.fromkeys(group, same_layout))


def _same_names(tensors: Mapping[str, TensorRef], model: Model, rules: Mapping[str, Layout]) -> None:
    missing = [name for name, layout in rules.items() if name not in tensors and not layout.drop]
    foreign = [name for name in tensors if name not in rules]
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


def _move(entry: ModelEntry, tensor: TensorRef, layout: Layout) -> Move:
    # A view without memory of the right shape: what layout.apply makes of it has the shapes to come.
    blank = np.broadcast_to(np.zeros((), tensor.dtype), tensor.shape)
    try:
        shapes = layout.apply(entry.attribute, blank)
    except ValueError as error:
        raise Unusable(f"{entry.name}: {error}", "the target's rule of its class is wrong") from None
    before = f"{entry.module}." if entry.module else ""
    entries = tuple(Entry(before + name, array.shape, tensor.dtype) for name, array in shapes.items())
    return Move(entry.name, tensor, layout, entry.attribute, entries)


def _no_collision(moves: list[Move]) -> None:
    sources: dict[str, str] = {}
    for move in moves:
        for entry in move.entries:
            if entry.name in sources:
                raise Unusable(
                    f"{sources[entry.name]} and {move.source} would both become {entry.name}", "rename one in the model"
                )
            sources[entry.name] = move.source


def _listed(names: list[str]) -> str:
    return ", ".join(names[:LISTED]) + (", ..." if len(names) > LISTED else "")


def _shape(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape)) or "a scalar"
