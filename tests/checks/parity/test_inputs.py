from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks.parity.inputs import draw, parse_all
from checks.worker import nested
from checks.worker.noise import half_ulp_noise
from checks.worker.tensor_spec import FLOATS, INTEGERS, WrongSpec


def drawn(*texts, seed=0, folder="."):
    """(positional arguments, keyword arguments) with arrays for tensors, through JSON as a worker gets them."""
    found = draw(parse_all(texts, folder), seed)
    positional, keywords = json.loads(json.dumps([found.positional, found.keywords]))
    build = {name: nested.build(node, found.arrays.__getitem__) for name, node in keywords.items()}
    return [nested.build(node, found.arrays.__getitem__) for node in positional], build


def one(text, seed=0):
    (array,), keywords = drawn(text, seed=seed)
    assert keywords == {}
    return array


def test_floats_are_standard_normal():
    array = one("float32[64,128]")
    assert (array.dtype, array.shape) == (np.float32, (64, 128))
    assert abs(array.mean()) < 0.05
    assert abs(array.std() - 1) < 0.05


def test_bounds():
    _, keywords = drawn("tokens=int64[4,500]<7")
    assert set(keywords["tokens"].ravel()) == set(range(7))
    assert set(one("-2<=int32[500]<1")) == {-2, -1, 0}
    uniform = drawn("x=-1.5<=float64[1000]<1e-1")[1]["x"]
    assert -1.5 <= uniform.min() < -1.4
    assert 0.05 < uniform.max() < 0.1
    assert one("float32[500]<2").min() >= 0


def test_other_dtypes_and_shapes():
    assert set(one("bool[100]")) == {True, False}
    assert one("complex64[3]").dtype == np.complex64
    assert one("float32[]").shape == ()
    assert one(" float16[ 2, 3, ] ").shape == (2, 3)


def test_same_seed_same_arrays_whatever_the_others():
    assert np.array_equal(one("float32[8]", 3), one("float32[8]", 3))
    assert not np.array_equal(one("float32[8]", 3), one("float32[8]", 4))
    first, second = drawn("float32[8]", "float32[8]")[0]
    assert not np.array_equal(first, second)
    assert np.array_equal(second, drawn("bool[2]", "float32[8]")[0][1])


def test_containers_and_plain_values():
    (pair, nothing, text, number), keywords = drawn(
        "(float32[2], [int64[3]<5, float32[]])",
        "None",
        "'mean'",
        "-2.5",
        "batch={'ids': 1<=int64[2,4]<9, 'mask': None, 'n': 3, 'deep': [{'x': bool[2]}]}",
        "causal=True",
    )
    assert isinstance(pair, tuple)
    assert [pair[0].shape, pair[1][0].dtype, pair[1][1].shape] == [(2,), np.int64, ()]
    assert (nothing, text, number) == (None, "mean", -2.5)
    batch = keywords["batch"]
    assert (batch["ids"].shape, batch["ids"].min() >= 1, batch["mask"], batch["n"]) == ((2, 4), True, None, 3)
    assert batch["deep"][0]["x"].dtype == bool
    assert keywords["causal"] is True


def test_paths_name_the_tensors():
    found = draw(parse_all(["float32[1]", "[float32[1], {'k': float32[1]}]", "x=(float32[1],)"]), 0)
    assert list(found.arrays) == ["0", "1[0]", "1[1]['k']", "x[0]"]
    assert list(nested.names(found.positional[1])) == ["1[0]", "1[1]['k']"]
    assert len({float(array[0]) for array in found.arrays.values()}) == 4
    assert list(found.noisy(0)) == list(found.arrays)


def test_arrays_of_a_file(tmp_path):
    ids, image = np.arange(6).reshape(2, 3), np.ones((1, 3), np.float32)
    np.savez(tmp_path / "batch.npz", *[image * i for i in range(11)], ids=ids)
    positional, keywords = drawn("batch.npz", "flag=True", folder=tmp_path)
    assert [array[0, 0] for array in positional] == list(range(11))
    assert np.array_equal(keywords["ids"], ids)
    assert keywords["flag"] is True


def test_files_that_are_no_inputs(tmp_path):
    np.savez(tmp_path / "object.npz", x=np.array([None, {}], dtype=object))
    np.savez(tmp_path / "text.npz", x=np.array("words"))
    np.savez(tmp_path / "name.npz", **{"a b": np.ones(1)})
    np.savez(tmp_path / "none.npz")
    (tmp_path / "odd.npz").write_bytes(b"PK\3\4 no zip")
    for name, complaint in {
        "object.npz": "no .npz of plain arrays",
        "text.npz": "x is of dtype <U5; known: float16",
        "name.npz": "'a b' is no name of a parameter",
        "none.npz": "has no arrays",
        "odd.npz": "no .npz of plain arrays",
        "absent.npz": "does not exist",
    }.items():
        with pytest.raises(WrongSpec, match=re.escape(complaint)):
            parse_all([name], tmp_path)


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
        ("x=flot32[2]", "unknown dtype 'flot32'"),
        ("[float32[2]", "'[' was never closed"),
        ("[float32[2], flot32[2]]", "]': 'flot32[2]': unknown dtype"),
        ("[int64[2]]", "]': 'int64[2]': integers need an upper bound"),
        ("[x]", "x is neither a tensor"),
        ("{'a': f(1)}", "f(1) is neither a tensor"),
        ("{**x}", "** is neither a tensor"),
        ("[1j]", "1j is neither a tensor"),
        ("[1 < 2 < 3]", "'1 < 2 < 3' is not of the form"),
    ],
)
def test_wrong_specs_are_named(text, complaint):
    with pytest.raises(WrongSpec) as caught:
        parse_all([text])
    assert complaint in str(caught.value)
    assert repr(text) in str(caught.value)


def test_keyword_given_twice():
    with pytest.raises(WrongSpec, match="'x' is given twice"):
        parse_all(["x=float32[1]", "x=float32[2]"])


@given(st.sampled_from(FLOATS + INTEGERS), st.lists(st.integers(0, 4), max_size=4), st.integers(1, 100))
def test_every_spec_draws_within_its_bounds(dtype, shape, high):
    array = one(f"1<={dtype}[{','.join(map(str, shape))}]<{high + 1}")
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
