from __future__ import annotations

import numpy as np
import pytest

from checks.worker.distance import distance


@pytest.mark.parametrize("scale", [1e300, 1e-300])
def test_neither_overflow_nor_underflow(scale):
    assert distance(2 * scale * np.ones(9), scale * np.ones(9)) == pytest.approx(scale)


def test_nothing_is_no_distance():
    assert distance(np.ones((0, 3)), np.ones((0, 3))) == 0.0
