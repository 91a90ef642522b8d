from __future__ import annotations

import ast

import ml_dtypes
import numpy as np
import pytest

from checks.worker import arrays


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6, dtype=np.int64).reshape(2, 3),
        np.float32(3.5).reshape(()),
        np.ones((0, 3), np.float32),
        np.array([True, False]),
        np.array([1 + 2j], np.complex64),
        np.arange(6.0).reshape(2, 3).T,
    ],
)
def test_round_trip(tmp_path, array):
    arrays.write(tmp_path / "a", {"layers/0.weight['x']": array})
    found = arrays.read(tmp_path / "a")
    assert list(found) == ["layers/0.weight['x']"]
    (back,) = found.values()
    assert (back.dtype, back.shape) == (array.dtype, array.shape)
    assert np.array_equal(back, array)


def test_bfloat16_is_widened(tmp_path):
    arrays.write(tmp_path, [("w", np.array([1.5, -2], ml_dtypes.bfloat16))])
    back = arrays.read(tmp_path)["w"]
    assert back.dtype == np.float32
    assert back.tolist() == [1.5, -2]


def test_a_head_is_parsed_again_where_another_thread_parses(tmp_path, monkeypatch):
    """CPython 3.11 counts the depth of syntax trees for all threads together."""
    arrays.write(tmp_path, {"w": np.arange(3.0)})
    mismatch = "AST constructor recursion depth mismatch (before=45, after=231)"
    parse, told = ast.literal_eval, [mismatch, "something else"]

    def disturbed(text):
        if told:
            raise SystemError(told.pop(0))
        return parse(text)

    monkeypatch.setattr(ast, "literal_eval", disturbed)
    with pytest.raises(SystemError, match="something else"):
        arrays.read(tmp_path)
    told.append(mismatch)
    assert arrays.read(tmp_path)["w"].tolist() == [0, 1, 2]
