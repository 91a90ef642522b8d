"""Result words of the names table, and annotations in user code, as abstract values."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any

from rewriters.infer.joining import either_way, element, gives_tensor, join
from rewriters.infer.other_libraries import is_tensorless
from rewriters.infer.values import (
    ANY_KIND,
    BOOL,
    BOOLEAN,
    BYTES,
    COMPLEX,
    DTYPE,
    DTYPE_IF_ANY,
    FIGURES,
    FLOAT,
    FLOATING,
    INT,
    INTEGRAL,
    MAYBE,
    NAME,
    NONE,
    NUMBER,
    NUMERIC,
    NUMPY,
    OBJECT,
    OPAQUE,
    SIZE,
    STR,
    TENSOR,
    UNKNOWN,
    Alias,
    Bottom,
    Choice,
    ClassOf,
    External,
    FunctionOf,
    Instance,
    Items,
    Mapping,
    Method,
    ObjectOf,
    Partial,
    Plain,
    Ref,
    Series,
    Tensor,
    Unknown,
    Value,
)
from rewriters.text.parsing import expression_of
from rewriters.text.tree import last_name
from rewriters.torch.table import entry, is_tensor_class

SIMPLE: dict[str, Value] = {
    "Tensor": TENSOR,
    "int": INT,
    "float": FLOAT,
    "bool": BOOL,
    "str": STR,
    "None": NONE,
    "number": Plain("number"),
    "list": Plain("list"),
    "ndarray": Plain("ndarray"),
    "Size": SIZE,
    "dtype": DTYPE,
    "device": Instance("torch.device"),
}


# Classes of numpy's in annotations.
OF_NUMBERS = (
    "generic number integer signedinteger unsignedinteger inexact floating half single double longdouble bool_ intp "
    "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64"
)
NUMPYS: dict[str, Value] = {
    **dict.fromkeys(("numpy.ndarray", "numpy.typing.NDArray"), Plain("ndarray")),
    **{f"numpy.{name}": NUMPY for name in OF_NUMBERS.split()},
}


@cache
def value_of_word(word: str) -> Value:
    """``(Tensor, [int])`` -> Items((TENSOR, Series(INT)))."""
    value, rest = _parse(word.replace(" ", ""))
    return value if not rest else UNKNOWN


def _parse(text: str) -> tuple[Value, str]:
    if text.startswith("["):
        inner, rest = _parse(text[1:])
        return Series(inner), rest.removeprefix("]")
    if text.startswith("("):
        items = []
        rest = text[1:]
        while not rest.startswith(")"):
            item, rest = _parse(rest)
            items.append(item)
            rest = rest.removeprefix(",")
        return Items(tuple(items)), rest[1:]
    for end, character in enumerate(text):
        if character in ",)]":
            return SIMPLE.get(text[:end], UNKNOWN), text[end:]
    known = entry(text) if "." in text else None
    if known is not None and known["kind"] == "class":
        return Instance(text), ""
    return SIMPLE.get(text, UNKNOWN), ""


def result_of(result: str | list[Any], positional: Sequence[Value], keywords: dict[str, Value]) -> Value:
    """The value of a call, by the table's result: one word, or overloads told apart by the arguments."""
    if isinstance(result, str):
        return value_of_word(result)
    found: list[Value] = []
    for parameters, word in result:
        if admits(parameters, positional, keywords):
            value = value_of_word(word)
            if value not in found:
                found.append(value)
    return found[0] if len(found) == 1 else UNKNOWN


def admits(parameters: list[list[Any]], positional: Sequence[Value], keywords: dict[str, Value]) -> bool:
    """Whether a call with these arguments can be this overload (parameters: [name, schema type, has default])."""
    if len(positional) > len(parameters):
        return False
    names = {"input" if p[0] == "self" else p[0] for p in parameters}
    if not set(keywords) <= names | {"self", "axis", "out"}:
        return False
    for value, (name, kind, _) in zip(positional, parameters, strict=False):
        if isinstance(value, Tensor) and name == "self" and kind.startswith("List"):
            return False  # a method of lists
        if kind == "Tensor" and isinstance(value, (Plain, Items)) and value != NONE:
            return False
        if isinstance(value, Tensor) and "Tensor" not in kind and kind not in {"number", "Scalar", "float"}:
            return False
        if isinstance(value, Tensor) and parameters[0][0] != "self" and ("Tensor" not in kind or "List" in kind):
            return False  # an overload for numbers, or for lists
    given = len(positional) + len(keywords)
    return given >= sum(not default for _, _, default in parameters)


# jaxtyping's words for dtypes, without their number of bits.
JAXTYPING = {
    "Shaped": ANY_KIND,
    "Bool": BOOLEAN,
    "Int": INTEGRAL,
    "UInt": INTEGRAL,
    "Integer": INTEGRAL,
    "Float": FLOATING,
    "BFloat": FLOATING,
    "Complex": COMPLEX,
    "Real": INTEGRAL | FLOATING,
    "Inexact": FLOATING | COMPLEX,
    "Num": INTEGRAL | FLOATING | COMPLEX,
}


