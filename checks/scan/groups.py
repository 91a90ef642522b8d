"""The tables of programs, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from checks.scan import dtypes, extremes, index, layers, options, pairs, ranks
from checks.scan.case import Case

GROUPS: dict[str, Callable[[], Iterator[Case]]] = {
    "extremes": extremes.cases,
    "pairs": pairs.cases,
    "dtypes": dtypes.cases,
    "index": index.cases,
    "ranks": ranks.cases,
    "options": options.cases,
    "layers": layers.cases,
}


def some(cases: list[Case], share: float, seed: int = 0) -> list[Case]:
    """That share of them, the same each time."""
    return cases if share >= 1 else Random(seed).sample(cases, round(share * len(cases)))
