"""Checkpoints of torch before 1.6: pickles one after another, then the storages, each behind its number of elements."""

from __future__ import annotations

from typing import Any, BinaryIO

from migrate.errors import Unusable
from migrate.weights.readers.checkpoint import Checkpoint
from migrate.weights.readers.copying import Span
from migrate.weights.readers.files import COPY_AGAIN, File
from migrate.weights.readers.pickled import Malformed, read_pickle
from migrate.weights.readers.storages import Storages
from migrate.weights.readers.torch_pickle import UNREADABLE, Rebuild, Storage, natural, storage, storage_id

MAGIC = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."
PROTOCOL = 1001
COUNT = 8
"""Bytes of a storage's number of elements."""


def read(file: File) -> Checkpoint:
    """Raises Unusable."""
    try:
        with file.stream() as stream:
            return _read(file, stream)
    except Malformed as error:
        raise Unusable(f"{file.name}: is malformed: {error}", COPY_AGAIN) from None


def _read(file: File, stream: BinaryIO) -> Checkpoint:
    stream.seek(len(MAGIC))
    if read_pickle(stream, {}, _nothing) != PROTOCOL:
        raise Malformed("its protocol is not 1001")
    about = read_pickle(stream, {}, _nothing)
    if not isinstance(about, dict):
        raise Malformed("it does not say what wrote it")
    storages = Storages({}, big_endian=about.get("little_endian") is False)
    roots: dict[str, tuple[Storage, int]] = {}  # and the number of elements

    def persistent(pid: Any) -> Any:
        # A whole module is pickled with its class's source code: ("module", class, file, source).
        if isinstance(pid, tuple) and len(pid) == 4 and pid[0] == "module":
            return pid[1]
        kind, key, count = storage_id(pid)
        if len(pid) != 6 or pid[5] is not None:
            raise Malformed(f"storage {key!r} is a view of another, as torch before 0.4 wrote them")
        made = storage(kind, key, count, None)
        if roots.setdefault(key, (made, count))[1] != count or roots[key][0].dtype != made.dtype:
            raise Malformed(f"storage {key!r} is there twice, unlike")
        return made

    tree = read_pickle(stream, Rebuild(storages).calls(), persistent)
    keys = read_pickle(stream, {}, _nothing)
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise Malformed("it has no list of its storages")
    start = stream.tell()
    for key in keys:
        if key not in roots or key in storages.spans:
            raise Malformed(f"storage {key!r} is not one that a tensor shows" if key not in roots else "twice one key")
        made, count = roots[key]
        head = bytearray(COUNT)
        file.read_into(memoryview(head), start)
        if int.from_bytes(head, "big" if storages.big_endian else "little") != count or not natural(count):
            raise Malformed(f"storage {key!r} has not the {count} elements that its tensors say")
        if made.unreadable:
            mend = UNREADABLE["_rebuild_qtensor"][1]
            raise Unusable(f"{file.name}: storage {key!r} is {made.unreadable}", mend)
        storages.spans[key] = Span(file, start + COUNT, made.nbytes, None, f"storage {key!r}")
        start += COUNT + made.nbytes
        if start > file.size:
            raise Malformed(f"storage {key!r} ends past the file's end")
    if missing := next((key for key in roots if key not in storages.spans), None):
        raise Malformed(f"storage {missing!r} is not in the file")
    return Checkpoint(file.name, "torch.save's format before 1.6", tree, unchecked=True)


def _nothing(_: Any) -> None:
    raise Malformed("a persistent id where none belongs")
