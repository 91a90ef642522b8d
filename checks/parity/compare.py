"""Compares what torch and the target returned: one row per tensor, the worst news first.

Order of tests, each naming its finding: structure, dtype, shape, NaN and infinities, then values. Integers and booleans
must be equal; floating values stand to the noise floor (``checks.parity.floor``); tensors of at most ``SMALL`` elements
are judged together, since so few numbers give no steady rms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from checks.parity import floor
from checks.parity.apart import Apart, apart
from checks.parity.ordered import in_order_along_last, in_order_of
from checks.parity.report import DIFFERS, SAME, SKIPPED, WARNED, Row
from checks.parity.structure import differences, is_below, left_out
from checks.worker.distance import distance
from checks.worker.side.store import NOISY
from checks.worker.structure import Nodes

__all__ = [
    "DIFFERS",
    "SAME",
    "SKIPPED",
    "SMALL",
    "WARNED",
    "Comparison",
    "Row",
    "Side",
    "Tolerance",
    "Torch",
    "compare",
]

SMALL = 4
FAR = 10.0
"""Times the limit: a small tensor beyond it differs, whatever the others do."""

Arrays = Mapping[str, Any]


@dataclass(frozen=True)
class Side:
    """What one run returned: arrays and nodes by path, as ``checks.worker.structure.flatten`` makes them."""

    arrays: Arrays
    nodes: Nodes


@dataclass(frozen=True)
class Torch:
    """Torch's runs.

    own:       in the model's own precision.
    exact:     in double precision; None where that failed.
    terms:     path -> source of noise -> rms of its distance from exact: the floor's terms beside ``own``'s.
    unsteady:  path of integers -> number of variants in which torch differs from itself, of how many.
    """

    own: Side
    exact: Arrays | None
    terms: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    unsteady: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @staticmethod
    def of_runs(own: Side, variants: Mapping[str, Arrays], exact: Arrays | None, noisy: Arrays | None) -> Torch:
        """From the arrays of all runs."""
        terms: dict[str, dict[str, float]] = {}
        unsteady: dict[str, tuple[int, int]] = {}
        runs = {**variants, **({} if noisy is None else {NOISY: noisy})}
        for path, array in own.arrays.items():
            found = {name: np.asarray(run[path]) for name, run in runs.items() if _fits(run, path, array)}
            if array.dtype.kind not in "fc":
                others = [other for name, other in found.items() if name != NOISY]
                unsteady[path] = (sum(bool((other != np.asarray(array)).any()) for other in others), len(others))
            elif exact is not None and _fits(exact, path, array):
                terms[path] = {name: distance(value, exact[path]) for name, value in found.items()}
        return Torch(own, exact, terms, unsteady)


@dataclass(frozen=True)
class Tolerance:
    """An explicit criterion beside the floor: every element within atol + rtol * abs(torch32)."""

    rtol: float
    atol: float

    def outside(self, torch: Any, target: Any) -> int:
        """Number of elements beyond it."""
        with np.errstate(invalid="ignore"):
            close = np.isclose(np.asarray(target), np.asarray(torch), rtol=self.rtol, atol=self.atol, equal_nan=True)
        return int(close.size - np.count_nonzero(close))


@dataclass
class _Small:
    """A floating tensor of few elements, to be judged with the others."""

    row: Row
    apart: Apart
    terms: dict[str, float]

    @property
    def ratio(self) -> float:
        """By itself."""
        return floor.ratio(self.apart.error, floor.highest(self.terms)[0])


class Comparison:
    """Rows of one level, in the order in which results are added; ``rows`` is complete after ``finish``."""

    def __init__(self, tolerance: Tolerance | None = None) -> None:
        self.tolerance = tolerance
        self.rows: list[Row] = []
        self._small: list[_Small] = []

    def add(self, torch: Torch, target: Side, name: str = "", kind: str = "output", step: int | None = None) -> None:
        """One row per tensor of torch, and one for each structural difference; ``name`` goes before the paths.

        Without a double-precision reference (``torch.exact`` is None) only the tolerance decides.
        """
        found = differences(torch.own.nodes, target.nodes)
        odd = left_out(torch.own.nodes, target.nodes)
        named = [*found, *odd]
        for path, node in torch.own.nodes.items():
            difference = found.pop(path, None)
            if difference is not None:
                shape = tuple(node["shape"]) if "shape" in node else None
                self._structural(Row(name + path, kind, step, dtype=node.get("dtype", ""), shape=shape), difference)
            elif path in odd:
                note = f"a {odd[path]}: left out, no tensor to compare is known in it"
                self.rows.append(Row(name + path, kind, step, verdict=SKIPPED, note=note))
            elif any(is_below(path, known) for known in named):
                continue
            elif path in torch.own.arrays and path in target.arrays:
                row = Row(name + path, kind, step, dtype=node["dtype"], shape=tuple(node["shape"]))
                self.rows.append(row)
                self._values(row, path, torch, target.arrays[path])
                if row.verdict == DIFFERS and kind in ("layer", "alone") and torch.own.arrays[path].size > SMALL:
                    self._in_order(row, path, torch, np.asarray(target.arrays[path]))
        for path, difference in found.items():
            self._structural(Row(name + path, kind, step), difference)

    def _in_order(self, row: Row, path: str, torch: Torch, target: Any) -> None:
        """A layer may see the same rows in another order: what comes of it later is compared by itself."""
        own = np.asarray(torch.own.arrays[path])
        for change, what in ((in_order_of, "rows"), (in_order_along_last, "elements of the last axis")):
            ordered, other = change(own, target), Row(row.name, row.kind, row.step, row.where, row.dtype, row.shape)
            if ordered is None:
                continue
            self._values(other, path, torch, ordered)
            if other.verdict in (SAME, WARNED):
                text = f"torch's {what} in another order: sort and topk leave that of equal elements open"
                other.worsen(WARNED, "order", text)
                vars(row).update(vars(other))
                return

    def _structural(self, row: Row, difference: str) -> None:
        row.worsen(DIFFERS, difference.partition(":")[0], difference)
        self.rows.append(row)

    def finish(self) -> list[Row]:
        """Judge the small tensors; all rows."""
        far = [item for item in self._small if item.ratio > floor.limits(floor.highest(item.terms)[1])[1] * FAR]
        for item in far:  # no doubt about it, and none to be cast on the others
            _judge_together([item])
        _judge_together([item for item in self._small if item not in far])
        self._small = []
        return self.rows

    def _values(self, row: Row, path: str, torch: Torch, target: Any) -> None:
        own = torch.own.arrays[path]
        if own.dtype.kind not in "fc":
            _integers(row, np.asarray(own), np.asarray(target), torch.unsteady.get(path, (0, 0)))
            return
        exact = None if torch.exact is None else torch.exact.get(path)
        steady = exact is not None and exact.shape == own.shape
        found = apart(own, exact if steady else own, target)
        row.max_abs, row.max_rel = found.max_abs, found.max_rel
        for text in found.not_finite:
            row.worsen(DIFFERS, "nan", text)
        if self.tolerance is not None:
            outside = self.tolerance.outside(own, target)
            if outside:
                at = f"rtol {self.tolerance.rtol:g}, atol {self.tolerance.atol:g}"
                row.worsen(DIFFERS, "tolerance", f"{outside} of {target.size} elements beyond {at}")
        if exact is None:
            return
        if not steady:
            row.worsen(DIFFERS, "shape", f"torch in double precision returns the shape {list(exact.shape)}: no floor")
            return
        if own.size and not found.kept:
            row.worsen(WARNED, "nan", "no element is finite on both sides")
        terms = {
            floor.OWN: found.own,
            **torch.terms.get(path, {}),
            floor.ROUNDED: found.size * floor.rounding(row.dtype),
        }
        normal = floor.normal(row.dtype)
        if found.kept > SMALL or 0.0 < found.size < normal:
            row.error = found.error
            row.floor, row.floor_from = floor.highest({**terms, floor.NORMAL: normal} if found.size else terms)
            _judge(row, floor.ratio(row.error, row.floor), found.size)
        else:
            self._small.append(_Small(row, found, terms))


def compare(torch: Torch, target: Side, tolerance: Tolerance | None = None) -> list[Row]:
    """The rows of one result."""
    comparison = Comparison(tolerance)
    comparison.add(torch, target)
    return comparison.finish()


def _integers(row: Row, own: Any, target: Any, unsteady: tuple[int, int]) -> None:
    wrong = int(np.count_nonzero(own != target))
    difference = target.astype(np.float64) - own.astype(np.float64)
    row.max_abs = float(np.abs(difference).max()) if difference.size else 0.0
    if wrong:
        row.worsen(DIFFERS, "integers", f"{wrong} of {target.size} elements differ")
    if wrong and unsteady[0]:
        row.say(f"torch differs from itself in {unsteady[0]} of {unsteady[1]} variants")


def _judge(row: Row, ratio: float, size: float) -> None:
    """size: rms of torch's values."""
    row.ratio = ratio
    warn, fail = floor.limits(row.floor_from)
    if ratio > warn:
        verdict = DIFFERS if ratio > fail else WARNED
        row.worsen(verdict, "values", f"{ratio:.3g} times {floor.unit(row.floor_from)}")
    if row.floor_from in floor.LOWERED and row.error is not None and row.floor is not None:
        within = "within" if ratio <= 1.0 else "above by chance at most" if ratio <= warn else "above it"
        shares = [
            f"{value:.2e}" + (f" ({value / size:.2g} of their size)" if size else "")
            for value in (row.error, row.floor)
        ]
        row.say(f"{row.floor_from}: the values err by {shares[0]}, predicted {shares[1]}: {within}")


