"""Running both sides and measuring: each framework in its own process, one at a time, in interleaved rounds."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from checks.parity.process import SideFailed
from migrate.bench.statistics import Interval, band, interval, quartiles, verdict
from migrate.errors import Unusable
from migrate.parity.lane import Lane
from migrate.parity.paths import TARGET, TORCH
from migrate.parity.request import Request
from migrate.parity.session import TORCH_FOLDER, Session
from migrate.parity.training import converted_defaults, torch_defaults

EAGER, STATIC, AMP = "eager", "static", "amp"

CRASHES = 3
"""How often a process may crash, or hang, over one command: OneFlow 0.9's graphs do now and then, called many times in
a row.
"""
SLOWER = 20.0
"""How many times as long as torch eager, or as before, a mode may take and not be taken to hang."""
PATIENCE = 60.0
"""Seconds after which a command that has begun is taken to hang, beyond what it should need; twice as many each time
that it is tried anew, and at last what the user allows.
"""

_SIZES = re.compile(r"(\b[a-z]+\d*\[)\s*\d+(?=\s*[,\]])")


@dataclass(frozen=True)
class Plan:
    """What to measure.

    request:  source, converted, target, entry, inputs, optimizer, loss, threads.
    batches:  sizes of the first axis of every tensor; empty: as the inputs say.
    train:    steps of training instead of calls without gradients.
    rounds:   how often each mode is measured; seconds: how long each time.
    compiled: also torch.compile; amp: also mixed precision.
    """

    request: Request
    batches: tuple[int, ...] = ()
    train: bool = False
    rounds: int = 10
    seconds: float = 0.5
    compiled: bool = True
    amp: bool = False


@dataclass
class Mode:
    """One way to run the model, for one batch.

    samples: seconds of a call, one for each round: the mean over its calls.
    first:   seconds of the first call, in which a graph is built.
    needs:   seconds that a round's calls do not exceed, unless they hang.
    why:     why it was not measured.
    ratio:   of its speed to torch eager's; to_own_eager: to that of the same framework, of other modes than eager.
    """

    side: str
    name: str
    title: str
    batch: int | None
    samples: list[float] = field(default_factory=list)
    first: float = 0.0
    calls: int = 1
    needs: float = math.inf
    why: str = ""
    ratio: Interval | None = None
    verdict: str = ""
    to_own_eager: Interval | None = None
    own_verdict: str = ""

    @property
    def quartiles(self) -> tuple[float, float, float]:
        """Of the seconds of a call."""
        return quartiles(self.samples)


@dataclass
class Measured:
    """All of it: the modes of each batch, the noise of each, versions of both sides."""

    modes: list[Mode]
    noise: dict[int | None, float]
    versions: dict[str, dict[str, Any]]
    threads: int


def with_batch(spec: str, batch: int) -> str:
    """The spec with another first size in each tensor: ``float32[2,3]`` -> ``float32[16,3]``."""
    return _SIZES.sub(lambda found: f"{found.group(1)}{batch}", spec)


def batch_of(specs: Sequence[str]) -> int | None:
    """The first size of the first tensor."""
    found = next(filter(None, map(_SIZES.search, specs)), None)
    return int(found.group(0)[len(found.group(1)) :]) if found else None


def measure(plan: Plan, on_stage: Callable[[str], None] = lambda stage: None) -> Measured:
    """Measure. Raises Unusable: wrong specs, interpreters that are not there, an entry that does not run in torch."""
    modes: list[Mode] = []
    noise: dict[int | None, float] = {}
    versions: dict[str, dict[str, Any]] = {}
    tools = plan.request.target.folder / "worker" / "static_runtime.py"
    if not tools.is_file():
        raise Unusable(f"{plan.request.target.title}: migrate cannot measure it", "choose paddle or oneflow with --to")
    threads = 0
    for batch in plan.batches or (None,):
        specs = plan.request.inputs if batch is None else [with_batch(spec, batch) for spec in plan.request.inputs]
        batch = batch or batch_of(specs)
        request = replace(plan.request, inputs=specs)
        with Session(request, on_stage) as session:
            threads = session.threads
            found = Batch(plan, session, batch, on_stage)
            try:
                modes += found.run()
            except SideFailed as error:
                where = f" ({error.where})" if error.where else ""
                raise Unusable(
                    f"{error.side.title}: {error.stage}: {error.message}{where}",
                    "see that `migrate check` runs with the same --entry and --input",
                ) from None
            noise[batch] = found.noise
            versions = {
                side: {**lane.call("hello"), "title": lane.side.title}
                for side, lane in ((TORCH, session.torch), (TARGET, session.target))
            }
    return Measured(modes, noise, versions, threads)


class Batch:
    """The modes of both sides for inputs of one shape."""

    def __init__(self, plan: Plan, session: Session, batch: int | None, on_stage: Callable[[str], None]) -> None:
        self.plan, self.session, self.batch, self.on_stage = plan, session, batch, on_stage
        self.noise = 1.0
        self.preparing = math.inf  # seconds, known once torch eager is prepared
        self.lanes: dict[str, Lane] = {TORCH: session.torch, TARGET: session.target}

    def run(self) -> list[Mode]:
        """Prepare, warm up, measure in rounds, judge. Raises SideFailed."""
        self.open()
        title = self.plan.request.target.title
        modes = [Mode(TORCH, EAGER, "torch eager", self.batch)]
        if self.plan.compiled:
            modes.append(Mode(TORCH, STATIC, "torch.compile", self.batch))
        modes += [
            Mode(TARGET, EAGER, f"{title} eager", self.batch),
            Mode(TARGET, STATIC, f"{title} static", self.batch),
        ]
        if self.plan.amp:
            modes += [Mode(TORCH, AMP, "torch autocast", self.batch), Mode(TARGET, AMP, f"{title} amp", self.batch)]
        for mode in modes:
            self.prepare(mode)
        ready = [mode for mode in modes if not mode.why]
        self.rounds(ready)
        self.judge(ready)
        return modes

    def open(self) -> None:
        """Build both models and tell both sides what to call them with."""
        session, request = self.session, self.plan.request
        drawn = session.draw()
        arguments = {"positional": drawn.positional, "keywords": drawn.keywords}
        defaults = {TORCH: torch_defaults(), TARGET: converted_defaults(request.target, session.folder / "defaults")}
        folders = {TORCH: request.source, TARGET: request.converted}
        tools = {TORCH: TORCH_FOLDER, TARGET: request.target.runtime.parent}
        for side, lane in self.lanes.items():
            project = str(folders[side].resolve())
            named = {"project": project, "entry": request.entry, "paths": request.imports(side)}
            opened = lane.set_up("open", **named, seed=request.seed, **arguments)
            if opened["kind"] != "module":
                raise Unusable(f"{request.entry} is a function", "name a model, or a function that returns one")
            lane.set_up(
                "bench",
                inputs=str(session.folder / "inputs"),
                tools=str(tools[side] / "static_runtime.py"),
                train=self.plan.train,
                optimizer=request.optimizer,
                scheduler=request.scheduler,
                loss=request.loss,
                defaults=str(defaults[side]),
                **arguments,
            )

    def prepare(self, mode: Mode) -> None:
        """Warm a mode up; torch eager must work, of another it is said why it does not."""
        self.on_stage(f"warming up: {mode.title}{self.of_batch}")
        try:
            begun = time.monotonic()
            found = self.told(mode, self.preparing, prepare=mode.name)
            if not math.isfinite(self.preparing):
                self.preparing = SLOWER * (time.monotonic() - begun)
        except SideFailed as error:
            if mode.side == TORCH and mode.name == EAGER:
                raise
            text = error.message.strip().splitlines() or [error.kind]
            mode.why = f"{error.kind}: {text[0]}" if error.kind else text[0]
            return
        mode.first = found["first"]
        mode.calls = max(1, round(self.plan.seconds / max(found["warm"], 1e-6)))
        mode.needs = SLOWER * mode.calls * found["warm"]

    @property
    def of_batch(self) -> str:
        """For messages."""
        return "" if self.batch is None else f", batch {self.batch}"

    def rounds(self, modes: Sequence[Mode]) -> None:
        """Each round: torch eager, then all modes in an order that turns by one, then torch eager again."""
        self.first: list[float] = []
        self.last: list[float] = []
        base = modes[0]
        for number in range(self.plan.rounds):
            self.on_stage(f"measuring: round {number + 1} of {self.plan.rounds}{self.of_batch}")
            others = list(modes[1:])
            turn = number % max(1, len(others))
            self.first.append(self.sample(base))
            for mode in others[turn:] + others[:turn]:
                mode.samples.append(self.sample(mode))
            self.last.append(self.sample(base))
            base.samples.append((self.first[-1] + self.last[-1]) / 2)

    def sample(self, mode: Mode) -> float:
        """The mean seconds of a call."""
        found: list[float] = self.told(mode, self.preparing + mode.needs, measure=mode.name, count=mode.calls)[
            "seconds"
        ]
        return sum(found) / len(found)

    def told(self, mode: Mode, needs: float, **command: Any) -> dict[str, Any]:
        """The answer to a command that should need so many seconds; a process that crashed or hangs is started anew.
        Raises SideFailed.
        """
        for attempt in range(CRASHES):
            try:
                return self.lanes[mode.side].call("bench", needs + PATIENCE * 2**attempt, **command)
            except SideFailed as error:
                if error.kind not in ("died", "timeout"):
                    raise
        return self.lanes[mode.side].call("bench", **command)

    def judge(self, modes: Sequence[Mode]) -> None:
        """The ratios to torch eager."""
        base = modes[0]
        self.noise = band(self.first, self.last)
        base.ratio, base.verdict = Interval(1.0, 1.0, 1.0), "1 by definition"
        for mode in modes[1:]:
            own = next((other for other in modes if (other.side, other.name) == (mode.side, EAGER)), None)
            if own is not None and own is not mode:
                mode.to_own_eager = interval([a / b for a, b in zip(own.samples, mode.samples, strict=True)])
                mode.own_verdict = verdict(mode.to_own_eager, self.noise)
            mode.ratio = interval([a / b for a, b in zip(base.samples, mode.samples, strict=True)])
            mode.verdict = verdict(mode.ratio, self.noise)
