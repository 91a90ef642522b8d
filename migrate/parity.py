"""Runs a model in torch and in the target, with the same weights and inputs, and compares what both return.

The order: torch builds the model, takes its weights (trained ones, or seeded ones that show swapped buffers), runs it
in its own precision, in a few variants, and in double precision; the state travels into the target's layout; the target
loads it strictly and runs once; ``checks.compare`` judges. Each side is its own process in its own interpreter.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from checks import arrays
from checks.compare import Row, Side, Tolerance, Torch, compare
from checks.entry import GRAMMAR as ENTRY_GRAMMAR
from checks.entry import parse as parse_entry
from checks.inputs import GRAMMAR as INPUT_GRAMMAR
from checks.inputs import Input, WrongSpec, half_ulp_noise, parse_all
from checks.process import Interpreter, SideFailed, run_worker
from migrate.environments import find_interpreter
from migrate.errors import Unusable
from migrate.parity_failures import unusable
from migrate.parity_state import carry_state, read_weights
from rewriters import source as torch_side
from rewriters.target import Target

THREADS = min(4, os.cpu_count() or 1)
TORCH_FOLDER = Path(torch_side.__file__).parent

OWN, EXACT, NOISY = "float32", "float64", "float64 noisy"


@dataclass(frozen=True)
class Request:
    """What to check.

    source, converted:  folders of the torch project and of its conversion.
    entry:              MODULE:CALLABLE(arguments), the same on both sides.
    inputs:             specs, as ``checks.inputs`` reads them.
    weights:            a checkpoint of the torch model; None for seeded weights.
    timeout:            seconds for each side.
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


@dataclass(frozen=True)
class Report:
    """The outcome of a check.

    torch, target:  what each worker said of itself: framework, python, numpy, seconds per stage, entry.
    weights:        sha256 of the checkpoint, None for seeded weights.
    sources:        sha256 over the Python files of either folder.
    reference:      "float64", or why torch has no double-precision run.
    """

    request: Request
    torch: dict[str, Any]
    target: dict[str, Any]
    weights: str | None
    sources: dict[str, str]
    reference: str
    rows: list[Row] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """parity or differs."""
        return "differs" if any(row.verdict == "differs" for row in self.rows) else "parity"


def check_parity(request: Request, on_stage: Callable[[str], None] = lambda stage: None) -> Report:
    """Run both sides and compare.

    on_stage:  told what is going on, in a few words.
    Raises Unusable: a wrong spec, an entry that does not import or needs arguments, weights that do not fit, a side
    that crashes, hangs, or runs out of memory.
    """
    inputs = _read_request(request)
    with tempfile.TemporaryDirectory(prefix="migrate-check-") as name:
        run = _Run(request, inputs, Path(name), on_stage)
        with _failures(request):
            torch_result = run.torch()
            torch, reference = run.torch_outputs(torch_result)
            target_result = run.target()
            rows = compare(torch, run.target_output(target_result), request.tolerance)
        return Report(
            request=request,
            torch=_without_runs(torch_result),
            target=_without_runs(target_result),
            weights=_sha256(request.weights) if request.weights else None,
            sources={"source": _digest(request.source), "converted": _digest(request.converted)},
            reference=reference,
            rows=rows,
        )


