"""What the words of a call say of what it gives: ``as_tuple``, ``return_indices``, stars."""

from __future__ import annotations

import ast

from rewriters.infer.values import ANY_KIND, BARE, INTEGRAL, UNKNOWN, Items, Series, Tensor, Value

# How many arguments come before those that ask for more than the tensor.
ASKED_FOR = {"unique": 2, "unique_consecutive": 1}
# Of these, a method's arguments are sizes, and what they are matters to the number of axes alone.
SIZED = {"view", "reshape", "permute", "expand", "repeat", "tile", "flip", "squeeze", "unflatten"}


def uncounted(value: Value, name: str, starred: bool) -> Value:
    """The result of a call of torch's with starred arguments: not all that says which dtype and rank is known."""
    if not starred or not isinstance(value, Tensor):
        return value
    kinds = value.kinds if name.rpartition(".")[2] in SIZED else ANY_KIND
    return Tensor(value.assumed, kinds, hints=value.hints & ~BARE)


def literal_keywords(keywords: dict[str, Value], node: ast.Call | None) -> dict[str, Value]:
    """The keywords without ``return_indices`` where it is False, not known where that is computed, and without a
    ``reduction`` to one number, which is the default.
    """
    said = {word.arg: word.value for word in node.keywords if isinstance(word.value, ast.Constant)} if node else {}
    left = dict(keywords)
    if "reduction" in said and said["reduction"].value != "none":
        left.pop("reduction", None)
    if "return_indices" in left and "return_indices" not in said:
        left["return_indices"] = UNKNOWN
    elif "return_indices" in left and not said["return_indices"].value:
        del left["return_indices"]
    return left


def indices(node: ast.Call | None) -> Value:
    """What ``nonzero(as_tuple=...)`` gives: by axis, or in one tensor."""
    said = next((word.value for word in node.keywords if word.arg == "as_tuple"), None) if node else None
    if not isinstance(said, ast.Constant):
        return UNKNOWN
    return Series(Tensor(kinds=INTEGRAL, ndim=1), "tuple") if said.value else Tensor(kinds=INTEGRAL, ndim=2)


def asked_for_more(name: str, keywords: dict[str, Value], node: ast.Call | None) -> int | None:
    """How many tensors ``unique(return_inverse=True, return_counts=True)`` gives beside the first; None of other calls,
    and where that is computed.
    """
    if name.rpartition(".")[2] not in ASKED_FOR or node is None or FOR_MORE.isdisjoint(keywords):
        return None
    said = [getattr(word.value, "value", None) for word in node.keywords if word.arg in FOR_MORE]
    return said.count(True) if all(isinstance(one, bool) for one in said) else None


FOR_MORE = {"return_inverse", "return_counts"}


def less(keywords: dict[str, Value]) -> dict[str, Value]:
    """The keywords without those that ask for more."""
    return {word: value for word, value in keywords.items() if word not in FOR_MORE}


def with_more(first: Value, count: int) -> Value:
    """The first result of such a call with the others, which are places and counts."""
    return Items((first, *[Tensor(kinds=INTEGRAL)] * count)) if count and isinstance(first, Tensor) else first
