"""What is one of a few kinds of values: a tensor or a list of them, a number that becomes a tensor in a loop."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rewriters.infer.values import NUMERIC, NUMPY, Either, Items, Mapping, Plain, Series, Unknown, Value

# Python's numbers hold nothing and cannot be indexed; None neither.
WITHOUT_PARTS = NUMERIC | {"None"}


def members(value: Value) -> tuple[Value, ...]:
    """The values that it may be; itself where it is no choice."""
    return value.values if isinstance(value, Either) else (value,)


def holders(value: Either) -> list[Value]:
    """Those of them that can be gone through or indexed: of others that is an error."""
    return [one for one in value.values if not (isinstance(one, Plain) and one.kind in WITHOUT_PARTS)]


def with_attribute(value: Value, name: str, names_of: Callable[[Value], frozenset[str] | None]) -> Value:
    """Of a choice, the one that has the attribute, where the others certainly have not."""
    if not isinstance(value, Either):
        return value
    has = (one for one in value.values if one not in ARRAYS or name not in OF_TENSORS)
    left = [one for one in has if (names := names_of(one)) is None or name in names or is_field(one, name)]
    return left[0] if len(left) == 1 else value


# Arrays, or numbers of theirs.
ARRAYS = (NUMPY, Plain("ndarray"))
# What tensors have, and neither arrays nor numbers of numpy's.
OF_TENSORS = {
    "backward", "bool", "cpu", "cuda", "detach", "dim", "double", "expand", "float", "grad", "half", "int", "long",
    "numel", "numpy", "permute", "requires_grad", "requires_grad_", "to", "unsqueeze",
}  # fmt: skip


def is_field(value: Value, name: str) -> bool:
    """Whether several values that torch gives together have it as a name of one of them."""
    return isinstance(value, Items) and name in FIELDS


# Names in torch.return_types that tensors have as well.
FIELDS = {"values", "indices", "min", "max", "sign", "mode", "hist", "solution", "rank", "names"}


def of_length(values: Iterable[Value], length: int) -> list[Value]:
    """Those that may have so many parts."""
    return [one for one in values if not isinstance(one, Items) or len(one.values) == length]


def one_of(value: Value, kinds: type[Value] | tuple[type[Value], ...]) -> Value | None:
    """The member of these classes, where there is one alone."""
    found = [one for one in members(value) if isinstance(one, kinds)]
    return found[0] if len(found) == 1 else None


def without(value: Value, dropped: Callable[[Value], bool]) -> Value:
    """The choice less those of which a test has said that it is none."""
    if not isinstance(value, Either):
        return value
    left = tuple(one for one in value.values if not dropped(one))
    if len(left) == 1:
        return left[0]
    return Either(value.tensor, value.low, left) if left and len(left) < len(value.values) else value


def is_hint(value: Value) -> bool:
    """Whether something says that it is a tensor at times, and not that it always is."""
    return isinstance(value, Unknown) and value.tensor


SEQUENCES = (Items, Series)
MAPPINGS = (Mapping,)
