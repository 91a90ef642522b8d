"""Whether a value that a program computed is what the inference said it would be."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

import numpy as np
import torch

from rewriters.infer import values as v
from rewriters.torch.table import is_tensor_class

# So many elements of a container are looked at, from either end.
LOOKED_AT = 3
PYTHON: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (float,),
    "bool": (bool,),
    "str": (str,),
    "bytes": (bytes,),
    "complex": (complex,),
    "list": (list, tuple),
    "slice": (slice,),
    "number": (int, float, bool),
    "ndarray": (np.ndarray,),
    "ellipsis": (type(...),),
}
# More that can be asked of a pair of claim and value: each gives what is wrong, or None.
FURTHER: list[Callable[[v.Value, Any], str | None]] = []


def is_claim(value: v.Value) -> bool:
    """Whether the value says anything. An assumed tensor is an assumption, not a claim."""
    if isinstance(value, (v.Unknown, v.Bottom)):
        return False
    return not (isinstance(value, v.Tensor) and value.assumed)


def wrong(claim: v.Value, value: Any) -> str | None:
    """What is wrong with a claim, None where it holds."""
    if not is_claim(claim):
        return None
    # A join absorbs None, so that only "it is None" speaks of None.
    if value is None:
        return None
    found = CHECKS[type(claim)](claim, value)
    if found is not None:
        return found
    return next((said for said in (ask(claim, value) for ask in FURTHER) if said), None)


def no_tensor(claim: v.Value, value: Any) -> str | None:
    return "it is a tensor" if isinstance(value, torch.Tensor) else None


def of_tensor(claim: v.Tensor, value: Any) -> str | None:
    if not isinstance(value, torch.Tensor):
        return f"it is no tensor: {described(value)}"
    if not kind_of(value) & claim.kinds:
        return f"its dtype is {value.dtype}"
    if claim.ndim is not None and value.ndim != claim.ndim:
        return f"it has {value.ndim} axes"
    return None


def kind_of(tensor: torch.Tensor) -> int:
    dtype = tensor.dtype
    if dtype == torch.bool:
        return v.BOOLEAN
    return v.FLOATING if dtype.is_floating_point else v.COMPLEX if dtype.is_complex else v.INTEGRAL


def of_plain(claim: v.Plain, value: Any) -> str | None:
    if isinstance(value, torch.Tensor):
        return "it is a tensor"
    if claim.kind == "None":
        return None if value is None else f"it is not None: {described(value)}"
    kinds = PYTHON.get(claim.kind)
    return None if kinds is None or isinstance(value, kinds) else f"it is {described(value)}"


def of_ref(claim: v.Ref, value: Any) -> str | None:
    found = torch_object(claim.name)
    if found is MISSING or value is found or isinstance(value, torch.Tensor) is isinstance(found, torch.Tensor):
        same_kind = isinstance(found, type) == isinstance(value, type) or found is MISSING
        return None if same_kind else f"it is {described(value)}"
    return f"it is {described(value)}"


MISSING = object()


@cache
def torch_object(name: str) -> Any:
    """The object of that dotted name."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:count]))
        except ImportError:
            continue
        for part in parts[count:]:
            found = getattr(found, part, MISSING)
        return found
    return MISSING


def of_instance(claim: v.Instance, value: Any) -> str | None:
    klass: Any = torch_object(claim.name)
    if isinstance(klass, type) and not is_tensor_class(claim.name):
        if not isinstance(value, klass):
            return f"it is {described(value)}"
        if claim.name in {"torch.nn.ModuleList", "torch.nn.Sequential", "torch.Size"} and claim.element is not None:
            parts: Any = value
            return of_elements(claim.element, list(parts))
    return no_tensor(claim, value)


def of_partial(claim: v.Partial, value: Any) -> str | None:
    if not isinstance(value, partial):
        return f"it is {described(value)}"
    return wrong(claim.function, value.func)


def of_items(claim: v.Items, value: Any) -> str | None:
    if isinstance(value, torch.Tensor):
        return "it is a tensor"
    if not isinstance(value, (tuple, list)):
        return f"it is {described(value)}"
    if len(value) != len(claim.values):
        return f"it has {len(value)} elements"
    for index, (inner, part) in enumerate(zip(claim.values, value, strict=True)):
        said = wrong(inner, part)
        if said:
            return f"[{index}]: {said}"
    return None


def of_series(claim: v.Series, value: Any) -> str | None:
    if isinstance(value, torch.Tensor):
        return "it is a tensor"
    if isinstance(value, (list, tuple, set, frozenset)):
        return of_elements(claim.element, list(iter(value)))
    return None


def of_elements(claim: v.Value, found: list[Any]) -> str | None:
    for part in found if len(found) <= 2 * LOOKED_AT else found[:LOOKED_AT] + found[-LOOKED_AT:]:
        said = wrong(claim, part)
        if said:
            return f"an element: {said}"
    return None


def of_mapping(claim: v.Mapping, value: Any) -> str | None:
    if isinstance(value, torch.Tensor):
        return "it is a tensor"
    if not isinstance(value, Mapping):
        return None
    known = dict(claim.known)
    for key, part in itertools.islice(value.items(), 2 * LOOKED_AT):
        said = wrong(claim.element, part) or (key in known and wrong(known[key], part))
        if said:
            return f"under {key!r}: {said}"
    return None


def of_class(claim: v.ClassOf, value: Any) -> str | None:
    fits = isinstance(value, type) and any(c.__name__ == claim.info.node.name for c in value.__mro__)
    return None if fits else f"it is {described(value)}"


def of_object(claim: v.ObjectOf, value: Any) -> str | None:
    # What a torch.autograd.Function's methods are given as context is of a class that torch makes for it.
    classes = (*type(value).__mro__, getattr(type(value), "_forward_cls", None))
    fits = any(c is not None and c.__name__ == claim.info.node.name for c in classes)
    return None if fits else f"it is {described(value)}"


def of_function(claim: v.FunctionOf, value: Any) -> str | None:
    return None if callable(value) and not isinstance(value, torch.Tensor) else f"it is {described(value)}"


def of_choice(claim: v.Choice, value: Any) -> str | None:
    said = [wrong(one, value) for one in claim.values]
    return None if None in said else said[0]


CHECKS: dict[type, Callable[[Any, Any], str | None]] = {
    v.Tensor: of_tensor,
    v.Plain: of_plain,
    v.Ref: of_ref,
    v.Instance: of_instance,
    v.Items: of_items,
    v.Series: of_series,
    v.Mapping: of_mapping,
    v.ClassOf: of_class,
    v.ObjectOf: of_object,
    v.Partial: of_partial,
    v.FunctionOf: of_function,
    v.Method: of_function,
    v.Choice: of_choice,
    v.External: no_tensor,
    v.ModuleOf: no_tensor,
}


def described(value: Any) -> str:
    """A value in a few words."""
    if isinstance(value, torch.Tensor):
        return f"a tensor of {value.dtype}, {value.ndim} axes"
    shown = repr(value) if isinstance(value, (int, float, str, bool, bytes, type, type(None))) else ""
    return f"{type(value).__name__} {shown[:40]}".strip()
