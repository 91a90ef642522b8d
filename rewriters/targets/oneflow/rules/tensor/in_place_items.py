"""Changes of a part of a tensor, ``y[0].mul_(3)``: stored to the part, since OneFlow tells no graph of a change through
a view.
"""

import oneflow

from rewriters.rule import rule


@rule("torch.Tensor.add_:item")
def add_item(self, other, *, alpha=1):
    self[...] = self + other if alpha == 1 else self + alpha * other
    return self


@rule("torch.Tensor.sub_:item")
def sub_item(self, other, *, alpha=1):
    self[...] = self - other if alpha == 1 else self - alpha * other
    return self


@rule("torch.Tensor.mul_:item")
def mul_item(self, other):
    self[...] = self * other
    return self


@rule("torch.Tensor.div_:item")
def div_item(self, other):
    self[...] = self / other
    return self


@rule("torch.Tensor.clamp_:item")
def clamp_item(self, min: int | float | None = None, max: int | float | None = None):
    self[...] = oneflow.clamp(self, min=min, max=max)
    return self


@rule("torch.Tensor.masked_fill_:item")
def masked_fill_item(self, mask, value: int | float):
    self[...] = oneflow.masked_fill(self, mask, value)
    return self


@rule("torch.Tensor.relu_:item")
def relu_item(self):
    self[...] = oneflow.relu(self)
    return self


@rule("torch.Tensor.__setitem__:mixed")
def store_at(self, index, value):
    """Store by slices beside places, or by a new axis: OneFlow tells no graph of it, but of a store by places alone."""
    given = [one for one in (self, value) if isinstance(one, oneflow.Tensor)]
    if (
        not isinstance(self, oneflow.Tensor)
        or not oneflow.is_grad_enabled()
        or not any(one.requires_grad for one in given)
    ):
        self[index] = value
        return
    places = oneflow.arange(self.numel(), device=self.device).reshape(self.shape)[index]
    axes = []
    for size in reversed(self.shape):
        axes.insert(0, places % size)
        places = places // size
    self[tuple(axes)] = value.to(self.dtype).expand(axes[0].shape) if isinstance(value, oneflow.Tensor) else value
