"""A framework's process with the model in it: built, filled with its weights, saved."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checks.parity.inputs import Drawn, draw, parse_all
from checks.parity.process import Interpreter as Started
from checks.parity.process import SideFailed
from checks.worker import arrays
from checks.worker.side.yielded import STAGE as CALIBRATION
from migrate.environments.project import interpreter_for
from migrate.errors import Unusable
from migrate.export.axes import Inputs
from migrate.export.calibration import MEND, MOST
from migrate.export.frameworks import Framework
from migrate.parity.failures import unusable
from migrate.parity.lane import Lane
from migrate.parity.paths import TARGET, TORCH
from migrate.parity.request import Request
from migrate.parity.session import THREADS, Session
from migrate.parity.sides import Sides
from migrate.parity.state import read_weights
from rewriters.target import Target, load_target

TRACE = "In transformed code:"
"""How Paddle begins to say what it met in a model's code."""

FRAME = re.compile(r'File "([^"]+)", line (\d+)')

ANY = "paddle"
"""A target for requests of torch alone, of which it asks nothing."""


@dataclass(frozen=True)
class Wanted:
    """What to export.

    converted: the project's folder, in the framework; source: the torch project, where weights are carried from it.
    weights:   a checkpoint: torch's where ``source`` is given or the framework is torch, else the framework's own.
               None: seeded ones, as ``migrate check`` has them.
    python:    the framework's interpreter, None for its own; torch_python likewise.
    """

    framework: Framework
    converted: Path
    entry: str
    inputs: Inputs
    weights: Path | None = None
    source: Path | None = None
    seed: int = 0
    paths: tuple[str, ...] = ()
    python: Path | None = None
    torch_python: Path | None = None
    timeout: float = 600.0

    @property
    def target(self) -> Target:
        """What is asked for in the request of a check."""
        return self.framework.target or load_target(ANY)

    @property
    def carries(self) -> bool:
        """Whether weights come through torch's model."""
        return self.framework.target is None or self.source is not None

    def request(self) -> Request:
        """As ``migrate check`` would be asked. Raises Unusable."""
        request = Request(
            source=self.source or self.converted,
            converted=self.converted,
            target=self.target,
            entry=self.entry,
            inputs=self.inputs.specs(),
            weights=self.weights if self.carries else None,
            seed=self.seed,
            torch_python=self.torch_python if self.framework.target is not None else self.python,
            target_python=self.python,
            timeout=self.timeout,
            levels=("outputs",),
            paths=self.paths,
        )
        request.read()
        return request


@dataclass(frozen=True)
class Beside:
    """What else the framework is asked for, each None where it is not.

    calibrate: MODULE:CALLABLE of the project, and the folder for the arrays of the calls that it yields.
    weights:   the folder for what the model's layers hold. layers: that for what they return.
    """

    calibrate: tuple[str, Path] | None = None
    weights: Path | None = None
    layers: Path | None = None


def save(
    wanted: Wanted,
    folder: Path,
    form: str,
    opset: int | None,
    on_stage: Callable[[str], None],
    beside: Beside = Beside(),
) -> tuple[dict[str, Any], dict[str, str]]:
    """Have the framework write its model to the folder: (what it said, versions). Raises Unusable."""
    request = wanted.request()
    tools = str(wanted.framework.tools)
    if not wanted.framework.tools.is_file():
        raise Unusable(f"{wanted.framework.title}: migrate knows no way to save its models", "--to another framework")
    folder.mkdir(parents=True)
    is_torch = wanted.framework.target is None
    try:
        with opened(wanted, request, on_stage) as (lane, drawn, inputs):
            job = {
                "tools": tools, "folder": str(folder), "inputs": str(inputs), "form": form, "opset": opset,
                "positional": drawn.positional, "keywords": drawn.keywords, "axes": wanted.inputs.axes,
                "layers": beside.layers and str(beside.layers),
            }  # fmt: skip
            said = lane.call("save", **job)
            if beside.weights is not None:
                lane.call("weights", folder=str(beside.weights))
            if beside.calibrate is not None:
                text, out = beside.calibrate
                lane.call("yielded", entry=text, folder=str(out), most=MOST, **_arguments(drawn))
            hello = lane.call("hello")
            return said, {wanted.framework.name: hello["framework"], "python": hello["python"]}
    except SideFailed as error:
        raise _unusable(error, wanted, is_torch) from None


