"""Numbers of axes of what torch's functions give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rewriters.infer.values import BARE, BOOLEAN, BYTES, INTEGRAL, NONE, Items, Plain, Series, Tensor, Value

# Of these there are values and places.
PLACED = {"max", "min", "median", "nanmedian", "mode", "kthvalue"}
# What these give without a dim has no axes. Of bytes the first do not give bytes.
WHOLE = {
    "sum", "mean", "prod", "max", "min", "norm", "std", "var", "any", "all", "argmax", "argmin", "median", "nanmedian",
}  # fmt: skip
BARED = WHOLE | {
    "amax", "amin", "aminmax", "std_mean", "var_mean", "nansum", "nanmean", "count_nonzero", "vector_norm",
}  # fmt: skip
# Hints of a tensor: it has no axes in some of the project's calls, one, two, ..., and others may give it others.
RANKS = (256, 512, 1024, 2048, 4096, 8192)
ANY_RANK = sum(RANKS)


def ranks_at_times(value: Value) -> list[int]:
    """The numbers of axes that it has at times as far as something says, where it is a tensor and may have others."""
    if not isinstance(value, Tensor) or value.ndim is not None or value.hints < RANKS[0]:
        return []
    return [ndim for ndim, hint in enumerate(RANKS) if value.hints & hint]


def hints_of_rows(hints: int) -> int:
    """The hints of what iterating over a tensor gives."""
    ranks = hints & ANY_RANK
    return hints & ~ranks | (ranks >> 1) & ANY_RANK | (BARE if ranks & RANKS[1] else 0)


def hint_of_rank(ndim: int | None) -> int:
    """The hint that it has so many axes at times."""
    return 0 if ndim is None or ndim >= len(RANKS) else RANKS[ndim] | (BARE if ndim == 0 else 0)


def ndim_of(word: str, tensors: list[Tensor], certain: bool) -> int | None:
    if word.isdigit():
        return int(word)
    ranks = [tensor.ndim for tensor in tensors]
    if word == "first":
        return ranks[0]
    if word in {"broadcast", "shared"} and certain and None not in ranks:
        highest_rank = max(rank for rank in ranks if rank is not None)
        return highest_rank if word == "broadcast" or ranks[0] == highest_rank else None
    return None


def sizes(arguments: Sequence[Value], with_fill: bool = False) -> int | None:
    """The number of axes that sizes give, as one sequence or one by one."""
    arguments = arguments[:-1] if with_fill else arguments
    if len(arguments) == 1 and isinstance(arguments[0], Items):
        return len(arguments[0].values)
    # One value that is not certainly a number may be a sequence.
    if arguments and all(isinstance(value, Plain) and value.kind == "int" for value in arguments):
        return len(arguments)
    return len(arguments) if len(arguments) > 1 else None


def ranks_among(values: Sequence[Value]) -> list[int]:
    """The numbers of axes that some of the values have at times."""
    return sorted({ndim for value in values for ndim in ranks_at_times(value)})


def of_rank(value: Value, ndim: int) -> Value:
    """It where it has so many axes, or as many as it has at times."""
    ranks = ranks_at_times(value)
    return replace(value, ndim=ndim if ndim in ranks else ranks[0]) if ranks else value  # type: ignore[type-var]


def with_ranks_of(value: Value, other: Value) -> Value:
    """``value`` with the numbers of axes that ``other`` has, which it is at times."""
    if isinstance(value, Items) and isinstance(other, Items) and len(value.values) == len(other.values):
        return Items(tuple(map(with_ranks_of, value.values, other.values)), value.kind)
    if isinstance(value, Series) and isinstance(other, Series):
        return Series(with_ranks_of(value.element, other.element), value.kind)
    if not isinstance(value, Tensor) or not isinstance(other, Tensor) or value.ndim is not None:
        return value
    return replace(value, hints=value.hints | hint_of_rank(other.ndim))


def shaped(last: str, value: Value, positional: Sequence[Value], keywords: dict[str, Value]) -> Value:
    """The rank, where the arguments say it."""
    if not positional or not isinstance(positional[0], Tensor):
        return value
    own = positional[0].ndim
    if last in {"unbind", "unbind_copy"} and isinstance(value, Series) and own:
        return Series(with_ndim(value.element, own - 1), value.kind)
    if last in PLACED and isinstance(value, Items):
        left = reduced(own, positional[1:], keywords)
        return Items(tuple(with_ndim(part, left) for part in value.values), value.kind)
    if not isinstance(value, Tensor):
        return value
    ndim = value.ndim
    if last == "nonzero":
        ndim = 2
    elif last in {"view", "reshape", "expand", "repeat", "permute"} and not keywords:
        ndim = sizes(positional[1:])
    elif last == "unsqueeze" and own is not None:
        ndim = own + 1
    elif last in REDUCTIONS:
        left = reduced(own, positional[2 if last in {"norm", "vector_norm"} else 1 :], keywords)
        ndim = ndim if left is None else left
    elif last in COMPARING and "keepdim" not in keywords and len(positional) < 5:
        other = positional[1] if len(positional) > 1 else next(iter(keywords.values()), None)
        if own and isinstance(other, Tensor) and other.ndim:
            ndim = max(own, other.ndim) - 1
    elif last == "searchsorted":
        places = positional[1] if len(positional) > 1 else keywords.get("input")
        ndim = places.ndim if isinstance(places, Tensor) else 0 if isinstance(places, Plain) else None
    elif last == "select" and own:
        ndim = own - 1
    elif last == "flatten" and len(positional) == 1 and not keywords:
        ndim = 1
    elif last in {"matmul", "mm", "mv"} and len(positional) == 2:
        ndim = multiplied(positional[0], positional[1])
    return Tensor(value.assumed, value.kinds, ndim)


REDUCTIONS = {
    *("sum", "mean", "prod", "argmax", "argmin", "std", "var", "any", "all", "logsumexp", "amax", "amin", "norm"),
    *("nansum", "nanmean", "count_nonzero", "vector_norm"),
}
# Of two tensors, along an axis.
COMPARING = {"cosine_similarity", "pairwise_distance", "vecdot"}


def reduced(own: int | None, arguments: Sequence[Value], keywords: dict[str, Value]) -> int | None:
    """How many of so many axes are left where those among the arguments are reduced; None where that is not known."""
    named = keywords.get("dim", keywords.get("axis"))
    dims = named if named is not None else arguments[0] if arguments else None
    if own is None or dims is None or "keepdim" in keywords or len(arguments) > (named is None):
        return None
    if isinstance(dims, Plain) and dims.kind == "int":
        return max(own - 1, 0)
    if isinstance(dims, Items) and dims.values and all(isinstance(v, Plain) and v.kind == "int" for v in dims.values):
        return max(own - len(dims.values), 0)
    return None


def with_ndim(value: Value, ndim: int | None) -> Value:
    if ndim is None or not isinstance(value, Tensor):
        return value
    return Tensor(value.assumed, value.kinds, ndim, value.hints)


def multiplied(left: Value, right: Value) -> int | None:
    """The axes of a product of matrices, or of a matrix and a vector."""
    if not (isinstance(left, Tensor) and isinstance(right, Tensor)) or not left.ndim or not right.ndim:
        return None
    least, most = sorted((left.ndim, right.ndim))
    return most if least > 1 else most - 1


def indexed(container: Tensor, index: Sequence[Value]) -> Tensor:
    """``x[...]``; index: the values between the brackets."""
    if ranks := ranks_at_times(container):
        found: Value = indexed(replace(container, hints=container.hints & ~ANY_RANK), index)
        for own in ranks:
            found = with_ranks_of(found, indexed(replace(container, ndim=own), index))
        assert isinstance(found, Tensor)
        return found
    ndim = picked(container, index)
    if ndim is not None:
        return Tensor(False, container.kinds, ndim, container.hints)
    ndim = container.ndim
    places = [value for value in index if lists_places(value)]  # several stand for one axis
    for value in index:
        if ndim is None:
            break
        if len(places) == 1 and value is places[0]:
            continue
        if isinstance(value, Plain) and value.kind == "int":
            ndim -= 1
        elif value == NONE:
            ndim += 1
        elif not (isinstance(value, Plain) and value.kind in {"slice", "ellipsis"}):
            ndim = None
    # Several indices, or a tensor, are for tensors alone.
    assumed = container.assumed and len(index) == 1 and not isinstance(index[0], Tensor)
    bare = BARE if len(index) == container.ndim and not any(map(keeps_axis, index)) else 0
    return Tensor(assumed, container.kinds, ndim if ndim is None or ndim >= 0 else None, container.hints | bare)


def lists_places(value: Value) -> bool:
    """Whether an index is a list of numbers or truth values, which picks along one axis."""
    if not isinstance(value, (Items, Series)) or value.kind not in {"list", "range"}:
        return False
    held = value.values if isinstance(value, Items) else (value.element,)
    return all(isinstance(one, Plain) and one.kind in {"int", "bool"} for one in held)


def keeps_axis(value: Value) -> bool:
    """Whether an index is none that surely picks one place of an axis."""
    return not (isinstance(value, Plain) and value.kind == "int")


def picked(container: Tensor, index: Sequence[Value]) -> int | None:
    """The axes of what one tensor picks, places or a mask, where all is known."""
    by = index[0] if len(index) == 1 else None
    if not isinstance(by, Tensor) or by.ndim is None or container.ndim is None:
        return None
    if by.kinds == INTEGRAL and container.ndim and not by.hints & BYTES:  # bytes are a mask, or places
        return container.ndim - 1 + by.ndim
    return container.ndim - by.ndim + 1 if by.kinds == BOOLEAN and container.ndim >= by.ndim else None
