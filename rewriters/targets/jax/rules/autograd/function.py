"""torch.autograd.Function: a function with a derivative of its own, by jax.custom_vjp."""

import jax
import jax.numpy as jnp
import torch
from flax import nnx

from rewriters.rule import rule, same

same(
    "torch.autograd.function.FunctionCtx.save_for_backward",
    "torch.autograd.function.FunctionCtx.mark_non_differentiable",
    "torch.autograd.function.FunctionCtx.set_materialize_grads",
)


@rule(torch.autograd.function.FunctionCtx)
class Context:
    """What forward leaves for backward."""

    def __init__(self, needs_input_grad):
        self.needs_input_grad, self.saved_tensors = needs_input_grad, ()

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors

    def mark_non_differentiable(self, *args):
        pass  # gradients of integers are zeros here, and backward sees them as such

    def set_materialize_grads(self, value):
        pass  # there are always arrays here

    def mark_dirty(self, *args):
        raise NotImplementedError("arrays do not change: give the new one back from forward")


def is_array(value):
    return isinstance(value, (jax.Array, nnx.Variable)) or hasattr(value, "__jax_array__")


def gradient_or_zeros(gradient):
    """Of an output of integers JAX has no gradient, torch zeros."""
    return jnp.zeros(gradient.shape, jnp.float32) if gradient.dtype == jax.dtypes.float0 else gradient


@rule(torch.autograd.Function)
class Function:
    """torch's protocol: forward(ctx, ...) and backward(ctx, ...), or forward(...) and setup_context."""

    @classmethod
    def apply(cls, *args):
        places = [place for place, value in enumerate(args) if is_array(value)]
        left = {}  # by forward, of what is no array

        def given(arrays):
            whole = list(args)
            for place, array in zip(places, arrays, strict=True):
                whole[place] = array
            return whole

        def run(arrays):
            inexact = {place: jnp.issubdtype(args[place].dtype, jnp.inexact) for place in places}
            ctx = Context(tuple(inexact.get(place, False) for place in range(len(args))))
            if not hasattr(cls, "setup_context"):
                return ctx, cls.forward(ctx, *given(arrays))
            output = cls.forward(*given(arrays))
            cls.setup_context(ctx, tuple(given(arrays)), output)
            return ctx, output

        @jax.custom_vjp
        def applied(*arrays):
            return run(arrays)[1]

        def forward(*arrays):
            ctx, output = run(arrays)
            leaves, left["structure"] = jax.tree.flatten(vars(ctx))
            left["rest"] = [None if isinstance(leaf, jax.Array) else leaf for leaf in leaves]
            return output, [leaf if isinstance(leaf, jax.Array) else None for leaf in leaves]

        def backward(kept, gradients):
            leaves = [rest if leaf is None else leaf for leaf, rest in zip(kept, left["rest"], strict=True)]
            ctx = Context(())
            vars(ctx).update(jax.tree.unflatten(left["structure"], leaves))
            gradients = gradients if isinstance(gradients, (list, tuple)) else (gradients,)
            found = cls.backward(ctx, *map(gradient_or_zeros, gradients))
            found = found if isinstance(found, (list, tuple)) else (found,)
            return tuple(found[place] if jnp.issubdtype(args[place].dtype, jnp.inexact) else None for place in places)

        applied.defvjp(forward, backward)
        return applied(*(jnp.asarray(args[place]) for place in places))


@rule(torch.autograd.Function.apply)
def apply(self, *args):
    return self.apply(*args)


@rule(torch.autograd.function.once_differentiable)
def once_differentiable(fn):
    return fn
