"""torch: devices."""

from typing import Literal

import oneflow
import torch

from rewriters.rule import alias, becomes, family, rule, same

becomes(torch.random.manual_seed, oneflow.manual_seed)
becomes(torch.autocast, torch.amp.autocast, torch.amp.autocast_mode.autocast, oneflow.autocast)

alias(torch.device, "oneflow.device")
alias(torch.default_generator, "oneflow.default_generator")


@rule(torch.device)
def no_device(type: Literal["meta"]):
    return "meta"  # is no device of OneFlow's: equal to none, and refused where tensors are made


@rule(torch.device)
def device(type, index=None):
    return oneflow.device(type) if index is None else oneflow.device(type, index)


same(
    "torch.GradScaler.get_scale", "torch.GradScaler.is_enabled", "torch.GradScaler.load_state_dict",
    "torch.GradScaler.scale", "torch.GradScaler.state_dict", "torch.GradScaler.step", "torch.GradScaler.unscale_",
    "torch.GradScaler.update",
)  # fmt: skip


same("torch.is_grad_enabled")


same("torch.seed", "torch.initial_seed")


@rule(torch.set_num_threads)
def set_num_threads(n):
    return oneflow.set_num_threads(n)


@rule(torch.get_default_device)
def get_default_device():
    return oneflow.device("cpu")  # set_default_device is refused


@rule(torch.get_rng_state)
def get_rng_state():
    oneflow.cuda.synchronize()  # what draws may not have run yet
    state = oneflow.get_rng_state()
    oneflow.set_rng_state(state)  # a generator that has drawn goes on from elsewhere than its state says
    return state


@rule(torch.set_rng_state)
def set_rng_state(new_state):
    oneflow.cuda.synchronize()
    oneflow.set_rng_state(new_state)


@rule(torch.is_autocast_enabled)
def is_autocast_enabled(device_type="cuda"):
    return device_type == "cuda" and oneflow.is_autocast_enabled()  # of a GPU's alone there is an autocast


@rule(torch.is_autocast_cpu_enabled)
def is_autocast_cpu_enabled():
    return False


@family("gpu cpu")
@rule(torch.get_autocast_gpu_dtype)
def get_autocast_gpu_dtype():
    return oneflow.get_autocast_gpu_dtype()


@rule(torch.get_autocast_dtype)
def get_autocast_dtype(device_type):
    return oneflow.get_autocast_gpu_dtype() if device_type == "cuda" else oneflow.get_autocast_cpu_dtype()


@rule(torch.amp.GradScaler, torch.cuda.amp.GradScaler, torch.GradScaler)
class GradScaler:
    """Torch's dynamic loss scaling: OneFlow's own is for graphs only."""

    def __init__(
        self, device="cuda", init_scale=2.0**16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000,
        enabled=True,
    ):  # fmt: skip
        self.factor, self.growth_factor, self.backoff_factor = float(init_scale), growth_factor, backoff_factor
        self.growth_interval, self.enabled, self.good = growth_interval, enabled, 0
        self.unscaled, self.lost = set(), False

    def is_enabled(self):
        return self.enabled

    def get_scale(self):
        return self.factor if self.enabled else 1.0

    def scale(self, outputs):
        if not self.enabled:
            return outputs
        if isinstance(outputs, (list, tuple)):
            return type(outputs)(self.scale(output) for output in outputs)
        return outputs * self.factor

    def unscale_(self, optimizer):
        if not self.enabled or id(optimizer) in self.unscaled:
            return
        self.unscaled.add(id(optimizer))
        for group in optimizer.param_groups:
            for parameter in group.parameters:
                if parameter.grad is not None:
                    parameter.grad.mul_(1.0 / self.factor)
                    self.lost = self.lost or not bool(oneflow.isfinite(parameter.grad).all())

    def step(self, optimizer, *args, **kwargs):
        self.unscale_(optimizer)
        return None if self.lost else optimizer.step(*args, **kwargs)

    def update(self, new_scale=None):
        if self.enabled:
            self.good = 0 if self.lost else self.good + 1
            if new_scale is not None:
                self.factor = float(new_scale)
            elif self.lost:
                self.factor *= self.backoff_factor
            elif self.good == self.growth_interval:
                self.factor, self.good = self.factor * self.growth_factor, 0
        self.unscaled, self.lost = set(), False

    def state_dict(self):
        names = ("growth_factor", "backoff_factor", "growth_interval")
        own = {"scale": self.factor, "_growth_tracker": self.good}
        return {**own, **{name: getattr(self, name) for name in names}} if self.enabled else {}

    def load_state_dict(self, state_dict):
        if self.enabled:
            self.factor, self.good = state_dict["scale"], state_dict["_growth_tracker"]
            for name in ("growth_factor", "backoff_factor", "growth_interval"):
                setattr(self, name, state_dict[name])


@rule(torch.set_printoptions)
def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    if profile is not None:  # what it says, where nothing else does
        precision = (2 if profile == "short" else 4) if precision is None else precision
        threshold = (float("inf") if profile == "full" else 1000) if threshold is None else threshold
        edgeitems = (2 if profile == "short" else 3) if edgeitems is None else edgeitems
        linewidth = 80 if linewidth is None else linewidth
    return oneflow.set_printoptions(precision, threshold, edgeitems, linewidth)


@rule(torch.set_float32_matmul_precision)
def set_float32_matmul_precision(precision):
    return None


@rule(torch.use_deterministic_algorithms)
def use_deterministic_algorithms(mode, *, warn_only=False):
    return None
