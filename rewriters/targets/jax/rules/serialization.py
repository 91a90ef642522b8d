"""Saving and loading of nested containers with arrays."""

import contextlib
import pickle

import jax.numpy as jnp
import numpy
import torch

from rewriters.rule import becomes, note, rule

becomes(torch.serialization.safe_globals, contextlib.nullcontext, safe_globals=None)

note(
    torch.save,
    "written as a pickle of JAX's arrays, which torch.load does not read; `migrate weights` carries checkpoints over",
)


@rule(torch.save)
def save(obj, f, pickle_module=None, pickle_protocol=2, _use_new_zipfile_serialization=True):
    if hasattr(f, "write"):
        pickle.dump(obj, f)
        return
    with open(f, "wb") as file:
        pickle.dump(obj, file)


class ArraysAlone(pickle.Unpickler):
    """Reads containers, numbers, texts and arrays, and runs nothing else that a file names."""

    admitted = frozenset({
        ("jax._src.array", "_reconstruct_array"), ("numpy", "ndarray"), ("numpy", "dtype"),
        ("numpy._core.multiarray", "_reconstruct"), ("numpy._core.multiarray", "scalar"),
        ("numpy.core.multiarray", "_reconstruct"), ("numpy.core.multiarray", "scalar"),
        ("numpy._core.numeric", "_frombuffer"), ("collections", "OrderedDict"), ("collections", "Counter"),
        ("builtins", "set"), ("builtins", "complex"), ("builtins", "bytearray"), ("_codecs", "encode"),
    })  # fmt: skip

    def find_class(self, module, name):
        if (module, name) in self.admitted or module == "ml_dtypes":
            return super().find_class(module, name)
        raise pickle.UnpicklingError(
            f"Weights only load failed: {module}.{name} is no array; with weights_only=False it is loaded, "
            "which may run any code: only for files that you trust"
        )


def open_checkpoint(file, weights_only):
    if file.read(2) == b"PK":
        raise pickle.UnpicklingError(
            "this is a checkpoint of PyTorch's: `migrate weights` converts it to one that is loaded here"
        )
    file.seek(0)
    return (ArraysAlone if weights_only else pickle.Unpickler)(file).load()


@rule(torch.load)
def load(f, map_location=None, pickle_module=None, *, weights_only=True, mmap=None, **pickle_load_args):
    if hasattr(f, "read"):
        return open_checkpoint(f, weights_only)
    with open(f, "rb") as file:
        return open_checkpoint(file, weights_only)


@rule(torch.from_file)
def from_file(
    filename,
    shared=None,
    size=0,
    *,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=False,
    requires_grad=False,
):
    if shared:
        raise NotImplementedError("JAX's arrays do not change, and no file follows them; write it by numpy's tofile")
    return jnp.asarray(numpy.fromfile(filename, jnp.float32 if dtype is None else dtype, size))


@rule(torch.from_dlpack)
def from_dlpack(ext_tensor, *, device=None, copy=None):
    return jnp.from_dlpack(ext_tensor, copy=copy)


@rule(torch.to_dlpack)
def to_dlpack(tensor):
    # from_dlpack takes what has a __dlpack__, as arrays have
    return tensor
