"""``migrate weights --verify``: an output is read again, and held against its manifest."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from isal.isal_zlib import crc32

from migrate.errors import Unusable
from migrate.weights.readers.copying import Span, sum_span
from migrate.weights.readers.files import LocalFile
from migrate.weights.readers.storages import compare
from migrate.weights.readers.tensor import TensorRef
from migrate.weights.writers import manifest
from migrate.weights.writers.formats import Format, format_named
from rewriters.weights.checkpoint_format import Stored


@dataclass(frozen=True)
class Verified:
    """tensors, nbytes: that were read. differences: a sentence each; none when the output is what was written."""

    manifest: Path
    tensors: int
    nbytes: int
    differences: list[str]


def verify(output: Path) -> Verified:
    """Raises Unusable when there is no manifest, or when the output cannot be read at all."""
    told = manifest.read(output)
    format = format_named(told.format)
    missing, differences, nbytes = dict(told.tensors), [], 0
    try:
        for found in _read(format, output):
            stored = _Read.of(found)
            nbytes += stored.nbytes
            record = missing.pop(stored.name, None)
            if record is None:
                differences.append(f"{stored.name!a} is not in the manifest")
                continue
            for what, is_, was in (
                ("shape", list(stored.shape), record["shape"]),
                ("dtype", stored.dtype, record["dtype"]),
                ("checksum", manifest.CHECKSUM.format(stored.crc), record["checksum"]),
            ):
                if is_ != was:
                    differences.append(f"{stored.name!a}: {what} is {is_}, the manifest says {was}")
    except (ValueError, OSError, KeyError) as error:
        raise Unusable(f"{output}: cannot be read as {format.name}: {error}", "write it again") from None
    differences += [f"{name!a} is missing" for name in missing]
    return Verified(told.path, len(told.tensors) - len(missing), nbytes, differences)


def _read(format: Format, output: Path) -> Iterator[Stored | tuple[str, TensorRef]]:
    with ExitStack() as resources:
        yield from format.read(output, resources)


@dataclass(frozen=True)
class _Read:
    name: str
    shape: tuple[int, ...]
    dtype: str
    nbytes: int
    crc: int

    @classmethod
    def of(cls, found: Stored | tuple[str, TensorRef]) -> _Read:
        """The tensor, its bytes summed."""
        if isinstance(found, tuple):
            name, tensor = found
            if span := tensor.span():
                crc = sum_span(span)
                compare(span, crc)
            else:
                crc = _sum(tensor.load())
            return cls(name, tensor.shape, tensor.dtype.name, tensor.nbytes, crc)
        nbytes = int(np.prod(found.shape, dtype=object)) * found.dtype.itemsize
        if found.array is not None:
            crc = _sum(found.array)
        else:
            assert found.file is not None, found.name
            file = LocalFile(found.file)
            try:
                crc = sum_span(Span(file, found.start, nbytes))
            finally:
                file.close()
        return cls(found.name, tuple(found.shape), found.dtype.name, nbytes, crc)


def _sum(array: np.ndarray) -> int:
    return crc32(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
