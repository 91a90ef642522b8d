"""What a check is asked to run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from checks.parity.compare import Tolerance
from checks.parity.inputs import GRAMMAR as INPUT_GRAMMAR
from checks.parity.inputs import Input, WrongSpec, parse_all
from checks.parity.report import LEVELS
from checks.worker.entry import GRAMMAR as ENTRY_GRAMMAR
from checks.worker.entry import parse as parse_entry
from migrate.errors import Unusable
from migrate.parity.paths import by_side, job
from rewriters.target import Target

OPTIMIZERS = ("sgd", "adamw")
"""Short names of the default optimizers."""

_SECOND = re.compile(rb"\bcreate_graph\s*=\s*True\b")


@dataclass(frozen=True)
class Request:
    """What to check.

    source, converted:  folders of the torch project and of its conversion.
    entry:              MODULE:CALLABLE(arguments), the same on both sides.
    inputs:             specs, as ``checks.parity.inputs`` reads them.
    weights:            a checkpoint of the torch model; None for seeded weights.
    timeout:            seconds for each level of each side.
    name:               title in reports; "" for the entry.
    levels:             of ``checks.parity.report.LEVELS``; empty: outputs, activations and gradients, steps when
                        ``train``, and double when a file of the project says ``create_graph=True``.
    train:              steps of the optimizer in the steps level.
    optimizer:          MODULE:CALLABLE(arguments) of the project, called with the model before the arguments; it
                        returns the optimizer, or (optimizer, scheduler). Or "sgd" (lr 0.01, momentum 0.9), or "adamw"
                        (lr 0.001).
    scheduler:          likewise, called with the optimizer first; stepped after each step. "": none.
    loss:               likewise, called with what the model returned, then its positional inputs, then the arguments.
                        "": the only scalar that the model returns, else the mean square distance of its outputs to
                        seeded targets.
    static:             also compare the target's static graphs: outputs, steps when ``train``, and saved and loaded.
    paths:              folders beside the project that modules are imported from, as ``migrate.parity.paths.by_side``
                        takes them.
    threads:            of each side; None for as many as there are processors, four at most.
    export:             the folder that the graph is saved to; None for one that goes away.
    """

    source: Path
    converted: Path
    target: Target
    entry: str
    inputs: Sequence[str] = ()
    weights: Path | None = None
    seed: int = 0
    tolerance: Tolerance | None = None
    torch_python: Path | None = None
    target_python: Path | None = None
    timeout: float = 600.0
    name: str = ""
    levels: tuple[str, ...] = ()
    train: int = 0
    optimizer: str = "sgd"
    scheduler: str = ""
    loss: str = ""
    static: bool = False
    export: Path | None = None
    threads: int | None = None
    paths: tuple[str, ...] = ()

    def imports(self, side: str) -> dict[str, list[str]]:
        """What is imported from beside the project, of one side of ``migrate.parity.paths``. Raises Unusable."""
        return job(by_side(self.paths, self.target.name)[side])

    def wanted(self) -> tuple[str, ...]:
        """The levels, in order."""
        if self.levels:
            return tuple(level for level in LEVELS if level in self.levels)
        chosen = ["outputs", "activations", "gradients"]
        if self.train:
            chosen.append("steps")
        if _uses_second_order(self.source):
            chosen.append("double")
        return tuple(chosen)

    def read(self) -> list[Input]:
        """The inputs. Raises Unusable for whatever shows before a process is started."""
        for folder in (self.source, self.converted):
            if not folder.is_dir():
                raise Unusable(f"{folder} is not a folder", "give the torch project's folder, then the converted one's")
        by_side(self.paths, self.target.name)
        _read_entry(self.entry, "entry")
        for text, option in ((self.scheduler, "scheduler"), (self.loss, "loss"), (self.optimizer, "optimizer")):
            if text and text not in OPTIMIZERS:
                _read_entry(text, option)
        unknown = [level for level in self.levels if level not in LEVELS]
        if unknown:
            raise Unusable(f"unknown level {unknown[0]!r}", f"the levels are {', '.join(LEVELS)}")
        if "steps" in self.levels and not self.train:
            raise Unusable("the steps level needs a number of steps", "give --train 10, say")
        if self.weights is not None and not self.weights.exists():
            raise Unusable(f"{self.weights} does not exist", "give a checkpoint of the torch model to --weights")
        try:
            return parse_all(self.inputs)
        except WrongSpec as error:
            raise Unusable(str(error), f"--input is {INPUT_GRAMMAR}") from None


def _read_entry(text: str, option: str) -> None:
    try:
        parse_entry(text)
    except ValueError as error:
        raise Unusable(str(error), f"--{option} is {ENTRY_GRAMMAR}") from None


def _uses_second_order(folder: Path) -> bool:
    """Whether a Python file of the project differentiates gradients."""
    files = (
        path
        for path in folder.rglob("*.py")
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )
    return any(_SECOND.search(path.read_bytes()) for path in files if path.is_file())
