"""Makes ``overloads.json``: what torch's callables take, overload by overload.

    python -m rewriters.tables.overloads

From the stubs of the installed torch, from Python's own signatures, and from the first line of the documentation where
neither helps. The converter reads what a parameter's default is and where a number is meant; the proof writes calls in
every form that a signature allows. ``rewriters.torch.overloads`` reads the table and says how a parameter is written.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import json
import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

import rewriters.torch
from rewriters.storing import replace_text
from rewriters.text.parsing import module_of
from rewriters.torch.table import table

STUBS = Path(torch.__file__).parent / "_C"
Words = list[str]

#: What a type is called -> what of an annotation's text says so.
TYPES = {
    "Tensor": r"\b(Tensor|Parameter|TensorLikeType)\b",
    "bool": r"\b_?bool\b",
    "int": r"\b(_?int|SymInt|IntLikeType)\b",
    "float": r"\b(_?float|FloatLikeType)\b",
    "number": r"\b(Number|number|NumberType|_complex|complex|Scalar)\b",
    "str": r"\b(_?str|Literal)\b",
    "dtype": r"\b_?dtype\b",
    "device": r"\b_?(device|DeviceLikeType)\b",
    "layout": r"\b_?layout\b",
    "memory_format": r"\bmemory_format\b",
    "Generator": r"\bGenerator\b",
    "None": r"\b(None|NoneType|Optional)\b",
}
SEQUENCE = re.compile(r"\b(Sequence|Iterable|List|list|Tuple|tuple|_size|_?BroadcastingList\w*)\b")


def type_word(annotation: str) -> str:
    """An annotation in the table's words: ``Sequence[_int | SymInt] | None`` is ``int sequence None``."""
    words = [word for word, pattern in TYPES.items() if re.search(pattern, annotation)]
    if "_size" in annotation and "int" not in words:
        words.insert(0, "int")
    if SEQUENCE.search(annotation):
        words.append("sequence")
    return " ".join(words)


def word(name: str, annotation: str, default: str | None, star: str = "") -> str:
    return f"{star}{name}:{type_word(annotation)}" + ("" if default is None else f"={default}")


def of_definition(node: ast.FunctionDef) -> Words | None:
    """The parameters of a stub; None where it takes whatever comes."""
    spec = node.args
    if spec.kwarg:
        return None
    positional = [*spec.posonlyargs, *spec.args]
    defaults = [None] * (len(positional) - len(spec.defaults)) + [ast.unparse(default) for default in spec.defaults]
    found = [word(a.arg, typed(a), default) for a, default in zip(positional, defaults, strict=True)]
    if spec.vararg:
        found.append(word(spec.vararg.arg, typed(spec.vararg), None, "*"))
    elif spec.kwonlyargs:
        found.append("*")
    pairs = zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
    return [*found, *(word(a.arg, typed(a), ast.unparse(default) if default else None) for a, default in pairs)]


def typed(argument: ast.arg) -> str:
    return ast.unparse(argument.annotation) if argument.annotation else ""


@functools.cache
def stubs() -> dict[str, list[Words]]:
    """Name -> its overloads, of functions and of tensors' methods that are written in C++."""
    found: dict[str, list[Words]] = {}
    for file, prefix in (("_VariableFunctions", "torch"), ("_nn", "torch.nn.functional"), ("__init__", "torch.Tensor")):
        body = module_of((STUBS / f"{file}.pyi").read_bytes()).body
        if prefix == "torch.Tensor":
            (base,) = (node for node in body if isinstance(node, ast.ClassDef) and node.name == "TensorBase")
            body = base.body
        for node in body:
            if isinstance(node, ast.FunctionDef) and (words := of_definition(node)) is not None:
                found.setdefault(f"{prefix}.{node.name}", []).append(words)
    return found


