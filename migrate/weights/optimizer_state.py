"""An optimizer's state: momentum, Adam's moments, step counts, laid out like the parameters they belong to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from migrate.errors import Unusable
from migrate.weights.carry.held import held
from migrate.weights.carry.model import Model
from migrate.weights.carry.move import Move, keep
from migrate.weights.readers.checkpoint import Checkpoint
from migrate.weights.readers.tensor import TensorRef
from migrate.weights.writers.formats import Format
from rewriters.load_file import load_file

NAMED = "build the optimizer from model.named_parameters(), whose names torch 2.6 and later save, and save again"
STEP = "step"


@dataclass(frozen=True)
class OptimizerState:
    """What is to be written.

    moves: of the state. suffix: of the output, in place of the weights'. load: template of what reads it.
    """

    moves: list[Move]
    suffix: str
    load: str

    def beside(self, output: Path, format: Format) -> Path:
        """Where it is written, beside the weights' output."""
        stem = output.name.removesuffix(format.suffix).removesuffix(format.base.SUFFIX)
        return output.with_name(stem + self.suffix)

    def loader(self, path: Path) -> str:
        """Python that gives the state at ``path`` to ``optimizer``, for the parameters of ``model``."""
        return self.load.format(path=str(path))


def find_optimizer(opened: Checkpoint, key: str) -> Mapping[str, Any]:
    """The optimizer.state_dict() under the dotted path. Raises Unusable, listing what is there."""
    found = dict(_optimizers(opened.tree, ""))
    if key not in found:
        there = ", ".join(path or "the checkpoint itself" for path in found)
        mend = f"there are: {there}" if found else "save optimizer.state_dict() in the checkpoint, beside the model's"
        raise Unusable(f"{opened.path}: no optimizer's state under --optimizer {key}", mend)
    return found[key]


def carry_optimizer(
    saved: Mapping[str, Any], model: Model | None, moves: Sequence[Move], format: Format
) -> OptimizerState:
    """The state as the target's optimizer has it.

    saved: optimizer.state_dict(). moves: the weights', which say how each parameter is laid out.

    Raises Unusable: for a target without a scheme, for an optimizer of another kind, where it is not certain which
    parameter a state belongs to, and where the target cannot hold it.
    """
    target = format.target
    path = target.folder / "weights" / "optimizer_state.py" if target else None
    if target is None or path is None or not path.is_file():
        raise Unusable(f"--optimizer: the optimizer's state is not carried to {format.name}", "leave out --optimizer")
    if model is None:
        raise Unusable("--optimizer: it does not say which parameter a state belongs to", "give --model or --layout")
    scheme = load_file(path)
    by_source = {move.source: move for move in moves if move.entries}
    written: list[Move] = []
    counts: set[int] = set()
    for name, group, slots in _by_parameter(saved, model):
        move = by_source[name]
        steps = _steps(slots)
        for slot, value in slots.items():
            if slot == STEP or value is None:
                continue
            if slot not in scheme.SLOTS or not isinstance(value, TensorRef):
                raise Unusable(
                    f"--optimizer: {slot!r} of {name} has no place in {target.title}'s optimizers",
                    f"carried are {', '.join(scheme.SLOTS)}: those of SGD, Adam and AdamW",
                )
            written.append(_like(move, name, value, scheme.SLOTS[slot]))
        counts.add(steps)
        scalars = scheme.of_parameter(steps, group) if any(slot != STEP for slot in slots) else {}
        extra = {f"{move.entries[0].name}/{slot}": np.array([value], np.float32) for slot, value in scalars.items()}
        written += keep(held(extra))
    if len(counts) > 1 and scheme.of_optimizer(0):
        raise Unusable(
            f"--optimizer: parameters took {min(counts)} to {max(counts)} steps, {target.title} has one count for all",
            "start the optimizer anew",
        )
    counters = scheme.of_optimizer(max(counts, default=0))
    written += keep(held({name: np.array(value) for name, value in counters.items()}))
    return OptimizerState(written, scheme.SUFFIX, scheme.LOAD)


def _optimizers(node: Any, path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(node, dict) and isinstance(node.get("state"), dict) and isinstance(node.get("param_groups"), list):
        yield path, node
        return
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, (list, tuple)) else ()
    for name, child in children:
        if isinstance(child, (dict, list, tuple)):
            yield from _optimizers(child, f"{path}.{name}" if path else str(name))


def _by_parameter(saved: Mapping[str, Any], model: Model) -> Iterator[tuple[str, Mapping[str, Any], dict[str, Any]]]:
    """Parameter's name, its group, its state; those that have one."""
    names = _names(saved, model)
    shapes = {entry.name: entry.shape for entry in model.entries}
    for group in saved["param_groups"]:
        for index in group["params"]:
            slots = saved["state"].get(index)
            if not slots:
                continue
            name = names[index]
            for slot, value in slots.items():
                if isinstance(value, TensorRef) and slot != STEP and value.shape != shapes[name]:
                    raise Unusable(
                        f"--optimizer: {slot} of parameter {index} is {value.shape}, {name} is {shapes[name]}", NAMED
                    )
            yield name, group, dict(slots)


def _names(saved: Mapping[str, Any], model: Model) -> dict[Any, str]:
    """Number of a parameter in the optimizer -> its name. Raises Unusable where that is not certain."""
    groups = saved["param_groups"]
    numbers = [index for group in groups for index in group["params"]]
    repeated = {name for names in model.tied for name in names[1:]}
    all_names = [entry.name for entry in model.entries if entry.parameter and entry.name not in repeated]
    if all(group.get("param_names") for group in groups):
        names = [name for group in groups for name in group["param_names"]]
        if foreign := next((name for name in names if name not in all_names), None):
            raise Unusable(f"--optimizer: {foreign} is no parameter of {model.spec}", "give the model that was trained")
        return dict(zip(numbers, names, strict=True))
    if len(groups) > 1:
        raise Unusable(f"--optimizer: its {len(groups)} parameter groups do not say which parameter is in which", NAMED)
    trained = [entry.name for entry in model.entries if entry.trained and entry.name in set(all_names)]
    names = all_names if len(numbers) == len(all_names) else trained
    if len(names) != len(numbers):
        raise Unusable(f"--optimizer: has {len(numbers)} parameters, {model.spec} has {len(names)} to train", NAMED)
    return dict(zip(numbers, names, strict=True))


def _steps(slots: Mapping[str, Any]) -> int:
    """How many were taken; SGD does not count."""
    value = slots.get(STEP, 0)
    return int(value.load().item()) if isinstance(value, TensorRef) else int(value)


def _like(move: Move, name: str, value: TensorRef, slot: str) -> Move:
    """The state as its parameter is laid out, under the first of its names."""
    own = [(entry, recipe) for entry, recipe in zip(move.entries, move.recipes, strict=True) if not entry.same_as]
    entries = tuple(replace(entry, name=f"{entry.name}/{slot}", dtype=value.dtype) for entry, _ in own)
    return Move(((name, value),), entries, tuple(recipe for _, recipe in own))
