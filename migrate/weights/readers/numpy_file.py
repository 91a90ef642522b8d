"""Numpy's own formats as checkpoints: a ``.npy``, a ``.npz``, a folder of ``.npy``."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from math import prod

import numpy as np

from migrate.errors import Unusable
from migrate.weights.readers.checkpoint import Checkpoint
from migrate.weights.readers.copying import Span
from migrate.weights.readers.files import COPY_AGAIN, File, Place
from migrate.weights.readers.npy_folder import name_of
from migrate.weights.readers.pickled import Malformed
from migrate.weights.readers.storages import Storages
from migrate.weights.readers.tensor import ITEMSIZES, TensorRef, Unreadable
from migrate.weights.readers.torch_pickle import naturals
from rewriters.text.parsing import undisturbed

LONGEST_HEADER = 1 << 16


def read_npz(file: File, spans: Mapping[str, Span]) -> Checkpoint:
    """spans: of the archive's entries, all ``.npy``. Raises Unusable."""
    storages = Storages({})
    tree = {name_of(filename): _array(span, name_of(filename), storages) for filename, span in spans.items()}
    return Checkpoint(file.name, "numpy's npz", tree)


def read_npy(file: File) -> Checkpoint:
    """One array. Raises Unusable."""
    tree = _array(Span(file, 0, file.size, None, "the array"), "", Storages({}))
    return Checkpoint(file.name, "numpy's npy", tree, unchecked=True)


def read_folder(place: Place, listing: Sequence[str], resources: ExitStack) -> Checkpoint:
    """Raises Unusable."""
    storages, tree = Storages({}), {}
    for filename in listing:
        name = name_of(filename)
        file = place.child(filename).open()
        resources.callback(file.close)
        tree[name] = _array(Span(file, 0, file.size, None, f"array {name!a}"), name, storages)
    return Checkpoint(place.name, "folder of npy", tree, unchecked=True)


def _array(span: Span, name: str, storages: Storages) -> TensorRef | Unreadable:
    """The array of a ``.npy`` that lies in ``span``.

    The CRC of a zip's entry is that of header and data; the storage is the whole entry, the array a window into it.
    """
    head = bytearray(min(span.nbytes, LONGEST_HEADER))
    span.file.read_into(memoryview(head), span.start)
    try:
        shape, fortran, dtype, start = _header(bytes(head))
        if dtype is None:
            return Unreadable("an array of objects or records", "save it as an array of numbers")
        size = prod(shape) * dtype.itemsize
        if start % dtype.itemsize:
            raise Malformed(f"its data begin at byte {start}, amid an element")
        if start + size != span.nbytes:
            raise Malformed(f"it has {span.nbytes - start} bytes of data, its shape and dtype need {size}")
    except (Malformed, ValueError) as error:
        raise Unusable(f"{span.file.name}: {span.what} is malformed: {error}", COPY_AGAIN) from None
    storages.spans[name] = span
    strides = [prod(shape[:axis]) if fortran else prod(shape[axis + 1 :]) for axis in range(len(shape))]
    return TensorRef(dtype.name, shape, tuple(strides), start // dtype.itemsize, name, storages)


def _header(head: bytes) -> tuple[tuple[int, ...], bool, np.dtype | None, int]:
    """Shape, whether in Fortran's order, dtype (None for what is no number), where the data begin."""
    stream = io.BytesIO(head)
    version = np.lib.format.read_magic(stream)
    read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}.get(version)
    if read is None:
        raise Malformed(f"version {version} of npy is not known")
    start = stream.tell()
    try:
        shape, fortran, dtype = undisturbed(lambda: (stream.seek(start), read(stream))[1])
    except Exception as error:  # whatever Python's own parser and tokenizer raise
        raise Malformed(str(error)) from None
    if not naturals(shape):
        raise Malformed("it has no valid shape")
    plain = dtype.name in ITEMSIZES and dtype.byteorder in "=|<"
    return shape, fortran, dtype if plain else None, stream.tell()