def of_signature(function: Callable[..., Any]) -> Words | None:
    """As Python tells it; None where it does not, or where the function hands on whatever comes."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (ValueError, TypeError):
        return None
    found: Words = []
    for parameter in parameters:
        if parameter.kind is parameter.VAR_KEYWORD:
            return None
        if parameter.kind is parameter.KEYWORD_ONLY and not any(one.startswith("*") for one in found):
            found.append("*")
        given = parameter.default
        default = None if given is parameter.empty else as_text(given)
        annotation = parameter.annotation
        if annotation in (None, type(None)):  # torch's BroadcastingList2[int] is that at run time
            annotation = written_annotations(function).get(parameter.name, "")
        plain = isinstance(annotation, type) and annotation.__module__ == "builtins"
        text = "" if annotation is parameter.empty else annotation.__name__ if plain else str(annotation)
        star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
        found.append(word(parameter.name, text, default, star))
    return found


@functools.cache
def written_annotations(function: Callable[..., Any]) -> dict[str, str]:
    """The annotations of a function's parameters as its source has them."""
    (node,) = module_of(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(node, ast.FunctionDef)
    return {one.arg: typed(one) for one in [*node.args.args, *node.args.kwonlyargs]}


def as_text(value: Any) -> str:
    """A default as source; ``...`` where it has no form there."""
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return f"float({str(value)!r})"
    if value is None or isinstance(value, (bool, int, float, str, tuple)):
        return repr(value)
    return str(value) if isinstance(value, (torch.dtype, torch.layout, torch.memory_format)) else "..."


HEAD = re.compile(r"\s*(?:[\w.]+\.)?(\w+)(\(.*?\))\s*(?:->|\n|$)", re.DOTALL)


def of_documentation(function: Any) -> Words | None:
    """As the first line of its documentation has it."""
    text = getattr(function, "__doc__", None)
    found = HEAD.match(text) if isinstance(text, str) else None
    if not found:
        return None
    try:
        (node,) = module_of(f"def {found[1]}{' '.join(found[2].split())}: ...").body
    except (SyntaxError, ValueError):
        return None
    return of_definition(node) if isinstance(node, ast.FunctionDef) else None


def overloads(key: str, function: Any) -> list[Words]:
    """The ways in which a callable may be called, without the receiver of a method; empty where nothing tells."""
    own = of_signature(function) if inspect.isfunction(function) or isinstance(function, type) else None
    if own is not None and not is_open(own):
        found = [own]
    else:
        builtin = f"torch.{getattr(function, '__name__', '')}" if inspect.isbuiltin(function) else ""
        found = list(stubs().get(key) or stubs().get(builtin) or [])
    told = of_documentation(function)
    if not found and (own := told or of_signature(function)) and not is_open(own):
        found = [own]
    defaults = {one.split(":")[0]: one.partition("=")[2] for one in told or []}
    found = [[completed(one, defaults) for one in words] for words in found]
    if key.startswith("torch.Tensor."):
        found = [words[1:] if words and words[0].split(":")[0] == "self" else words for words in found]
    aten = f"aten::{getattr(function, '__name__', '')}"
    found = [[typed_by_schema(one, place, aten) for place, one in enumerate(words)] for words in found]
    return [list(words) for words in dict.fromkeys(map(tuple, found))]


def typed_by_schema(one: str, place: int, aten: str) -> str:
    """With the types that torch's operators of that name have there, where only the documentation tells the name."""
    name, _, rest = one.partition(":")
    if one == "*" or (rest and not rest.startswith("=")):
        return one
    if name in TYPES:
        return f"{name}:{name}{rest}"
    if name == "dim":  # an axis or several, wherever torch does not say what it is
        return f"{name}:int{' None' * rest.endswith('=None')} sequence{rest}"
    found = set()
    for schema in schemas().get(aten, []):
        for index, argument in enumerate(schema.arguments):
            if argument.name == name or (index == place and not argument.kwarg_only):
                found.update(type_word(str(argument.type).replace("List", "Sequence")).split())
    words = [*(word for word in TYPES if word in found), *(["sequence"] if "sequence" in found else [])]
    return f"{name}:{' '.join(words)}{rest}"


@functools.cache
def schemas() -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for schema in torch._C._jit_get_all_schemas():
        if not any(argument.is_out for argument in schema.arguments) and "dimname" not in schema.overload_name.lower():
            found.setdefault(schema.name, []).append(schema)
    return found


def completed(one: str, defaults: dict[str, str]) -> str:
    """With the documentation's default where a stub has dots."""
    name = one.split(":")[0]
    return f"{one[: -len('...')]}{defaults[name]}" if one.endswith("=...") and defaults.get(name) else one


def is_open(words: Words) -> bool:
    """``(*args)``: says nothing."""
    return [one.split(":")[0] for one in words if one != "*"] in (["*args"], ["self", "*args"])


def look_up(name: str) -> Any:
    """The object of that name, None where torch has none."""
    owner, _, last = name.rpartition(".")
    value: Any = torch
    for part in name.split(".")[1:]:
        value = getattr(value, part, None)
    if value is None and owner in table()["modules"]:
        try:
            value = getattr(importlib.import_module(owner), last, None)
        except ImportError as error:  # tensorboard's writers need tensorboard
            print(f"left out: {name}: {error}")
    return value


def main() -> None:
    found: dict[str, list[Words]] = {}
    for name, known in table()["names"].items():
        if name.startswith("torch.") and known["kind"] in {"function", "method", "class"} and not known.get("private"):
            words = overloads(name, look_up(name))
            if words:
                found[name] = words
        if name.startswith("torch.") and known.get("module") and not known.get("private"):
            forward = overloads(f"{name}.forward", getattr(look_up(name), "forward", None))
            found[f"{name}.forward"] = [one[1:] for one in forward]
    path = Path(rewriters.torch.__file__).with_name("overloads.json")
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(words)}" for name, words in sorted(found.items()) if words)
    replace_text(path, f"{{\n{lines}\n}}\n")
    print(f"{len(found)} callables from torch {torch.__version__} -> {path}")


if __name__ == "__main__":
    main()
