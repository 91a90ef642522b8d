"""PyTorch's samples of optimizers (OptimizerInfo): several steps of training a small layer. Runs in torch's
interpreter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch.testing._internal.common_optimizers import optim_db

STEPS = 10
BODY = """\
optimizer = {optimizer}
for _ in range({steps}):
    optimizer.zero_grad()
    out = module(a0)
    loss = ((out - 1) * (out - 1)).mean()
    loss.backward()
    optimizer.step()
return loss"""
CLOSURE = """\
optimizer = {optimizer}
def closure():
    optimizer.zero_grad()
    out = module(a0)
    loss = ((out - 1) * (out - 1)).mean()
    loss.backward()
    return loss
for _ in range({steps}):
    loss = optimizer.step(closure)
return loss"""


def entries() -> dict[str, list[Any]]:
    """Entries of the database by the class's name."""
    return {f"optim.{entry.name}": [entry] for entry in optim_db}


def covers(group: list[Any]) -> list[str]:
    """Last parts of the names that an entry's samples call."""
    return [entry.name for entry in group] + ["step", "zero_grad"]


def programs(entry: Any, arguments: Any, few: int | None = None) -> Iterator[dict[str, Any]]:
    """One for each set of options, or for ``few`` of them."""
    for number, given in enumerate(entry.optim_inputs_func(device="cpu")[:few]):
        key = f"torch.optim.{entry.name}"
        program: dict[str, Any] = {"label": f"optim.{entry.name}:train:{number}", "key": key, "train": True}
        problem = ""
        printer = arguments()
        try:
            words = [f"{name}={printer.text(value)}" for name, value in given.kwargs.items()]
        except printer.Unprintable as error:
            problem = str(error)
        if printer.tensors:
            problem = "learning rate that is a tensor"
        if problem:
            yield {**program, "problem": problem}
            continue
        call = f"{key}({', '.join(['module.parameters()', *words])})"
        yield {**program, **program_of(entry, call)}


def program_of(entry: Any, call: str) -> dict[str, Any]:
    """The layer that is trained, the steps with an optimizer that this call makes, and the data."""
    layer, data = "torch.nn.Linear(4, 3)", None
    if entry.only_supports_sparse_grads:
        layer, data = "torch.nn.Embedding(10, 3, sparse=True)", torch.tensor([1, 3, 3, 7])
    elif entry.name == "Muon":  # takes matrices alone
        layer = "torch.nn.Linear(4, 3, bias=False)"
    torch.manual_seed(0)
    return {
        "forms": [("steps", layer)],
        "body": (CLOSURE if entry.step_requires_closure else BODY).format(optimizer=call, steps=STEPS),
        "tensors": {"a0": torch.randn(6, 4) if data is None else data},
    }
