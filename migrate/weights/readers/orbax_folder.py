"""Checkpoints of Orbax: a folder with ``_METADATA``, and an array of zarr for each leaf of a tree.

What is one chunk and not compressed, as this project writes it, is read as it lies. The rest is read by tensorstore:
several chunks of several hosts, compressed, in one database of all arrays, which is how Orbax itself writes them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, Any

from migrate.errors import Unusable
from migrate.weights.readers.checkpoint import Checkpoint
from migrate.weights.readers.copying import Span
from migrate.weights.readers.files import COPY_AGAIN, Place
from migrate.weights.readers.pickled import Malformed
from migrate.weights.readers.storages import Storages
from migrate.weights.readers.tensor import ITEMSIZES, TensorRef, Unreadable
from migrate.weights.readers.torch_pickle import natural, naturals

if TYPE_CHECKING:
    import numpy as np

TREE = "_METADATA"
ABOUT = "_CHECKPOINT_METADATA"
LARGEST_TEXT = 64 << 20
VALUE = "value"
"""Behind each path in a saved ``nnx.State``."""


def items_of(place: Place, names: list[str]) -> list[str]:
    """The folders of the items or steps in a folder of Orbax's that is no checkpoint itself."""
    return [name for name in names if name not in {ABOUT, "metrics"} and TREE in _names_in(place.child(name))]


def read(folder: Place, resources: ExitStack) -> Checkpoint:
    """Raises Unusable."""
    try:
        return _Folder(folder, resources, _json(folder.child(TREE), resources)).read()
    except Malformed as error:
        raise Unusable(f"{folder.name}: is malformed: {error}", COPY_AGAIN) from None


class _Folder:
    def __init__(self, folder: Place, resources: ExitStack, metadata: Any) -> None:
        self.folder, self.resources = folder, resources
        if not isinstance(metadata, dict) or not isinstance(metadata.get("tree_metadata"), dict):
            raise Malformed(f"{TREE} has no tree_metadata")
        self.leaves: Mapping[str, Any] = metadata["tree_metadata"]
        self.in_database = bool(metadata.get("use_ocdbt", True))
        self.driver = "zarr3" if metadata.get("use_zarr3") else "zarr"
        self.files = Storages({})
        self.arrays: _Arrays | None = None
        self.listing = set(folder.listing())

    def read(self) -> Checkpoint:
        tree: dict[str, Any] = {}
        for leaf in self.leaves.values():
            steps = [str(step["key"]) for step in _listed(leaf, "key_metadata") if isinstance(step, dict)]
            about = leaf.get("value_metadata")
            if not steps or not isinstance(about, dict):
                raise Malformed("a leaf without a path and a kind")
            named = steps[:-1] if steps[-1] == VALUE and len(steps) > 1 else steps
            kind = about.get("value_type")
            if kind in {"None", "Dict", "List", "Tuple"}:
                continue  # an empty branch
            if kind in {"jax.Array", "np.ndarray", "scalar"} and not about.get("skip_deserialize"):
                tree[".".join(named)] = self._array(".".join(steps))
            else:
                tree[".".join(named)] = Unreadable(f"of {kind}", "save it as an array")
        return Checkpoint(self.folder.name, "checkpoint of Orbax", tree, unchecked=True)

    def _array(self, name: str) -> TensorRef | Unreadable:
        if self.in_database or self.driver != "zarr":
            return self._through_tensorstore(name)
        if name not in self.listing:
            raise Unusable(f"{self.folder.name}: has no folder {name!a}, which {TREE} names", COPY_AGAIN)
        place = self.folder.child(name)
        about = _json(place.child(".zarray"), self.resources)
        shape, chunks = (about.get(key) if isinstance(about, dict) else None for key in ("shape", "chunks"))
        if not naturals(shape) or not naturals(chunks):
            raise Malformed(f"{name!a} has no shape and chunks")
        kind = str(about.get("dtype"))
        kind = kind if kind in ITEMSIZES else _numpys(kind)
        whole = len(shape) == len(chunks) and all(size <= chunk for size, chunk in zip(shape, chunks, strict=True))
        exact = whole and prod(shape) == prod(chunks)
        if about.get("compressor") is not None or about.get("filters") or about.get("order") != "C" or not exact:
            return self._through_tensorstore(name)
        if kind not in ITEMSIZES:
            return Unreadable(f"of dtype {kind}", "convert it before saving")
        file = place.child(".".join("0" for _ in shape) or "0").open()
        self.resources.callback(file.close)
        nbytes = prod(shape) * ITEMSIZES[kind]
        if file.size != nbytes:
            raise Unusable(f"{file.name}: has {file.size:,} bytes, {name!a} needs {nbytes:,}", COPY_AGAIN)
        self.files.spans[name] = Span(file, 0, nbytes, None, f"array {name!a}")
        return _contiguous(kind, tuple(shape), name, self.files)

    def _through_tensorstore(self, name: str) -> TensorRef | Unreadable:
        if self.arrays is None:
            self.arrays = _Arrays(self.folder, self.driver, self.in_database)
        kind, shape = self.arrays.about(name)
        if kind not in ITEMSIZES:
            return Unreadable(f"of dtype {kind}", "convert it before saving")
        return _contiguous(kind, shape, name, self.arrays)


