"""Makes ``results.json``: what dtype and rank torch's functions give, found by calling them.

    python -m rewriters.tables.results

PyTorch's own samples (``torch.testing``) are run in several dtypes; of the words below, the first that holds in all
calls is written down for each result, and the kinds of dtypes that went in. A function of which none holds has no word.
What they do not say is in ``unsampled.py``. Needs expecttest beside torch. ``rewriters.infer.dtypes`` reads the table:

dtype, by kind (bool < int < float < complex):
    bool, int, float   always that
    first              that of the first tensor
    promoted           the highest of all tensors and numbers
    floating           promoted, and at least float
    counted            promoted, and at least int
    real               that of the first tensor, float for complex
ndim:
    0, 1, ...          always that
    first              that of the first tensor
    broadcast          the highest of all tensors
    shared             the samples do not tell these two apart: that on which both agree
"""

from __future__ import annotations

import itertools
import json
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch.utils._pytree import tree_leaves, tree_map_only

import rewriters.torch
from rewriters.infer.values import BOOLEAN, COMPLEX, FLOATING, INTEGRAL
from rewriters.storing import replace_text
from rewriters.tables.unsampled import UNSAMPLED
from rewriters.torch.table import canonical, entry

DTYPES = (torch.bool, torch.int64, torch.float32, torch.complex64)
MOST = 25
"""Samples of one dtype."""

Change = Callable[[torch.Tensor], torch.Tensor]
Call = tuple[list[tuple[int, int]], list[int], list[tuple[int, int]]]
"""(kind and ndim of each tensor given, kinds of numbers given, kind and ndim of each result)."""


def kind_of(dtype: torch.dtype) -> int:
    if dtype == torch.bool:
        return BOOLEAN
    return COMPLEX if dtype.is_complex else FLOATING if dtype.is_floating_point else INTEGRAL


def highest(call: Call) -> int:
    tensors, numbers, _ = call
    return max([kind for kind, _ in tensors] + numbers)


Word = Callable[[Call, int], int]
DTYPE_WORDS: dict[str, Word] = {
    "bool": lambda call, i: BOOLEAN,
    "int": lambda call, i: INTEGRAL,
    "first": lambda call, i: call[0][0][0],
    "promoted": lambda call, i: highest(call),
    "floating": lambda call, i: max(highest(call), FLOATING),
    "counted": lambda call, i: max(highest(call), INTEGRAL),
    "real": lambda call, i: FLOATING if call[0][0][0] == COMPLEX else call[0][0][0],
    "float": lambda call, i: FLOATING,
}
NDIM_WORDS: dict[str, Word] = {
    "first": lambda call, i: call[0][0][1],
    "broadcast": lambda call, i: max(ndim for _, ndim in call[0]),
    **{str(n): (lambda call, i, n=n: n) for n in range(3)},  # type: ignore[misc]
}


def calls(op: Any) -> Iterator[Call]:
    """What went into the samples' calls and came out."""
    for dtype in DTYPES:
        if dtype not in op.dtypes:
            continue
        torch.manual_seed(0)
        for sample in itertools.islice(op.sample_inputs("cpu", dtype, requires_grad=False), MOST):
            given = [sample.input, *sample.args, *sample.kwargs.values()]
            if any(isinstance(part, torch.dtype) for part in tree_leaves(given)):
                continue
            yield from variants(op, sample)


def variants(op: Any, sample: Any) -> Iterator[Call]:
    """The sample's call, and those with one of several tensors in integers, or all of them of other ranks."""
    parts = (sample.input, sample.args, sample.kwargs)
    yield from observed(op, *parts)
    tensors = [part for part in tree_leaves(parts) if isinstance(part, torch.Tensor)]
    if not all(tensor.dtype == torch.float32 for tensor in tensors):
        return
    changes: list[Change] = [lambda part: part.reshape(-1), lambda part: part[None], lambda part: part.sum()]
    if len(tensors) > 1:
        changes += [lambda part, one=one: part.long() if part is one else part for one in tensors]  # type: ignore[misc]
    for change in changes:
        try:
            yield from observed(op, *tree_map_only(torch.Tensor, change, parts))
        except (RuntimeError, TypeError, IndexError, ValueError):
            continue  # torch does not take it: then the answer does not matter


