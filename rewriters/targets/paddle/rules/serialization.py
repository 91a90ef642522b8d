"""Saving and loading."""

import contextlib
import io

import paddle
import torch

from rewriters.rule import becomes, family, note, rule

becomes(torch.serialization.safe_globals, contextlib.nullcontext, safe_globals=None)


@rule(torch.save)
def save(obj, f: str, pickle_module=None, pickle_protocol=2, _use_new_zipfile_serialization=True):
    return paddle.save(obj, f)


@rule(torch.save)
def save(obj, f, pickle_module=None, pickle_protocol=2, _use_new_zipfile_serialization=True):
    # paddle.save takes a str or a BytesIO
    if hasattr(f, "write") and not isinstance(f, io.BytesIO):
        buffer = io.BytesIO()
        paddle.save(obj, buffer)
        f.write(buffer.getvalue())
    else:
        paddle.save(obj, f if hasattr(f, "write") else str(f))


note(
    torch.load,
    "a tensor that was saved by itself asks for no gradient, also where it did when it was saved: set requires_grad",
)


@rule(torch.load)
def load(f: str, map_location=None, pickle_module=None, *, weights_only=None, mmap=None):
    # paddle.load puts tensors on the current device
    return paddle.load(f)


@rule(torch.load)
def load(f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None):
    if hasattr(f, "read"):
        return paddle.load(io.BytesIO(f.read()))
    return paddle.load(str(f))


@family("from to", "ext_tensor tensor")
@rule(torch.from_dlpack, torch.utils.dlpack.from_dlpack)
def from_dlpack(ext_tensor):
    return paddle.utils.dlpack.from_dlpack(ext_tensor)


# paddle.load reads pickles without asking which classes are safe, in the order of bytes of this machine.
@rule(
    torch.serialization.add_safe_globals,
    torch.serialization.set_default_load_endianness,
    torch.serialization.set_default_mmap_options,
    torch.serialization.set_crc32_options,
)
def set_of_files(setting):
    pass


@rule(torch.serialization.clear_safe_globals)
def clear_safe_globals():
    pass


@rule(torch.serialization.get_safe_globals)
def get_safe_globals():
    return []
