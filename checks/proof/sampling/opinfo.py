"""PyTorch's samples of functions and methods (OpInfo), printed as source. Runs in torch's interpreter.

Its database is imported when samples are asked for: that takes seconds, and printing a call needs none of it.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Iterator
from typing import Any

import torch

# How many samples of a dtype other than float32 are taken of each entry.
FEW = {torch.int64: 8, torch.bool: 4, torch.float64: 2}

OPERATORS = {
    "__radd__": "+", "__rdiv__": "/", "__rmul__": "*", "__rand__": "&", "__ror__": "|", "__rxor__": "^",
    "__rmatmul__": "@", "__rmod__": "%", "__rpow__": "**", "__rsub__": "-",
}  # fmt: skip


class Form:
    """One way to write a sample's call.

    key:  the torch name that is called, as it is written: ``torch.add``, ``torch.Tensor.add_``.
    kind: function, method, property, operator, in-place, or one of the first two with "keyword" or "all keyword".
    """

    def __init__(self, key: str, kind: str, text: str) -> None:
        self.key = key
        self.kind = kind
        self.text = text


def look_up(name: str) -> Any:
    """The object of that dotted name, None when torch has none."""
    value: Any = torch
    for part in name.split(".")[1:]:
        value = getattr(value, part, None)
        if value is None:
            return None
    return value


def entries() -> dict[str, list[Any]]:
    """Entries of the database by the name of what they test."""
    from torch.testing._internal.common_methods_invocations import op_db

    found: dict[str, list[Any]] = {}
    for entry in op_db:
        found.setdefault(entry.name, []).append(entry)
    return found


def is_private(name: str) -> bool:
    return any(part.startswith("_") and part not in {*OPERATORS, "__getitem__"} for part in name.split("."))


def covers(group: list[Any]) -> list[str]:
    """Last parts of the names that an entry's samples call."""
    return sorted({name.rpartition(".")[2] for entry in group for name in names(entry)})


def samples(entry: Any, few: int | None = None) -> Iterator[tuple[str, Any, bool]]:
    """(label, SampleInput, whether gradients are asked for), in an order that does not change.

    few: samples of each dtype to take; None for all.
    """
    from torch.testing._internal.opinfo.core import BinaryUfuncInfo

    variant = f"/{entry.variant_test_name}" if entry.variant_test_name else ""
    for dtype in (torch.float32, *FEW):
        if dtype not in entry.dtypes or (few and dtype != torch.float32):
            continue
        gradients = bool(entry.supports_autograd) and dtype.is_floating_point
        torch.manual_seed(0)
        found = entry.sample_inputs("cpu", dtype, requires_grad=gradients)
        name = str(dtype).removeprefix("torch.")
        for number, sample in enumerate(itertools.islice(found, few if dtype == torch.float32 else FEW[dtype])):
            yield f"{entry.name}{variant}:{name}:{number}", sample, gradients
    if isinstance(entry, BinaryUfuncInfo) and torch.int64 in entry.dtypes and torch.float32 in entry.dtypes:
        for number, sample in enumerate(promotions()):
            yield f"{entry.name}{variant}:mixed:{number}", sample, False


def promotions() -> Iterator[Any]:
    """Operands of two dtypes, and of two ranks of scalar: torch promotes them all."""
    from torch.testing._internal.opinfo import core

    SampleInput: Any = core.SampleInput
    torch.manual_seed(0)
    whole, real = torch.randint(1, 5, (3, 4)), torch.rand(3, 4) + 0.5
    yield SampleInput(whole, args=(real,))
    yield SampleInput(real, args=(whole,))
    yield SampleInput(whole, args=(2.5,))
    yield SampleInput(real, args=(3,))
    yield SampleInput(real, args=(torch.tensor(1.5, dtype=torch.float64),))
    yield SampleInput(whole.to(torch.int32), args=(whole,))


