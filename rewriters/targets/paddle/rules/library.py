"""What a program's own operators (torch.library) ask of Paddle."""

import paddle


def device_type_of(tensor):
    """torch's word for the kind of device."""
    return "cuda" if tensor.place.is_gpu_place() else "cpu"


def takes_gradients(value):
    return isinstance(value, paddle.Tensor) and not value.stop_gradient


def casts(device_type):
    """Whether autocast is on there."""
    return paddle.amp.is_autocast_enabled()
