"""Opening a checkpoint: which kind it is, is told by its content, not by its name."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from migrate.errors import Unusable
from migrate.weights.readers.checkpoint import Checkpoint
from migrate.weights.readers.files import File, Place
from migrate.weights.readers.recognise import first_bytes, unknown


def open_checkpoint(location: str | Path) -> Checkpoint:
    """Read what the checkpoint holds, no values.

    location: a file, a folder (sharded, distributed) or a URL that fsspec knows.

    Raises Unusable saying what it is instead.
    """
    place = Place(location)
    with ExitStack() as resources:
        opened = _open_folder(place, resources) if place.is_folder() else _open_file(place, resources)
        opened.files += [place.path] if place.path else []
        opened.resources = resources.pop_all()
        return opened


def _open_folder(place: Place, resources: ExitStack) -> Checkpoint:
    from migrate.weights.readers import distributed, orbax_folder, sharded

    names = place.listing()
    if orbax_folder.TREE in names:
        return orbax_folder.read(place, resources)
    if distributed.METADATA in names:
        return distributed.read(place, resources)
    if index := sharded.index_in(place, names):
        return sharded.read(index, resources, _open_single)
    if names and all(name.endswith(".npy") for name in names):
        from migrate.weights.readers import numpy_file

        return numpy_file.read_folder(place, names, resources)
    known = [name for name in names if name.endswith((".safetensors", ".pt", ".pth", ".bin", ".ckpt", ".gguf"))]
    if len(known) == 1:
        opened = _open_single(place.child(known[0]), resources)
        opened.notes.append(f"the folder's only checkpoint is {known[0]}")
        return opened
    if items := orbax_folder.items_of(place, names):
        listed = ", ".join(f"{place.name}/{name}" for name in items[:4])
        raise Unusable(f"{place.name}: holds several items of a checkpoint of Orbax", f"give one of them: {listed}")
    raise Unusable(
        f"{place.name}: is a folder without {distributed.METADATA} or an *.index.json",
        f"give one of its files: {', '.join(known[:4])}" if known else "give the file of a checkpoint",
    )


def _open_file(place: Place, resources: ExitStack) -> Checkpoint:
    if place.name.endswith(".json"):
        from migrate.weights.readers import sharded

        return sharded.read(place, resources, _open_single)
    return _open_single(place, resources)


def _open_single(place: Place, resources: ExitStack) -> Checkpoint:
    """A checkpoint in one file, which may be a shard."""
    file = place.open()
    resources.callback(file.close)
    head = first_bytes(file)
    read = _reader(file, head)
    if read is None:
        raise unknown(file, head)
    opened = read(file)
    opened.files += [place.path] if place.path else []
    return opened


def _reader(file: File, head: bytes) -> Callable[[File], Checkpoint] | None:
    """By the first bytes; modules are imported when they are needed."""
    if head.startswith(b"PK\x03\x04"):
        from migrate.weights.readers import torch_zip

        return torch_zip.read_archive
    if head.startswith(b"GGUF"):
        from migrate.weights.readers import gguf_file

        return gguf_file.read
    if head.startswith(b"\x93NUMPY"):
        from migrate.weights.readers import numpy_file

        return numpy_file.read_npy
    from migrate.weights.readers import legacy, safetensors_file

    if head.startswith(legacy.MAGIC):
        return legacy.read
    return safetensors_file.read if safetensors_file.looks_like_one(head, file.size) else None
