"""The rows of a level, from the folders that both sides left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from checks.parity import floor
from checks.parity.compare import Comparison, Side, Tolerance, Torch
from checks.parity.randomness import differing, drawn_otherwise
from checks.parity.report import DIFFERS, ORDER, SAME, SKIPPED, WARNED, Curve, Level, Row, worst
from checks.worker import distance as distances
from checks.worker.npy import load
from checks.worker.side.store import Reader

Record = dict[str, Any]

BIASED = "the running variance is biased (n in place of n - 1)"
"""The one difference between running averages that is the target's own convention, and no fault of a conversion."""

BARELY = 1000.0
"""An output that other inputs move by less noise floors, and by less than its size through this, hardly depends on
them: a fault of one percent in what comes of them would not show."""

BARE = "hardly depends on the inputs, so that it tells little of what is computed from them"

STRAY = 10.0
"""How much more room a single tensor has after steps of training."""

DIVERGED = 1000.0
"""Torch's own loss has grown so many times since the first step: from there on each step magnifies rounding."""


@dataclass
class Results:
    """What both sides left of one computation.

    own, exact: torch's records; exact is None where torch does not run in double precision.
    target:     the target's.
    summary:    what torch's worker said: the floor's terms, unsteady integers, random numbers.
    there:      what the target's said.
    tied:       groups of names under which torch's model keeps one and the same tensor.
    """

    own: Reader
    exact: Reader | None
    target: Reader
    summary: Mapping[str, Any]
    there: Mapping[str, Any]
    tied: Sequence[Sequence[str]] = ()

    @staticmethod
    def read(
        torch: Path,
        target: Path,
        summary: Mapping[str, Any],
        there: Mapping[str, Any],
        own: Path | None = None,
        tied: Sequence[Sequence[str]] = (),
    ) -> Results:
        """From the folders of both; ``own`` where torch's own results lie elsewhere."""
        failed = summary["exact_error"]
        exact = None if failed else Reader(torch / "exact")
        return Results(Reader(own or torch / "own"), exact, Reader(target / "own"), summary, there, tied)

    def torch_of(self, record: Record, exact: Record | None = None) -> Torch:
        """Torch's runs of a record."""
        name = record["name"]
        found = None if self.exact is None else exact or self.exact.find(name)
        terms, unsteady = self.summary["terms"], self.summary["unsteady"]
        return Torch(
            own=Side(self.own.arrays(record), record["nodes"]),
            exact=None if self.exact is None or found is None else self.exact.arrays(found),
            terms={path: terms[f"{name}:{path}"] for path in record["nodes"] if f"{name}:{path}" in terms},
            unsteady={path: unsteady[f"{name}:{path}"] for path in record["nodes"] if f"{name}:{path}" in unsteady},
        )

    def target_of(self, record: Record) -> Side | None:
        """The target's result of the same name, or of another name of that tensor; None when it has none."""
        names = [record["name"], *(name for group in self.tied if record["name"] in group for name in group)]
        found = next(filter(None, map(self.target.find, names)), None)
        return None if found is None else Side(self.target.arrays(found), found["nodes"])

    def once(self, records: list[Record]) -> list[Record]:
        """Of the states after steps of training one record for each tensor: one of several names is that of its first,
        unless the target keeps something else under the other name.
        """
        first = {name: group[0] for group in self.tied for name in group[1:]}
        last = max((record["step"] for record in records), default=0)
        return [record for record in records if not self._again(record, first.get(record["tensor"]), last)]

    def _again(self, record: Record, first: str | None, last: int) -> bool:
        """Whether it is what stands under the first name, as seen after the last step, which is kept whole."""
        if first is None:
            return False
        one, other = (self.target.get(f"step {last}: {name}") for name in (first, record["tensor"]))
        return one is not None and other is not None and np.array_equal(one, other, equal_nan=True)


def compare_records(
    results: Results,
    records: Iterable[Record],
    tolerance: Tolerance | None,
    kind: Callable[[Record], str],
    title: Callable[[Record], str] = lambda record: str(record["name"]),
) -> list[tuple[Row, Record]]:
    """The rows of the records, in order, each with its record."""
    comparison = Comparison(tolerance)
    owners: list[Record] = []
    for record in records:
        target = results.target_of(record)
        if target is None:
            row = Row(title(record), kind(record), record.get("step"))
            if row.kind in ("layer", "alone"):  # what contains it tells whether that matters
                row.verdict, row.note = SKIPPED, "not called in the target"
            else:
                row.worsen(DIFFERS, "missing", "the target has nothing of that name")
            comparison.rows.append(row)
        else:
            comparison.add(results.torch_of(record), target, title(record), kind(record), record.get("step"))
        owners += [record] * (len(comparison.rows) - len(owners))
    return list(zip(comparison.finish(), owners, strict=True))


