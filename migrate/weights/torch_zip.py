"""Checkpoints that torch.save writes since 1.6, read without torch: a zip of one pickle and uncompressed storages."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from migrate.errors import Unusable
from migrate.weights.pickled import Global, Malformed, Opaque, read_pickle
from migrate.weights.recognise import no_data_pkl, regular_file
from migrate.weights.tensor import DTYPES, TensorRef, Unreadable
from migrate.weights.zip_entries import DAMAGED, Entry, open_archive, stored_entries

CHUNK = 1 << 20
LARGEST_PICKLE = 256 << 20
"""Bytes of data.pkl; a checkpoint of ten thousand tensors has a few megabytes."""
LARGEST_EXPANDED = 1 << 30
"""Bytes that a tensor with overlapping strides may become when it is more than its storage holds."""

STORAGES = {
    "DoubleStorage": "float64",
    "FloatStorage": "float32",
    "HalfStorage": "float16",
    "BFloat16Storage": "bfloat16",
    "LongStorage": "int64",
    "IntStorage": "int32",
    "ShortStorage": "int16",
    "CharStorage": "int8",
    "ByteStorage": "uint8",
    "BoolStorage": "bool",
    "ComplexDoubleStorage": "complex128",
    "ComplexFloatStorage": "complex64",
}
QUANTIZED = ("QInt8Storage", "QUInt8Storage", "QInt32Storage", "QUInt4x2Storage", "QUInt2x4Storage")

# Rebuilders of tensors that are not a dtype, a shape and strides over one storage.
UNREADABLE = {
    "_rebuild_qtensor": ("quantized", "call .dequantize() on it before torch.save"),
    "_rebuild_sparse_tensor": ("sparse", "call .to_dense() on it before torch.save"),
    "_rebuild_nested_tensor": ("nested", "call torch.nested.to_padded_tensor on it before torch.save"),
    "_rebuild_meta_tensor_no_storage": ("on the meta device, without values", "load its values before torch.save"),
    "_rebuild_wrapper_subclass": ("of a wrapper subclass", "unwrap it to a plain tensor before torch.save"),
    "_rebuild_device_tensor_from_numpy": ("of a device kept as numpy", "call .cpu() on it before torch.save"),
}


class Checkpoint:
    """An open checkpoint; a context manager.

    path:      the file.
    tree:      what torch.load would return, tensors as TensorRef or Unreadable, unknown objects as Opaque.
    unchecked: True when torch wrote the file without CRCs, so that damage cannot be noticed.
    """

    def __init__(self, path: Path) -> None:
        """Reads the table of contents and the pickle, no tensor. Raises Unusable."""
        regular_file(path)
        self.path = path
        self._file: BinaryIO = path.open("rb")
        try:
            self._open()
        except BaseException:
            self._file.close()
            raise

    def _open(self) -> None:
        size = self.path.stat().st_size
        archive = open_archive(self.path, self._file, size)
        pickles = [name for name in archive.namelist() if name == "data.pkl" or name.endswith("/data.pkl")]
        if not pickles:
            raise no_data_pkl(self.path, archive)
        if len(pickles) > 1:
            raise Unusable(f"{self.path}: holds {len(pickles)} data.pkl: {', '.join(pickles[:3])}", DAMAGED)
        self.entries = stored_entries(self.path, archive, self._file, pickles[0].removesuffix("data.pkl"))
        pickled = self.entries["data.pkl"]
        self._verified: set[str] = set()
        self.unchecked = not any(entry.crc for entry in self.entries.values() if entry.size)
        if pickled.size > LARGEST_PICKLE:
            raise Unusable(f"{self.path}: its data.pkl has {pickled.size:,} bytes, too many to be one", DAMAGED)
        self._big_endian = self._byteorder() == b"big"
        try:
            self.tree: Any = read_pickle(self._read(pickled).tobytes(), _Rebuild(self).calls(), self._storage)
        except Malformed as error:
            raise Unusable(f"{self.path}: its data.pkl is malformed: {error}", DAMAGED) from None

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def load(self, tensor: TensorRef) -> np.ndarray:
        """The values of ``tensor``, C-contiguous. Raises Unusable when the storage's CRC does not match."""
        entry = self.entries[f"data/{tensor.storage}"]
        itemsize = tensor.dtype.itemsize
        start, nbytes = tensor.offset * itemsize, tensor.extent * itemsize
        if nbytes != entry.size:
            self._verify(entry)
        raw = self._read(entry, start, nbytes)
        if self._big_endian:
            half = 2 if tensor.dtype.kind == "c" else 1
            raw = raw.view(f"u{itemsize // half}").byteswap().view(np.uint8)
        array = raw.view(tensor.dtype)
        if tensor.contiguous:
            array = array.reshape(tensor.shape)
        else:
            strides = [stride * itemsize for stride in tensor.strides]
            array = np.ascontiguousarray(np.lib.stride_tricks.as_strided(array, tensor.shape, strides, writeable=False))
        if tensor.conj:
            array = np.conjugate(array)
        return np.negative(array) if tensor.neg else array

    def _byteorder(self) -> bytes:
        entry = self.entries.get("byteorder")
        return self._read(entry).tobytes()[:6] if entry else b"little"

    def _verify(self, entry: Entry) -> None:
        """Compares the CRC of an entry of which only a part will be read."""
        if entry.name not in self._verified and not self.unchecked:
            crc = 0
            for start in range(0, entry.size, CHUNK):
                crc = zlib.crc32(self._bytes(entry, start, min(CHUNK, entry.size - start)), crc)
            self._compare(entry, crc)

    def _read(self, entry: Entry, start: int = 0, nbytes: int | None = None) -> np.ndarray:
        """Bytes of an entry, uint8; those of a whole entry are compared with its CRC on the way."""
        nbytes = entry.size if nbytes is None else nbytes
        buffer, crc = np.empty(nbytes, np.uint8), 0
        self._file.seek(entry.start + start)
        view = buffer.data
        whole = nbytes == entry.size and not self.unchecked
        for at in range(0, nbytes, CHUNK):
            chunk = view[at : at + CHUNK]
            if self._file.readinto(chunk) != len(chunk):  # type: ignore[attr-defined]
                raise Unusable(f"{self.path}: entry {entry.name!r} ends early", DAMAGED)
            if whole:
                crc = zlib.crc32(chunk, crc)
        if whole:
            self._compare(entry, crc)
        return buffer

    def _bytes(self, entry: Entry, start: int, nbytes: int) -> bytes:
        self._file.seek(entry.start + start)
        data = self._file.read(nbytes)
        if len(data) != nbytes:
            raise Unusable(f"{self.path}: entry {entry.name!r} ends early", DAMAGED)
        return data

    def _compare(self, entry: Entry, crc: int) -> None:
        if crc != entry.crc:
            raise Unusable(
                f"{self.path}: entry {entry.name!r} is damaged: CRC {crc:08x}, recorded was {entry.crc:08x}", DAMAGED
            )
        self._verified.add(entry.name)

    def _storage(self, pid: Any) -> _Storage:
        """The storage of a persistent id ("storage", its class, key, device, number of elements)."""
        if not (isinstance(pid, tuple) and len(pid) == 5 and pid[0] == "storage" and isinstance(pid[1], Global)):
            raise Malformed("a persistent id that is no storage")
        _, kind, key, _device, count = pid
        name = kind.name.rpartition(".")[2]
        entry = self.entries.get(f"data/{key}") if isinstance(key, str) else None
        if entry is None:
            named = repr(key) if isinstance(key, str) else "without a name"
            raise Malformed(f"storage {named} is not in the archive")
        if not _natural(count):
            raise Malformed(f"storage {key!r} has no valid size")
        if name in QUANTIZED:
            return _Storage(key, None, entry.size, UNREADABLE["_rebuild_qtensor"][0])
        if name == "UntypedStorage":
            dtype = np.dtype(np.uint8)
        elif name in STORAGES:
            dtype = DTYPES[STORAGES[name]]
        else:
            return _Storage(key, None, entry.size, f"of {kind.name}")
        if count * dtype.itemsize != entry.size:
            raise Malformed(
                f"storage {key!r} has {entry.size} bytes, its {count} {dtype} need {count * dtype.itemsize}"
            )
        return _Storage(key, None if name == "UntypedStorage" else dtype, entry.size, "")


