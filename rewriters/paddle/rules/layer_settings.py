"""torch.nn: what layers remember of how they were made."""

from rewriters.rule import rule


@rule("torch.nn.Conv1d.stride", "torch.nn.Conv2d.stride", "torch.nn.Conv3d.stride")
def stride(self):
    return tuple(self._stride)


@rule("torch.nn.Conv1d.dilation", "torch.nn.Conv2d.dilation", "torch.nn.Conv3d.dilation")
def dilation(self):
    return tuple(self._dilation)


@rule("torch.nn.LayerNorm.normalized_shape")
def normalized_shape(self):
    return tuple(self._normalized_shape)
