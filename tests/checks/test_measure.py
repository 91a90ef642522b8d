from __future__ import annotations

import numpy as np
import pytest

from checks import measure

RANDOM = np.random.default_rng(0)
EXACT = RANDOM.standard_normal(3 * measure.BLOCK + 5)


def test_blocks_give_what_one_pass_over_all_gives():
    own, target = EXACT.astype(np.float32), (EXACT * (1 + 1e-6)).astype(np.float32)
    found = measure.apart(own, EXACT, target)
    assert found.error == pytest.approx(measure.rms(target - EXACT))
    assert found.own == pytest.approx(measure.rms(own - EXACT))
    assert found.size == pytest.approx(measure.rms(EXACT))
    assert found.max_abs == np.abs(target - EXACT).max()
    assert found.max_rel == pytest.approx(np.abs((target - EXACT) / EXACT).max())
    assert found.kept == EXACT.size
    assert measure.distance(target, EXACT) == pytest.approx(found.error)


def test_what_is_not_finite_is_counted_and_left_out():
    own, target = EXACT.copy(), EXACT.copy()
    own[0] = target[0] = np.inf
    target[[1, measure.BLOCK + 1]] = np.nan
    found = measure.apart(own, EXACT, target)
    assert found.not_finite == [f"NaN at 2 of {EXACT.size} elements where torch has none"]
    assert (found.error, found.kept) == (0.0, EXACT.size - 3)


@pytest.mark.parametrize("scale", [1e300, 1e-300])
def test_neither_overflow_nor_underflow(scale):
    assert measure.distance(2 * scale * np.ones(9), scale * np.ones(9)) == pytest.approx(scale)


def test_nothing_is_no_distance():
    assert measure.distance(np.ones((0, 3)), np.ones((0, 3))) == 0.0
