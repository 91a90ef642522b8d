"""Compares what torch and the target returned: one row per output, the worst news first.

Order of tests, each naming its finding: structure, dtype, shape, NaN and infinities, then values. Integers and booleans
must be equal; floating values stand to the noise floor (``checks.floor``); outputs of at most ``SMALL`` elements are
judged together, since so few numbers give no steady rms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from checks import floor
from checks.structure import Nodes, differences

SMALL = 4
SAME, WARNED, DIFFERS = "same", "warn", "differs"

Arrays = Mapping[str, Any]


@dataclass
class Row:
    """The comparison of one output.

    shape, dtype:       torch's.
    max_abs, max_rel:   against torch64 (without it: torch32), over the elements that are finite on both sides; max_rel
                        over those that are not 0.
    error, floor:       rms, in the output's own unit; ratio is their quotient. None for integers and where structure,
                        dtype or shape differ.
    floor_from:         the term that set the floor.
    verdict:            same, warn, or differs.
    note:               what was found, empty when there is nothing to say.
    """

    output: str
    dtype: str = ""
    shape: tuple[int, ...] | None = None
    max_abs: float | None = None
    max_rel: float | None = None
    error: float | None = None
    floor: float | None = None
    ratio: float | None = None
    floor_from: str = ""
    verdict: str = SAME
    note: str = ""
    level: str = "outputs"

    def worsen(self, verdict: str, note: str) -> None:
        """Take the worse of two verdicts; keep every note."""
        order = (SAME, WARNED, DIFFERS)
        self.verdict = max(self.verdict, verdict, key=order.index)
        self.note = f"{self.note}; {note}" if self.note else note


@dataclass(frozen=True)
class Side:
    """What one run returned: arrays and nodes by path, as ``checks.structure.flatten`` makes them."""

    arrays: Arrays
    nodes: Nodes


@dataclass(frozen=True)
class Torch:
    """Torch's runs: in the model's own precision, its variants, and in double (None where that failed)."""

    own: Side
    variants: Mapping[str, Arrays]
    exact: Arrays | None
    noisy: Arrays | None


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
class _Floating:
    """A floating output that has passed all earlier tests; ``keep`` are the elements finite everywhere."""

    row: Row
    reference: floor.Reference
    target: Any
    keep: Any = field(repr=False)

    @property
    def scale(self) -> float:
        return floor.rms(np.asarray(self.reference.exact)[self.keep]) or 1.0

    def error(self, scale: float = 1.0) -> Any:
        return (np.asarray(self.target)[self.keep] - np.asarray(self.reference.exact)[self.keep]) / scale


def compare(torch: Torch, target: Side, tolerance: Tolerance | None = None) -> list[Row]:
    """One row per output of torch, and one for each structural difference; in torch's order.

    Without a double-precision reference (``torch.exact`` is None) only the tolerance decides, which must then be given.
    """
    found = differences(torch.own.nodes, target.nodes)
    rows: list[Row] = []
    floating: list[_Floating] = []
    for path, node in torch.own.nodes.items():
        if path in found:
            shape = tuple(node["shape"]) if "shape" in node else None
            rows.append(Row(path, node.get("dtype", ""), shape, verdict=DIFFERS, note=found.pop(path)))
        elif node["kind"] in ("tensor", "number") and path in torch.own.arrays and path in target.arrays:
            row = Row(path, node["dtype"], tuple(node["shape"]))
            rows.append(row)
            _values(row, torch, target.arrays[path], tolerance, floating)
    rows += [Row(path, verdict=DIFFERS, note=note) for path, note in found.items()]
    small = [item for item in floating if item.keep.size <= SMALL]
    for item in floating:
        if item.keep.size > SMALL:
            item.row.error = floor.rms(item.error())
            item.row.floor, item.row.floor_from = floor.highest(item.reference.terms(item.keep))
            _judge(item.row, floor.ratio(item.row.error, item.row.floor))
    _judge_together(small)
    return rows


def _values(row: Row, torch: Torch, target: Any, tolerance: Tolerance | None, floating: list[_Floating]) -> None:
    own = torch.own.arrays[row.output]
    target = np.asarray(target)
    if own.dtype.kind not in "fc":
        wrong = int(np.count_nonzero(np.asarray(own) != target))
        row.max_abs = _largest(target.astype(np.float64) - np.asarray(own).astype(np.float64))
        if wrong:
            row.worsen(DIFFERS, f"{wrong} of {target.size} elements differ")
            _say_unsteady(row, torch, own)
        return
    _not_finite(row, np.asarray(own), target)
    exact = None if torch.exact is None else torch.exact.get(row.output)
    steady = exact is not None and exact.shape == own.shape
    base = np.asarray(exact if steady else own)
    keep = np.isfinite(np.asarray(own)) & np.isfinite(target) & np.isfinite(base)
    difference = np.abs(target[keep] - base[keep])
    row.max_abs = _largest(difference)
    magnitude = np.abs(base[keep])
    row.max_rel = _largest(difference[magnitude > 0] / magnitude[magnitude > 0])
    if tolerance is not None:
        outside = tolerance.outside(own, target)
        if outside:
            at = f"rtol {tolerance.rtol:g}, atol {tolerance.atol:g}"
            row.worsen(DIFFERS, f"{outside} of {target.size} elements beyond {at}")
    if exact is None:
        return
    if not steady:
        row.worsen(DIFFERS, f"torch in double precision returns the shape {list(exact.shape)}: no floor")
        return
    runs = {"float32": torch.own.arrays} | dict(torch.variants)
    variants = {name: arrays[row.output] for name, arrays in runs.items() if _fits(arrays, row.output, own)}
    noisy = torch.noisy[row.output] if torch.noisy is not None and _fits(torch.noisy, row.output, own) else exact
    for other in [*variants.values(), noisy]:
        keep &= np.isfinite(np.asarray(other))
    if own.size and not keep.any():
        row.worsen(WARNED, "no element is finite on both sides")
    floating.append(_Floating(row, floor.Reference(exact, variants, noisy, row.dtype), target, keep))


def _judge(row: Row, ratio: float) -> None:
    row.ratio = ratio
    if ratio > floor.FAIL:
        row.worsen(DIFFERS, f"{ratio:.3g} times the noise floor")
    elif ratio > floor.WARN:
        row.worsen(WARNED, f"{ratio:.3g} times the noise floor")


def _judge_together(items: list[_Floating]) -> None:
    """One ratio for all small outputs, each measured in units of its own size."""
    if not items:
        return
    error = floor.rms(np.concatenate([item.error(item.scale) for item in items]))
    terms: dict[str, list[Any]] = {}
    for item in items:
        for name, values in item.reference.terms(item.keep, item.scale).items():
            terms.setdefault(name, []).append(values)
    level, source = floor.highest({name: np.concatenate(values) for name, values in terms.items()})
    for item in items:
        item.row.error = floor.rms(item.error())
        item.row.floor, item.row.floor_from = level * item.scale, source
        _judge(item.row, floor.ratio(error, level))
        if len(items) > 1:
            item.row.note = "; ".join(filter(None, [item.row.note, f"judged with the {len(items)} small outputs"]))


def _not_finite(row: Row, own: Any, target: Any) -> None:
    """NaN and infinities must stand at the same places."""
    for name, where in (("NaN", np.isnan), ("+inf", np.isposinf), ("-inf", np.isneginf)):
        if own.dtype.kind == "c" and name != "NaN":
            continue  # an infinite complex number has no sign
        here, there = where(own), where(target)
        extra, lacking = int(np.count_nonzero(there & ~here)), int(np.count_nonzero(here & ~there))
        if extra:
            row.worsen(DIFFERS, f"{name} at {extra} of {target.size} elements where torch has none")
        if lacking:
            row.worsen(DIFFERS, f"no {name} at {lacking} of {target.size} elements where torch has it")


def _say_unsteady(row: Row, torch: Torch, own: Any) -> None:
    """Say so when torch itself does not agree on these integers: an argmax among equals, say."""
    others = [arrays[row.output] for arrays in torch.variants.values() if _fits(arrays, row.output, own)]
    unsteady = sum(1 for other in others if (np.asarray(other) != np.asarray(own)).any())
    if unsteady:
        row.note += f" (torch differs from itself in {unsteady} of {len(others)} variants)"


def _fits(arrays: Arrays, path: str, own: Any) -> bool:
    return path in arrays and arrays[path].shape == own.shape


def _largest(values: Any) -> float:
    return float(np.abs(values).max()) if values.size else 0.0
