"""Windows and strided views, as copies: the gradients of Paddle's own are wrong where elements are seen twice."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.Tensor.unfold, torch.unfold_copy)
def unfold(input, dimension, size, step):
    if size <= step:
        return paddle.unfold(input, dimension, size, step)
    # the gradient of paddle.unfold is wrong where windows overlap
    axis = dimension % input.ndim
    count = (input.shape[axis] - size) // step + 1
    places = paddle.arange(count).unsqueeze(1) * step + paddle.arange(size)
    windows = paddle.index_select(input, places.flatten(), axis=axis)
    return paddle.moveaxis(paddle.unflatten(windows, axis, [count, size]), axis + 1, -1)


@rule(torch.as_strided, torch.as_strided_copy, torch.Tensor.as_strided)
def as_strided(input, size, stride, storage_offset=None):
    # a copy: the gradient of paddle.as_strided is wrong where elements are seen twice
    own = input.offset // input.element_size()
    start = 0 if storage_offset is None else storage_offset - own
    last = start + sum((length - 1) * step for length, step in zip(size, stride, strict=True))
    if start < 0 or last >= input.size or not input.is_contiguous():
        if not input.stop_gradient:
            raise NotImplementedError(
                "as_strided of a view whose gradient is asked for; index the tensor it is a view of"
            )
        return input.as_strided(list(size), list(stride), (start + own) * input.element_size()).clone()
    places = paddle.to_tensor(start, dtype="int64")
    for length, step in zip(size, stride, strict=True):
        places = places.unsqueeze(-1) + paddle.arange(length, dtype="int64") * step
    return paddle.take(input.flatten(), places)
