"""Checkpoints that torch.save writes since 1.6, and TorchScript: a zip of one pickle and uncompressed storages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from isal.isal_zlib import crc32

from migrate.errors import Unusable
from migrate.weights.readers.checkpoint import Checkpoint
from migrate.weights.readers.copying import Span
from migrate.weights.readers.files import COPY_AGAIN, File
from migrate.weights.readers.pickled import LARGEST_PICKLE, Malformed, read_pickle
from migrate.weights.readers.recognise import no_data_pkl
from migrate.weights.readers.storages import Storages, compare
from migrate.weights.readers.torch_pickle import Rebuild, Storage, storage, storage_id
from migrate.weights.readers.torchscript import CODE, attributes
from migrate.weights.readers.zip_entries import open_archive, stored_entries


def read_archive(file: File) -> Checkpoint:
    """The checkpoint in a zip archive; a ``.npz`` too. Raises Unusable."""
    with file.stream() as stream, open_archive(file, stream) as archive:
        names = archive.namelist()
        pickles = [name for name in names if name == "data.pkl" or name.endswith("/data.pkl")]
        if not pickles:
            if names and all(name.endswith(".npy") for name in names):
                from migrate.weights.readers import numpy_file

                return numpy_file.read_npz(file, stored_entries(file, archive, stream, "", lambda name: True))
            raise no_data_pkl(file.name, names)
        if len(pickles) > 1:
            raise Unusable(f"{file.name}: holds {len(pickles)} data.pkl: {', '.join(pickles[:3])}", COPY_AGAIN)
        prefix = pickles[0].removesuffix("data.pkl")
        spans = stored_entries(file, archive, stream, prefix, _is_data)
        script = any(name.startswith(f"{prefix}{CODE}/") for name in names)
        opened = _read(file, spans, "TorchScript archive" if script else "torch.save's zip")
        if script:
            opened.tree = attributes(opened.tree, archive, f"{prefix}{CODE}/")
    return opened


def _is_data(name: str) -> bool:
    """TorchScript's code and the like may be compressed."""
    return name in ("data.pkl", "byteorder") or name.startswith("data/")


def _read(file: File, spans: Mapping[str, Span], format: str) -> Checkpoint:
    pickled = spans["data.pkl"]
    # torch can be told to write no CRCs; it then leaves zeros.
    unchecked = not any(span.crc for span in spans.values() if span.nbytes)
    if unchecked:
        spans = {name: Span(span.file, span.start, span.nbytes, None, span.what) for name, span in spans.items()}
    if pickled.nbytes > LARGEST_PICKLE:
        raise Unusable(f"{file.name}: its data.pkl has {pickled.nbytes:,} bytes, too many to be one", COPY_AGAIN)
    storages = Storages(
        {name.removeprefix("data/"): span for name, span in spans.items() if name.startswith("data/")},
        big_endian=_content(spans["byteorder"])[:6] == b"big" if "byteorder" in spans else False,
    )

    def persistent(pid: Any) -> Storage:
        kind, key, count = storage_id(pid)
        if key not in storages.spans:
            raise Malformed(f"storage {key!r} is not in the archive")
        return storage(kind, key, count, storages.spans[key].nbytes)

    try:
        tree = read_pickle(_content(spans["data.pkl"]), Rebuild(storages).calls(), persistent)
    except Malformed as error:
        raise Unusable(f"{file.name}: its data.pkl is malformed: {error}", COPY_AGAIN) from None
    return Checkpoint(file.name, format, tree, unchecked=unchecked)


def _content(span: Span) -> bytes:
    """Bytes of a small entry. Raises Unusable when its CRC does not match."""
    data = bytearray(span.nbytes)
    span.file.read_into(memoryview(data), span.start)
    compare(span, crc32(data))
    return bytes(data)