class _Run:
    """The two processes of a check and the folder through which they talk."""

    def __init__(self, request: Request, inputs: list[Input], folder: Path, on_stage: Callable[[str], None]) -> None:
        self.request = request
        self.folder = folder
        self.on_stage = on_stage
        # Both before either runs: a missing framework shows at once.
        self.interpreters = (
            find_interpreter("torch", request.torch_python),
            find_interpreter(_name(request.target), request.target_python),
        )
        self.names = [item.name or str(position) for position, item in enumerate(inputs)]
        self.positional = [name for name, item in zip(self.names, inputs, strict=True) if not item.name]
        self.keywords = [name for name, item in zip(self.names, inputs, strict=True) if item.name]
        drawn = [item.draw(request.seed, position) for position, item in enumerate(inputs)]
        noisy = [half_ulp_noise(array, request.seed, position) for position, array in enumerate(drawn)]
        arrays.write(folder / "inputs", dict(zip(self.names, drawn, strict=True)))
        arrays.write(folder / "noisy", dict(zip(self.names, noisy, strict=True)))

    def torch(self) -> dict[str, Any]:
        """Torch's result; leaves the state and its description in the folder."""
        request = self.request
        state = None
        if request.weights is not None:
            self.on_stage(f"reading {request.weights}")
            state = self.folder / "checkpoint"
            read_weights(request.weights, state)
        found = self.interpreters[0]
        runs: list[dict[str, Any]] = [
            {"name": OWN, "inputs": str(self.folder / "inputs"), "variants": True},
            {"name": EXACT, "inputs": str(self.folder / "inputs"), "double": True},
            {"name": NOISY, "inputs": str(self.folder / "noisy"), "double": True},
        ]
        job = self.job(request.source, TORCH_FOLDER / "runtime.py", runs) | {
            "state": state and str(state),
            "probe": state is None,
            "export": str(self.folder / "state"),
            "describe": str(TORCH_FOLDER / "describe.py"),
        }
        return self.run(Interpreter("torch", found.python, found.env), "torch", job)

    def target(self) -> dict[str, Any]:
        """The target's result, from the state that torch left, in the target's layout."""
        request = self.request
        state = None
        description = self.folder / "torch" / "describe.json"
        if description.is_file():  # not for a plain function
            self.on_stage(f"carrying the weights into {request.target.title}'s layout")
            state = self.folder / "carried"
            described = json.loads(description.read_text(encoding="utf-8"))
            carry_state(described, arrays.read(self.folder / "state"), request.target, _name(request.target), state)
        found = self.interpreters[1]
        runs = [{"name": OWN, "inputs": str(self.folder / "inputs")}]
        job = self.job(request.converted, request.target.runtime, runs) | {"state": state and str(state)}
        return self.run(Interpreter(request.target.title, found.python, found.env), "target", job)

    def job(self, project: Path, runtime: Path, runs: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "project": str(project.resolve()),
            "entry": self.request.entry,
            "runtime": str(runtime),
            "seed": self.request.seed,
            "threads": THREADS,
            "positional": self.positional,
            "keywords": self.keywords,
            "runs": runs,
        }

    def run(self, side: Interpreter, folder: str, job: dict[str, Any]) -> dict[str, Any]:
        self.on_stage(f"{side.title}: start")
        timeout = self.request.timeout
        return run_worker(
            side, job, self.folder / folder, timeout, lambda stage: self.on_stage(f"{side.title}: {stage}")
        )

    def torch_outputs(self, result: dict[str, Any]) -> tuple[Torch, str]:
        """Torch's runs, and what the reference is. Raises Unusable when there is none, and no tolerance instead."""
        runs = {run["name"]: run for run in result["runs"] if not run.get("skipped")}
        failed = next((runs[name]["error"] for name in (EXACT, NOISY) if "error" in runs[name]), "")
        if failed and self.request.tolerance is None:
            raise Unusable(
                f"the torch model does not run in double precision, which the noise floor needs: {failed}",
                "let the model follow its input's dtype, or give --rtol and --atol to compare with torch's float32",
            )
        read = {name: arrays.read(self.folder / "torch" / name) for name, run in runs.items() if "error" not in run}
        odd = [node["type"] for node in runs[OWN]["structure"].values() if node["kind"] == "object"]
        if odd or not read[OWN]:
            what = f"a {odd[0]}, which" if odd else "what"
            raise Unusable(
                f"{self.request.entry} returns {what} holds no tensor in torch",
                "write a function that calls the model and returns its tensors, and name it as the entry",
            )
        torch = Torch(
            own=Side(read[OWN], runs[OWN]["structure"]),
            variants={name: found for name, found in read.items() if name not in (OWN, EXACT, NOISY)},
            exact=None if failed else read[EXACT],
            noisy=None if failed else read[NOISY],
        )
        return torch, f"float32, {failed}" if failed else "float64"

    def target_output(self, result: dict[str, Any]) -> Side:
        return Side(arrays.read(self.folder / "target" / OWN), result["runs"][0]["structure"])


@contextlib.contextmanager
def _failures(request: Request) -> Any:
    try:
        yield
    except SideFailed as error:
        raise unusable(error, request.entry, _name(request.target), torch=error.side.title == "torch") from None


def _read_request(request: Request) -> list[Input]:
    """The inputs. Raises Unusable for whatever shows before a process is started."""
    for folder in (request.source, request.converted):
        if not folder.is_dir():
            raise Unusable(f"{folder} is not a folder", "give the torch project's folder, then the converted one's")
    try:
        parse_entry(request.entry)
    except ValueError as error:
        raise Unusable(str(error), f"--entry is {ENTRY_GRAMMAR}") from None
    if request.weights is not None and not request.weights.exists():
        raise Unusable(f"{request.weights} does not exist", "give a checkpoint of the torch model to --weights")
    try:
        return parse_all(request.inputs)
    except WrongSpec as error:
        raise Unusable(str(error), f"--input is {INPUT_GRAMMAR}") from None


def _name(target: Target) -> str:
    """As ``--to`` takes it: the name of a target that ships with migrate, else the folder's path."""
    return target.name if target.folder.parent == TORCH_FOLDER.parent else str(target.folder)


def _without_runs(result: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in result.items() if key != "runs"}


def _sha256(path: Path) -> str | None:
    """Of a file's bytes; None for a checkpoint that is a folder."""
    if not path.is_file():
        return None
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() if hasattr(hashlib, "file_digest") else _blockwise(file)


def _blockwise(file: Any) -> str:
    digest = hashlib.sha256()  # Python 3.10 has no file_digest
    while block := file.read(1 << 20):
        digest.update(block)
    return digest.hexdigest()


def _digest(folder: Path) -> str:
    """sha256 over names and bytes of the folder's Python files, hidden folders left out."""
    digest = hashlib.sha256()
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
        for name in sorted(files):
            if name.endswith(".py"):
                path = Path(place, name)
                digest.update(f"{path.relative_to(folder).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()
