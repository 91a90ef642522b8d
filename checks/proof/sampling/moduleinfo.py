"""PyTorch's samples of modules (ModuleInfo), in train and in eval mode. Runs in torch's interpreter."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import torch
from torch.testing._internal.common_modules import module_db


def entries() -> dict[str, list[Any]]:
    """Entries of the database by the class's name."""
    found: dict[str, list[Any]] = {}
    for entry in module_db:
        if not entry.name.startswith("nn.Lazy"):  # they have no parameters before their first call
            found.setdefault(entry.name, []).append(entry)
    return found


# Their samples bring random numbers in double precision, which must be the input's.
DOUBLE = {"nn.FractionalMaxPool2d", "nn.FractionalMaxPool3d"}


def covers(group: list[Any]) -> list[str]:
    """Last parts of the names that an entry's samples call."""
    return [entry.name.rpartition(".")[2] for entry in group]


def programs(entry: Any, arguments: Any, few: int | None = None) -> Iterator[dict[str, Any]]:
    """One for each input, in either mode.

    few:       inputs of each mode to take; None for all.
    arguments: makes a printer of arguments; a program's ``problem`` says what could not be printed.
    """
    for train in (True, False):
        torch.manual_seed(0)
        dtype = torch.float64 if entry.name in DOUBLE else torch.float32
        inputs = entry.module_inputs_func(entry, device="cpu", dtype=dtype, requires_grad=True, training=train)
        for number, given in enumerate(inputs[:few]):
            mode = "train" if train else "eval"
            program: dict[str, Any] = {
                "label": f"{entry.name}:{mode}:{number}",
                "key": f"torch.{entry.name}",
                "train": train,
            }
            if given.forward_input is None:
                continue
            printer = arguments()
            try:
                constructor = given.constructor_input
                positional = [printer.text(value) for value in constructor.args]
                named = {key: printer.text(value) for key, value in constructor.kwargs.items()}
                forward = [printer.text(value) for value in given.forward_input.args]
                forward += [f"{key}={printer.text(value)}" for key, value in given.forward_input.kwargs.items()]
            except printer.Unprintable as error:
                yield {**program, "problem": str(error)}
                continue
            words = [*positional, *(f"{key}={text}" for key, text in named.items())]
            program["forms"] = [(mode, f"torch.{entry.name}({', '.join(words)})")]
            names = list(inspect.signature(entry.module_cls.__init__).parameters)[1 : len(positional) + 1]
            if train and positional and len(names) == len(positional) and not any("*" in name for name in names):
                words = [f"{key}={text}" for key, text in [*zip(names, positional, strict=True), *named.items()]]
                program["forms"].append((f"{mode} keyword", f"torch.{entry.name}({', '.join(words)})"))
            program["body"] = f"return module({', '.join(forward)})"
            program["tensors"] = printer.tensors
            yield program
