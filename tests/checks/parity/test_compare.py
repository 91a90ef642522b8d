"""Verdicts on made-up results; whole models are compared in tests/migrate/test_check.py."""

from __future__ import annotations

import numpy as np
import pytest

from checks.parity.compare import DIFFERS, SAME, WARNED, Comparison, Side, Tolerance, Torch, compare

RANDOM = np.random.default_rng(0)
EXACT = RANDOM.standard_normal((16, 16))


def rounded(array, size=2.0**-24, seed=1):
    """The array with float32-like errors of that relative size."""
    return np.asarray(array * (1 + size * np.random.default_rng(seed).standard_normal(array.shape)), np.float64)


def side(**outputs):
    nodes = {"output": {"kind": "mapping", "keys": sorted(outputs)}}
    for path, array in outputs.items():
        array = np.asarray(array)
        nodes[path] = {"kind": "tensor", "dtype": "float32" if array.dtype.kind == "f" else str(array.dtype)}
        nodes[path]["shape"] = list(array.shape)
    return Side({path: np.asarray(array) for path, array in outputs.items()}, nodes)


def torch_side(**exact):
    exact = {path: np.asarray(array) for path, array in exact.items()}

    def runs(seed):
        return {path: rounded(a, seed=seed) if a.dtype.kind == "f" else a for path, a in exact.items()}

    return Torch.of_runs(side(**runs(1)), {"one thread": runs(2)}, exact, runs(3))


def verdicts(rows):
    return {row.name: row.verdict for row in rows}


def test_correct_float32_result_stands_at_about_one():
    (row,) = compare(torch_side(y=EXACT), side(y=rounded(EXACT, seed=9)))
    assert row.verdict == SAME
    assert 0.5 < row.ratio < 2
    assert row.max_abs == pytest.approx(np.abs(rounded(EXACT, seed=9) - EXACT).max())


@pytest.mark.parametrize(("times", "verdict"), [(3, SAME), (7, WARNED), (15, DIFFERS)])
def test_limits(times, verdict):
    (row,) = compare(torch_side(y=EXACT), side(y=rounded(EXACT, times * 2.0**-24, seed=9)))
    assert row.verdict == verdict
    assert row.ratio == pytest.approx(times, rel=0.3)


def test_exact_torch_has_a_floor_of_its_rounding():
    exact = np.arange(1.0, 100.0)
    torch = Torch(side(y=exact), {"y": exact})
    (row,) = compare(torch, side(y=exact * (1 + 2.0**-24)))
    assert (row.ratio, row.floor_from) == (pytest.approx(1.0), "rounding of the result")
    (row,) = compare(torch, side(y=exact * (1 + 2.0**-19)))
    assert row.verdict == DIFFERS


def test_zeros_must_be_zeros():
    torch = torch_side(y=np.zeros(9))
    assert verdicts(compare(torch, side(y=np.zeros(9)))) == {"y": SAME}
    (row,) = compare(torch, side(y=np.full(9, 1e-30)))
    assert (row.ratio, row.verdict) == (float("inf"), DIFFERS)


def test_noise_of_the_inputs_raises_the_floor():
    torch = torch_side(y=EXACT)
    ill = Torch.of_runs(torch.own, {}, torch.exact, {"y": rounded(EXACT, 1e-3)})
    (row,) = compare(ill, side(y=rounded(EXACT, 1e-3, seed=5)))
    assert (row.verdict, row.floor_from) == (SAME, "half-ulp noise")


def test_integers_and_booleans_are_exact():
    torch = torch_side(i=np.arange(6), b=np.array([True, False]))
    assert verdicts(compare(torch, side(i=np.arange(6), b=np.array([True, False])))) == {"i": SAME, "b": SAME}
    rows = compare(torch, side(i=np.array([0, 1, 2, 3, 4, 6]), b=np.array([True, True])))
    assert [row.text for row in rows] == ["1 of 6 elements differ", "1 of 2 elements differ"]
    assert rows[0].max_abs == 1


