"""What a program's own operators (torch.library) ask of OneFlow."""

import oneflow


def device_type_of(tensor):
    """torch's word for the kind of device."""
    return tensor.device.type


def takes_gradients(value):
    return isinstance(value, oneflow.Tensor) and value.requires_grad


def casts(device_type):
    """Whether autocast is on there: on a GPU alone there is one."""
    return device_type == "cuda" and oneflow.is_autocast_enabled()
