"""Signatures as torch documents them: its stubs, the first lines of its docstrings, Python's own for what is Python.

Needs torch in its interpreter.
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from rewriters.text.parsing import module_of

STUBS = Path(torch.__file__).parent / "_C"
# Whose types say that a value must be made which no program writes by hand.
FOREIGN = re.compile(r"EllipsisType|\bNone\]|list\[str \| None\]|Storage|Stream|type\[S\]|_symsize|IntLikeType")


KINDS: dict[Any, str] = {inspect.Parameter.KEYWORD_ONLY: "keyword", inspect.Parameter.VAR_POSITIONAL: "many"}


@dataclass(frozen=True)
class Parameter:
    """One documented parameter.

    kind:    "position" (by either), "keyword" (by keyword alone), "many" (``*size``).
    type:    its annotation, "" where none is documented.
    default: its text; None where it must be given.
    """

    name: str
    kind: str = "position"
    type: str = ""
    default: str | None = None


@dataclass(frozen=True)
class Signature:
    """One way in which torch says that something is called."""

    parameters: tuple[Parameter, ...]

    @property
    def required(self) -> tuple[Parameter, ...]:
        return tuple(one for one in self.parameters if one.default is None)

    @property
    def optional(self) -> tuple[Parameter, ...]:
        return tuple(one for one in self.parameters if one.default is not None)


def of_arguments(arguments: ast.arguments, drop_self: bool = False) -> Signature:
    """A signature of the parameters of a ``def``."""
    found = []
    positional = [*arguments.posonlyargs, *arguments.args]
    free = len(positional) - len(arguments.defaults)
    for number, one in enumerate(positional):
        default = None if number < free else ast.unparse(arguments.defaults[number - free])
        found.append(Parameter(one.arg, "position", text_of(one.annotation), default))
    if drop_self:
        found = found[1:]
    if arguments.vararg is not None:
        found.append(Parameter(arguments.vararg.arg, "many", text_of(arguments.vararg.annotation)))
    for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append(Parameter(one.arg, "keyword", text_of(one.annotation), text_of(value) or None))
    return Signature(tuple(found))


def text_of(node: ast.expr | None) -> str:
    return "" if node is None else ast.unparse(node)


@functools.cache
def stubs(file: str, owner: str) -> dict[str, list[Signature]]:
    """Name -> its overloads in a stub of torch, of its functions or of a class's methods."""
    body: list[ast.stmt] = module_of((STUBS / file).read_text(encoding="utf-8")).body
    if owner:
        body = next(node.body for node in body if isinstance(node, ast.ClassDef) and node.name == owner)
    found: dict[str, list[Signature]] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            signature = of_arguments(node.args, drop_self=bool(owner))
            if not any(FOREIGN.search(one.type) for one in signature.parameters):
                found.setdefault(node.name, []).append(signature)
    return found


def documented(name: str, text: str) -> Iterator[Signature]:
    """The signatures that a docstring writes down, ``name(input, dim=0, *, out=None) -> Tensor``, in its order."""
    seen = set()
    for line in text.split("\n"):
        found = re.match(rf"\s*(?:\.\. \w+::\s*)?(?:[\w.]+\.)?{re.escape(name)}\((.*)\)(?:\s*->.*)?$", line)
        if found is None or found[1] in seen:
            continue
        seen.add(found[1])
        # Some are written as C++ writes them: ``bool pivot=True``.
        written = re.sub(r"\b(?:bool|int|float|Tensor|str) (\w+)(?==|,|$)", r"\1", found[1])
        try:
            tree = module_of(f"def f({written}): pass").body[0]
        except SyntaxError:
            continue
        assert isinstance(tree, ast.FunctionDef)
        yield of_arguments(tree.args)


def of_python(function: Callable[..., Any]) -> list[Signature]:
    """Python's own signature; none where it says nothing (``*args, **kwargs``).

    A module that takes and ignores anything (``nn.Tanh``) is made of nothing.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return []
    if isinstance(function, type) and "__init__" not in vars(function) and issubclass(function, torch.nn.Module):
        signature = inspect.Signature()
    if any(one.kind is inspect.Parameter.VAR_KEYWORD for one in signature.parameters.values()):
        return []
    found = []
    for one in signature.parameters.values():
        if one.name.startswith("_"):  # torch's own business
            continue
        kind = KINDS.get(one.kind, "position")
        note = one.annotation
        note = "" if note is inspect.Parameter.empty else inspect.formatannotation(note).replace("torch.", "")
        default = None if one.default is inspect.Parameter.empty else repr(one.default)
        if default is not None and "<" in default:
            default = "None"
        found.append(Parameter(one.name, kind, note.strip("'\""), default))
    return [Signature(tuple(found))]


def signatures(owner: str, name: str, value: Any) -> list[Signature]:
    """All documented ways to call it, those of the stubs first; the method's without its receiver."""
    found: list[Signature] = []
    if owner == "torch":
        found += stubs("_VariableFunctions.pyi", "").get(name, [])
    elif owner == "torch.Tensor":
        found += stubs("__init__.pyi", "TensorBase").get(name, [])
    elif owner == "torch.nn.functional" and not inspect.isfunction(value):
        found += stubs("_nn.pyi", "").get(name, [])
    if not found:
        found += of_python(value)
        if owner == "torch.Tensor":
            found = [Signature(one.parameters[1:]) for one in found]
    if not found:
        found += documented(name, value.__doc__ or "")
    return list(dict.fromkeys(found))
