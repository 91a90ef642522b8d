"""Bytes are what they were, in the order that is asked for, whatever their number and strides."""

from __future__ import annotations

import os
import zlib
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from migrate.errors import Unusable
from migrate.weights.carry.state_dict import find_state_dict
from migrate.weights.readers.copying import CHUNK, Span, copy_span, read_span, sum_span
from migrate.weights.readers.files import LocalFile
from migrate.weights.readers.opening import open_checkpoint
from migrate.weights.writers import transposing
from migrate.weights.writers.transposing import write_array


def written(array: np.ndarray, path: Path, at: int = 3) -> tuple[bytes, int]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    try:
        crc = write_array(array, descriptor, at)
    finally:
        os.close(descriptor)
    return path.read_bytes()[at:], crc


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK + 17])
def test_spans(tmp_path, size):
    data = np.random.default_rng(0).bytes(size + 10)
    (tmp_path / "a").write_bytes(data)
    file = LocalFile(tmp_path / "a")
    span = Span(file, 7, size)
    descriptor = os.open(tmp_path / "b", os.O_WRONLY | os.O_CREAT)
    assert copy_span(span, descriptor, 5) == sum_span(span) == zlib.crc32(data[7 : 7 + size])
    os.close(descriptor)
    assert (tmp_path / "b").read_bytes()[5:] == data[7 : 7 + size]
    into = np.empty(size, np.uint8)
    assert read_span(span, into.data) == zlib.crc32(data[7 : 7 + size])
    assert into.tobytes() == data[7 : 7 + size]
    with pytest.raises(Unusable, match="ends early"):
        sum_span(Span(file, 7, size + 4))
    file.close()


@pytest.mark.parametrize("dtype", ["uint8", "float16", "float32", "complex128", "bfloat16", "float8_e5m2"])
@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (3, 5), (1000, 1), (129, 513), (700, 1030)])
def test_transposed(tmp_path, dtype, shape):
    kind = np.dtype(getattr(ml_dtypes, dtype, dtype))
    array = np.arange(np.prod(shape)).astype("u1").repeat(kind.itemsize).view(kind).reshape(shape)
    data, crc = written(array.T, tmp_path / "x")
    assert data == array.T.tobytes()
    assert crc == zlib.crc32(data)


@pytest.mark.parametrize("axes", [(2, 3, 1, 0), (1, 0, 2, 3), (3, 2, 1, 0), (0, 1, 2, 3)])
def test_permuted(tmp_path, axes):
    array = np.random.default_rng(0).random((33, 17, 5, 3), np.float32)
    data, crc = written(array.transpose(axes), tmp_path / "x")
    assert data == array.transpose(axes).tobytes()
    assert crc == zlib.crc32(data)


def test_rows_and_blocks_of_any_size(tmp_path, monkeypatch):
    monkeypatch.setattr(transposing, "BLOCK", 1 << 10)
    monkeypatch.setattr(transposing, "LARGEST_BLOCK", 1 << 12)
    array = np.random.default_rng(0).random((3000, 7), np.float32)
    for view in (array.T, array[::2, ::3], array[::-1], array.T[::2], array[:, 3]):
        data, crc = written(view, tmp_path / "x")
        assert (data, crc) == (view.tobytes(), zlib.crc32(view.tobytes()))


def test_memory_is_used_again_only_when_nobody_holds_it(tmp_path):
    arrays = {name: np.full((1 << 19,), value, np.float32) for value, name in enumerate("abc")}
    np.savez(tmp_path / "x.npz", **arrays)
    with open_checkpoint(tmp_path / "x.npz") as checkpoint:
        tensors = find_state_dict(checkpoint).tensors
        held = tensors["a"].load()
        view = tensors["b"].load()[5:]
        assert not np.shares_memory(held, view)
        where = tensors["c"].load().ctypes.data
        assert tensors["a"].load().ctypes.data == where
        assert np.array_equal(held, arrays["a"])
        assert np.array_equal(view, arrays["b"][5:])
