"""Layers given torch's rows in another order: ``sort`` and ``topk`` leave that of equal elements open."""

from __future__ import annotations

from typing import Any

import numpy as np

SEED = 0


def in_order_of(own: Any, target: Any) -> Any | None:
    """The target's rows as they stand in torch's; None where nothing can be exchanged. Arrays of one shape, at least
    one axis.

    Rows are told apart by one number each, their product with a random vector: where noise exchanges two of those, what
    comes out differs from torch's as before.
    """
    if own.ndim == 0 or len(own) < 2:
        return None
    rows = len(own)
    weights = np.random.default_rng(SEED).uniform(0.5, 1.5, int(own[0].size))
    with np.errstate(invalid="ignore", over="ignore"):
        ranks = [np.argsort(_real(side).reshape(rows, -1) @ weights, kind="stable") for side in (own, target)]
    found = np.empty_like(target)
    found[ranks[0]] = target[ranks[1]]
    return None if np.array_equal(ranks[0], ranks[1]) else found


def in_order_along_last(own: Any, target: Any) -> Any | None:
    """The same of single elements along the last axis."""
    if own.ndim == 0 or own.shape[-1] < 2:
        return None
    ranks = [np.argsort(_real(side), -1, kind="stable") for side in (own, target)]
    found = np.empty_like(target)
    np.put_along_axis(found, ranks[0], np.take_along_axis(target, ranks[1], -1), -1)
    return None if np.array_equal(ranks[0], ranks[1]) else found


def _real(array: Any) -> Any:
    """Numbers in double precision; of complex ones one that tells them apart."""
    return (array.real + 0.7 * array.imag if array.dtype.kind == "c" else array).astype(np.float64)
