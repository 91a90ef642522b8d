"""Noise of the size of float32's rounding, added to a torch model that computes in double precision.

What the model makes of it is a term of the noise floor. Loaded by path in the interpreter that has torch.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch.utils._python_dispatch import _disable_current_modes

UNIT = 2.0**-24  # half the spacing of float32 at 1
HALF_ULP = 0.7355 * 2 * UNIT
"""Times a uniform number in [-1/2, 1/2) and the value: of the rms that half-ulp noise has over all mantissas."""
SUM = 0.3
"""Rms of the rounding of a sum, one number after another, in units that follow from a random walk (see below)."""

Norm = torch.nn.modules.batchnorm._BatchNorm


@contextlib.contextmanager
def noise(model: Any, seed: int, times: float = 1.0) -> Iterator[None]:
    """Move each parameter by half-ulp noise, and in train mode the statistics of each batch.

    Those are long sums, which torch adds up in pairs and others one number after another: the mean of n numbers of mean
    m and deviation s then errs by about SUM * UNIT * sqrt(s**2 + n * m**2). ``times``: so much of it all.
    """
    if not isinstance(model, torch.nn.Module):
        yield
        return
    kept = [(value, value.data) for value in model.parameters() if value.dtype == torch.float64]
    for number, (value, data) in enumerate(kept):
        value.data = noisy(data, [seed, number], times)
    norms = [module for module in model.modules() if isinstance(module, Norm)]
    handles = [module.register_forward_hook(_sums(seed, number, times)) for number, module in enumerate(norms)]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()
        for value, data in kept:
            value.data = data


def noisy(value: torch.Tensor, seed: Any, times: float = 1.0) -> torch.Tensor:
    """A double precision tensor of float32 values moved at random by up to half a unit in their last place."""
    if not value.is_floating_point():
        return value
    with _disable_current_modes():  # noise is none of the model's own draws
        drawn = torch.rand(value.shape, generator=_generator(seed), dtype=torch.float32)
    return drawn.sub_(0.5).double().mul_(HALF_ULP * times).add_(1.0).mul_(value.detach())


def _sums(seed: int, number: int, times: float) -> Any:
    generator = _generator([seed, number, 1])

    def error(values: torch.Tensor, axes: list[int]) -> torch.Tensor:
        """Of the mean of each channel."""
        count = values.numel() // values.shape[1]
        deviation, mean = torch.std_mean(values, axes, correction=0, keepdim=True)
        with _disable_current_modes():
            drawn = torch.randn(mean.shape, generator=generator, dtype=torch.float64)
        return times * SUM * UNIT * drawn * torch.sqrt(deviation**2 + count * mean**2)

    def after(module: Any, args: Any, returned: Any) -> Any:
        if not module.training:
            return returned
        given = args[0].detach()
        axes = [axis for axis in range(given.dim()) if axis != 1]
        mean = given.mean(axes, keepdim=True)
        deviation = torch.sqrt(((given - mean) ** 2).mean(axes, keepdim=True) + module.eps)
        scaled = (given - mean) / deviation
        shift, stretch = error(given, axes), error(scaled**2, axes)
        if module.running_mean is not None and module.momentum:
            # Through ``data``: autograd holds the buffers and would take them for changed.
            module.running_mean.data.add_(module.momentum * shift.flatten())
            module.running_var.data.add_(module.momentum * (stretch * deviation**2).flatten())
        shape = mean.shape
        weight = 1.0 if module.weight is None else module.weight.detach().reshape(shape)
        moved = returned - weight * (shift / deviation + 0.5 * stretch * scaled)
        if moved.requires_grad:
            # The gradients of weight and bias are such sums too.
            moved.register_hook(lambda grad: grad + error(grad, axes) + error(grad * scaled, axes) * scaled)
        return moved

    return after


def _generator(seed: Any) -> torch.Generator:
    return torch.Generator().manual_seed(int(np.random.SeedSequence(seed).generate_state(1)[0]))
