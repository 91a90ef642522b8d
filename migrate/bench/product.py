"""``migrate bench --product``: what each step of the road to a served model gives, and all of them together.

Steps are measured one after another, each beside the one before it and beside torch eager, in rounds in which they take
turns: eager, static and back ends for one row; then the best back end with larger batches; then that in several
processes; then the server. A step is carried on where it is faster than what was there, outside of the noise. Torch
eager comes twice in each round, and by how much it differs from itself is the noise.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from checks.parity.process import SideFailed
from migrate.bench import leftovers, serve
from migrate.bench.engines import Pool
from migrate.bench.session import EAGER, STATIC, Batch, Mode
from migrate.bench.session import Plan as Modes
from migrate.bench.statistics import Interval, band, interval, verdict
from migrate.errors import Unusable
from migrate.export import axes
from migrate.export.check import Against, against, held
from migrate.export.manifest import Manifest
from migrate.parity.paths import TARGET, TORCH
from migrate.parity.request import Request
from migrate.parity.requests import target_of
from migrate.parity.session import Session
from migrate.serving.check import opened
from migrate.serving.repository import TRITON
from migrate.serving.rows import batch_axis

Stage = Callable[[str], None]


@dataclass(frozen=True)
class Plan:
    """What is measured.

    source, converted: the projects. exported: folders of exports of one entry, one of them a Triton repository at most.
    batches:  rows of a call that are tried. clients: of the server.
    rounds, seconds: how often, and how long each time. threads: processors that are used, None for all, four at most.
    """

    source: Path
    converted: Path
    exported: tuple[Path, ...]
    batches: tuple[int, ...] = (1, 2, 4, 8)
    clients: tuple[int, ...] = (1, 8)
    rounds: int = 7
    seconds: float = 0.5
    threads: int | None = None
    to: str | None = None
    torch_python: Path | None = None
    target_python: Path | None = None
    timeout: float = 600.0


@dataclass
class Row:
    """A way to run the model.

    factor:   the step; title: which way. samples: rows a second, one for each round.
    beside:   what it is compared with by itself; alone, together: ratios to that, and to torch eager, within rounds.
    why:      why there is nothing to see, or what to know.
    """

    factor: str
    title: str
    samples: list[float] = field(default_factory=list)
    beside: str = ""
    alone: Interval | None = None
    alone_verdict: str = ""
    together: Interval | None = None
    verdict: str = ""
    why: str = ""


@dataclass
class Way:
    """A row, and how it is measured: rows a second."""

    row: Row
    rate: Callable[[], float]


@dataclass
class Product:
    """All of it. chosen: the rows that were carried on; noise: of each step; versions: of what ran."""

    entry: str
    specs: list[str]
    rows: list[Row]
    chosen: list[Row]
    noise: dict[str, float]
    versions: dict[str, str]
    threads: int


def artefacts(folders: Sequence[Path]) -> tuple[list[Against], Path | None]:
    """What runs each export, and the repository among them. Raises Unusable: exports of different models."""
    found, repository, first = [], None, None
    for folder in folders:
        manifest = held(folder)
        if first is not None and told(manifest) != told(first):
            raise Unusable(
                f"{folder}: is another model, or has other inputs, than {folders[0]}", "name exports of one model"
            )
        first = first or manifest
        if manifest.format != TRITON:
            found.append(against(folder, None, None))
        elif repository is None:
            repository = folder
        else:
            raise Unusable(f"{folder}: is a second model repository", "name one")
    if not found:
        raise Unusable("no exported model is named that a back end runs", "--product DIR, what `migrate export` wrote")
    return found, repository


def told(manifest: Manifest) -> Any:
    """What exports of one model have in common."""
    return manifest.entry, manifest.specs


def measure(plan: Plan, on_stage: Stage = lambda stage: None) -> Product:
    """Measure. Raises Unusable: exports that do not fit, a lacking interpreter, a model that does not run."""
    found, repository = artefacts(plan.exported)
    manifest = found[0].manifest
    axis, why = batch_axis(manifest)
    if not axis:
        raise Unusable(f"{found[0].folder}: has no axis of batches: {why}", "export with a free first axis")
    threads = plan.threads or min(4, os.cpu_count() or 1)
    inputs = axes.read(manifest.specs, [f"{name}={size}" for name, size in manifest.sizes.items()])
    request = Request(
        plan.source, plan.converted, target_of(plan.to, plan.converted), manifest.entry, inputs.specs({axis: 1}),
        torch_python=plan.torch_python, target_python=plan.target_python, timeout=plan.timeout, levels=("outputs",),
        threads=threads,
    )  # fmt: skip
    with Session(request, on_stage) as session, tempfile.TemporaryDirectory(prefix="migrate-product-") as temporary:
        try:
            return Measuring(plan, session, found, repository, Path(temporary), on_stage).run(threads)
        except SideFailed as error:
            where = f" ({error.where})" if error.where else ""
            raise Unusable(
                f"{error.side.title}: {error.stage}: {error.message}{where}",
                "see that `migrate check` runs with the same entry and inputs",
            ) from None


class Measuring:
    """The steps of one model."""

    def __init__(
        self, plan: Plan, session: Session, found: list[Against], repository: Path | None, folder: Path, on_stage: Stage
    ) -> None:
        self.plan, self.session, self.found, self.repository = plan, session, found, repository
        self.folder, self.on_stage = folder, on_stage
        self.noise: dict[str, float] = {}
        self.rows: list[Row] = []
        self.chosen: list[Row] = []
        self.count = 0

    def run(self, threads: int) -> Product:
        """All steps. Raises Unusable, SideFailed."""
        request = self.session.request
        batch = Batch(Modes(request, compiled=False, seconds=self.plan.seconds), self.session, 1, self.on_stage)
        batch.open()
        self.batch = batch
        eager = self.of_mode(Mode(TORCH, EAGER, "torch eager", 1), "eager")
        self.base = Way(Row("eager", "torch eager", beside=""), eager.rate)
        best, reference = self.first_step(threads)
        self.rows.append(self.leftovers(threads))
        size = self.batches(best, threads)
        processes = self.processes(best, threads, size)
        if self.repository is not None:
            self.served(best, threads, size)
        versions = {
            "torch": self.session.torch.call("hello")["framework"],
            self.session.request.target.title: self.session.target.call("hello")["framework"],
            **{one.other.title: one.other.interpreter.version.partition("-")[0] for one in self.found},
        }
        self.chosen += [row for row in (reference, size[1], processes) if row is not None]
        manifest = self.found[0].manifest
        return Product(manifest.entry, manifest.specs, self.rows, self.chosen, self.noise, versions, threads)

    def of_mode(self, mode: Mode, factor: str) -> Way:
        """A framework's own way, warm. Raises SideFailed where it does not run."""
        self.batch.prepare(mode)
        row = Row(factor, mode.title, why=mode.why)
        return Way(row, lambda: 1 / self.batch.sample(mode))

    def first_step(self, threads: int) -> tuple[Against, Row]:
        """Eager, static and back ends, for one row; the back end that is carried on, and its row."""
        title = self.session.request.target.title
        eager = self.of_mode(Mode(TARGET, EAGER, f"{title} eager", 1), "eager")
        static = self.of_mode(Mode(TARGET, STATIC, f"{title} static", 1), "static graph")
        with ExitStack() as stack:
            engines = [
                Way(
                    Row("back end", f"{one.other.title} ({one.manifest.format})"),
                    self.pooled(stack, one, 1, threads, 1),
                )
                for one in self.found
            ]
            ways = [way for way in (eager, static) if not way.row.why]
            reference = ways[-1] if ways else self.base
            beside = {eager.row.title: self.base, static.row.title: eager if not eager.row.why else self.base}
            self.turns("eager, static, back ends", [*ways, *engines], lambda way: beside.get(way.row.title, reference))
        self.rows += [self.base.row, eager.row, static.row, *(way.row for way in engines)]
        best = max(range(len(engines)), key=lambda number: median(engines[number].row))
        return self.found[best], engines[best].row

    def leftovers(self, threads: int) -> Row:
        """What leaving out what the torch model computes without need gives, on a trace of it."""
        row = Row("leftovers removed", "torch, traced, without them", beside="torch, traced")
        request = self.session.request
        plan = leftovers.Plan(
            request.source, request.entry, request.inputs, rounds=self.plan.rounds, seconds=self.plan.seconds / 2,
            threads=threads, torch_python=request.torch_python, timeout=self.plan.timeout,
        )  # fmt: skip
        try:
            found = leftovers.find(plan, self.on_stage)
        except Unusable as error:
            row.why = f"not looked at: {error.message.splitlines()[0]}"
            return row
        same = [one.tried for one in found.findings if one.tried.ratio is not None and one.tried.same]
        tried = found.together or (same[0] if len(same) == 1 else None)
        if tried is None or tried.ratio is None:
            row.why = f"none of {len(found.findings)} findings was worth trying" if found.findings else "none found"
            return row
        row.alone, row.alone_verdict = tried.ratio, tried.verdict
        row.why = "by itself; what is exported is as it was, and a back end leaves out what it finds"
        return row

    def batches(self, best: Against, threads: int) -> tuple[int, Row | None]:
        """Rows of a call; (the number that is carried on, its row, None where that is one row)."""
        sizes = sorted({size for size in self.plan.batches if size > 1})
        return self.swept(
            "batch",
            best,
            sizes,
            lambda stack, size: self.pooled(stack, best, 1, threads, size),
            lambda size: f"{size} row{'s' * (size != 1)} a call",
        )

    def swept(
        self, factor: str, best: Against, sizes: list[int], rate: Callable[[ExitStack, int], Callable[[], float]],
        title: Callable[[int], str],
    ) -> tuple[int, Row | None]:  # fmt: skip
        """One of several sizes beside one; the fastest that is faster than that outside of the noise."""
        if not sizes:
            return 1, None
        with ExitStack() as stack:
            reference = Way(Row(factor, f"{best.other.title}, {title(1)}"), rate(stack, 1))
            ways = [Way(Row(factor, f"{best.other.title}, {title(size)}"), rate(stack, size)) for size in sizes]
            self.turns(factor, [reference, *ways], lambda way: reference)
        self.rows += [way.row for way in ways]
        faster = [(median(way.row), size, way.row) for size, way in zip(sizes, ways, strict=True) if gain(way.row)]
        if not faster:
            return 1, None
        _, size, row = max(faster, key=lambda item: item[0])
        return size, row

    def processes(self, best: Against, threads: int, batch: tuple[int, Row | None]) -> Row | None:
        """Several processes that share the processors, at the batch that was carried on."""
        rows = f"{batch[0]} rows, " if batch[0] > 1 else ""
        sizes = [number for number in range(2, threads + 1) if threads % number == 0]
        return self.swept(
            "processes", best, sizes,
            lambda stack, number: self.pooled(stack, best, number, threads // number, batch[0]),
            lambda number: f"{rows}{number} x {threads // number} threads",
        )[1]  # fmt: skip

    def served(self, best: Against, threads: int, batch: tuple[int, Row | None]) -> None:
        """The server, beside the back end for one row in a process of its own."""
        assert self.repository is not None
        with ExitStack() as stack:
            url, manifest = stack.enter_context(opened(self.repository, None, self.on_stage, self.plan.timeout))
            assert manifest.serving is not None
            kind = manifest.serving["engine"], manifest.serving["format"]
            own = next((one for one in self.found if (one.other.name, one.manifest.format) == kind), best)
            rows = min(batch[0], manifest.serving["batch"] or 1)
            wanted = [(clients, 1) for clients in self.plan.clients] + [(2, rows)] * (rows > 1)
            reference = Way(
                Row("served", f"{own.other.title}, 1 row, no server"), self.pooled(stack, own, 1, threads, 1)
            )
            bench, levels = serve.prepared(
                serve.Plan(self.repository, url, seconds=self.plan.seconds), url, manifest, wanted
            )
            ways = [Way(Row("served", f"Triton, {serve.described(level)}"), rated(bench, level)) for level in levels]
            for level in levels:
                bench.run(level, self.plan.seconds)
            self.turns("served", [reference, *ways], lambda way: reference)
        self.rows += [way.row for way in ways]

    def pooled(self, stack: ExitStack, found: Against, processes: int, threads: int, batch: int) -> Callable[[], float]:
        """Rows a second of so many processes."""
        self.count += 1
        self.on_stage(f"{found.other.title}: {processes} x {threads} threads, batch {batch}")
        pool = stack.enter_context(Pool(found, processes, threads, (batch,), self.folder / str(self.count)))
        pool.rate(batch, self.plan.seconds)
        return lambda: batch * pool.rate(batch, self.plan.seconds)

    def turns(self, step: str, ways: list[Way], beside: Callable[[Way], Way]) -> None:
        """Measure in rounds, and judge: each way beside another, and beside torch eager."""
        first: list[float] = []
        last: list[float] = []
        for number in range(self.plan.rounds):
            self.on_stage(f"{step}: round {number + 1} of {self.plan.rounds}")
            turn = number % len(ways)
            first.append(self.base.rate())
            for way in ways[turn:] + ways[:turn]:
                way.row.samples.append(way.rate())
            last.append(self.base.rate())
        middle = [(one + two) / 2 for one, two in zip(first, last, strict=True)]
        noise = self.noise[step] = band(first, last)
        if not self.base.row.samples:
            self.base.row = replace(
                self.base.row, samples=middle, together=Interval(1.0, 1.0, 1.0), verdict="1 by definition"
            )
        for way in ways:
            row, other = way.row, beside(way)
            row.together = interval([one / two for one, two in zip(row.samples, middle, strict=True)])
            row.verdict = verdict(row.together, noise)
            if other is way:
                continue
            theirs = middle if other is self.base else other.row.samples
            row.beside = other.row.title
            row.alone = interval([one / two for one, two in zip(row.samples, theirs, strict=True)])
            row.alone_verdict = verdict(row.alone, noise)


def rated(bench: serve.Bench, level: serve.Level) -> Callable[[], float]:
    """Rows a second of a server."""
    return lambda: bench.measured(level) * (level.batch or 1)


def median(row: Row) -> float:
    """Rows a second."""
    return sorted(row.samples)[len(row.samples) // 2]


def gain(row: Row) -> bool:
    """Whether it is faster than what it stands beside, outside of the noise."""
    return "faster" in row.alone_verdict
