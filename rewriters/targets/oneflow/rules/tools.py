"""Tools around training: compiling, checkpoints in the backward, saving and loading."""

import pickle

import oneflow
import torch

from rewriters.rule import family, note, rule, same

same("torch.save")


note(
    torch.load,
    "whether loaded tensors ask for gradients may be otherwise: those of a module's state_dict do, others do not; "
    "detach() what is computed with or changed in place, or set requires_grad",
)


@rule(torch.load)
def load(f, *, weights_only=None):
    return oneflow.load(f)


@rule(torch.load)
def load(f, map_location, pickle_module=None, *, weights_only=None, mmap=None):
    return oneflow.load(f, map_location=map_location)


@rule("torch.save:file")
def save_to_file(obj, f, pickle_module=None, pickle_protocol=2, _use_new_zipfile_serialization=True):
    # OneFlow's own writes a folder
    pickle.dump(obj, f)


@rule("torch.load:file")
def load_from_file(f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None):
    return moved(pickle.load(f), map_location)


def moved(value, place):
    if place is None or callable(place):
        return value
    if isinstance(value, dict):
        return type(value)((key, moved(part, place)) for key, part in value.items())
    if isinstance(value, (list, tuple)):
        return type(value)(moved(part, place) for part in value)
    return value.to(place) if isinstance(value, oneflow.Tensor) else value


@family("from to", "ext_tensor tensor")
@rule(torch.from_dlpack, torch.utils.dlpack.from_dlpack)
def from_dlpack(ext_tensor):
    return oneflow.from_dlpack(ext_tensor)
