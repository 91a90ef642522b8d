"""Windows of ceil_mode: torch has none that begins in the padding behind the last element, Paddle has."""

import paddle


def each(value, dims):
    """One number for each axis."""
    values = list(value) if isinstance(value, (list, tuple)) else [value]
    return values * dims if len(values) == 1 else values


def begun_inside(pooled, input, dims, kernel_size, stride, padding):
    """What Paddle pooled in ceil_mode, without the windows that torch leaves out."""
    kernel, padding = each(kernel_size, dims), each(padding, dims)
    stride = each(stride, dims) if stride else kernel
    for axis in range(dims):
        size = input.shape[axis - dims]
        count = -(-(size + 2 * padding[axis] - kernel[axis]) // stride[axis]) + 1
        if (count - 1) * stride[axis] >= size + padding[axis]:
            pooled = pooled.slice([pooled.ndim - dims + axis], [0], [count - 1])
    return pooled


def averages_begun_inside(input, dims, kernel_size, stride, padding, count_include_pad):
    """Average pooling in ceil_mode, with padding."""
    pool = {1: paddle.nn.functional.avg_pool1d, 2: paddle.nn.functional.avg_pool2d, 3: paddle.nn.functional.avg_pool3d}
    pooled = pool[dims](
        input, kernel_size, stride=stride, padding=padding, ceil_mode=True, exclusive=not count_include_pad
    )
    return begun_inside(pooled, input, dims, kernel_size, stride, padding)