def randomness(level: Level, results: Results, types: Mapping[str, str]) -> None:
    """Name what neither side can replay, and masks that are asked for elsewhere than in torch."""
    masks = differing(dict(results.summary["random"]), dict(results.there["random"]))
    if masks:
        row = Row("dropout", "output")
        row.worsen(DIFFERS, "structure", masks)
        level.rows.insert(0, row)
    here = results.summary["random"]
    layers, otherwise = here.get("layers") or [], drawn_otherwise(dict(here), dict(results.there["random"]))
    if layers or otherwise:
        drawing = layers or here.get("drawing") or []
        named = ", ".join(f"{name} ({types.get(name, '?')})" if name else "the model itself" for name in drawing)
        level.skipped = f"{named}: draws random numbers that cannot be replayed{f' ({otherwise})' if otherwise else ''}"
        for row in level.rows:
            if all(difference.kind in ("values", "integers", "nan", "tolerance") for difference in row.differences):
                row.skip()


def outputs(results: Results, tolerance: Tolerance | None) -> Level:
    """What the entry returned."""
    record = results.own.find("")
    rows = [row for row, _ in compare_records(results, [record], tolerance, lambda _: "output", lambda _: "output")]
    _say_what_is_constant(rows, results)
    return Level("outputs", rows)


def _say_what_is_constant(rows: list[Row], results: Results) -> None:
    """Where one output is a constant by design, such as positions, the others tell of the inputs: all must be."""
    said = []
    for row in rows:
        path = row.name.removeprefix("output")
        if not row.floor or ":" + path not in results.summary.get("moved", {}):
            continue
        moved, size = results.summary["moved"][":" + path], distances.rms(results.own.get("", path))
        if moved > min(BARELY * row.floor, size / BARELY):
            return
        said.append((row, f"{BARE}: others move it by {moved:.1e} of {size:.1e}, {moved / row.floor:.2g} noise floors"))
    for row, text in said:
        row.say(text)


def gradients(name: str, results: Results, tolerance: Tolerance | None, where: Mapping[str, str]) -> Level:
    """Gradients of parameters and inputs."""
    if not results.own.records:
        return Level(name, skipped="no output of the torch model can be differentiated")
    level = Level(name)
    for row, record in compare_records(results, results.own.records, tolerance, lambda record: str(record["kind"])):
        level.rows.append(row)
        row.where = where.get(record["name"].rpartition(".")[0], "") if row.kind == "parameter" else ""
        found = results.target.find(record["name"])
        if record["none"] and row.verdict == SAME:
            row.say("no gradient reaches it")
        elif found is not None and found["none"] and row.verdict == DIFFERS:
            row.say("no gradient reaches it in the target: detached, or not used")
    return level


def steps(results: Results, tolerance: Tolerance | None, where: Mapping[str, str]) -> Level:
    """Losses, and the state after each step: after the last one row for each tensor, before one for all."""
    level = Level("steps", curve=Curve())
    known = {record["name"] for record in results.target.records}
    # What the target has no place for, such as a count of batches, is no row.
    records = results.once([record for record in results.own.records if record["name"] in known])
    if not records:
        level.skipped = "torch recorded no step"
        return level
    losses = before_divergence(level, results, [record for record in records if record["kind"] == "loss"])
    # One number a step: the whole curve is judged together, as small tensors are.
    curve = [row for row, _ in compare_records(results, losses, tolerance, lambda _: "loss", lambda _: "loss")]
    for row, record in zip(curve, losses, strict=True):
        _extend(level.curve, results, record["name"], row)
    for loss in curve:
        level.rows.append(loss)
        for kind, title in (("parameter", "parameters"), ("buffer", "buffers")):
            of_step = [record for record in records if record["step"] == loss.step and record["kind"] == kind]
            rows = _states(results, of_step, tolerance, where)
            if rows:
                together = _together(rows, title, loss.step)
                level.rows += [together, *rows] if loss is curve[-1] else [together]
    return level


