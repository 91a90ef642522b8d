"""Running statistics of batch normalization as other conventions keep them, followed beside torch's own training.

Loaded by path in the interpreter that has torch.
"""

from __future__ import annotations

from typing import Any

import torch

BIASED = "the running variance is biased (n in place of n - 1)"
MOMENTUM = "the momentum weighs the old value (torch's weighs the new one)"
BOTH = f"{BIASED} and {MOMENTUM}"

Norm = torch.nn.modules.batchnorm._BatchNorm


class Averages:
    """Running means and variances of a model under each convention, from the moment this is made.

    What a step adds is read off torch's own change of the buffer, and added in double precision.
    """

    def __init__(self, model: torch.nn.Module) -> None:
        self.values: dict[str, dict[str, torch.Tensor]] = {}
        self._before: dict[str, tuple[torch.Tensor, torch.Tensor]] = {}
        self._hooks: list[Any] = []
        for name, module in model.named_modules():
            if not isinstance(module, Norm) or module.running_mean is None or module.running_var is None:
                continue
            if not module.momentum:  # None: a cumulative average, which no other framework has
                continue
            prefix = f"{name}." if name else ""
            mean, variance = (buffer.to(torch.float64, copy=True) for buffer in _running(module))
            self.values[prefix + "running_mean"] = {MOMENTUM: mean}
            self.values[prefix + "running_var"] = {
                BIASED: variance,
                MOMENTUM: variance.clone(),
                BOTH: variance.clone(),
            }
            self._hooks.append(module.register_forward_pre_hook(self._remember(prefix)))
            self._hooks.append(module.register_forward_hook(self._follow(prefix)))

    def end(self) -> None:
        """Follow no further."""
        for hook in self._hooks:
            hook.remove()

    def found(self) -> dict[str, dict[str, Any]]:
        """Buffer -> convention -> its value now, as arrays."""
        return {
            name: {label: value.numpy().copy() for label, value in others.items()}
            for name, others in self.values.items()
        }

    def _remember(self, prefix: str) -> Any:
        def before(module: Any, args: Any) -> None:
            self._before[prefix] = tuple(buffer.to(torch.float64, copy=True) for buffer in _running(module))

        return before

    def _follow(self, prefix: str) -> Any:
        def after(module: Any, args: Any, returned: Any) -> None:
            if not module.training:
                return
            count = args[0].numel() // args[0].shape[1]
            momentum = module.momentum
            means, variances = self.values[prefix + "running_mean"], self.values[prefix + "running_var"]
            for now, before, others in zip(_running(module), self._before[prefix], (means, variances), strict=True):
                new = (now.double() - (1 - momentum) * before) / momentum
                for label, value in others.items():
                    weight = 1 - momentum if label in (MOMENTUM, BOTH) else momentum
                    factor = (count - 1) / count if label in (BIASED, BOTH) else 1.0
                    value.mul_(1 - weight).add_(new, alpha=weight * factor)

        return after


def _running(module: torch.nn.Module) -> tuple[torch.Tensor, torch.Tensor]:
    return module.running_mean, module.running_var