def shaped(value: Value | None, word: str, axes: str) -> Value | None:
    """``Float[torch.Tensor, "batch 3 height width"]`` of jaxtyping: kinds of dtype and rank."""
    if not isinstance(value, Tensor):
        return value
    words = axes.split()
    several = any(axis == "..." or axis.lstrip("#?_").startswith("*") for axis in words)
    return Tensor(kinds=JAXTYPING.get(word.rstrip("0123456789"), ANY_KIND), ndim=None if several else len(words))


CONTAINERS = {"List", "list", "Sequence", "Iterable", "Iterator", "Generator", "Set", "set", "Collection", "Deque"}
TUPLES = {"Tuple", "tuple"}
MAPPINGS = {"Dict", "dict", "Mapping", "MutableMapping", "OrderedDict", "DefaultDict", "defaultdict"}
PLAIN = {"int", "float", "bool", "str", "bytes", "complex", "slice", "range"}
KINDS = {"List": "list", "list": "list", "Set": "set", "set": "set", "Iterator": "iterator", "Generator": "iterator"}
# Where these are asked for, numbers of a lower kind will do.
TOWER: dict[str, Value] = {"float": NUMBER, "complex": OBJECT}
# Called, it gives who knows what.
CALLABLE = Plain("callable")


@lru_cache(4096)
def quoted_annotation(text: str) -> ast.expr | None:
    """The expression in a quoted annotation; None when it is not one. The tree is shared: not to be changed."""
    try:
        return expression_of(text)
    except (SyntaxError, ValueError):
        return None


def value_of_annotation(node: ast.expr | None, look_up: Callable[[ast.expr], Value]) -> Value | None:
    """What an annotation promises; None when it says nothing the engine can use.

    look_up: the value of a name or dotted name at that place.
    """
    if node is None:
        return None
    if isinstance(node, ast.Constant):
        if node.value is None:
            return NONE
        if isinstance(node.value, str):
            inner = quoted_annotation(node.value)
            return value_of_annotation(inner, look_up) if inner is not None else None
        return None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return either([node.left, node.right], look_up)
    if isinstance(node, ast.Subscript):
        return subscripted(node, look_up)
    if isinstance(node, (ast.Name, ast.Attribute)):
        last = node.id if isinstance(node, ast.Name) else node.attr
        value = look_up(node)
        if isinstance(value, Ref):
            if is_tensor_class(value.name):
                # people say LongTensor and FloatTensor of what is another; of bytes they mean masks and pictures
                return Tensor(hints=BYTES) if value.name.endswith(".ByteTensor") else TENSOR
            return SIZE if value.name == "torch.Size" else Instance(value.name)
        if isinstance(value, ClassOf):
            return ObjectOf(value.info)
        if isinstance(value, Alias):
            return value.promised
        if last in MAPPINGS:
            return Mapping(UNKNOWN)
        if last in CONTAINERS:
            return Series(UNKNOWN, KINDS.get(last, "sequence"))
        if isinstance(value, External):
            if (of_numpys := NUMPYS.get(value.name)) is not None:
                return of_numpys
            return Plain(value.name) if is_tensorless(value.name) else CALLABLE if last == "Callable" else None
        if isinstance(node, ast.Name) and last in PLAIN:
            return TOWER.get(last) or Plain(last)
    return None


# Libraries of which annotations say nothing about tensors, or say which tensor it is.
OF_TYPES = {
    "typing",
    "typing_extensions",
    "types",
    "collections",
    "abc",
    "numbers",
    "jaxtyping",
    "torchtyping",
    "beartype",
}