def before_divergence(level: Level, results: Results, losses: list[Record]) -> list[Record]:
    """The losses of the steps that tell something; says which do not."""
    values = [float(np.asarray(results.own.get(record["name"]))) for record in losses]
    bound = DIVERGED * abs(values[0]) if values else 0.0
    if not 0 < bound < np.inf:
        return losses  # what begins at nothing grows without end
    number = next((number for number, value in enumerate(values) if not abs(value) <= bound), len(values))
    if number < len(values):
        step = losses[number]["step"]
        level.lines.append(
            f"from step {step} on nothing is compared: torch's own loss diverges, {values[0]:.3g} at step 1 and "
            f"{values[number]:.3g} at step {step}; a smaller rate (--optimizer) or another --loss lets more be compared"
        )
    return losses[:number]


def _states(
    results: Results, records: list[Record], tolerance: Tolerance | None, where: Mapping[str, str]
) -> list[Row]:
    """The tensors of one kind after one step."""
    rows = []
    for row, record in compare_records(
        results, records, tolerance, lambda record: str(record["kind"]), lambda record: str(record["tensor"])
    ):
        rows.append(row)
        row.where = where.get(record["tensor"].rpartition(".")[0], "")
        if row.kind == "buffer" and row.verdict in (WARNED, DIFFERS):
            _explain_average(row, record, results, tolerance)
    # Training compounds rounding, and one unit whose input changes its sign moves a gradient by more than that: a
    # single tensor is given more room, where all together stand at the floor.
    if _pooled(rows) <= floor.FAIL:
        for row in rows:
            if row.verdict == DIFFERS and is_by_values(row) and (row.ratio or 0.0) <= floor.FAIL * STRAY:
                row.verdict = WARNED
                row.say(f"one tensor may stand at {floor.FAIL * STRAY:g} after steps, all together being within limits")
    return rows


def is_by_values(row: Row) -> bool:
    """Whether all that was found in a row hangs on how high the noise floor is."""
    return all(difference.kind == "values" for difference in row.differences)


def _pooled(rows: list[Row]) -> float:
    """The rms of the ratios; 0 for none."""
    ratios = [row.ratio for row in rows if row.ratio is not None]
    return distances.rms(np.array(ratios)) if ratios else 0.0


def _together(rows: list[Row], title: str, step: int | None) -> Row:
    """One row for many."""
    found = max(rows, key=lambda row: (ORDER.index(row.verdict), row.ratio or 0.0))
    row = Row(title, found.kind, step, found.where, found.dtype, ratio=_pooled(rows))
    row.verdict, row.cause = worst(other.verdict for other in rows), found.cause
    if row.ratio is not None and row.ratio > floor.FAIL:
        row.worsen(DIFFERS, "values", f"{row.ratio:.3g} times the noise floor, all together")
    row.differences += found.differences
    failing = sum(other.verdict == DIFFERS for other in rows)
    row.say(f"{failing} of {len(rows)} differ; the worst: {found.name}" if failing else f"the worst: {found.name}")
    return row


def _extend(curve: Curve | None, results: Results, name: str, row: Row) -> None:
    """One more point of the loss curves."""
    if curve is None:
        return
    record = results.own.find(name)
    own, target = results.own.get(name), results.target.get(name)
    curve.torch.append(float(np.asarray(own)))
    curve.target.append(float(np.asarray(target)))
    curve.floor.append(row.floor or 0.0)
    row.shape = tuple(record["nodes"][""]["shape"])


def _explain_average(row: Row, record: Record, results: Results, tolerance: Tolerance | None) -> None:
    """Whether another convention of running averages, followed by torch, gives the target's: within the noise floor in
    double precision; where torch has none, within the tolerance.
    """
    reader = results.own if results.exact is None else results.exact
    found, target = reader.find(record["name"]), results.target.get(record["name"])
    if found is None or target is None:
        return
    for label, file in found.get("others", {}).items():
        other, ratio = measure_file(reader, file), None
        if other.shape != target.shape:
            continue
        if results.exact is not None and row.floor is not None:
            ratio = floor.ratio(distances.distance(target, other), row.floor)
            if ratio > floor.WARN:
                continue
        elif results.exact is not None or tolerance is None or tolerance.outside(other, target):
            continue
        row.cause = f"agrees when {label}"
        if label == BIASED:
            row.verdict, row.ratio = WARNED, ratio
            row.say("the target's own convention; the outputs after training differ by it in eval mode")
        return


def measure_file(reader: Reader, file: str) -> Any:
    """An array that a record names beside its tensors."""
    return load(reader.path / file)