def _judge_together(items: list[_Small]) -> None:
    """One ratio for all small tensors, each measured in units of its own size."""
    if not items:
        return
    scales = [item.apart.size or 1.0 for item in items]
    counts = [item.apart.kept for item in items]
    error = _pooled([item.apart.error / scale for item, scale in zip(items, scales, strict=True)], counts)
    sources = {source for item in items for source in item.terms}
    level, source = floor.highest(
        {
            source: _pooled(
                [item.terms.get(source, 0.0) / scale for item, scale in zip(items, scales, strict=True)], counts
            )
            for source in sorted(sources)
        }
    )
    for item, scale in zip(items, scales, strict=True):
        item.row.error = item.apart.error
        item.row.floor, item.row.floor_from = level * scale, source
        _judge(item.row, floor.ratio(error, level), scale)
        if len(items) > 1:
            item.row.say(f"judged with the {len(items)} small tensors")


def _pooled(values: Iterable[float], counts: list[int]) -> float:
    """The rms over all elements, from each tensor's rms and number of elements."""
    total = sum(counts)
    squares = sum(count * value * value for value, count in zip(values, counts, strict=True))
    return float(np.sqrt(squares / total)) if total else 0.0


def _fits(arrays: Arrays, path: str, own: Any) -> bool:
    return path in arrays and arrays[path].shape == own.shape