def names_of_others(node: ast.expr | None, look_up: Callable[[ast.expr], Value]) -> bool:
    """Whether an annotation names a class of another library, which is none of tensors by its name, or None beside it:
    ``signal: AudioSignal``.
    """
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        node = quoted_annotation(node.value)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        sides = [side for side in (node.left, node.right) if getattr(side, "value", "") is not None]
        return bool(sides) and all(names_of_others(side, look_up) for side in sides)
    if isinstance(node, ast.Subscript):
        return last_name(node.value) == "Optional" and names_of_others(node.slice, look_up)
    value = look_up(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
    if not isinstance(value, External) or value.name.partition(".")[0] in OF_TYPES:
        return False
    return not re.search(r"(?i)tensor|array", value.name.rpartition(".")[2])


def refined(promised: Value, given: Value) -> Value:
    """What an annotation says, and beyond it what is known of a tensor, as of one that is not annotated, and that a
    dtype is None at times (``dtype: torch.dtype = None``).
    """
    if promised == DTYPE and given in (NONE, DTYPE_IF_ANY):
        return DTYPE_IF_ANY
    if isinstance(promised, Tensor) and isinstance(given, Tensor) and promised.kinds == ANY_KIND:
        ndim = given.ndim if promised.ndim is None else promised.ndim
        return Tensor(promised.assumed, given.kinds, ndim, given.hints)
    if isinstance(promised, Series) and isinstance(given, (Series, Items)):
        return Series(refined(promised.element, element(given)), promised.kind)
    if isinstance(promised, Mapping) and isinstance(given, Mapping):
        return Mapping(refined(promised.element, given.element), key=promised.key)
    if isinstance(promised, Items) and isinstance(given, Items) and len(promised.values) == len(given.values):
        return Items(tuple(map(refined, promised.values, given.values)), promised.kind)
    return promised


def hinted(promised: Value | None, value: Value) -> Value:
    """What is known of a value where its annotation says no more than that it is a tensor at times."""
    if not isinstance(promised, Unknown) or not promised.tensor or not isinstance(value, (Unknown, Bottom)):
        return value
    return either_way(promised, value)


def is_maybe(promised: Value | None) -> bool:
    """Whether an annotation says that a tensor is among what it allows, and not what else (``Tensor | Any``)."""
    return promised == MAYBE


def contradicts(promised: Value, value: Value) -> bool:
    """Whether a value that is known is not what an annotation promises: then nothing is promised."""
    if isinstance(value, (Unknown, Bottom)) or isinstance(promised, (Unknown, Bottom)) or value == NONE:
        return False
    if isinstance(promised, Tensor) or isinstance(value, Tensor):
        assumed = isinstance(value, Tensor) and value.assumed
        return isinstance(promised, Tensor) != isinstance(value, Tensor) and not assumed
    if isinstance(promised, Plain) and isinstance(value, Plain):
        basic = {promised.kind, value.kind} <= PLAIN | {"number"}
        fits = promised.kind == value.kind or (promised.kind, value.kind) == ("int", "bool")
        return basic and not fits and not (promised == NUMBER and value.kind in NUMERIC)
    if isinstance(promised, (Items, Series)) and isinstance(value, (Items, Series)):
        if isinstance(promised, Items) and isinstance(value, Items):
            return len(promised.values) != len(value.values) or any(map(contradicts, promised.values, value.values))
        parts = promised.values if isinstance(promised, Items) else [promised.element]
        given = value.values if isinstance(value, Items) else [value.element]
        return any(contradicts(part, one) for part in parts for one in given)
    if isinstance(promised, Mapping) and isinstance(value, Mapping):
        return contradicts(promised.element, value.element) or contradicts(promised.key, value.key)
    if isinstance(value, Choice):
        return any(contradicts(promised, one) for one in value.values)
    if is_callable(value):
        # The class itself, where an instance of it was said.
        said = promised.values if isinstance(promised, Choice) else (promised,)
        if all(isinstance(one, (Instance, ObjectOf)) for one in said):
            return True
    if not {promised, value}.isdisjoint((OPAQUE, FIGURES, NAME)):
        return False
    plain = (Plain, Items, Series, Mapping)
    if isinstance(promised, plain) and isinstance(value, plain):
        return True
    # Of an own class, another may do as well: only Python's own types and tensors are told apart.
    return isinstance(promised, plain) != isinstance(value, plain) and not isinstance(promised, Plain)


def is_callable(value: Value) -> bool:
    """Whether it is a class or a function itself."""
    if isinstance(value, (ClassOf, FunctionOf, Partial, Method)):
        return True
    return isinstance(value, Ref) and (entry(value.name) or {}).get("kind") in {"class", "function"}


def either(nodes: Sequence[ast.expr], look_up: Callable[[ast.expr], Value]) -> Value | None:
    """One of several; where nothing is known of one of them, what is known of the others at times."""
    values = [value_of_annotation(part, look_up) for part in nodes]
    if any(value is None for value in values):
        return MAYBE if any(value is not None and gives_tensor(value) for value in values) else None
    found: Value = NONE
    for value in values:
        assert value is not None
        found = join(found, value)
    return found


def subscripted(node: ast.Subscript, look_up: Callable[[ast.expr], Value]) -> Value | None:
    base = node.value
    last = base.id if isinstance(base, ast.Name) else base.attr if isinstance(base, ast.Attribute) else ""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if len(parts) == 2 and isinstance(parts[1], ast.Constant):
        found = look_up(base)
        if isinstance(found, External) and found.name.startswith("jaxtyping."):
            return shaped(value_of_annotation(parts[0], look_up), last, str(parts[1].value))
    if last == "Optional":
        return either([*parts, ast.Constant(None)], look_up)
    if last == "Union":
        return either(parts, look_up)
    if last in CONTAINERS:
        return Series(value_of_annotation(parts[0], look_up) or UNKNOWN, KINDS.get(last, "sequence"))
    if last in MAPPINGS and len(parts) == 2:
        key, inner = (value_of_annotation(part, look_up) or UNKNOWN for part in parts)
        return Mapping(inner, key=key)
    if last in TUPLES:
        if len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is Ellipsis:
            return Series(value_of_annotation(parts[0], look_up) or UNKNOWN, "tuple")
        return Items(tuple(value_of_annotation(part, look_up) or UNKNOWN for part in parts))
    if last == "Literal":
        kinds = {type(part.value).__name__ for part in parts if isinstance(part, ast.Constant)}
        return Plain(kinds.pop()) if len(kinds) == 1 and kinds <= PLAIN else OBJECT
    return CALLABLE if last in {"Type", "type", "Callable"} else None
