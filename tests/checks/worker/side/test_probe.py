from __future__ import annotations

import numpy as np

from checks.worker.side.probe import probe_weights

STATE = {
    "bn.weight": np.ones(8, np.float32),
    "bn.bias": np.zeros(8, np.float32),
    "bn.running_mean": np.zeros(8, np.float32),
    "bn.running_var": np.ones(8, np.float32),
    "bn.num_batches_tracked": np.array(0),
    "conv.weight": np.random.default_rng(0).standard_normal((4, 4)).astype(np.float32),
    "mask": np.full((3, 3), -np.inf, np.float32),
}


def test_constants_move_and_all_differ():
    moved = probe_weights(STATE, 0)
    names = [name for name in STATE if name.startswith("bn.") and name != "bn.num_batches_tracked"]
    assert all(len(set(moved[name])) == 8 for name in names)
    assert len({moved[name].tobytes() for name in names}) == 4
    assert (moved["bn.running_var"] >= 0.5).all()
    assert all(moved[name].dtype == STATE[name].dtype for name in STATE)


def test_everything_else_stays():
    moved = probe_weights(STATE, 0)
    for name in ("bn.num_batches_tracked", "conv.weight", "mask"):
        assert moved[name] is STATE[name]


def test_seed_decides():
    first, again, other = (probe_weights(STATE, seed)["bn.bias"] for seed in (0, 0, 1))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
