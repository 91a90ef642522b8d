"""The two processes of a check, and the order in which they do what.

Both sides start at once and work beside each other: torch builds the model, takes its weights (trained ones, or seeded
ones that show swapped buffers) and runs each level in its own precision, in double precision and in a few variants; the
state travels into the target's layout; the target loads it strictly and runs each level once. Levels are compared as
soon as both sides have left theirs.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from checks.parity.inputs import Drawn, draw
from checks.parity.process import Interpreter
from checks.worker import arrays
from migrate.environments import Interpreter as Found
from migrate.environments.project import interpreter_for
from migrate.parity.lane import Lane
from migrate.parity.paths import TORCH
from migrate.parity.request import Request
from migrate.parity.state import read_weights
from rewriters import torch as torch_side

THREADS = min(4, os.cpu_count() or 1)
TORCH_FOLDER = torch_side.WORKER
OTHER_SEED = 1_000_003
"""Added to the seed of inputs that show how far outputs hang on them; far from those of steps of training."""


@dataclass(frozen=True)
class Other:
    """What torch is compared with, where that is not the request's target.

    name: as ``migrate env`` takes it, title: as people write it. runtime: the worker's file.
    """

    name: str
    title: str
    interpreter: Found
    runtime: Path


class Kept:
    """Processes of both sides that one check leaves to the next: neither framework is imported again.

    To be used in ``with``. A process whose check did not come to its end is not kept.
    """

    def __init__(self) -> None:
        self._temporary = tempfile.TemporaryDirectory(prefix="migrate-check-")
        self._count = 0
        self.lanes: dict[tuple[object, ...], tuple[Lane, Lane]] = {}

    def __enter__(self) -> Kept:
        return self

    def __exit__(self, *exception: object) -> None:
        for lane in [lane for lanes in self.lanes.values() for lane in lanes]:
            lane.close()
        self._temporary.cleanup()

    def folder(self) -> Path:
        """A new one for the logs of two processes."""
        self._count += 1
        return Path(self._temporary.name, str(self._count))


class Session:
    """Both processes for conversions of one entry: torch's side is run once, the target's process serves all.

    To be used in ``with``; ``migrate.parity.run`` checks by it.
    """

    def __init__(
        self,
        request: Request,
        on_stage: Callable[[str], None] = lambda stage: None,
        kept: Kept | None = None,
        other: Other | None = None,
    ) -> None:
        """Raises Unusable: a wrong request, an interpreter that is not there."""
        self.request = request
        self.on_stage = on_stage
        self.inputs = request.read()
        self.levels = request.wanted()
        self.threads = request.threads or THREADS
        self._temporary = tempfile.TemporaryDirectory(prefix="migrate-check-")
        self.folder = Path(self._temporary.name)
        self._done: dict[str, Future[Any]] = {}  # what torch did, by command
        self._count = 0
        if other is None:
            target = request.target
            there = interpreter_for(target.given_as, request.source, request.target_python)
            other = Other(target.given_as, target.title, there, target.runtime)
        self.target_name = other.name
        found = interpreter_for("torch", request.source, request.torch_python), other.interpreter
        runtimes = TORCH_FOLDER / "runtime.py", other.runtime
        self.kept = kept
        self._key = (*(one.python for one in found), *runtimes, self.threads, request.timeout)
        if kept is not None and self._key in kept.lanes:
            self.torch, self.target = kept.lanes.pop(self._key)
            for lane in (self.torch, self.target):
                lane.begin(on_stage)
            return
        logs = self.folder if kept is None else kept.folder()
        self.torch, self.target = (
            Lane(
                Interpreter(title, interpreter.python, interpreter.env),
                {"runtime": str(runtime), "threads": self.threads},
                logs / side,
                request.timeout,
                on_stage,
            )
            for side, title, interpreter, runtime in zip(
                ("torch", "target"), ("torch", other.title), found, runtimes, strict=True
            )
        )

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *exception: object) -> None:
        lanes = self.torch, self.target
        if self.kept is not None and exception[0] is None:
            for lane in lanes:
                lane.wait()
            self.kept.lanes[self._key] = lanes
        else:
            for lane in lanes:
                lane.close()
        self._temporary.cleanup()

    def new_folder(self) -> Path:
        """For what one check leaves."""
        self._count += 1
        return self.folder / f"check-{self._count}"

    def once(self, name: str, work: Callable[[], Any]) -> Future[Any]:
        """What torch does, done once for all conversions."""
        if name not in self._done:
            self._done[name] = self.torch.submit(work)
        return self._done[name]

    def done(self, name: str) -> Future[Any]:
        """What torch was told to do."""
        return self._done[name]

    def draw(self) -> Drawn:
        """The arguments of all batches: the inputs' folder and the noisy ones' are written."""
        drawn = draw(self.inputs, self.request.seed)
        if not (self.folder / "inputs").is_dir():
            plain: dict[str, np.ndarray] = {}
            noisy: dict[str, np.ndarray] = {}
            for step in range(max(1, self.request.train)):
                batch = draw(self.inputs, self.request.seed + step)
                plain |= {f"{step}:{name}": array for name, array in batch.arrays.items()}
                noisy |= {f"{step}:{name}": array for name, array in batch.noisy(self.request.seed + step).items()}
            arrays.write(self.folder / "inputs", plain)
            arrays.write(self.folder / "noisy", noisy)
            others = draw(self.inputs, self.request.seed + OTHER_SEED).arrays
            if any((array != drawn.arrays[name]).any() for name, array in others.items()):
                arrays.write(self.folder / "others", {f"0:{name}": array for name, array in others.items()})
        return drawn

    def open_torch(self, drawn: Drawn) -> dict[str, Any]:
        """Build torch's model and its state: what ``describe.py`` says of it, or nothing for a function."""
        request, torch = self.request, self.torch
        state = None
        if request.weights is not None:
            self.on_stage(f"reading {request.weights}")
            state = self.folder / "checkpoint"
            read_weights(request.weights, state)
        arguments = {"positional": drawn.positional, "keywords": drawn.keywords}
        describe = str(TORCH_FOLDER / "describe.py")
        project = str(request.source.resolve())
        opened = torch.set_up(
            "open",
            project=project,
            entry=request.entry,
            seed=request.seed,
            describe=describe,
            keep=self.kept is not None,
            paths=request.imports(TORCH),
            **arguments,
        )
        described = torch.call(
            "state",
            state=state and str(state),
            probe=state is None,
            export=str(self.folder / "state"),
            describe=describe,
            **arguments,
        )
        torch.repeat("state", state=str(self.folder / "state"), **arguments)
        self.here = torch.call("hello")
        return {**opened, "described": described}