def observed(op: Any, first: Any, args: Any, kwargs: Any) -> Iterator[Call]:
    leaves = tree_leaves((first, args, kwargs))
    tensors = [(kind_of(part.dtype), part.ndim) for part in leaves if isinstance(part, torch.Tensor)]
    numbers = [
        BOOLEAN if isinstance(part, bool) else INTEGRAL if isinstance(part, int) else FLOATING
        for part in leaves
        if isinstance(part, (bool, int, float))
    ]
    if not tensors:
        return
    result = op.op(first, *args, **kwargs)
    results = list(result) if isinstance(result, (tuple, list)) else [result]
    if all(isinstance(part, torch.Tensor) for part in results):
        yield tensors, numbers, [(kind_of(part.dtype), part.ndim) for part in results]


def fitting(words: dict[str, Word], seen: list[Call], index: int | None, what: int) -> str:
    """The first word that holds of one result, or of every result where index is None; "" where none does."""
    for word, says in words.items():
        if all(
            says(call, 0) == result[what]
            for call in seen
            for result in (call[2] if index is None else call[2][index : index + 1])
        ):
            return word
    return ""


def words_of(op: Any) -> list[Any]:
    """[kinds of the inputs, then for each result [dtype, ndim]; one pair for all where their number varies]."""
    seen = list(calls(op))
    if not seen:
        return []
    # A number may be an axis: what is promoted with it only by accident must not count.
    numbered = any(numbers for _, numbers, _ in seen)
    counts = {len(results) for _, _, results in seen}
    indices: list[int | None] = list(range(counts.pop())) if len(counts) == 1 else [None]
    found = []
    for index in indices:
        words = dict(DTYPE_WORDS)
        word = fitting(words, seen, index, 0)
        if numbered and word in {"", "promoted", "counted", "floating"}:
            bare: list[Call] = [(tensors, [], results) for tensors, _, results in seen]
            word = fitting(words, bare, index, 0) if not word or fitting(words, bare, index, 0) == word else word
        found.append([word, rank(seen, index)])
    inputs = 0
    for tensors, _, _ in seen:
        for kind, _ in tensors:
            inputs |= kind
    return [inputs, *found]


def rank(seen: list[Call], index: int | None) -> str:
    """The word for a result's rank."""
    word = fitting(NDIM_WORDS, seen, index, 1)
    several = any(len(tensors) > 1 for tensors, _, _ in seen)
    broadcast = fitting({"broadcast": NDIM_WORDS["broadcast"]}, seen, index, 1)
    return "shared" if word == "first" and several and broadcast else word


def names_of(op: Any) -> list[str]:
    """The canonical names that the samples are of: the function and the method of each alias.

    None where the samples are those of a wrapper, whose arguments may stand in another order.
    """
    function: Any = torch
    for part in op.name.split("."):
        function = getattr(function, part, None)
    if op.op is not function and op.op is not getattr(torch.Tensor, op.name, None):
        return []
    found = []
    for alias in dict.fromkeys([op.name, *(alias.name for alias in op.aliases)]):
        if alias.startswith("__"):
            continue
        found += [canonical(f"torch.{alias}"), canonical(f"torch.Tensor.{alias}")]
    return [name for name in dict.fromkeys(found) if entry(name)]


def agreed(one: list[Any], other: list[Any]) -> list[Any]:
    """What two variants of a function have in common."""
    if len(one) != len(other) or not one:
        return []
    pairs = zip(one[1:], other[1:], strict=True)
    return [one[0] & other[0], *([x if x == y else "" for x, y in zip(a, b, strict=True)] for a, b in pairs)]


def is_reducing(name: str) -> bool:
    """Whether an argument says over what is summed, if at all: ``reduction="none"``."""
    return any(word.partition("=")[0] == "reduction" for word in (entry(name) or {}).get("parameters", ()))


def main() -> None:
    from torch.testing._internal.common_methods_invocations import op_db  # takes seconds to import

    warnings.simplefilter("ignore")
    table: dict[str, list[Any]] = {}
    for op in op_db:
        if not names_of(op):
            continue
        try:
            words = words_of(op)
        except Exception as error:  # one operator of many: say so and go on
            print(f"left out: {op.name}: {type(error).__name__}: {str(error).splitlines()[0]}")
            continue
        for name in names_of(op):
            table[name] = agreed(table[name], words) if name in table else words
    table = {name: words for name, words in table.items() if any(any(pair) for pair in words[1:])}
    for name, words in table.items():
        if is_reducing(name):  # to no axes or to all: the samples may have one of the two alone
            table[name] = [words[0], *([dtype, ""] for dtype, _ in words[1:])]
    table |= UNSAMPLED
    path = Path(rewriters.torch.__file__).with_name("results.json")
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(words)}" for name, words in sorted(table.items()))
    replace_text(path, "{\n" + lines + "\n}\n")
    print(f"{len(table)} names -> {path}")


if __name__ == "__main__":
    main()
