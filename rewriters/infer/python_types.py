"""Which attributes the values of Python's own types have."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from types import GeneratorType

from rewriters.infer.values import Items, Mapping, Plain, Series, Value

# The attributes of Python's own types, by the kind of the values that are of them.
NAMES: dict[str, frozenset[str]] = {
    kind: frozenset(name for one in types for name in dir(one))
    for kind, types in {
        "int": (int,), "float": (float, int), "bool": (bool,), "str": (str,), "bytes": (bytes,), "complex": (complex,),
        "list": (list,), "tuple": (tuple,), "dict": (dict,), "number": (int, float), "None": (type(None),),
    }.items()
}  # fmt: skip
SEQUENCES = frozenset(name for one in (list, tuple, set, range, deque, GeneratorType) for name in dir(one))
MAPPINGS = frozenset(name for one in (dict, OrderedDict, defaultdict, Counter) for name in dir(one))


def names_of(value: Value) -> frozenset[str] | None:
    """All attributes that a value of one of Python's own types has; None for others."""
    if isinstance(value, (Items, Series)):
        return SEQUENCES
    if isinstance(value, Mapping):
        return MAPPINGS
    return NAMES.get(value.kind) if isinstance(value, Plain) else None