def names(entry: Any) -> list[str]:
    """The names under which an entry's function is known, without ``torch.``."""
    return list(dict.fromkeys([entry.name, *(alias.name for alias in entry.aliases)]))


def forms(entry: Any, sample: Any, parameters: dict[str, list[str]], arguments: Any) -> tuple[list[Form], list[str]]:
    """(ways to write the call, the first being the one whose result is torch's answer; parameters of the functions)."""
    given, keywords = list(sample.args), dict(sample.kwargs)
    if isinstance(entry.op, functools.partial):
        keywords = {**entry.op.keywords, **keywords}
    first = arguments.text(sample.input)
    rest = [arguments.text(value) for value in given]
    named = [f"{key}={arguments.text(value)}" for key, value in keywords.items()]
    if entry.name in OPERATORS:
        return [Form(f"torch.Tensor.{entry.name}", "operator", f"{rest[0]} {OPERATORS[entry.name]} {first}")], []
    if entry.name == "__getitem__":
        return [Form("torch.Tensor.__getitem__", "operator", f"{first}[{rest[0]}]")], []
    is_tensor = isinstance(sample.input, torch.Tensor)
    found: list[Form] = []
    for name in names(entry):
        if is_private(name):
            continue
        full = f"torch.{name}"
        function = look_up(full)
        if callable(function) and not isinstance(function, type):
            found.append(Form(full, "function", f"{full}({', '.join([first, *rest, *named])})"))
            found += keyword_forms(full, "function", f"{full}(", [first, *rest], named, parameters.get(full))
        method = f"torch.Tensor.{name}"
        if is_tensor and "." not in name and hasattr(torch.Tensor, name):
            if not callable(getattr(torch.Tensor, name)) or isinstance(
                inspect.getattr_static(torch.Tensor, name), property
            ):
                if not rest and not named:
                    found.append(Form(method, "property", f"{first}.{name}"))
                continue
            found.append(Form(method, "method", f"{first}.{name}({', '.join([*rest, *named])})"))
            words = parameters.get(method)
            own = words[1:] if words else None
            if rest:
                found += keyword_forms(
                    method, "method", f"{first}.{name}(", ["", *rest], named, ["", *own] if own else None
                )
    return found, []


def keyword_forms(
    key: str, kind: str, head: str, positional: list[str], named: list[str], words: list[str] | None
) -> list[Form]:
    """The same call with its arguments named: all but the first, and, for functions, all."""
    if words is None:
        return []
    spelled = [word.split("=")[0] for word in itertools.takewhile(lambda word: not word.startswith("*"), words)]
    if spelled and spelled[0] == "self":  # the schema's word; Python callers say input
        spelled[0] = "input"
    if len(spelled) < len(positional) or any(f"{name}=" in " ".join(named) for name in spelled[: len(positional)]):
        return []
    texts = [f"{name}={text}" for name, text in zip(spelled, positional, strict=False)]
    found = []
    if len(positional) > 1:
        start = [positional[0]] if positional[0] else []
        found.append(Form(key, f"{kind} keyword", f"{head}{', '.join([*start, *texts[1:], *named])})"))
    if positional[0]:
        found.append(Form(key, f"{kind} all keyword", f"{head}{', '.join([*texts, *named])})"))
    return found


def in_place(entry: Any, sample: Any, arguments: Any) -> list[Form]:
    """The call that writes into its first argument, under each name that has one."""
    if not isinstance(sample.input, torch.Tensor) or entry.name in OPERATORS:
        return []
    first = arguments.text(sample.input)
    rest = [arguments.text(value) for value in sample.args]
    named = [f"{key}={arguments.text(value)}" for key, value in sample.kwargs.items()]
    return [
        Form(f"torch.Tensor.{name}_", "in-place", f"{first}.{name}_({', '.join([*rest, *named])})")
        for name in names(entry)
        if "." not in name and not is_private(name) and hasattr(torch.Tensor, f"{name}_")
    ]
