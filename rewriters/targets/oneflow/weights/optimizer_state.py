"""What a OneFlow optimizer keeps of what torch's keeps, under the parameter's name: "fc.weight/exp_avg".

Its own state_dict numbers parameters and repeats the optimizer's settings, so LOAD fills a new optimizer's. Loaded by
path; imports no oneflow.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SUFFIX = ".optimizer.oneflow"

SLOTS = {
    "exp_avg": "exp_avg",
    "exp_avg_sq": "exp_avg_sq",
    "max_exp_avg_sq": "max_exp_avg_sq",
    "momentum_buffer": "momentum_buf",
}
"""Torch's state of a parameter -> OneFlow's."""

LOAD = """\
saved, state = oneflow.load({path!r}), optimizer.state_dict()
names = {{id(p): n for n, p in model.named_parameters()}}
order = [names[id(p)] for group in optimizer.param_groups for p in group.parameters]
state["state"] = {{"step": int(saved.pop("step")), **{{i: {{}} for i in range(len(order))}}}}
for key, value in saved.items():
    state["state"][order.index(key.rpartition("/")[0])][key.rpartition("/")[2]] = value
optimizer.load_state_dict(state)
"""
"""What reads it."""


def of_parameter(steps: int, group: Mapping[str, Any]) -> dict[str, float]:
    """Accumulators of one element, after so many steps with a parameter group's settings."""
    return {}


def of_optimizer(steps: int) -> dict[str, int]:
    """Counters that are one for all parameters: int64, of shape ()."""
    return {"step": steps}