def _unusable(error: SideFailed, wanted: Wanted, is_torch: bool) -> Unusable:
    if error.detail.get("checkpoint"):
        return Unusable(error.message, "if it is torch's, give the torch project too: --source FOLDER")
    if error.stage == CALIBRATION:
        at = f" at {error.where}" if error.where else ""
        kind = f"{error.kind}: " if error.kind else ""
        return Unusable(f"--calibrate: {kind}{error.message}{at}", MEND)
    if error.stage != "export":
        torch = is_torch or error.side.title == "torch"
        return unusable(error, wanted.entry, wanted.framework.name, torch, wanted.source or wanted.converted)
    where = error.where or _place(error.message, wanted.converted)
    at = f" at {where}" if where else ""
    said = error.message.strip().partition("\n")[0]
    if error.kind == "ModuleNotFoundError":
        lacking = error.detail.get("module") or said
        return Unusable(
            f"{error.side.title}: exporting needs {lacking}, which {error.side.python} does not have",
            f"uv pip install --python {error.side.python} {lacking}",
        )
    mend = f"mend {where}" if where else "name fewer axes as free, or give fixed sizes in --input"
    if error.detail.get("odd") or error.kind in ("timeout", "died", "memory"):
        return unusable(error, wanted.entry, wanted.framework.name, is_torch)
    # What an exporter raises may be long: a stack of its own, of which the last line says what is wrong.
    lines = [line.strip() for line in error.message.splitlines() if line.strip()]
    said = lines[-1] if lines[:1] == [TRACE] else said
    return Unusable(f"{error.side.title} does not export the model{at}: {said}", mend)


def _arguments(drawn: Drawn) -> dict[str, Any]:
    return {"positional": drawn.positional, "keywords": drawn.keywords}


def _place(message: str, project: Path) -> str:
    """file:line of the last frame in the project that an exporter names in what it says; "" where it names none."""
    frames = FRAME.findall(message)
    inside = [f"{file}:{line}" for file, line in frames if Path(file).is_relative_to(project.resolve())]
    return inside[-1] if inside else ""


@contextmanager
def opened(wanted: Wanted, request: Request, on_stage: Callable[[str], None]) -> Iterator[tuple[Lane, Drawn, Path]]:
    """The framework's process, its model filled; the arguments, and the folder of their arrays. Raises SideFailed."""
    if wanted.framework.target is not None and wanted.source is not None:
        with Session(request, on_stage) as session:
            sides = Sides(session, wanted.converted, session.folder / "export")
            sides.open().result()
            yield session.target, sides.drawn, session.folder / "inputs"
        return
    with tempfile.TemporaryDirectory(prefix="migrate-export-") as name:
        folder = Path(name)
        drawn = draw(parse_all(wanted.inputs.specs()), wanted.seed)
        arrays.write(folder / "inputs", {f"0:{path}": array for path, array in drawn.arrays.items()})
        lane = _alone(wanted, folder, on_stage)
        try:
            _fill(wanted, request, lane, drawn, folder)
            yield lane, drawn, folder / "inputs"
        finally:
            lane.close()


def _alone(wanted: Wanted, folder: Path, on_stage: Callable[[str], None]) -> Lane:
    framework = wanted.framework
    found = interpreter_for(framework.name, wanted.converted, wanted.python)
    job = {"runtime": str(framework.worker / "runtime.py"), "threads": THREADS}
    return Lane(Started(framework.title, found.python, found.env), job, folder / "log", wanted.timeout, on_stage)


def _fill(wanted: Wanted, request: Request, lane: Lane, drawn: Drawn, folder: Path) -> None:
    """Build the model, and load a checkpoint of the framework's own."""
    side = TORCH if wanted.framework.target is None else TARGET
    arguments = {"positional": drawn.positional, "keywords": drawn.keywords}
    lane.call(
        "open", project=str(wanted.converted.resolve()), entry=wanted.entry, seed=wanted.seed,
        paths=request.imports(side), **arguments,
    )  # fmt: skip
    if side == TARGET:
        assert wanted.weights is not None
        lane.call("read_own", tools=str(wanted.framework.tools), path=str(wanted.weights.resolve()), **arguments)
        return
    state = None
    if wanted.weights is not None:
        state = folder / "checkpoint"
        read_weights(wanted.weights, state)
    lane.call("state", state=state and str(state), probe=state is None, **arguments)
