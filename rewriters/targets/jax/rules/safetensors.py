"""safetensors: arrays to and from files. The library's own functions for Flax lie in safetensors.flax."""

import jax.numpy as jnp
import numpy

from rewriters.rule import rule

KINDS = {
    "F64": "float64", "F32": "float32", "F16": "float16", "BF16": jnp.bfloat16, "I64": "int64", "I32": "int32",
    "I16": "int16", "I8": "int8", "U64": "uint64", "U32": "uint32", "U16": "uint16", "U8": "uint8", "BOOL": "bool",
    "C64": "complex64", "F8_E4M3": jnp.float8_e4m3fn, "F8_E5M2": jnp.float8_e5m2,
}  # fmt: skip


def held_as_arrays(tensors):
    """A dict of its own: the library puts numpy's arrays into the one that it is given."""
    return {name: jnp.asarray(value) for name, value in tensors.items()}


@rule("safetensors.torch.save")
def save_tensors(tensors, metadata=None):
    from safetensors.flax import save  # whoever asks for it has it

    return save(held_as_arrays(tensors), metadata=metadata)


@rule("safetensors.torch.save_file")
def save_file(tensors, filename, metadata=None):
    from safetensors.flax import save_file as save

    save(held_as_arrays(tensors), filename, metadata=metadata)


@rule("safetensors.torch.load")
def load_tensors(data):
    from safetensors import deserialize

    parts = dict(deserialize(data))
    return {name: jnp.asarray(numpy.frombuffer(part["data"], KINDS[part["dtype"]]).reshape(part["shape"]))
            for name, part in parts.items()}  # fmt: skip


@rule("safetensors.torch.load_file")
def load_file(filename, device="cpu", *, backend="mmap"):
    from safetensors.flax import load_file as load

    return load(filename)


@rule("safetensors.safe_open")
def safe_open(filename, framework, device="cpu", **options):
    import safetensors

    of_torch = framework in ("pt", "torch", "pytorch")
    # JAX puts arrays on its accelerator by itself
    return safetensors.safe_open(
        filename, framework="flax" if of_torch else framework, device="cpu" if of_torch else device, **options
    )
