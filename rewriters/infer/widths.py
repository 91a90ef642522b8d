"""Widths of dtypes that something says a tensor has at times: float64, 16 bits, bytes."""

from __future__ import annotations

from collections.abc import Sequence

from rewriters.infer.ranks import WHOLE
from rewriters.infer.values import (
    ANY_KIND,
    BOOLEAN,
    BYTES,
    COMPLEX,
    FLOATING,
    HALF,
    INTEGRAL,
    NARROW,
    WIDE,
    Ref,
    Tensor,
    Value,
)
from rewriters.torch.table import entry

CASTS = {
    "float": FLOATING, "double": FLOATING, "half": FLOATING, "bfloat16": FLOATING, "long": INTEGRAL, "int": INTEGRAL,
    "short": INTEGRAL, "char": INTEGRAL, "byte": INTEGRAL, "bool": BOOLEAN, "cfloat": COMPLEX, "cdouble": COMPLEX,
}  # fmt: skip
HALVES = {"torch.float16", "torch.half", "torch.bfloat16"}


def of_dtype(value: Value | None) -> int:
    """The kinds that a dtype given as an argument stands for."""
    if isinstance(value, Ref) and (entry(value.name) or {}).get("type") == "dtype":
        name = value.name.rpartition(".")[2]
        if name.startswith(("float", "bfloat")):
            return FLOATING
        if name.startswith(("int", "uint")):
            return INTEGRAL
        return BOOLEAN if name == "bool" else COMPLEX if name.startswith("complex") else ANY_KIND
    return ANY_KIND


def is_widened(last: str, tensors: list[Tensor], arguments: Sequence[Value]) -> bool:
    """Whether something says that a result is of float64: a dtype among the arguments, else one of the tensors."""
    named = [value.name for value in arguments if isinstance(value, Ref) and of_dtype(value) != ANY_KIND]
    if named or last in CASTS:
        return last == "double" or any(name in {"torch.float64", "torch.double"} for name in named)
    if last in {"to", "type_as"} and len(tensors) > 1:
        tensors = tensors[1:]
    return last == "from_numpy" or any(tensor.hints & WIDE for tensor in tensors)


def is_halved(last: str, tensors: list[Tensor], arguments: Sequence[Value]) -> bool:
    """Whether something says that a result is of float16 or bfloat16, as above."""
    named = [value.name for value in arguments if isinstance(value, Ref) and of_dtype(value) != ANY_KIND]
    if named or last in CASTS:
        return last in {"half", "bfloat16"} or not HALVES.isdisjoint(named)
    if last in {"to", "type_as"} and len(tensors) > 1:
        tensors = tensors[1:]
    return any(tensor.hints & HALF for tensor in tensors)


def narrowed(last: str, tensors: list[Tensor], arguments: Sequence[Value]) -> int:
    """NARROW where what is of float64 at times may be of another width, by what it is made of."""
    floats = [tensor for tensor in tensors if tensor.kinds & FLOATING]
    if last == "from_numpy":
        return NARROW  # what the array holds
    stays = is_widened(last, [], arguments) or any(is_double(tensor) and tensor.ndim for tensor in floats)
    return 0 if stays or all(map(is_double, floats)) else NARROW


def is_double(tensor: Tensor) -> bool:
    """Whether something says that its floating-point numbers are of float64, and nothing that they are not."""
    return bool(tensor.hints & WIDE) and not tensor.hints & NARROW


def is_of_bytes(last: str, tensors: list[Tensor], arguments: Sequence[Value]) -> bool:
    """Whether something says that a result is of 8 bits: all tensors are that it is made of, or arrays may be."""
    named = [value.name for value in arguments if isinstance(value, Ref) and of_dtype(value) != ANY_KIND]
    if named or last in CASTS:
        return last in {"byte", "char"} or not {"torch.uint8", "torch.int8"}.isdisjoint(named)
    if last in {"to", "type_as"} and len(tensors) > 1:
        tensors = tensors[1:]
    whole = [tensor for tensor in tensors if tensor.kinds & INTEGRAL]
    return last == "from_numpy" or (bool(whole) and last not in WHOLE and all(one.hints & BYTES for one in whole))
