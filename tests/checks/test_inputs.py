from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks.inputs import FLOATS, INTEGERS, WrongSpec, half_ulp_noise, parse, parse_all


def test_floats_are_standard_normal():
    array = parse("float32[64,128]").draw(0, 0)
    assert (array.dtype, array.shape) == (np.float32, (64, 128))
    assert abs(array.mean()) < 0.05
    assert abs(array.std() - 1) < 0.05


def test_bounds():
    tokens = parse("tokens=int64[4,500]<7")
    assert tokens.name == "tokens"
    assert set(tokens.draw(0, 0).ravel()) == set(range(7))
    assert set(parse("-2<=int32[500]<1").draw(0, 0)) == {-2, -1, 0}
    uniform = parse("x=-1.5<=float64[1000]<1e-1").draw(0, 0)
    assert -1.5 <= uniform.min() < -1.4
    assert 0.05 < uniform.max() < 0.1
    assert parse("float32[500]<2").draw(0, 0).min() >= 0


def test_other_dtypes_and_shapes():
    assert set(parse("bool[100]").draw(0, 0)) == {True, False}
    assert parse("complex64[3]").draw(0, 0).dtype == np.complex64
    assert parse("float32[]").draw(0, 0).shape == ()
    assert parse(" float16[ 2, 3, ] ").draw(0, 0).shape == (2, 3)


def test_same_seed_same_arrays_whatever_the_others():
    item = parse("float32[8]")
    assert np.array_equal(item.draw(3, 1), item.draw(3, 1))
    assert not np.array_equal(item.draw(3, 1), item.draw(3, 0))
    assert not np.array_equal(item.draw(3, 1), item.draw(4, 1))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "not of the form"),
        ("float32", "not of the form"),
        ("float32(2,3)", "not of the form"),
        ("float32[2,-3]", "not of the form"),
        ("float32[2,,3]", "not a list of sizes"),
        ("flot32[2]", "unknown dtype 'flot32'; known: float16, float32"),
        ("int64[2]", "need an upper bound, e.g. int64[2]<10"),
        ("int64[2]<0", "no value lies between"),
        ("int64[2]<2.5", "not int64 values"),
        ("int8[2]<1000", "not int8 values"),
        ("bool[2]<1", "takes no bounds"),
        ("0<=float32[2]", "a lower bound needs an upper one"),
        ("1x=float32[2]", "not of the form"),
    ],
)
def test_wrong_specs_are_named(text, complaint):
    with pytest.raises(WrongSpec) as caught:
        parse(text)
    assert complaint in str(caught.value)
    assert repr(text) in str(caught.value)


def test_keyword_given_twice():
    with pytest.raises(WrongSpec, match="'x' is given twice"):
        parse_all(["x=float32[1]", "x=float32[2]"])


@given(st.sampled_from(FLOATS + INTEGERS), st.lists(st.integers(0, 4), max_size=4), st.integers(1, 100))
def test_every_spec_draws_within_its_bounds(dtype, shape, high):
    array = parse(f"1<={dtype}[{','.join(map(str, shape))}]<{high + 1}").draw(0, 0)
    assert (array.dtype, array.shape) == (np.dtype(dtype), tuple(shape))
    assert ((array >= 1) & (array <= high + 1)).all()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_noise_is_half_a_unit_in_the_last_place(dtype):
    array = np.random.default_rng(0).standard_normal(1000).astype(dtype)
    moved = half_ulp_noise(array, 0, 0)
    steps = np.abs(moved - array.astype(np.float64)) / np.spacing(np.abs(array)).astype(np.float64)
    assert moved.dtype == np.float64
    assert steps.max() <= 0.5
    assert dtype is np.float64 or steps.mean() > 0.2
    integers = np.arange(3)
    assert half_ulp_noise(integers, 0, 0) is integers
