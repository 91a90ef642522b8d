"""Signatures of OneFlow's built-ins, which `inspect.signature` does not know. Runs in OneFlow's interpreter.

A built-in checks its arguments one parameter after the other, and unknown keywords last: a call with an unknown keyword
runs nothing, and its TypeError tells of one parameter. An overloaded one lists all its signatures there. Of another
the compiled library holds the signature as a string, as it does for those lists: the one that answers to every name,
type and position that the errors tell of.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import oneflow

NOBODYS_KEYWORD = "no_parameter_is_called_so"
MANY = 40  # more than any built-in has parameters
LISTED = re.compile(r"\*\d+: (\w+ \(.*\))")
STORED = re.compile(rb"\b[A-Z]\w* \((?:[A-Z*][^\0\n]*)?\)(?=\0)")
COLOURS = re.compile(r"\x1b\[[\d;]*m")


class Parameter(NamedTuple):
    """default: a literal as repr shows it, else the library's own word (``kFloat``); None where there is none."""

    name: str
    kind: str
    default: str | None
    type: str


def overloads(value: Any, receiver: bool) -> list[list[Parameter]]:
    """The signatures of a built-in, in the order in which they are tried; [] where it is none, or does not say.

    receiver: whether it is a method: its first parameter is left out.
    """
    if type(value).__name__ not in ("builtin_function_or_method", "method_descriptor"):
        return []
    given = [example("Tensor")] if receiver else []
    said = answer(value, *given)
    if listed := LISTED.findall(said):
        read = [parameters for text in listed if (parameters := parsed(text)) is not None]
        return [parameters[len(given) :] for parameters in read] if len(read) == len(listed) else []
    asked = re.match(r"\w+\(\): (?:missing required argument (\w+)|got an unexpected keyword)", said)
    if asked is None:
        return []
    alike = [found for found in stored() if asked[1] == first_required(found[len(given) :])]
    fitting = [found for found in alike if answers_to(value, found, receiver)]
    longest = max(map(len, fitting), default=0)
    return agreed([found[len(given) :] for found in fitting if len(found) == longest])


def first_required(parameters: list[Parameter]) -> str | None:
    return next((p.name for p in parameters if p.default is None), None)


def agreed(found: list[list[Parameter]]) -> list[list[Parameter]]:
    """What several strings that fit say together: a default on which they differ is not known."""
    if not found or any([p[:2] for p in other] != [p[:2] for p in found[0]] for other in found):
        return []
    columns = zip(*found, strict=True)
    return [[first if all(p == first for p in rest) else first._replace(default="?") for first, *rest in columns]]


def answers_to(value: Callable[..., Any], parameters: list[Parameter], receiver: bool) -> bool:
    """Whether the built-in's errors tell of these parameters and of no other that is required or positional."""
    positional = [p for p in parameters if p.kind == "positional"]
    if receiver and (not positional or positional[0].type != "Tensor"):
        return False
    lead = 1 if receiver else 0
    first = [example("Tensor")] * lead
    given: dict[str, Any] = {}
    for parameter in parameters[lead:]:
        asked = f"missing required argument {parameter.name}\n" in answer(value, *first, **given) + "\n"
        if asked != (parameter.default is None):
            return False
        if told(parameter) not in answer(value, *first, **given, **{parameter.name: object()}):
            return False
        if parameter.default is None:
            given[parameter.name] = example(parameter.type)
    if f"unexpected keyword argument '{NOBODYS_KEYWORD}'" not in answer(value, *first, **given):
        return False
    for place, parameter in enumerate(positional[lead:], lead):
        before = first + [example(p.type) for p in positional[lead:place]]
        if told(parameter) not in answer(value, *before, object()):
            return False
    counted = re.search(r"takes (\d+) positional", answer(value, *first, *[object()] * MANY))
    # Where the only positional parameter is a list, several arguments are its items.
    in_one = len(positional) == 1 and positional[0].type.endswith(("List", "Shape", "TensorTuple"))
    return in_one if counted is None else int(counted[1]) == len(positional)


def told(parameter: Parameter) -> str:
    """What an error says of a parameter that got something else."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", parameter.type).lower()
    return f"argument '{parameter.name}' must be {words}, not"


def answer(function: Callable[..., Any], *given: Any, **named: Any) -> str:
    """What a call that can't succeed is told."""
    try:
        function(*given, **named, **{NOBODYS_KEYWORD: None})
    except Exception as error:
        return COLOURS.sub("", str(error)).removeprefix("Error: ").strip()
    raise AssertionError(f"{function} took a keyword that is nobody's")


@cache
def stored() -> list[list[Parameter]]:
    """Every signature in the compiled library."""
    library = Path(oneflow._oneflow_internal.__file__).read_bytes()
    found = {text.decode() for text in STORED.findall(library)}
    return [parameters for text in sorted(found) if (parameters := parsed(text)) is not None]


def parsed(text: str) -> list[Parameter] | None:
    """``Tensor (Tensor x, Int32 dim=0, *, Bool inplace=False)``; None where it is no such signature."""
    inside = text[text.index("(") + 1 : -1]
    kind, found = "positional", []
    for part in inside.split(", ") if inside else []:
        if part == "*":
            kind = "keyword"
            continue
        parts = re.fullmatch(r"([A-Z]\w*\*?) (\w+)(?:=(.+))?", part)
        if parts is None:
            return None
        found.append(Parameter(parts[2], kind, shown(parts[3]), parts[1]))
    return found


def shown(default: str | None) -> str | None:
    """The default as repr shows it."""
    if default is None:
        return None
    try:
        return repr(ast.literal_eval(re.sub(r"(?<=[\d.])f$", "", default)))
    except ValueError:
        return default


NUMBERS = {"Int32": 1, "Int64": 1, "Float": 1.0, "Double": 1.0, "Scalar": 1, "Bool": True}


def example(kind: str) -> Any:
    """A value of a parameter's type; for those that no rule gives, one that fits nothing."""
    if kind == "Tensor":
        return oneflow.ones(1)
    if kind == "TensorTuple":
        return [oneflow.ones(1)]
    if kind.removesuffix("List") in NUMBERS:
        number = NUMBERS[kind.removesuffix("List")]
        return [number] if kind.endswith("List") else number
    others = {"Shape": (1,), "String": "sum", "DataType": oneflow.float32, "Device": oneflow.device("cpu")}
    return others.get(kind)
