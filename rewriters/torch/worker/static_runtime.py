"""torch.compile inside a worker, as the targets' ``static_runtime.py`` have their graphs; for ``migrate bench``.

Loaded by path in the interpreter that has torch; imports nothing else than it.
"""

from __future__ import annotations

import torch


def static(model):
    """The model behind torch.compile."""
    return torch.compile(model)


def train_step(model, loss, optimizer, scheduler):
    """``step(args, kwargs, targets)``: forward, loss and backward compiled; the loss."""
    return eager_step(torch.compile(model), loss, optimizer, scheduler)


def eager_step(model, loss, optimizer, scheduler):
    """The same without compiling."""

    def step(args, kwargs, targets):
        optimizer.zero_grad()
        value = loss(model(*args, **kwargs), args, targets)
        value.backward()
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
        return value

    return step


def amp():
    """A context of mixed precision on this device; a text that says why there is none."""
    return torch.autocast("cpu", dtype=torch.bfloat16)


def wait():
    """Until all that was asked for is computed."""
