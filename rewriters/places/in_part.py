"""Changes of a part of what is written to: torch makes them also where many elements share one place in memory."""

from __future__ import annotations

import ast
from collections.abc import Callable

from rewriters.infer.values import Unknown
from rewriters.places.calls import gives_array
from rewriters.places.memory import is_tensor_of
from rewriters.places.sites import Site, Sites

# Found by calling all methods that change in place on what is expanded: torch refuses the others.
IN_PART = {"fill_diagonal_", "index_fill_", "index_put_", "masked_fill_", "tril_", "triu_"}


def changes_part(event: ast.AST) -> bool:
    """Whether what changes may be a part of what is written to: torch refuses that of all that shares a place."""
    method = event.func.attr if isinstance(event, ast.Call) and isinstance(event.func, ast.Attribute) else ""
    return isinstance(event, ast.Subscript) or method in IN_PART


def is_store_to_tensor(target: ast.Subscript, held: Sites, made_by_copy: Callable[[Site], bool]) -> bool:
    """Whether ``x[i] = y`` surely changes a tensor or an array, or what is a tensor at times as one.

    held: what x may be.
    """
    value = getattr(target.value, "v", None)
    if not isinstance(value, Unknown) or gives_array(target.value):
        return True
    # What a tensor's method would give, of whatever it is: `x.numpy()[0] = 1`.
    if any(map(made_by_copy, held)):
        return True
    named = isinstance(target.slice, (ast.Name, ast.Attribute, ast.JoinedStr, ast.Call, ast.BinOp))
    named = named or isinstance(getattr(target.slice, "value", None), str)  # a dict's key, maybe
    if value.tensor and not named:
        return any(is_tensor_of(site) or site.node is None for site in held)  # what calls give it at times
    return bool(held) and all(map(is_tensor_of, held))
