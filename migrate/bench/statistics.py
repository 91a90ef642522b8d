"""Medians and what may be said of their ratios.

Every round measures all modes once, torch eager at its beginning and at its end. The ratio of a mode to torch eager is
taken within each round, so that what slows the whole machine down cancels; its interval is a bootstrap of the median.
The ratio of torch eager to itself, first against last of a round, shows how far two equal things seem to differ here: a
difference is claimed only where the whole interval lies outside of that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

RESAMPLED = 2000
PERCENT = 95.0


@dataclass(frozen=True)
class Interval:
    """A median and its bootstrap interval."""

    median: float
    low: float
    high: float


def interval(values: list[float]) -> Interval:
    """Of the median of values; the same values give the same interval."""
    found = np.asarray(values, dtype=np.float64)
    random = np.random.default_rng(0)
    medians = np.median(random.choice(found, (RESAMPLED, found.size)), axis=1)
    low, high = np.percentile(medians, [(100.0 - PERCENT) / 2, (100.0 + PERCENT) / 2])
    return Interval(float(np.median(found)), float(low), float(high))


def quartiles(values: list[float]) -> tuple[float, float, float]:
    """The lower quartile, the median, the upper quartile."""
    low, middle, high = np.percentile(np.asarray(values, dtype=np.float64), [25, 50, 75])
    return float(low), float(middle), float(high)


def band(first: list[float], last: list[float]) -> float:
    """The factor, at least 1, by which torch eager differs from itself: the noise."""
    found = interval([a / b for a, b in zip(first, last, strict=True)])
    return max(found.low, found.high, 1.0 / found.low, 1.0 / found.high, 1.0)


def verdict(ratio: Interval, noise: float) -> str:
    """``1.42x faster``, ``1.1x slower`` or ``within noise``. ratio: of the speeds; noise: of ``band``."""
    if ratio.low > noise:
        return f"{ratio.median:.2f}x faster"
    if ratio.high < 1.0 / noise:
        return f"{1.0 / ratio.median:.2f}x slower"
    return "within noise"
