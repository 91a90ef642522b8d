"""Running the graph with and without a finding, in turns."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch
from torch.fx import GraphModule

from .finding import Finding, edited
from .trace import Traced, tensors
from .usage import Usage

ROUNDING = 1e-5
"""Of the root mean square, that results may differ by where only the order of float32 sums changed."""


class Trials:
    """Trials on the call that was traced, and on another of the same shapes."""

    def __init__(self, usage: Usage, other: list[torch.Tensor], rounds: int, seconds: float) -> None:
        self.usage, self.other, self.rounds = usage, other, rounds
        self.calls = max(1, round(seconds / max(usage.total, 1e-6)))
        self.plain = edited(usage, [])
        self.given = (usage.flat, other)
        self.expected = [self._run(self.plain, flat) for flat in self.given]

    def alone(self, finding: Finding) -> dict[str, Any]:
        """One finding."""
        return self._try([finding])

    def together(self, found: list[Finding]) -> dict[str, Any]:
        """All of them."""
        return self._try(found)

    def _try(self, found: list[Finding]) -> dict[str, Any]:
        """``same``: bit by bit; ``apart``: the largest distance; ``base``, ``samples``: seconds of a call."""
        try:
            module = edited(self.usage, [finding.edit for finding in found])
            results = [self._run(module, flat) for flat in self.given]
        except Exception as error:  # of an operator that cannot be batched, say: the report names it
            return {"failed": f"{type(error).__name__}: {error}".strip().splitlines()[0]}
        apart = max(distance(one, other) for one, other in zip(results, self.expected, strict=True))
        base, samples, again = [], [], []
        for _ in range(self.rounds):
            base.append(self._time(self.plain))
            samples.append(self._time(module))
            again.append(self._time(self.plain))
        return {"same": apart <= ROUNDING, "apart": apart, "base": base, "samples": samples, "again": again}

    def _run(self, module: GraphModule, flat: list[torch.Tensor]) -> list[torch.Tensor]:
        with torch.no_grad():
            return tensors(module(*self.usage.traced.fresh(flat)))

    def _time(self, module: GraphModule) -> float:
        given = self.usage.traced.fresh(self.usage.flat)
        with torch.no_grad():
            start = time.perf_counter()
            for _ in range(self.calls):
                module(*given)
            return (time.perf_counter() - start) / self.calls


def distance(found: list[torch.Tensor], expected: list[torch.Tensor]) -> float:
    """The largest root mean square of a difference, over that of what was expected."""
    most = 0.0
    if len(found) != len(expected):
        return float("inf")
    for one, other in zip(found, expected, strict=True):
        if one.shape != other.shape or one.dtype != other.dtype:
            return float("inf")
        if torch.equal(one, other):
            continue
        wide, expected_wide = one.to(torch.float64), other.to(torch.float64)
        if not torch.equal(wide.isnan(), expected_wide.isnan()):
            return float("inf")
        difference = torch.nan_to_num(wide - expected_wide).square().mean().sqrt()
        scale = torch.nan_to_num(expected_wide).square().mean().sqrt()
        most = max(most, float(difference / scale) if scale else float("inf"))
    return most


def baked(call: Callable[..., Any], traced: Traced, other: Any, flat: list[torch.Tensor]) -> bool:
    """Whether the graph gives something else than the model for other values: its control flow hangs on them."""
    args, kwargs = other
    with torch.no_grad():
        graph = tensors(traced.module(*traced.fresh(flat)))
        model = tensors(call(*args, **kwargs))
    return distance(graph, model) > ROUNDING
