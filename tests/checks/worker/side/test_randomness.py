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
    watch = Watch(runtime, Draws([0]))
    for name in ("", "block", "block.noise"):
        watch.before(name, None, (), {})
    runtime.stands += 1
    for name in ("block.noise", "block", ""):
        watch.after(name, None, None)
    watch.finish()
    assert watch.found == watch.drawing == ["block.noise"]


def test_what_is_given_is_drawn_and_not_lost():
    runtime, draws = Generator(), Draws([0])
    watch = Watch(runtime, draws)
    for name in ("", "block"):
        watch.before(name, None, (), {})
    draws.normal([2])
    for name in ("block", ""):
        watch.after(name, None, None)
    watch.finish()
    assert (watch.found, watch.drawing) == ([], ["block"])


def test_numbers_follow_the_seed_and_the_order_of_calls():
    def drawn(draws):
        weights = np.array([[0.0, 1.0, 3.0], [1.0, 0.0, 0.0]])
        return [
            draws.normal([1000], 2.0, 0.5), draws.uniform([1000], -1, 1), draws.integers([1000], 3, 6),
            draws.permutation(5), draws.exponential([1000], 2.0), draws.chances(np.full(1000, 0.25)),
            draws.choices(weights, 400, True),
        ]  # fmt: skip

    first, again, other = Draws([0, 1]), Draws([0, 1]), Draws([0, 2])
    found = drawn(first)
    assert all(map(np.array_equal, found, drawn(again)))
    assert not any(map(np.array_equal, found, drawn(other)))
    normal, uniform, integers, permutation, exponential, chances, choices = found
    assert abs(normal.mean() - 2) < 0.1
    assert abs(normal.std() - 0.5) < 0.05
    assert -1 <= uniform.min() < -0.9 < 0.9 < uniform.max() <= 1
    assert sorted(set(integers)) == [3, 4, 5]
    assert sorted(permutation) == [0, 1, 2, 3, 4]
    assert abs(exponential.mean() - 0.5) < 0.05
    assert exponential.min() > 0
    assert abs(chances.mean() - 0.25) < 0.05
    assert choices.shape == (2, 400)
    assert set(choices[1]) == {0}
    assert abs((choices[0] == 2).mean() - 0.75) < 0.08
    assert sorted(Draws([0]).choices(np.ones(4), 4, False)) == [0, 1, 2, 3]
    assert [kind for kind, _ in first.drawn] == [
        "normal", "uniform", "integers", "permutation", "exponential", "uniform", "choices",
    ]  # fmt: skip


def test_what_a_function_draws_is_its_own():
    runtime = Generator()
    watch = Watch(runtime, Draws([0]))
    runtime.stands += 1
    watch.finish()
    assert watch.found == [""]
