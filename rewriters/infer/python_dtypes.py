"""Python's types where torch takes a dtype: ``x.to(int)``, ``torch.zeros(3, dtype=float)``."""

from __future__ import annotations

import ast

from rewriters.infer.values import TYPED, Mapping, Method, Plain, Ref, Unknown, Value
from rewriters.torch.table import entry

# What each stands for in torch, whatever its default dtype is.
DTYPES = {
    "int": Ref("torch.int64"), "float": Ref("torch.float64"), "bool": Ref("torch.bool"),
    "complex": Ref("torch.complex128"),
}  # fmt: skip
TYPES = Plain("types of numbers")  # one of them
# Of these a dtype may come by position, though torch's table names no such parameter.
BY_POSITION = {"to", "view", "finfo", "iinfo", "can_cast", "promote_types"}


def dtype_of(value: Value | None) -> Ref | None:
    """The dtype for which one of Python's types stands; None for any other value."""
    if isinstance(value, Plain) and value.kind.startswith("builtin:"):
        return DTYPES.get(value.kind.removeprefix("builtin:"))
    return None


def is_type(value: Value) -> bool:
    """Whether it is one of Python's types that stand for dtypes."""
    return value == TYPES or dtype_of(value) is not None


def may_be_type(value: Value) -> bool:
    """Whether something says that it is such a type, at times at least."""
    return is_type(value) or (isinstance(value, Unknown) and bool(value.low & TYPED))


def holds_type(value: Value) -> bool:
    """Whether it is a dict, as of keywords, in which something says that such a type is."""
    return isinstance(value, Mapping) and any(map(may_be_type, (value.element, *(one for _, one in value.known))))


def named_dtypes(
    node: ast.Call, callee: Value, positional: list[Value], keywords: dict[str, Value]
) -> tuple[list[Value], dict[str, Value]]:
    """The values of a call's arguments, with torch's dtype for each of Python's types that stands for one.

    Where the type stands there by its name, its node is that dtype from now on, so that it is rewritten as one.
    """
    if not any(map(dtype_of, [*positional, *keywords.values()])):
        return positional, keywords
    name = callee.name if isinstance(callee, (Ref, Method)) else ""
    if not name.startswith("torch."):
        return positional, keywords
    known = (entry(name) or {}).get("parameters", [])
    known = known[1:] if name.startswith("torch.Tensor.") else known
    first = name.rpartition(".")[2] in BY_POSITION
    positional, keywords = [*positional], {**keywords}
    for index, value in enumerate(positional):
        named = index < len(known) and known[index].startswith("dtype")
        if (dtype := dtype_of(value)) and (first or named):
            positional[index] = dtype
            if index < len(node.args) and not any(isinstance(one, ast.Starred) for one in node.args[: index + 1]):
                mark(node.args[index], dtype)
    for word, value in keywords.items():
        if (dtype := dtype_of(value)) and word.endswith("dtype"):
            keywords[word] = dtype
            for one in node.keywords:
                if one.arg == word:
                    mark(one.value, dtype)
    return positional, keywords


def mark(node: ast.expr, dtype: Ref) -> None:
    if isinstance(node, ast.Name) and node.id in DTYPES:
        node.v = dtype  # type: ignore[attr-defined]


def stands_for_dtype(node: ast.AST) -> bool:
    """Whether it is the name of one of Python's types, where torch takes it for a dtype."""
    return isinstance(node, ast.Name) and node.id in DTYPES and getattr(node, "v", None) == DTYPES[node.id]
