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


def test_vectors_of_a_spectral_norm_are_its_singular_pair():
    """Of both ways in which torch has it; the other axis of a transposed convolution."""
    random = np.random.default_rng(0)
    weight = random.standard_normal((6, 4, 3)).astype(np.float32)
    drawn = {size: random.standard_normal(size).astype(np.float32) for size in (4, 6, 12, 18)}
    state = {"a.weight_orig": weight, "a.weight_u": drawn[6], "a.weight_v": drawn[12]}
    state |= {"b.weight_orig": weight, "b.weight_u": drawn[4], "b.weight_v": drawn[18]}
    prefix = "c.parametrizations.weight."
    state |= {prefix + "original": weight, prefix + "0._u": drawn[6], prefix + "0._v": drawn[12]}
    state |= {"d.bias_orig": drawn[6], "d.bias_u": drawn[4], "d.bias_v": drawn[12]}
    found = probe_weights(state, 0)
    largest = np.linalg.svd(weight.reshape(6, 12), compute_uv=False)[0]
    for key in ("a.weight_", prefix + "0._"):
        assert found[key + "u"] @ weight.reshape(6, 12) @ found[key + "v"] > 0.98 * largest
    turned = np.moveaxis(weight, 1, 0).reshape(4, 18)
    assert found["b.weight_u"] @ turned @ found["b.weight_v"] > 0.98 * np.linalg.svd(turned, compute_uv=False)[0]
    assert all(found[name] is state[name] for name in state if name.startswith("d.") or "orig" in name)


def test_what_nobody_filled_is_filled():
    lacking = np.array([[0.0, np.nan], [1.0, 2.0]], np.float32)
    found = probe_weights({"a": lacking, "b": np.array([1e30, 0.5], np.float32), "mask": STATE["mask"]}, 0)
    assert all(np.isfinite(found[name]).all() and np.abs(found[name]).max() <= 0.25 for name in "ab")
    assert found["mask"] is STATE["mask"]
