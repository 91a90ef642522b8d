"""What a Paddle optimizer keeps of what torch's keeps, under the parameter's name: "fc.weight/moment1_0".

Paddle itself names its accumulators after the parameters' global names (linear_0.w_0), which only a living model knows:
LOAD puts them there. Loaded by path; imports no paddle.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SUFFIX = ".pdopt"

SLOTS = {
    "exp_avg": "moment1_0",
    "exp_avg_sq": "moment2_0",
    "max_exp_avg_sq": "moment2_max_0",
    "momentum_buffer": "velocity_0",
}
"""Torch's state of a parameter -> Paddle's accumulator."""

LOAD = """\
saved, names = paddle.load({path!r}), {{n: p.name for n, p in model.named_parameters()}}
slots = [(key.rpartition("/"), value) for key, value in saved.items()]
optimizer.set_state_dict({{**optimizer.state_dict(), **{{f"{{names[n]}}_{{slot}}": v for (n, _, slot), v in slots}}}})
"""
"""What reads it, before the optimizer's first step."""


def of_parameter(steps: int, group: Mapping[str, Any]) -> dict[str, float]:
    """Accumulators of one element, after so many steps with a parameter group's settings: float32, of shape (1,).

    Paddle's powers of beta are those of the step to come.
    """
    if "betas" not in group:
        return {}
    return {f"beta{n}_pow_acc_0": float(beta) ** (steps + 1) for n, beta in enumerate(group["betas"], 1)}


def of_optimizer(steps: int) -> dict[str, int]:
    """Counters that are one for all parameters."""
    return {}
