"""torch.compile. Training steps are compiled by nnx.jit as a whole, and models outside of them run as they stand."""

import contextlib

import jax
import jax.numpy as jnp
import numpy
import torch

from rewriters.rule import rule


@rule(torch.compile, torch.compiler.compile)
def compile(
    model=None, *, fullgraph=False, dynamic=None, backend="inductor", mode=None, options=None, disable=False
):  # fmt: skip
    if model is None:
        return lambda function: function
    return model


@rule(torch.compiler.disable)
def disable(fn=None, recursive=True, *, reason=None):
    if fn is None:
        return lambda function: function
    return fn


@rule(torch.compiler.nested_compile_region)
def nested_compile_region(fn=None, options=None, **kwargs):
    return (lambda function: function) if fn is None else fn


@rule(torch.compiler.substitute_in_graph)
def substitute_in_graph(original_fn, *, can_constant_fold_through=False, skip_signature_check=False):
    return lambda function: function


@rule(torch.compiler.wrap_numpy)
def wrap_numpy(fn):
    """A function of numpy's arrays as one of JAX's."""

    def of_arrays(*args, **kwargs):
        def plain(value):
            return numpy.asarray(value) if isinstance(value, jax.Array) else value

        found = fn(*map(plain, args), **{name: plain(value) for name, value in kwargs.items()})
        return tuple(map(jnp.asarray, found)) if isinstance(found, tuple) else jnp.asarray(found)

    return of_arrays


@rule(torch.compiler.list_backends)
def list_backends(exclude_tags=("debug", "experimental")):
    return ["xla"]


@rule(torch.compiler.set_stance)
class set_stance(contextlib.nullcontext):
    """Whether torch's compiler compiles; nnx.jit is where a function says so."""

    def __init__(self, stance="default", *, skip_guard_eval_unsafe=False, force_backend=None):
        super().__init__()


@rule(torch.compiler.save_cache_artifacts)
def save_cache_artifacts():
    return None


@rule(torch.compiler.load_cache_artifacts)
def load_cache_artifacts(serialized_artifacts):
    return None


@rule(
    torch.compiler.cudagraph_mark_step_begin,
    torch.compiler.reset,
    torch.compiler.set_enable_guard_collectives,
    torch.compiler.set_default_backend,
)
def steer(*args):
    pass
