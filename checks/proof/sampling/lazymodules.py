"""PyTorch's samples of lazy modules (ModuleInfo), whose parameters have a shape only after the first call. Runs in
torch's interpreter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch.testing._internal.common_modules import module_db

BODY = """\
layer = {layer}
layer({forward})
for parameter in layer.parameters():
    torch.nn.init.constant_(parameter, 0.125)
return layer({forward}), [parameter.shape for parameter in layer.parameters()]"""


def entries() -> dict[str, list[Any]]:
    """Entries of the database by the class's name."""
    return {entry.name: [entry] for entry in module_db if entry.name.startswith("nn.Lazy")}


def covers(group: list[Any]) -> list[str]:
    """Last parts of the names that an entry's samples call."""
    return [entry.name.rpartition(".")[2] for entry in group]


def programs(entry: Any, arguments: Any, few: int | None = None) -> Iterator[dict[str, Any]]:
    """One for each input, or for ``few`` of them."""
    torch.manual_seed(0)
    inputs = entry.module_inputs_func(entry, device="cpu", dtype=torch.float32, requires_grad=True, training=True)
    for number, given in enumerate(inputs[:few]):
        program: dict[str, Any] = {
            "label": f"{entry.name}:lazy:{number}",
            "key": f"torch.{entry.name}",
            "train": True,
        }
        printer = arguments()
        try:
            constructor = given.constructor_input
            words = [printer.text(value) for value in constructor.args]
            words += [f"{key}={printer.text(value)}" for key, value in constructor.kwargs.items()]
            forward = [printer.text(value) for value in given.forward_input.args]
        except printer.Unprintable as error:
            yield {**program, "problem": str(error)}
            continue
        layer = f"torch.{entry.name}({', '.join(words)})"
        yield {
            **program,
            "forms": [("lazy", "")],
            "body": BODY.format(layer=layer, forward=", ".join(forward)),
            "tensors": printer.tensors,
        }
