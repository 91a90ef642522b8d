from __future__ import annotations

import weakref
from types import SimpleNamespace

import numpy as np
import pytest

from checks.worker.side.store import NOISY, Folder, Reader, Terms


class Tensor:
    """An array that says when it has changed."""

    def __init__(self, values):
        self.values, self.version = np.array(values, np.float32), 0
        self.shape = self.values.shape


@pytest.fixture
def runtime():
    return SimpleNamespace(
        is_tensor=lambda value: isinstance(value, Tensor),
        array=lambda value: value.values,
        dtype=lambda value: str(value.values.dtype),
        distance=lambda value, exact: None,
        mark=lambda value: (weakref.ref(value), value.version),
    )


def test_records_keep_their_structure(runtime, tmp_path):
    folder = Folder(tmp_path, runtime)
    folder.record("layer", {"a": Tensor([1, 2]), "b": (3, None)}, module="layer")
    folder.close()
    found = Reader(tmp_path)
    assert found.find("layer")["module"] == "layer"
    assert found.get("layer", "['a']").tolist() == [1, 2]
    assert found.get("layer", "['b'][0]") == 3
    assert found.find("layer")["nodes"]["['b'][1]"] == {"kind": "value", "value": "None"}
    assert found.get("layer", "['c']") is None
    assert found.get("other") is None


def test_a_tensor_is_written_again_only_when_it_has_changed(runtime, tmp_path):
    tensor = Tensor([1, 2])
    folder = Folder(tmp_path, runtime)
    first, again = (folder.record(name, tensor) for name in "ab")
    tensor.values, tensor.version = np.array([5, 6], np.float32), 1
    third = folder.record("c", tensor)
    assert first["files"] == again["files"] != third["files"]
    folder.close()
    assert Reader(tmp_path).get("b").tolist() == [1, 2]
    assert Reader(tmp_path).get("c").tolist() == [5, 6]


def test_terms_are_distances_and_integers_that_change(runtime, tmp_path):
    for name, value in (("own", np.array([1, 2])), ("exact", np.array([1, 2]))):
        folder = Folder(tmp_path / name, runtime)
        folder.record("x", Tensor([1, 2]))
        folder.record("i", value)
        folder.close()
    own, exact = Reader(tmp_path / "own"), Reader(tmp_path / "exact")
    summary = {"terms": {}, "unsteady": {}}
    for source, moved in (("one thread", [1, 3]), (NOISY, [1, 2])):
        terms = Terms(source, exact, own, summary, runtime)
        terms.record("x", Tensor(moved))
        terms.record("i", np.array(moved))
    assert summary["terms"] == {"x:": {"one thread": pytest.approx(0.5**0.5), NOISY: 0.0}}
    assert summary["unsteady"] == {"i:": (1, 1)}
