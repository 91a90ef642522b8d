"""Memory that a model took and nobody filled: told apart while it is built, whatever lay there before.

Loaded by path in the interpreter that has torch.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch


@contextlib.contextmanager
def building() -> Iterator[None]:
    """What ``torch.empty`` and the like give is NaN."""
    before = torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
    torch.use_deterministic_algorithms(True, warn_only=True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before[0], warn_only=before[1])


def fill(model: Any) -> None:
    """Zeros for NaN in what a model keeps beside its state, which nothing else fills: buffers that are not saved, and
    attributes that are mere tensors.
    """
    for module in model.modules():
        kept = [module._buffers[name] for name in module._non_persistent_buffers_set]
        for value in (*kept, *vars(module).values()):
            if type(value) is not torch.Tensor or value.layout != torch.strided or value.device.type == "meta":
                continue
            if value.is_floating_point() and value.isnan().any():
                size = value.untyped_storage().nbytes() // value.element_size()
                whole = value.detach().as_strided((size,), (1,), 0)  # a part may be expanded
                whole.nan_to_num_(nan=0.0, posinf=torch.inf, neginf=-torch.inf)