@dataclass
class _Arrays:
    """Reads arrays through tensorstore, a chunk at a time. Raises Unusable where it is not there."""

    folder: Place
    driver: str
    in_database: bool
    opened: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.folder.path is None:
            raise Unusable(f"{self.folder.name}: a checkpoint of Orbax is read from a disk", "copy it here first")

    def about(self, name: str) -> tuple[str, tuple[int, ...]]:
        """An array's dtype and shape."""
        array = self._open(name)
        return str(array.dtype.name), tuple(array.shape)

    def load(self, tensor: TensorRef) -> np.ndarray:
        import numpy as np

        try:
            found: np.ndarray = np.ascontiguousarray(self._open(tensor.storage).read().result())
        except ValueError as error:
            raise self._damaged(tensor.storage, error) from None
        return found.reshape(tensor.shape)

    def _open(self, name: str) -> Any:
        if name not in self.opened:
            try:
                import tensorstore  # type: ignore[import-not-found, unused-ignore]
            except ImportError:
                mend = "pip install 'torch-migrate[orbax]'"
                raise Unusable(f"{self.folder.name}: reading what Orbax wrote needs tensorstore", mend) from None
            assert self.folder.path is not None
            base = self.folder.path.resolve().as_posix()
            store: dict[str, Any] = {"driver": "file", "path": f"{base}/{name}/"}
            if self.in_database:
                store = {"driver": "ocdbt", "base": f"file://{base}/", "path": f"{name}/"}
            try:
                spec = {"driver": self.driver, "kvstore": store}
                self.opened[name] = tensorstore.open(spec, read=True, open=True).result()
            except ValueError as error:
                raise self._damaged(name, error) from None
        return self.opened[name]

    def _damaged(self, name: str, error: ValueError) -> Unusable:
        said = str(error).partition("[")[0].strip().rstrip(":.")
        return Unusable(f"{self.folder.name}: array {name!a} cannot be read: {said}", COPY_AGAIN)


def _names_in(place: Place) -> list[str]:
    return place.listing() if place.is_folder() else []


def _contiguous(kind: str, shape: tuple[int, ...], name: str, reader: Any) -> TensorRef:
    strides = tuple(prod(shape[axis + 1 :]) for axis in range(len(shape)))
    return TensorRef(kind, shape, strides, 0, name, reader)


def _numpys(code: str) -> str:
    """numpy's name of a dtype of zarr's; the code where it has none, or for the other byte order."""
    import numpy as np

    try:
        return code if code.startswith(">") else np.dtype(code).name
    except TypeError:
        return code


def _json(place: Place, resources: ExitStack) -> Any:
    file = place.open()
    resources.callback(file.close)
    if not natural(file.size) or file.size > LARGEST_TEXT:
        raise Malformed(f"{file.name} is too long")
    data = bytearray(file.size)
    file.read_into(memoryview(data), 0)
    try:
        return json.loads(data)
    except ValueError:
        raise Malformed(f"{file.name} is no JSON") from None


def _listed(leaf: Any, key: str) -> list[Any]:
    found = leaf.get(key) if isinstance(leaf, dict) else None
    return found if isinstance(found, list) else []
