"""Many arrays in one file come back as they were."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from checks.worker.samples.blob import Reader, Writer


def test_round_trip(tmp_path: Path) -> None:
    arrays = [
        np.arange(6, dtype=np.float32).reshape(2, 3).T,
        np.array(2.5),
        np.zeros((0, 3), np.int64),
        np.array([True, False]),
        np.array([1 + 2j], np.complex64),
    ]
    writer = Writer(tmp_path / "arrays.bin")
    places = [writer.add(array) for array in arrays]
    writer.close()
    reader = Reader(tmp_path / "arrays.bin")
    for array, place in zip(arrays, places, strict=True):
        found = reader.get(place)
        assert found.dtype == array.dtype
        np.testing.assert_array_equal(found, array)


def test_equal_arrays_lie_there_once(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "arrays.bin")
    first = writer.add(np.ones(3))
    assert writer.add(np.ones(3)) == first
    assert writer.add(np.ones(3, np.float32)) != first
    writer.close()
    assert (tmp_path / "arrays.bin").stat().st_size == 3 * 8 + 3 * 4


def test_appends_to_what_is_there(tmp_path: Path) -> None:
    places = []
    for value in (1.0, 2.0):
        writer = Writer(tmp_path / "arrays.bin")
        places.append(writer.add(np.array(value)))
        writer.close()
    reader = Reader(tmp_path / "arrays.bin")
    assert [float(reader.get(place)) for place in places] == [1.0, 2.0]


def test_objects_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="object"):
        Writer(tmp_path / "arrays.bin").add(np.array([None]))