def test_unsteady_integers_are_said_to_be():
    torch = torch_side(i=np.arange(6))
    torch = Torch.of_runs(torch.own, {"one thread": {"i": np.arange(6)[::-1]}}, torch.exact, None)
    (row,) = compare(torch, side(i=np.arange(6)[::-1]))
    assert "torch differs from itself in 1 of 1 variants" in row.note


def test_nan_and_infinities_are_named_first():
    exact = EXACT.copy()
    exact[0, 0] = np.nan
    exact[0, 1] = np.inf
    assert verdicts(compare(torch_side(y=exact), side(y=exact))) == {"y": SAME}
    broken = exact.copy()
    broken[1, :3] = np.nan
    broken[0, 1] = -np.inf
    (row,) = compare(torch_side(y=exact), side(y=broken))
    assert row.verdict == DIFFERS
    assert row.differences[0].kind == "nan"
    assert row.text.startswith("NaN at 3 of 256 elements where torch has none; no +inf at 1 of 256")


def test_nothing_finite_is_worth_a_warning():
    (row,) = compare(torch_side(y=np.full(9, np.nan)), side(y=np.full(9, np.nan)))
    assert (row.verdict, row.text) == (WARNED, "no element is finite on both sides")


def test_structure_dtype_and_shape_come_before_values():
    torch = torch_side(a=EXACT, b=EXACT, c=EXACT)
    target = side(a=EXACT.astype(int), b=EXACT.T[:3], d=EXACT)
    rows = {row.name: row.text for row in compare(torch, target)}
    assert rows["output"] == "structure: torch returns mapping of a, b, c, the target mapping of a, b, d"
    target.nodes["output"] = torch.own.nodes["output"]
    rows = {row.name: row.text for row in compare(torch, target)}
    assert rows["a"] == "dtype: torch float32, the target int64"
    assert rows["b"] == "shape: torch [16, 16], the target [3, 16]"
    assert rows["c"] == "structure: torch returns tensor float32[16, 16], the target nothing"
    assert rows["d"] == "structure: the target returns tensor float32[16, 16], torch nothing"


def test_small_outputs_are_judged_together_in_their_own_units():
    torch = torch_side(loss=np.array(1e6), count=np.array([1e-6, 2e-6]), y=EXACT)
    good = side(loss=np.array(1e6 * (1 + 2.0**-24)), count=np.array([1e-6, 2e-6]), y=EXACT)
    rows = compare(torch, good)
    assert set(verdicts(rows).values()) == {SAME}
    assert rows[0].ratio == rows[1].ratio != rows[2].ratio
    assert "judged with the 2 small tensors" in rows[1].note
    near = np.array([1e-6, 2e-6]) * (1 + 2.0**-24 * np.array([40, -40]))
    rows = compare(torch, side(loss=np.array(1e6), count=near, y=EXACT))
    assert rows[0].ratio == rows[1].ratio > 10


def test_a_small_tensor_that_is_far_off_differs_alone():
    torch = torch_side(loss=np.array(1e6), count=np.array([1e-6, 2e-6]), y=EXACT)
    rows = compare(torch, side(loss=np.array(1e6), count=np.array([1e-6, 2.0001e-6]), y=EXACT))
    assert [row.verdict for row in rows[:2]] == [SAME, DIFFERS]


def test_tolerance_is_an_additional_criterion():
    near = rounded(EXACT, 2.0**-24, seed=9)
    (row,) = compare(torch_side(y=EXACT), side(y=near), Tolerance(0.0, 1e-12))
    assert row.verdict == DIFFERS
    assert "elements beyond rtol 0, atol 1e-12" in row.text
    assert compare(torch_side(y=EXACT), side(y=near), Tolerance(1e-5, 1e-6))[0].verdict == SAME
    # A lenient one does not excuse what the floor shows.
    assert compare(torch_side(y=EXACT), side(y=rounded(EXACT, 1e-5)), Tolerance(1, 1))[0].verdict == DIFFERS


