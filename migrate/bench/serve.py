"""How fast a server answers: clients that ask again as soon as they have their answer, more and more of them.

Each choice of a batch and a number of clients is measured in every round, in an order that turns by one; the first
one twice, at the beginning and at the end: by how much it differs from itself is the noise. The clients run on this
machine.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from migrate.bench.statistics import Interval, band, interval, verdict
from migrate.errors import Unusable
from migrate.export.manifest import Manifest
from migrate.serving.check import as_sent, opened
from migrate.serving.rows import batch_axis, drawn
from migrate.serving.worker.client import Client, ServerError

HERE = "here"
PERCENTILES = (50, 90, 95, 99)


@dataclass(frozen=True)
class Plan:
    """What is measured.

    folder:  a Triton model repository. url: of the server that has it, HERE for one that is started.
    clients: numbers of them; batches: rows of a request, empty: one row, or as exported where no axis is a batch's.
    rounds:  how often each is measured; seconds: how long each time.
    """

    folder: Path
    url: str = HERE
    clients: tuple[int, ...] = (1, 2, 4, 8)
    batches: tuple[int, ...] = ()
    rounds: int = 5
    seconds: float = 2.0
    timeout: float = 60.0


@dataclass
class Level:
    """A batch and a number of clients.

    latencies: seconds of every request, by round; rates: requests a second, one for each round.
    rows, runs: of the model's executions, as the server counts them; None where it does not.
    ratio:     of the rows a second to the first level's.
    """

    batch: int | None
    clients: int
    latencies: list[list[float]] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    rows: int | None = 0
    runs: int | None = 0
    ratio: Interval | None = None
    verdict: str = ""

    @property
    def all_latencies(self) -> list[float]:
        return [one for each in self.latencies for one in each]

    def percentile(self, percent: float) -> float | None:
        """Seconds; None where there are too few requests to tell."""
        found = self.all_latencies
        return float(np.percentile(found, percent)) if len(found) * (100 - percent) >= 100 else None

    @property
    def samples(self) -> list[float]:
        """Rows a second, one for each round."""
        return [rate * (self.batch or 1) for rate in self.rates]


@dataclass
class Served:
    """All of it. noise: the factor by which the first level differs from itself; server: name and version."""

    model: str
    server: str
    serving: dict[str, Any]
    levels: list[Level]
    noise: float


def measure(plan: Plan, on_stage: Callable[[str], None] = lambda stage: None) -> Served:
    """Measure. Raises Unusable: no server, another model, a batch that is too large, a request that is refused."""
    with opened(plan.folder, None if plan.url == HERE else plan.url, on_stage) as (url, manifest):
        assert manifest.serving is not None
        serving, (axis, why) = manifest.serving, batch_axis(manifest)
        if plan.batches and not axis:
            raise Unusable(f"--batch: {why}", "leave --batch away")
        largest = serving["batch"]
        for size in plan.batches:
            if largest and size > largest:
                raise Unusable(
                    f"--batch {size}: the model is served in batches of {largest} at most", "export with --max-batch"
                )
        batches: Sequence[int | None] = plan.batches or ((1,) if axis else (None,))
        wanted = [(clients, batch) for batch in batches for clients in plan.clients]
        bench, levels = prepared(plan, url, manifest, wanted)
        bench.rounds(levels, on_stage)
        with Client(url, plan.timeout) as client:
            told = client.server()
        server = f"{str(told.get('name')).partition('-')[0]} {told.get('version')}"
        return Served(serving["model"], server, {**serving, "url": url}, levels, bench.noise)


def prepared(
    plan: Plan, url: str, manifest: Manifest, wanted: Sequence[tuple[int, int | None]]
) -> tuple[Bench, list[Level]]:
    """What asks the server, and a level for each (clients, rows of a request). Raises Unusable."""
    assert manifest.serving is not None
    model, (axis, _) = manifest.serving["model"], batch_axis(manifest)
    bodies = {}
    with Client(url, plan.timeout) as client:
        for batch in dict.fromkeys(batch for _, batch in wanted):
            inputs = drawn(manifest, {axis: batch} if batch else {}, 0)
            bodies[batch] = client.request(model, as_sent(manifest, inputs))
    return Bench(plan, url, model, bodies), [Level(batch, clients) for clients, batch in wanted]


class Bench:
    """Clients of one model."""

    def __init__(self, plan: Plan, url: str, model: str, bodies: dict[int | None, Any]) -> None:
        self.plan, self.url, self.model, self.bodies = plan, url, model, bodies
        self.noise = 1.0

    def rounds(self, levels: list[Level], on_stage: Callable[[str], None]) -> None:
        """Warm up, measure in rounds, judge."""
        for level in levels:
            on_stage(f"warming up: {described(level)}")
            self.run(level, min(1.0, self.plan.seconds))
        base, first, last = levels[0], [], []
        for number in range(self.plan.rounds):
            others = levels[1:]
            turn = number % max(1, len(others))
            on_stage(f"measuring: round {number + 1} of {self.plan.rounds}")
            first.append(self.measured(base))
            for level in others[turn:] + others[:turn]:
                level.rates.append(self.measured(level))
            last.append(self.measured(base))
            base.rates.append((first[-1] + last[-1]) / 2)
        self.noise = band(first, last)
        base.ratio, base.verdict = Interval(1.0, 1.0, 1.0), "1 by definition"
        for level in levels[1:]:
            level.ratio = interval([one / two for one, two in zip(level.samples, base.samples, strict=True)])
            level.verdict = verdict(level.ratio, self.noise)

    def measured(self, level: Level) -> float:
        """Requests a second."""
        with Client(self.url, self.plan.timeout) as client:
            before = client.statistics(self.model)
            latencies, elapsed = self.run(level, self.plan.seconds)
            after = client.statistics(self.model)
        level.latencies.append(latencies)
        if before is None or after is None or level.rows is None or level.runs is None:
            level.rows = level.runs = None
        else:
            level.rows += after["inference_count"] - before["inference_count"]
            level.runs += after["execution_count"] - before["execution_count"]
        return len(latencies) / elapsed

    def run(self, level: Level, seconds: float) -> tuple[list[float], float]:
        """(seconds of each request, of all together). Raises Unusable."""
        headers, body = self.bodies[level.batch]
        found: list[list[float]] = [[] for _ in range(level.clients)]
        failed: list[ServerError] = []
        barrier = threading.Barrier(level.clients + 1)
        deadline = [0.0]

        def ask(number: int) -> None:
            with Client(self.url, self.plan.timeout) as client:
                try:
                    # The connection is made before the clock runs.
                    client.ready()
                except ServerError as error:
                    failed.append(error)
                barrier.wait()
                while not failed:
                    begun = time.perf_counter()
                    try:
                        client.answer(self.model, headers, body)
                    except ServerError as error:
                        failed.append(error)
                        return
                    ended = time.perf_counter()
                    found[number].append(ended - begun)
                    if ended >= deadline[0]:
                        return

        threads = [threading.Thread(target=ask, args=(number,), daemon=True) for number in range(level.clients)]
        for thread in threads:
            thread.start()
        begun = time.perf_counter()
        deadline[0] = begun + seconds
        barrier.wait()
        for thread in threads:
            thread.join()
        if failed:
            mend = (
                "see what it says, and its log" if failed[0].status else "see that the server is there: migrate serve"
            )
            raise Unusable(f"{described(level)}: {failed[0].message}", mend)
        return [one for each in found for one in each], time.perf_counter() - begun


def described(level: Level) -> str:
    """For messages."""
    of = "" if level.batch is None else f", {level.batch} row{'s' * (level.batch != 1)} a request"
    return f"{level.clients} client{'s' * (level.clients != 1)}{of}"
