"""What an argument is by its form, and what a list that is given holds: None, numbers of numpy's."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from rewriters.infer.syntax import all_arguments
from rewriters.infer.values import (
    NUMPY,
    NUMPY_AT_TIMES,
    OBJECT,
    OPAQUE,
    External,
    Items,
    Method,
    Ref,
    Series,
    Tensor,
    Unknown,
    Value,
)
from rewriters.text.tree import walk

NEVER_NONE = (ast.List, ast.Tuple, ast.Dict, ast.Set, ast.BinOp, ast.JoinedStr, ast.Lambda, ast.ListComp, ast.Compare)


def is_none(node: ast.expr) -> bool | None:
    """Whether the expression is None: only what its form alone shows."""
    if isinstance(node, ast.Constant):
        return node.value is None
    if isinstance(node, (*NEVER_NONE, ast.UnaryOp)):
        return False
    # Only what torch itself gives: a function of the project that gives a tensor may give None as well.
    torch_call = isinstance(node, ast.Call) and isinstance(getattr(node.func, "v", None), (Ref, Method))
    if torch_call and isinstance(getattr(node, "v", None), Tensor):
        return False
    if isinstance(node, (ast.Attribute, ast.Name)) and isinstance(getattr(node, "v", None), Ref):
        return None if may_be_none(node) else False
    if isinstance(node, ast.Attribute) and node.attr in ("dtype", "device", "shape"):
        return False if isinstance(getattr(node.value, "v", None), Tensor) else None
    return None


def may_be_none(node: ast.expr) -> bool:
    """Whether it is a parameter that is None unless a call gives it, and that its function binds nowhere else."""
    around = node
    while isinstance(node, ast.Name) and (above := getattr(around, "parent", None)) is not None:
        around = above
        if not isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        default = defaults_of(around.args).get(node.id)
        if default is not None:
            stored = (part for part in walk(around) if isinstance(part, ast.Name) and part.id == node.id)
            return is_none(default) is True and all(isinstance(part.ctx, ast.Load) for part in stored)
        if any(one.arg == node.id for one in all_arguments(around.args)):
            return False
    return False


def defaults_of(spec: ast.arguments) -> dict[str, ast.expr]:
    """Parameter -> its default."""
    positional = [a.arg for a in [*spec.posonlyargs, *spec.args]]
    defaults = dict(zip(reversed(positional), reversed(spec.defaults), strict=False))
    return defaults | {a.arg: d for a, d in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if d is not None}


def comes_of_library(node: ast.expr) -> bool:
    """``env.action_space.n``, ``np.prod(x.shape)``: what numpy, or a library's object, gives may be numpy's number."""
    if isinstance(node, ast.Call):
        called = getattr(node.func, "v", None)
        return isinstance(called, External) and called.name.startswith("numpy.")
    while isinstance(node, ast.Attribute):
        node = node.value
        if getattr(node, "v", None) == NUMPY:
            return True
    return False


def holds_foreign(value: Value) -> bool | None:
    """Whether it is a list or tuple with tensors or numpy's numbers in it, or another sequence: yes, no, or perhaps."""
    if isinstance(value, Unknown):
        return None
    if isinstance(value, Series) and value.kind in {"deque", "range"}:
        return True  # which the targets' functions may not take
    parts = value.values if isinstance(value, Items) else [value.element] if isinstance(value, Series) else []
    return any_of([True if is_foreign(part) else may_be_foreign(part) for part in parts])


def is_foreign(part: Value) -> bool:
    return part in (NUMPY, NUMPY_AT_TIMES) or isinstance(part, Tensor)


def may_be_foreign(part: Value) -> bool | None:
    """The same of what a list holds."""
    return None if part in (OBJECT, OPAQUE) else holds_foreign(part)


def any_of(answers: Sequence[bool | None]) -> bool | None:
    """Yes when one says yes, else not known when one does not know."""
    return True if True in answers else None if None in answers else False