def test_without_double_precision_only_the_tolerance_decides():
    torch = torch_side(y=EXACT)
    torch = Torch(torch.own, None)
    (row,) = compare(torch, side(y=rounded(EXACT, 1e-4)), Tolerance(1e-2, 1e-6))
    assert (row.verdict, row.ratio) == (SAME, None)
    assert compare(torch, side(y=rounded(EXACT, 1e-4)), Tolerance(1e-7, 0))[0].verdict == DIFFERS


def test_double_precision_of_another_shape_is_no_reference():
    torch = torch_side(y=EXACT)
    torch = Torch(torch.own, {"y": EXACT[:3]})
    assert compare(torch, side(y=EXACT))[0].verdict == DIFFERS


def test_large_values_do_not_overflow():
    huge = EXACT * 1e300
    (row,) = compare(torch_side(y=huge), side(y=rounded(huge, seed=4)))
    assert row.verdict == SAME
    assert np.isfinite(row.error)


def test_nothing_is_compared_below_a_difference_of_structure():
    def pair(count):
        nodes = {"output": {"kind": "sequence", "length": count}}
        for place in range(count):
            nodes[f"output[{place}]"] = {"kind": "tensor", "dtype": "float32", "shape": [16, 16]}
        return Side({f"output[{place}]": EXACT + place for place in range(count)}, nodes)

    rows = compare(Torch.of_runs(pair(3), {}, pair(3).arrays, None), pair(2))
    assert [(row.name, row.differences[0].kind) for row in rows] == [("output", "structure")]


def test_a_name_that_begins_like_another_is_not_below_it():
    torch = torch_side(layer1=EXACT, layer10=EXACT)
    (first, second) = [
        row for row in compare(torch, side(layer1=EXACT.astype(int), layer10=EXACT)) if row.name != "output"
    ]
    assert (first.differences[0].kind, second.verdict) == ("dtype", SAME)


def of_layer(exact, target):
    comparison = Comparison()
    comparison.add(torch_side(y=exact), side(y=target), "experts", "layer")
    (row,) = comparison.finish()
    return row


@pytest.mark.parametrize("change", [lambda a: a[::-1], lambda a: np.roll(a, 2, 0), lambda a: np.sort(a, -1)])
def test_a_layers_rows_in_another_order_are_said_to_be(change):
    row = of_layer(EXACT, rounded(change(EXACT), seed=9))
    assert (row.verdict, [one.kind for one in row.differences]) == (WARNED, ["order"])
    assert row.ratio < 2
    assert row.max_abs < 1e-5
    indices = np.arange(12).reshape(3, 4) % 5
    assert of_layer(indices, change(indices)).verdict == WARNED


def test_other_rows_differ_in_any_order():
    other = rounded(EXACT[::-1], seed=9)
    other[3, 4] += 0.1
    row = of_layer(EXACT, other)
    assert (row.verdict, [one.kind for one in row.differences]) == (DIFFERS, ["values"])
    # What a user sees has torch's order.
    (row,) = compare(torch_side(y=EXACT), side(y=rounded(EXACT[::-1], seed=9)))
    assert row.verdict == DIFFERS


def test_what_lies_below_the_normal_numbers_may_be_zero():
    exact = np.linspace(1e-40, 9e-39, 50)
    few = exact[:2]
    torch = torch_side(y=exact, few=few, one=np.ones(2))
    rows = compare(torch, side(y=np.zeros(50), few=np.zeros(2), one=np.ones(2)))
    assert verdicts(rows) == {"y": SAME, "few": SAME, "one": SAME}
    assert {row.floor_from for row in rows if row.name != "one"} == {"the smallest normal number"}
    assert verdicts(compare(torch, side(y=exact, few=few, one=np.ones(2) * 1.1)))["one"] == DIFFERS
    (row,) = compare(torch_side(y=exact * 1e4), side(y=np.zeros(50)))
    assert row.verdict == DIFFERS
