"""What torch's pickles are made of: storages and the functions that rebuild tensors, here as references."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeGuard

from migrate.weights.readers.pickled import Calls, Global, Malformed, Opaque
from migrate.weights.readers.storages import within
from migrate.weights.readers.tensor import ITEMSIZES, Reader, TensorRef, Unreadable

MOST_ITEMS = 1 << 20
"""Of dictionaries that are made of others, and of bytes made of text; a few opcodes make one again and again."""

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
# numpy's codes of numbers.
SCALARS = {
    **{"b1": struct.Struct("<?"), "f2": struct.Struct("<e"), "f4": struct.Struct("<f"), "f8": struct.Struct("<d")},
    **{"i1": struct.Struct("<b"), "i2": struct.Struct("<h"), "i4": struct.Struct("<i"), "i8": struct.Struct("<q")},
    **{"u1": struct.Struct("<B"), "u2": struct.Struct("<H"), "u4": struct.Struct("<I"), "u8": struct.Struct("<Q")},
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


class Storage:
    """A storage on its way into a tensor; ``dtype`` is None where the tensor brings it; ``unreadable`` says why."""

    def __init__(self, key: str, dtype: str | None, nbytes: int, unreadable: str = "") -> None:
        self.key, self.dtype, self.nbytes, self.unreadable = key, dtype, nbytes, unreadable


def storage_id(pid: Any) -> tuple[str, str, int]:
    """Class, key and number of elements out of ("storage", class, key, device, elements, ...). Raises Malformed."""
    if not (isinstance(pid, tuple) and len(pid) in (5, 6) and pid[0] == "storage" and isinstance(pid[1], Global)):
        raise Malformed("a persistent id that is no storage")
    key, count = pid[2], pid[4]
    if not isinstance(key, str):
        raise Malformed("storage without a name is not in the archive")
    if not natural(count):
        raise Malformed(f"storage {key!r} has no valid size")
    return pid[1].name.rpartition(".")[2], key, count


def storage(kind: str, key: str, count: int, nbytes: int | None) -> Storage:
    """Of a class of storages, by its name. nbytes: it has in the file, None where only ``count`` tells.

    Raises Malformed when it does not have so many elements.
    """
    if kind in QUANTIZED:
        return Storage(key, None, nbytes or 0, UNREADABLE["_rebuild_qtensor"][0])
    if kind != "UntypedStorage" and kind not in STORAGES:
        return Storage(key, None, nbytes or 0, f"of torch.{kind}")
    dtype = STORAGES.get(kind, "uint8")
    if nbytes is None:
        nbytes = count * ITEMSIZES[dtype]
    elif count * ITEMSIZES[dtype] != nbytes:
        raise Malformed(f"storage {key!r} has {nbytes} bytes, its {count} {dtype} need {count * ITEMSIZES[dtype]}")
    return Storage(key, None if kind == "UntypedStorage" else dtype, nbytes)


class Rebuild:
    """What torch's own rebuilders do, on references. Their arguments are untrusted.

    reader: of the tensors. prefix: of their storages' keys, where several files share a reader.
    """

    def __init__(self, reader: Reader, prefix: str = "") -> None:
        self.reader, self.prefix = reader, prefix
        self.copied = 0

    def calls(self) -> Calls:
        table: dict[str, Any] = {
            "torch._utils._rebuild_tensor": self.tensor,
            "torch._utils._rebuild_tensor_v2": self.tensor,
            "torch._utils._rebuild_tensor_v3": self.tensor_v3,
            "torch._utils._rebuild_parameter": self.parameter,
            "torch._utils._rebuild_parameter_with_state": self.parameter,
            "torch._utils._rebuild_device_tensor_from_cpu_tensor": lambda data, *_: data,
            "torch._tensor._rebuild_from_type_v2": self.from_type,
            "torch.Size": lambda sizes=(): sizes,
            "collections.OrderedDict": self.dictionary,
            "collections.Counter": self.dictionary,
            "collections.defaultdict": lambda factory=None, items=(): self.dictionary(items),
            "torch.jit._pickle.restore_type_tag": lambda value, _type: value,
            "_codecs.encode": self.encode,
        }
        for name, (kind, mend) in UNREADABLE.items():
            table[f"torch._utils.{name}"] = lambda *_, kind=kind, mend=mend: Unreadable(kind, mend)
        for kind in ("int", "tensor", "double", "bool"):
            table[f"torch.jit._pickle.build_{kind}list"] = lambda items: items
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
        if not isinstance(storage, Storage):
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
        if not isinstance(storage, Storage) or not isinstance(dtype, Global):
            raise Malformed("a tensor without a storage or a dtype")
        known = dtype.name.removeprefix("torch.")
        if known not in ITEMSIZES or storage.unreadable:
            return Unreadable(storage.unreadable or f"of dtype {dtype.name}", "convert it before torch.save")
        return self._ref(storage, known, offset, shape, strides, metadata)

    def _ref(self, storage: Storage, dtype: str, offset: Any, shape: Any, strides: Any, metadata: Any) -> TensorRef:
        if not (naturals(shape) and naturals(strides) and len(shape) == len(strides) and natural(offset)):
            raise Malformed(f"a tensor in storage {storage.key!r} has no valid shape, strides and offset")
        metadata = metadata if isinstance(metadata, dict) else {}
        ref = TensorRef(
            kind=dtype,
            shape=tuple(shape),
            strides=tuple(strides),
            offset=offset,
            storage=self.prefix + storage.key,
            reader=self.reader,
            conj=metadata.get("conj") is True,
            neg=metadata.get("neg") is True,
        )
        return within(ref, storage.nbytes)

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

    def encode(self, text: Any, _encoding: Any = "latin1") -> Any:
        """Bytes as protocol 2 has them."""
        if not isinstance(text, str):
            raise Malformed("bytes of something that is no text")
        self.copied += len(text)
        return text.encode("latin1") if self.copied <= MOST_ITEMS else Opaque("_codecs.encode")

    def dictionary(self, items: Any = ()) -> dict[Any, Any]:
        """OrderedDict and its like: empty, or of a list of pairs (as pickles of Python 2 have them), or of a dict."""
        if isinstance(items, (Mapping, list, tuple)):
            self.copied += len(items)
            if self.copied > MOST_ITEMS:
                raise Malformed(f"its dictionaries are copies with more than {MOST_ITEMS:,} items")
            if isinstance(items, Mapping):
                return dict(items)
            if all(isinstance(pair, (list, tuple)) and len(pair) == 2 and isinstance(pair[0], str) for pair in items):
                return dict(items)
        raise Malformed("a dictionary of something that is no pairs")


def natural(value: Any) -> TypeGuard[int]:
    return type(value) is int and 0 <= value < 1 << 63


def naturals(values: Any) -> TypeGuard[Sequence[int]]:
    return isinstance(values, (tuple, list)) and len(values) <= 64 and all(map(natural, values))


def _numpy_scalar(dtype: Any, data: Any = b"") -> Any:
    """A number; what is not one stays opaque."""
    code = dtype.args[0] if isinstance(dtype, Opaque) and dtype.name == "numpy.dtype" and dtype.args else None
    layout = SCALARS.get(code) if isinstance(code, str) else None
    if layout is None or not isinstance(data, bytes) or len(data) != layout.size:
        return Opaque("numpy.scalar")
    return layout.unpack(data)[0]
