"""Indices that Paddle 3.3.1 gets wrong: into strided views, and with new axes beside a tensor."""

import functools
import math

import paddle
import torch

from rewriters.rule import rule


@rule("torch.Tensor.__getitem__:strided")
def in_one_piece(self):
    return self.clone()  # contiguous() changes its receiver itself, which then shares memory with nobody


def lies_in_one_piece(tensor):
    """As torch says it: where an axis has one element, its stride does not matter."""
    expected = 1
    for size, stride in zip(reversed(tensor.shape), reversed(tensor.strides), strict=True):
        if size != 1 and stride != expected:
            return tensor.size == 0
        expected *= size
    return True


@rule("torch.Tensor.contiguous:shared")
def contiguous_or_clone(self):
    if self.is_contiguous():
        return self
    if lies_in_one_piece(self) and self.size:
        # By the strides of axes of one element Paddle takes it for a strided view, and indexes it wrongly.
        return self.reshape([-1]).reshape(self.shape)
    return self.clone()


@rule("torch.ravel:shared", "torch.Tensor.ravel:shared")
def ravel_anew(input):
    return (input if lies_in_one_piece(input) else input.clone()).flatten()


def with_new_axes(tensor, index):
    """The tensor with the new axes of an index made, and the index without them: beside a tensor Paddle puts them
    elsewhere.
    """
    parts = parts_of(index)
    axes = [0 if part is None or part is Ellipsis else axes_of(part) for part in parts]
    rest, axis, found = tensor.ndim - sum(axes), 0, []
    for part, count in zip(parts, axes, strict=True):
        if part is None:
            tensor = tensor.unsqueeze(axis)
        found.append(slice(None) if part is None else part)
        axis += 1 if part is None else rest if part is Ellipsis else count
    return tensor, with_masks_as_places(found)


def parts_of(index):
    """The parts of an index: a list of up to 31 that holds more than numbers is one of several parts."""
    if isinstance(index, list) and len(index) < 32 and any(is_part(one) for one in index):
        return [list(one) if isinstance(one, (tuple, range)) else one for one in index]
    return list(index) if isinstance(index, tuple) else [index]


def is_part(item):
    return item is None or item is Ellipsis or isinstance(item, slice) or hasattr(item, "__len__")


def with_masks_as_places(index):
    """The parts of an index; beside a tensor Paddle takes the first axis alone of a mask that has several."""
    arrays = [part for part in index if isinstance(part, (list, paddle.Tensor))]
    if len(arrays) < 2 or all(axes_of(part) == 1 for part in arrays):
        return tuple(index)
    found = []
    for part in index:
        found += part.nonzero(as_tuple=True) if axes_of(part) > 1 else [part]
    return tuple(found)


def axes_of(part):
    """How many axes a part of an index is for: a mask is for as many as it has."""
    return part.ndim if "bool" in str(getattr(part, "dtype", "")) else 1


@rule("torch.Tensor.__getitem__:new axes")
def take(self, index):
    tensor, index = with_new_axes(self, index)
    return (tensor if tensor.is_contiguous() else tensor.clone())[index]


@rule("torch.Tensor.__getitem__:strided unknown")
def taken(self, index):
    """Of what may be no tensor."""
    return (self.clone() if isinstance(self, paddle.Tensor) else self)[index]


@rule("torch.Tensor.__getitem__:strided index")
def picked(self, index):
    """Of an index whose parts are not known: without a tensor or a list among them torch gives a view."""
    parts = [part.item() if is_place(part) else part for part in parts_of(index)]
    if any(isinstance(part, (list, tuple, range)) or hasattr(part, "shape") for part in parts):
        return take(self, index)
    return self[tuple(parts)]


@rule("torch.Tensor.__getitem__:any")
def picked_of_any(owner, index):
    """As ``picked``, of what may be no tensor."""
    return picked(owner, index) if isinstance(owner, paddle.Tensor) else owner[index]


@rule("torch.Tensor.__getitem__:handed on")
def picking(self):
    return functools.partial(picked, self)


def is_place(part):
    """Whether it is one whole number of an array or a tensor, without axes."""
    return getattr(part, "shape", None) in ([], ()) and "int" in str(part.dtype)


def by_places(shape, index):
    """What an index picks of a tensor of that shape, as places along each axis."""
    places = take(paddle.arange(math.prod(shape)).reshape(shape), index)
    found = []
    for size in reversed(shape):
        found.insert(0, places % size)
        places = places // size
    return tuple(found)


def is_recorded(tensor, value):
    """Whether a graph is to know of what is stored."""
    given = (tensor, value) if isinstance(value, paddle.Tensor) else (tensor,)
    return paddle.is_grad_enabled() and not all(one.stop_gradient for one in given)


@rule(
    "torch.Tensor.__setitem__:strided",
    "torch.Tensor.__setitem__:strided index",
    "torch.Tensor.__setitem__:new axes",
    "torch.Tensor.__setitem__:masked",
    "torch.Tensor.__setitem__:rows",
)
def store(self, index, value):
    """Store by index, through a copy: Paddle's own store writes over the wrong elements of a strided view.

    Of new axes, and of one element that is stored by a mask, Paddle tells no graph: places are stored to. A number
    that is stored at no places it refuses.
    """
    if any(isinstance(part, paddle.Tensor) and part.size == 0 for part in parts_of(index)):
        return
    anew = any(part is None for part in parts_of(index))
    if is_recorded(self, value) and (anew or getattr(value, "size", 0) == 1):
        index = by_places(self.shape, index)
        value = value.astype(self.dtype).expand(index[0].shape) if isinstance(value, paddle.Tensor) else value
        tensor = self
    else:
        tensor, index = with_new_axes(self, index)
    if tensor.is_contiguous():
        tensor[index] = value
    else:
        whole = tensor.clone()
        whole[index] = value
        paddle.assign(whole, tensor)


@rule("torch.Tensor.__setitem__:handed on")
def storing(self):
    return functools.partial(store, self)


@rule("torch.Tensor.__setitem__:strided unknown", "torch.Tensor.__setitem__:any")
def stored(self, index, value):
    """Of what may be no tensor."""
    if isinstance(self, paddle.Tensor):
        store(self, index, value)
    else:
        self[index] = value


@rule("torch.Tensor.__setitem__:strided unknown in place")
def changed_there(self, index, changed):
    """As ``stored``, of what the function makes of the elements."""
    stored(self, index, changed(taken(self, index)))


@rule("torch.Tensor.__setitem__:strided index in place")
def change_picked(self, index, changed):
    store(self, index, changed(picked(self, index)))


@rule(
    "torch.Tensor.__setitem__:strided in place",
    "torch.Tensor.__setitem__:new axes in place",
    "torch.Tensor.__setitem__:masked in place",
)
def change(self, index, changed):
    """As ``store``, of what the function makes of the elements."""
    store(self, index, changed(take(self, index)))


@rule(torch.Tensor.unfold, torch.unfold_copy, "torch.Tensor.unfold:gradient")
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
