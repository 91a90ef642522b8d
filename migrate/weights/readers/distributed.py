"""Checkpoints of torch.distributed.checkpoint: a folder with ``.metadata``, and files of which each rank wrote one."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

from migrate.errors import Unusable
from migrate.weights.readers import torch_zip
from migrate.weights.readers.checkpoint import Checkpoint
from migrate.weights.readers.copying import Span
from migrate.weights.readers.files import COPY_AGAIN, File, Place, Window
from migrate.weights.readers.pickled import Global, Malformed, Opaque, OpaqueKey, read_pickle
from migrate.weights.readers.tensor import ITEMSIZES, TensorRef, Unreadable
from migrate.weights.readers.torch_pickle import natural, naturals

if TYPE_CHECKING:
    import numpy as np

METADATA = ".metadata"
MODULE = "torch.distributed.checkpoint.metadata"
LARGEST_OBJECT = 64 << 20
MOST_CHUNKS = 4096


@dataclass(frozen=True)
class Chunk:
    """A box of a tensor: where it begins, its shape, and the torch.save'd tensor that holds it."""

    offsets: tuple[int, ...]
    sizes: tuple[int, ...]
    file: File
    start: int
    nbytes: int


def read(folder: Place, resources: ExitStack) -> Checkpoint:
    """Raises Unusable."""
    file = folder.child(METADATA).open()
    resources.callback(file.close)
    try:
        with file.stream() as stream:
            metadata = read_pickle(stream, {"torch.Size": lambda sizes=(): sizes}, _nothing)
        return _Folder(folder, resources, metadata).read()
    except Malformed as error:
        raise Unusable(f"{file.name}: is malformed: {error}", COPY_AGAIN) from None


class _Folder:
    def __init__(self, folder: Place, resources: ExitStack, metadata: Any) -> None:
        self.folder, self.resources = folder, resources
        state = _state(metadata)
        self.entries = _dictionary(state.get("state_dict_metadata"))
        self.paths = state.get("planner_data")
        self.places = self._places(_dictionary(state.get("storage_data")))
        self.files: dict[str, File] = {}

    def read(self) -> Checkpoint:
        tree: dict[Any, Any] = {}
        chunks = _Chunks(self.folder.name, {})
        for name, about in self.entries.items():
            if not isinstance(name, str) or not isinstance(about, Opaque):
                raise Malformed("an entry without a name")
            path = self.paths.get(name) if isinstance(self.paths, dict) else None
            if not (isinstance(path, tuple) and path and all(isinstance(step, (str, int)) for step in path)):
                path = (name,)
            *before, last = path
            node = tree
            for step in before:
                node = node.setdefault(step, {})
                if not isinstance(node, dict):
                    raise Malformed(f"{name!a} lies in something that is no dictionary")
            node[last] = self._value(name, about, chunks)
        return Checkpoint(self.folder.name, "distributed checkpoint (DCP)", tree)

    def _places(self, listed: Mapping[Any, Any]) -> dict[Any, Any]:
        """(name, offsets or None) -> where it lies."""
        found = {}
        for key, place in listed.items():
            index = _state(key.value if isinstance(key, OpaqueKey) else None)
            offset = index.get("offset")
            if not isinstance(index.get("fqn"), str) or not (offset is None or naturals(offset)):
                raise Malformed("a storage without a name and offsets")
            found[index["fqn"], None if offset is None else tuple(offset)] = _state(place)
        return found

    def _value(self, name: str, about: Opaque, chunks: _Chunks) -> Any:
        if about.name == f"{MODULE}.BytesStorageMetadata":
            file, start, nbytes = self._place(name, None)
            if nbytes > LARGEST_OBJECT:
                raise Malformed(f"{name!a} has {nbytes:,} bytes and is no tensor")
            return torch_zip.read_archive(Window(file, start, nbytes)).tree
        if about.name != f"{MODULE}.TensorStorageMetadata":
            raise Malformed(f"{name!a} is a {about.name}")
        state = _state(about)
        properties = state.get("properties")
        known = properties.state if isinstance(properties, Opaque) else None
        dtype = known[0] if isinstance(known, tuple) and known else None
        if not isinstance(dtype, Global):
            raise Malformed(f"{name!a} has no dtype")
        if dtype.name.removeprefix("torch.") not in ITEMSIZES:
            return Unreadable(f"of dtype {dtype.name}", "convert it before saving")
        shape, listed = state.get("size"), state.get("chunks")
        if not naturals(shape) or not isinstance(listed, list):
            raise Malformed(f"{name!a} has no valid shape and chunks")
        chunks.of[name] = [self._chunk(name, _state(chunk), tuple(shape)) for chunk in listed]
        _covered(name, tuple(shape), chunks.of[name])
        strides = tuple(prod(shape[axis + 1 :]) for axis in range(len(shape)))
        return TensorRef(dtype.name.removeprefix("torch."), tuple(shape), strides, 0, name, chunks)

    def _chunk(self, name: str, state: Mapping[str, Any], shape: tuple[int, ...]) -> Chunk:
        offsets, sizes = state.get("offsets"), state.get("sizes")
        if not (naturals(offsets) and naturals(sizes) and len(offsets) == len(sizes) == len(shape)):
            raise Malformed(f"{name!a} has a chunk without valid offsets and sizes")
        if any(offset + size > whole for offset, size, whole in zip(offsets, sizes, shape, strict=True)):
            raise Malformed(f"{name!a} has a chunk that is not within it")
        return Chunk(tuple(offsets), tuple(sizes), *self._place(name, tuple(offsets)))

    def _place(self, name: str, offsets: tuple[int, ...] | None) -> tuple[File, int, int]:
        state = self.places.get((name, offsets))
        if state is None:
            raise Malformed(f"where {name!a} lies is not said")
        filename, start, nbytes = state.get("relative_path"), state.get("offset"), state.get("length")
        if not (isinstance(filename, str) and natural(start) and natural(nbytes)):
            raise Malformed(f"where {name!a} lies is not said")
        if state.get("transform_descriptors"):
            raise Unusable(f"{self.folder.name}: {name!a} was compressed on saving", "save it without extensions")
        if filename not in self.files:
            file = self.folder.child(filename).open()
            self.resources.callback(file.close)
            self.files[filename] = file
        Window(self.files[filename], start, nbytes)  # raises when it is not within the file
        return self.files[filename], start, nbytes