class _Storage:
    """A storage on its way into a tensor; ``dtype`` is None where the tensor brings it; ``unreadable`` says why."""

    def __init__(self, key: str, dtype: np.dtype | None, nbytes: int, unreadable: str) -> None:
        self.key, self.dtype, self.nbytes, self.unreadable = key, dtype, nbytes, unreadable


class _Rebuild:
    """What torch's own rebuilders do, on references. Their arguments are untrusted."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self.checkpoint = checkpoint

    def calls(self) -> dict[str, Any]:
        table: dict[str, Any] = {
            "torch._utils._rebuild_tensor": self.tensor,
            "torch._utils._rebuild_tensor_v2": self.tensor,
            "torch._utils._rebuild_tensor_v3": self.tensor_v3,
            "torch._utils._rebuild_parameter": self.parameter,
            "torch._utils._rebuild_parameter_with_state": self.parameter,
            "torch._utils._rebuild_device_tensor_from_cpu_tensor": lambda data, *_: data,
            "torch._tensor._rebuild_from_type_v2": self.from_type,
            "torch.Size": lambda sizes=(): sizes,
            "collections.OrderedDict": _dict,
            "collections.Counter": _dict,
            "collections.defaultdict": lambda factory=None, items=(): _dict(items),
            "_codecs.encode": _encode,
        }
        for name, (kind, mend) in UNREADABLE.items():
            table[f"torch._utils.{name}"] = lambda *_, kind=kind, mend=mend: Unreadable(kind, mend)
        for module in ("numpy.core.multiarray", "numpy._core.multiarray"):
            table[f"{module}.scalar"] = _numpy_scalar
        return table

    def tensor(
        self,
        storage: Any,
        offset: Any,
        shape: Any,
        strides: Any,
        requires_grad: Any = False,
        hooks: Any = None,
        metadata: Any = None,
    ) -> TensorRef | Unreadable:
        if not isinstance(storage, _Storage):
            raise Malformed("a tensor without a storage")
        if storage.unreadable or storage.dtype is None:
            return Unreadable(storage.unreadable or "of an untyped storage", "save it as a plain tensor")
        return self._ref(storage, storage.dtype, offset, shape, strides, metadata)

    def tensor_v3(
        self,
        storage: Any,
        offset: Any,
        shape: Any,
        strides: Any,
        requires_grad: Any,
        hooks: Any,
        dtype: Any,
        metadata: Any = None,
    ) -> TensorRef | Unreadable:
        if not isinstance(storage, _Storage) or not isinstance(dtype, Global):
            raise Malformed("a tensor without a storage or a dtype")
        known = DTYPES.get(dtype.name.removeprefix("torch."))
        if known is None or storage.unreadable:
            return Unreadable(storage.unreadable or f"of dtype {dtype.name}", "convert it before torch.save")
        return self._ref(storage, known, offset, shape, strides, metadata)

    def _ref(
        self, storage: _Storage, dtype: np.dtype, offset: Any, shape: Any, strides: Any, metadata: Any
    ) -> TensorRef:
        if not (_naturals(shape) and _naturals(strides) and len(shape) == len(strides) and _natural(offset)):
            raise Malformed(f"a tensor in storage {storage.key!r} has no valid shape, strides and offset")
        metadata = metadata if isinstance(metadata, dict) else {}
        ref = TensorRef(
            dtype=dtype,
            shape=tuple(shape),
            strides=tuple(strides),
            offset=offset,
            storage=storage.key,
            reader=self.checkpoint,
            conj=metadata.get("conj") is True,
            neg=metadata.get("neg") is True,
        )
        if ref.size and (offset + ref.extent) * dtype.itemsize > storage.nbytes:
            raise Malformed(
                f"a tensor of shape {ref.shape}, strides {ref.strides} from {offset} ends past its storage"
                f" {storage.key!r} of {storage.nbytes} bytes"
            )
        if ref.nbytes > max(storage.nbytes, LARGEST_EXPANDED):
            raise Malformed(f"a tensor of shape {ref.shape} expands a storage of {storage.nbytes} bytes")
        return ref

    def parameter(self, data: Any, *_: Any) -> TensorRef | Unreadable:
        if isinstance(data, TensorRef):
            return replace(data, parameter=True)
        if isinstance(data, Unreadable):
            return data
        raise Malformed("a parameter without a tensor")

    def from_type(self, function: Any, _cls: Any, args: Any, _state: Any) -> Any:
        """A tensor of a subclass, or with attributes: its data."""
        call = self.calls().get(function.name) if isinstance(function, Global) else None
        if call is None or not isinstance(args, tuple) or function.name == "torch._tensor._rebuild_from_type_v2":
            return Unreadable("of a tensor subclass", "save it as a plain tensor")
        return call(*args)


def _natural(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 63


def _naturals(values: Any) -> bool:
    return isinstance(values, (tuple, list)) and len(values) <= 64 and all(map(_natural, values))


def _encode(text: Any, _encoding: Any = "latin1") -> bytes:
    """Bytes as protocol 2 has them."""
    if not isinstance(text, str):
        raise Malformed("bytes of something that is no text")
    return text.encode("latin1")


def _dict(items: Any = ()) -> dict[Any, Any]:
    """OrderedDict and its like: empty, or of a list of pairs (as pickles of Python 2 have them), or of a dict."""
    if isinstance(items, Mapping):
        return dict(items)
    if isinstance(items, Iterable):
        pairs = list(items)
        if all(isinstance(pair, (list, tuple)) and len(pair) == 2 and isinstance(pair[0], str) for pair in pairs):
            return dict(pairs)
    raise Malformed("a dictionary of something that is no pairs")


def _numpy_scalar(dtype: Any, data: Any = b"") -> Any:
    """A number; what is not one stays opaque."""
    code = dtype.args[0] if isinstance(dtype, Opaque) and dtype.name == "numpy.dtype" and dtype.args else None
    if isinstance(code, str) and code in ("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"):
        kind = np.dtype(code)
        if isinstance(data, bytes) and len(data) == kind.itemsize:
            return np.frombuffer(data, kind)[0].item()
    return Opaque("numpy.scalar")
