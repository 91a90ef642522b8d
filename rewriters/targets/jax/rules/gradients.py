"""Gradients as values: what training.py writes beside ``nnx.value_and_grad``."""

import jax
import jax.numpy as jnp
from flax import nnx

from rewriters.rule import rule
from rewriters.targets.jax.rules.nn.parameter import variable_of


@rule("torch.Tensor.grad:add_gradients")
def add_gradients(gradients, more):
    """The sum of gradients of one kind; None stands for none."""
    if gradients is None or more is None:
        return more if gradients is None else gradients
    if isinstance(more, tuple):
        return tuple(add_gradients(one, other) for one, other in zip(gradients, more, strict=False))
    return jax.tree.map(jnp.add, gradients, more)


@rule("torch.Tensor.grad:clip_gradient_norm")
def clip_gradient_norm(gradients, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """(gradients, norm), as torch clips: scaled by max_norm / (norm + 1e-6) where that is below 1."""
    leaves = jax.tree.leaves(gradients)
    if not leaves:
        return gradients, jnp.zeros((), jnp.float32)
    order = float(norm_type)
    norms = jnp.stack([jnp.linalg.norm(jnp.ravel(leaf), order) for leaf in leaves])
    norm = jnp.linalg.norm(norms, order)
    if error_if_nonfinite and not bool(jnp.isfinite(norm)):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients is non-finite, so it cannot be clipped; "
            "set `error_if_nonfinite=False` to scale by it anyway"
        )
    scale = jnp.minimum(max_norm / (norm + 1e-6), 1.0)
    return jax.tree.map(lambda leaf: leaf * scale.astype(leaf.dtype), gradients), norm


@rule("torch.Tensor.grad:clip_gradient_value")
def clip_gradient_value(gradients, clip_value, foreach=None):
    """Each element kept between -clip_value and clip_value."""
    return jax.tree.map(lambda leaf: jnp.clip(leaf, -clip_value, clip_value), gradients)


@rule("torch.Tensor.grad:gradient_of")
def gradient_of(parameter, modules, gradients):
    """The gradient of one parameter of modules by their gradients; None where it has none."""
    if gradients is None:
        return None
    for module, found in (
        zip(modules, gradients, strict=False) if isinstance(modules, tuple) else [(modules, gradients)]
    ):
        paths = {id(value): path for path, value in nnx.iter_graph(module) if isinstance(value, nnx.Param)}
        path = paths.get(id(variable_of(parameter)))
        if path is not None and found is not None:
            grad = dict(nnx.to_flat_state(found)).get(path)
            if grad is None or isinstance(parameter, nnx.Variable):
                return None if grad is None else grad[...]
            return type(parameter)(grad, parameter.axes, parameter.own_shape).get_value()
    return None


@rule("torch.Tensor.grad:forward_with_gradients")
def forward_with_gradients(function, *modules):
    """(outputs, backward): what a function of modules gives, and the function that carries gradients of the outputs
    back to the parameters of the modules, as often as it is called. None stands for no gradient.
    """
    structure, params, rest = nnx.split(nnx.List(modules), nnx.Param, ...)

    def pure(params):
        copies = nnx.merge(structure, params, rest)
        outputs = function(*copies)
        return outputs, nnx.split(copies, nnx.Param, ...)[2]

    outputs, pull, changed = jax.vjp(pure, params, has_aux=True)
    nnx.update(nnx.List(modules), changed)

    def backward(gradients):
        if isinstance(outputs, tuple):
            pairs = zip(outputs, gradients, strict=False)
            gradients = tuple(jnp.zeros_like(out) if grad is None else grad for out, grad in pairs)
        (found,) = pull(gradients)
        each = tuple(found[place] for place in range(len(modules)))
        return each[0] if len(each) == 1 else each

    return outputs, backward
