"""Tools around training: compiling, checkpoints in the backward, saving and loading."""

import oneflow
import torch

from rewriters.rule import rule, same

same("torch.save")


@rule(torch.load)
def load(f, *, weights_only=None):
    return oneflow.load(f)


@rule(torch.load)
def load(f, map_location, pickle_module=None, *, weights_only=None, mmap=None):  # noqa: F811
    return oneflow.load(f, map_location=map_location)


@rule(torch.compile)
def compile(model, *, fullgraph=False, dynamic=None, backend=None, mode=None, options=None, disable=False):
    return model  # it runs as it is; `migrate convert --static` writes an nn.Graph


@rule(torch.utils.checkpoint.checkpoint)
def checkpoint(function, *args, use_reentrant=None, preserve_rng_state=True, **kwargs):
    return oneflow.utils.checkpoint.checkpoint(function, *args, **kwargs)


@rule(torch.autograd.Variable)
def Variable(data, requires_grad=False):
    return data.detach().requires_grad_() if requires_grad else data.detach()


@rule(torch.from_dlpack, torch.utils.dlpack.from_dlpack)
def from_dlpack(ext_tensor):
    return oneflow.from_dlpack(ext_tensor)


@rule(torch.to_dlpack, torch.utils.dlpack.to_dlpack)
def to_dlpack(tensor):
    return oneflow.to_dlpack(tensor)
