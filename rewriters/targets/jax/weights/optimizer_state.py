"""What an optimizer of the output keeps of what torch's keeps, under the parameter's path: "fc.kernel/exp_avg".

The names are torch's, the layouts those of the parameters: Adam's are what optax's ScaleByAdamState has as mu, nu and
count. Loaded by path; imports no jax.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SUFFIX = ".optim.safetensors"

SLOTS = {
    name: name
    for name in ("exp_avg", "exp_avg_sq", "max_exp_avg_sq", "exp_inf", "momentum_buffer", "square_avg", "grad_avg")
}
"""Torch's state of a parameter -> the optimizer's slot."""

LOAD = """\
saved = safetensors.flax.load_file({path!r})
slots = {{id(p): one for p, one in zip([p for g in optimizer.param_groups for p in g.params], optimizer.slots_of)}}
names = {{id(p): ".".join(map(str, at)) for at, p in nnx.iter_graph(model) if id(p) in slots}}
for number, one in slots.items():
    for slot in one:
        if (key := f"{{names[number]}}/{{slot}}") in saved:
            one[slot][...] = saved[key].astype(one[slot].dtype).reshape(one[slot].shape)
optimizer.updates[...] = 1
"""
"""What reads it, before the optimizer's first step."""


def of_parameter(steps: int, group: Mapping[str, Any]) -> dict[str, float]:
    """Slots of one element, after so many steps with a parameter group's settings: float32, of shape (1,)."""
    return {"step": max(steps, 1)}  # SGD of torch does not count, and the output's begins its momentum at 0


def of_optimizer(steps: int) -> dict[str, int]:
    """Counters that are one for all parameters."""
    return {}
