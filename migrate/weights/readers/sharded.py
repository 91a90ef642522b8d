"""Checkpoints in several files: an ``*.index.json`` says which tensor lies in which."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

from migrate.errors import Unusable
from migrate.weights.readers.checkpoint import Checkpoint
from migrate.weights.readers.files import COPY_AGAIN, Place
from migrate.weights.readers.tensor import TensorRef, Unreadable

INDEX = ".index.json"
LARGEST_INDEX = 32 << 20
MOST_SHARDS = 10_000


def index_in(folder: Place, names: Sequence[str]) -> Place | None:
    """The index in a folder; None without one. Raises Unusable when there are several."""
    found = [name for name in names if name.endswith(INDEX)]
    if len(found) > 1:
        raise Unusable(f"{folder.name}: holds {len(found)} indexes: {', '.join(found[:4])}", "give one of them")
    return folder.child(found[0]) if found else None


def read(index: Place, resources: ExitStack, open_one: Callable[[Place, ExitStack], Checkpoint]) -> Checkpoint:
    """Raises Unusable: a shard is missing, or does not hold what the index says."""
    weight_map = _weight_map(index)
    folder = index.folder()
    tree: dict[str, Any] = {}
    shards = {}
    for filename in dict.fromkeys(weight_map.values()):
        place = folder.child(filename)
        shard = open_one(place, resources)
        if not isinstance(shard.tree, dict):
            raise Unusable(f"{place.name}: is no shard: it holds no dictionary of tensors", COPY_AGAIN)
        shards[filename] = shard
    for name, filename in weight_map.items():
        tensor = shards[filename].tree.get(name)
        if not isinstance(tensor, (TensorRef, Unreadable)):
            raise Unusable(f"{folder.name}/{filename}: has no tensor {name!a}, which {index.name} says", COPY_AGAIN)
        tree[name] = tensor
    unlisted = [
        name
        for filename, shard in shards.items()
        for name, value in shard.tree.items()
        if isinstance(value, (TensorRef, Unreadable)) and weight_map.get(name) != filename
    ]
    notes = (
        [f"{len(unlisted)} tensors of the shards are not in the index, and left: {unlisted[0]!a}"] if unlisted else []
    )
    formats = sorted({shard.format for shard in shards.values()})
    return Checkpoint(
        index.name,
        f"{len(shards)} shards of {' and '.join(formats)}",
        tree,
        notes=notes,
        files=[*([index.path] if index.path else []), *(path for shard in shards.values() for path in shard.files)],
        unchecked=any(shard.unchecked for shard in shards.values()),
    )


def _weight_map(index: Place) -> dict[str, str]:
    file = index.open()
    try:
        if file.size > LARGEST_INDEX:
            raise Unusable(f"{file.name}: has {file.size:,} bytes, too many for an index", COPY_AGAIN)
        data = bytearray(file.size)
        file.read_into(memoryview(data), 0)
    finally:
        file.close()
    try:
        found = json.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise Unusable(f"{file.name}: is no JSON: {error}", COPY_AGAIN) from None
    weight_map = found.get("weight_map") if isinstance(found, dict) else None
    if not isinstance(weight_map, dict) or not all(isinstance(name, str) for name in weight_map.values()):
        raise Unusable(
            f"{file.name}: JSON text, but no index of a sharded checkpoint: no weight_map", "give the .index.json"
        )
    if not weight_map:
        raise Unusable(f"{file.name}: its weight_map is empty", COPY_AGAIN)
    if len(set(weight_map.values())) > MOST_SHARDS:
        raise Unusable(f"{file.name}: names more than {MOST_SHARDS:,} shards", COPY_AGAIN)
    return weight_map
