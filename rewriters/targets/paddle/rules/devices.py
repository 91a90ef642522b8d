"""torch: devices."""

from typing import Literal

import paddle
import torch

from rewriters.rule import alias, becomes, family, rule

becomes(torch.get_default_device, paddle.get_default_device)
becomes(torch.set_default_device, paddle.set_default_device)
becomes(torch.get_device, torch.Tensor.get_device, paddle.Tensor.get_device)

alias(torch.Stream, "paddle.device.Stream")
alias(torch.Event, "paddle.device.Event")


@rule(torch.device)
def no_device(type: Literal["meta"]):
    return "meta"  # is no device of Paddle's: equal to none, and refused where tensors are made


@rule(torch.device)
def device(type, index=None):
    return paddle.device(type) if index is None else paddle.device(type, index)


class OfAnyPlace(type):
    """Paddle's tensors lie at places, which are no devices: the class of both, made and compared as torch's is."""

    kinds = (paddle.device.Device, paddle.base.libpaddle.Place)

    def __call__(cls, type, index=None):
        return paddle.device(type) if index is None else paddle.device(type, index)

    def __instancecheck__(cls, value):
        return isinstance(value, cls.kinds)

    def __eq__(cls, other):
        return other is cls or other in cls.kinds

    def __hash__(cls):
        return hash(cls.kinds[0])  # what type(x.device) is looked up by


@rule("torch.device:test", "torch.device:value")
class Device(metaclass=OfAnyPlace):
    """What isinstance() takes for a device, and torch.device where it is a value."""


@family("cuda cpu xpu", "gpu cpu xpu")
@rule(torch.Tensor.is_cuda)
def is_cuda(self):
    return self.place.is_gpu_place()


@rule(
    torch.Tensor.is_mps,
    torch.Tensor.is_xla,
    torch.Tensor.is_ipu,
    torch.Tensor.is_maia,
    torch.Tensor.is_mtia,
    torch.Tensor.is_vulkan,
    torch.Tensor.is_meta,
    torch.Tensor.is_mkldnn,
    torch.Tensor.is_quantized,
    torch.Tensor.is_nested,
)
def is_elsewhere(self):
    return False


@rule(torch.Tensor.cpu)
def cpu(self, memory_format=None):
    return self.cpu()


@rule(torch.Tensor.cuda)
def cuda(self, device=None, non_blocking=False, memory_format=None):
    return self.cuda() if device is None else self.to(device)


@rule(torch.Tensor.pin_memory)
def pin_memory(self):
    return self.pin_memory()


@rule(torch.Tensor.is_pinned)
def is_pinned(self, device=None):
    return self.place.is_cuda_pinned_place()