@dataclass
class _Chunks:
    """Loads tensors out of their chunks. of: tensor's name -> its chunks."""

    path: str
    of: dict[str, list[Chunk]]

    def load(self, tensor: TensorRef) -> np.ndarray:
        import numpy as np

        chunks = self.of[tensor.storage]
        if len(chunks) == 1:
            return self._open(tensor, chunks[0]).load()
        whole = np.empty(tensor.shape, tensor.dtype)
        for chunk in chunks:
            box = tuple(slice(start, start + size) for start, size in zip(chunk.offsets, chunk.sizes, strict=True))
            whole[box] = self._open(tensor, chunk).load()
        return whole

    def span(self, tensor: TensorRef) -> Span | None:
        chunks = self.of[tensor.storage]
        return self._open(tensor, chunks[0]).span() if len(chunks) == 1 else None

    def _open(self, tensor: TensorRef, chunk: Chunk) -> TensorRef:
        found = torch_zip.read_archive(Window(chunk.file, chunk.start, chunk.nbytes)).tree
        if not isinstance(found, TensorRef) or (found.shape, found.kind) != (chunk.sizes, tensor.kind):
            raise Unusable(f"{chunk.file.name}: holds no part of {tensor.storage!a} at byte {chunk.start}", COPY_AGAIN)
        return found


def _covered(name: str, shape: tuple[int, ...], chunks: list[Chunk]) -> None:
    """Raises Malformed unless the chunks make up the tensor, each element once."""
    chunks = [chunk for chunk in chunks if prod(chunk.sizes)]
    if sum(prod(chunk.sizes) for chunk in chunks) != prod(shape):
        raise Malformed(f"the chunks of {name!a} are not as many elements as it has")
    if len(chunks) > MOST_CHUNKS:
        raise Malformed(f"{name!a} is in {len(chunks):,} chunks, too many to be true")
    if len(chunks) > 1:
        import numpy as np

        start = np.array([chunk.offsets for chunk in chunks])
        end = start + np.array([chunk.sizes for chunk in chunks])
        for index in range(1, len(chunks)):
            if ((start[index] < end[:index]) & (start[:index] < end[index])).all(axis=1).any():
                raise Malformed(f"chunks of {name!a} overlap")


def _state(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Opaque) or not isinstance(value.state, dict):
        raise Malformed("something else where a record of torch.distributed.checkpoint belongs")
    return value.state


def _dictionary(value: Any) -> Mapping[Any, Any]:
    if not isinstance(value, dict):
        raise Malformed("it has no dictionary of its entries")
    return value


def _nothing(_: Any) -> None:
    raise Malformed("a persistent id where none belongs")
