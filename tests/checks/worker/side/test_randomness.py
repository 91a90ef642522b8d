from __future__ import annotations

import numpy as np

from checks.worker.side.randomness import Draws, Watch


def test_masks_follow_the_seed_and_the_order_of_calls():
    first, again, other = Draws([0, 1]), Draws([0, 1]), Draws([0, 2])
    masks = [draws.keep([100, 100], 0.25) for draws in (first, again, other)]
    assert np.array_equal(masks[0], masks[1])
    assert not np.array_equal(masks[0], masks[2])
    assert not np.array_equal(masks[0], first.keep([100, 100], 0.25))
    assert 0.73 < masks[0].mean() < 0.77
    assert first.taken == [[[100, 100], 0.25]] * 2


def test_nothing_is_dropped_at_zero():
    draws = Draws([0])
    assert draws.keep([3], 0.0).all()
    assert draws.taken == []


class Generator:
    def __init__(self):
        self.stands = 0

    def random_state(self):
        return self.stands


def test_only_the_innermost_module_that_draws_is_named():
    runtime = Generator()
    watch = Watch(runtime)
    for name in ("", "block", "block.noise"):
        watch.before(name, None, (), {})
    runtime.stands += 1
    for name in ("block.noise", "block", ""):
        watch.after(name, None, None)
    watch.finish()
    assert watch.found == ["block.noise"]


def test_what_a_function_draws_is_its_own():
    runtime = Generator()
    watch = Watch(runtime)
    runtime.stands += 1
    watch.finish()
    assert watch.found == [""]
