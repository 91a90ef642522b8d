"""What the torch model computes without need: its findings, each with what leaving it out gave."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from checks.parity.inputs import GRAMMAR, WrongSpec, draw, parse_all
from checks.parity.process import Interpreter, SideFailed
from checks.worker import arrays
from checks.worker.entry import GRAMMAR as ENTRY_GRAMMAR
from checks.worker.entry import parse as parse_entry
from migrate.bench.statistics import Interval, band, interval, verdict
from migrate.environments.project import interpreter_for
from migrate.errors import Unusable
from migrate.parity.failures import unusable
from migrate.parity.lane import Lane
from migrate.parity.paths import TORCH, by_side, job
from rewriters import torch as torch_side

FINDER = torch_side.WORKER / "leftovers" / "__init__.py"


@dataclass(frozen=True)
class Plan:
    """What is looked at.

    source:   folder of the torch project.
    entry, inputs, paths: as ``migrate check`` takes them.
    rounds:   how often each finding is timed; seconds: how long each time.
    least:    the share of the time, in [0, 1], below which a finding is only counted.
    threads:  of torch; None for as many as there are processors, four at most.
    """

    source: Path
    entry: str
    inputs: Sequence[str]
    rounds: int = 10
    seconds: float = 0.5
    least: float = 0.005
    threads: int | None = None
    torch_python: Path | None = None
    timeout: float = 600.0
    paths: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tried:
    """What leaving something out gave.

    apart:   distance of the results, rms over rms: 0 where they are equal bit by bit.
    same:    whether that is no more than the rounding of float32 sums in another order.
    ratio:   of the speeds; verdict: of ``statistics.verdict``.
    failed:  why it was not tried, "" where it was.
    """

    same: bool = False
    apart: float = 0.0
    ratio: Interval | None = None
    verdict: str = ""
    failed: str = ""


@dataclass(frozen=True)
class Finding:
    """``kind``: a module of ``rewriters/torch/worker/leftovers``; ``places`` the source lines, the first ones first.

    share:    of the model's time, in [0, 1], of the operations at those lines.
    same_as:  where the same was computed before.
    said:     what its kind says besides.
    """

    kind: str
    share: float
    places: list[dict[str, Any]]
    same_as: dict[str, Any] | None
    said: dict[str, Any]
    tried: Tried


@dataclass(frozen=True)
class Leftovers:
    """All of a model's.

    milliseconds:  all its operations by themselves.
    small:         findings below the least share.
    together:      all findings that keep the results, loops aside; None where there are not two.
    baked:         control flow hangs on the values of the inputs: another way through the model was not looked at.
    """

    operations: int
    milliseconds: float
    findings: list[Finding]
    small: int
    together: Tried | None
    baked: bool
    version: str
    threads: int


def find(plan: Plan, on_stage: Callable[[str], None] = lambda stage: None) -> Leftovers:
    """Look. Raises Unusable: a wrong spec, an interpreter that is not there, a model that does not run or trace."""
    if not plan.source.is_dir():
        raise Unusable(f"{plan.source} is not a folder", "give the torch project's folder")
    try:
        parse_entry(plan.entry)
    except ValueError as error:
        raise Unusable(str(error), f"--entry is {ENTRY_GRAMMAR}") from None
    try:
        inputs = parse_all(plan.inputs)
    except WrongSpec as error:
        raise Unusable(str(error), f"--input is {GRAMMAR}") from None
    interpreter = interpreter_for("torch", plan.source, plan.torch_python)
    threads = plan.threads or min(4, os.cpu_count() or 1)
    with tempfile.TemporaryDirectory(prefix="migrate-leftovers-") as temporary:
        folder = Path(temporary)
        drawn = draw(inputs, 0)
        both = {f"{batch}:{name}": one for batch in (0, 1) for name, one in draw(inputs, batch).arrays.items()}
        arrays.write(folder / "inputs", both)
        given = {"positional": drawn.positional, "keywords": drawn.keywords}
        side = Interpreter("torch", interpreter.python, interpreter.env)
        runtime = {"runtime": str(torch_side.WORKER / "runtime.py"), "threads": threads}
        lane = Lane(side, runtime, folder / "torch", plan.timeout, on_stage)
        try:
            project = {"project": str(plan.source.resolve()), "entry": plan.entry, "seed": 0}
            lane.call("open", **project, paths=job(by_side(plan.paths, "")[TORCH]), **given)
            timing = {"rounds": plan.rounds, "seconds": plan.seconds, "least": plan.least}
            found = lane.call("leftovers", inputs=str(folder / "inputs"), tools=str(FINDER), **timing, **given)
            version = lane.call("hello")["framework"]
        except SideFailed as error:
            raise unusable(error, plan.entry, "torch", True, plan.source) from None
        finally:
            lane.close()
    return Leftovers(
        operations=found["operations"],
        milliseconds=found["milliseconds"],
        findings=[finding(row) for row in found["findings"]],
        small=found["small"],
        together=tried(found["together"]) if found["together"] else None,
        baked=found["baked"],
        version=version,
        threads=threads,
    )


def finding(row: dict[str, Any]) -> Finding:
    """Of the worker's JSON."""
    known = ("kind", "share", "places", "same_as", "same", "apart", "base", "again", "samples", "failed")
    said = {key: value for key, value in row.items() if key not in known}
    return Finding(row["kind"], row["share"], row["places"], row["same_as"], said, tried(row))


def tried(row: dict[str, Any]) -> Tried:
    """What the samples say; nothing within the noise of the unchanged graph against itself is called a gain."""
    if "failed" in row:
        return Tried(failed=row["failed"])
    base, again, samples = row["base"], row["again"], row["samples"]
    ratio = interval([(one + two) / 2 / own for one, two, own in zip(base, again, samples, strict=True)])
    found = Tried(same=row["same"], apart=row["apart"], ratio=ratio)
    return replace(found, verdict=verdict(ratio, band(base, again)))
