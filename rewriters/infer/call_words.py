"""What the words of a call say of what it gives: ``as_tuple``, ``return_indices``, stars."""

from __future__ import annotations

import ast

from rewriters.infer.values import ANY_KIND, BARE, INTEGRAL, UNKNOWN, Series, Tensor, Value

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
