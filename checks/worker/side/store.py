"""Results of a run on disk: records (a model's output, a layer's, a parameter's gradient), each a structure of tensors.

A folder holds one ``.npy`` file per tensor and ``records.json``: a list of records, each with its ``name``, its
``nodes`` (``checks.worker.structure``) and ``files`` by path, and whatever else its writer added. A tensor is written
as soon as it is recorded, so that a run needs no more memory than the model; one recorded twice unchanged is written
once.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from ..distance import distance
from ..npy import load
from ..structure import array_of, walk

INDEX = "records.json"
NOISY = "half-ulp noise"  # a term of the floor


class Folder:
    """Writes records."""

    def __init__(self, path: Path, runtime: Any) -> None:
        self.path = path
        self.runtime = runtime
        self.records: list[dict[str, Any]] = []
        self._written: dict[int, tuple[Any, Any, str]] = {}
        self._count = 0
        path.mkdir(parents=True, exist_ok=True)

    def record(self, name: str, value: Any, **more: Any) -> dict[str, Any]:
        """Write a value of any structure; ``more`` stands beside its nodes."""
        leaves, nodes = walk(value, self.runtime, "")
        files = {path: self.file(leaf) for path, leaf in leaves.items()}
        found = {"name": name, "nodes": nodes, "files": files, **more}
        self.records.append(found)
        return found

    def array(self, name: str, array: Any, dtype: str, **more: Any) -> None:
        """Write one array as a record that is a tensor."""
        node = {"kind": "tensor", "dtype": dtype, "shape": list(array.shape)}
        self.records.append({"name": name, "nodes": {"": node}, "files": {"": self._save(array)}, **more})

    def file(self, leaf: Any) -> str:
        """Write a tensor or number; the name of its file."""
        mark = self.runtime.mark(leaf) if self.runtime.is_tensor(leaf) else None
        if mark is None:  # the framework cannot tell whether it has changed
            return self._save(array_of(leaf, self.runtime))
        known = self._written.get(id(leaf))
        if known is not None and known[0]() is leaf and known[1] == mark[1]:
            return known[2]
        file = self._save(array_of(leaf, self.runtime))
        self._written[id(leaf)] = (mark[0], mark[1], file)
        return file

    def close(self) -> None:
        """Write the index."""
        aside = self.path / (INDEX + ".tmp")
        aside.write_text(json.dumps(self.records), encoding="utf-8")
        os.replace(str(aside), str(self.path / INDEX))

    def _save(self, array: Any) -> str:
        name = f"{self._count}.npy"
        self._count += 1
        np.save(str(self.path / name), array, allow_pickle=False)
        return name


class Terms:
    """Measures records of another run against those in a folder, instead of writing them."""

    def __init__(
        self,
        source: str,
        exact: Any,
        own: Any,
        summary: dict[str, Any],
        runtime: Any,
    ) -> None:
        self.source = source
        self.times = 1.0  # what is measured is so many times the term
        self.exact = exact
        self.own = own
        self.terms = summary["terms"]
        self.unsteady = summary["unsteady"]
        self.runtime = runtime

    def record(self, name: str, value: Any, **more: Any) -> None:
        """Measure a value of any structure."""
        for path, leaf in walk(value, self.runtime, "")[0].items():
            self._measure(name, path, array_of(leaf, self.runtime), leaf)

    def array(self, name: str, array: Any, dtype: str, **more: Any) -> None:
        """Measure one array."""
        self._measure(name, "", array)

    def _measure(self, name: str, path: str, array: Any, leaf: Any = None) -> None:
        key = name + ":" + path
        array = np.asarray(array)
        if array.dtype.kind in "fc":
            exact = self.exact.get(name, path)
            if exact is not None and exact.shape == array.shape:
                found = self.runtime.distance(leaf, exact) if self.runtime.is_tensor(leaf) else None
                apart = distance(array, exact) if found is None else found
                terms = self.terms.setdefault(key, {})
                terms[self.source] = max(terms.get(self.source, 0.0), apart / self.times)
        elif self.source != NOISY:
            own = self.own.get(name, path)
            if own is not None and own.shape == array.shape:
                differs, of = self.unsteady.get(key, (0, 0))
                self.unsteady[key] = (differs + bool((np.asarray(own) != array).any()), of + 1)


class Reader:
    """Reads records; arrays are mapped into memory."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records: list[dict[str, Any]] = json.loads((path / INDEX).read_text(encoding="utf-8"))
        self._by_name = {record["name"]: record for record in self.records}

    def find(self, name: str) -> Any:
        """The record of that name, None when there is none."""
        return self._by_name.get(name)

    def get(self, name: str, path: str = "") -> Any:
        """A tensor of a record, None when there is none."""
        file = self._by_name.get(name, {"files": {}})["files"].get(path)
        return None if file is None else load(self.path / file)

    def arrays(self, record: dict[str, Any]) -> dict[str, Any]:
        """Path -> array."""
        return {path: load(self.path / file) for path, file in record["files"].items()}
