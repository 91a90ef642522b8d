from __future__ import annotations

import numpy as np
import pytest

from checks.parity.apart import apart
from checks.worker.distance import BLOCK, distance, rms

RANDOM = np.random.default_rng(0)
EXACT = RANDOM.standard_normal(3 * BLOCK + 5)


def test_blocks_give_what_one_pass_over_all_gives():
    own, target = EXACT.astype(np.float32), (EXACT * (1 + 1e-6)).astype(np.float32)
    found = apart(own, EXACT, target)
    assert found.error == pytest.approx(rms(target - EXACT))
    assert found.own == pytest.approx(rms(own - EXACT))
    assert found.size == pytest.approx(rms(EXACT))
    assert found.max_abs == np.abs(target - EXACT).max()
    assert found.max_rel == pytest.approx(np.abs((target - EXACT) / EXACT).max())
    assert found.kept == EXACT.size
    assert distance(target, EXACT) == pytest.approx(found.error)


def test_what_is_not_finite_is_counted_and_left_out():
    own, target = EXACT.copy(), EXACT.copy()
    own[0] = target[0] = np.inf
    target[[1, BLOCK + 1]] = np.nan
    found = apart(own, EXACT, target)
    assert found.not_finite == [f"NaN at 2 of {EXACT.size} elements where torch has none"]
    assert (found.error, found.kept) == (0.0, EXACT.size - 3)
