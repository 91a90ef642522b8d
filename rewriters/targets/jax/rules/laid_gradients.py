"""Gradients that lie at parameters: of steps of which several functions have a part, as own optimizers do."""

import sys

import jax
import jax.numpy as jnp
from flax import nnx

from rewriters.rule import rule
from rewriters.targets.jax.rules.gradients import clip_gradient_norm
from rewriters.targets.jax.rules.nn.parameter import variable_of

LAID = {}  # the id of a parameter -> the parameter, and its gradient laid out as it is


def shown(parameter, laid):
    """A gradient as the parameter shows its value."""
    return laid if isinstance(parameter, nnx.Variable) else type(parameter)(laid, parameter.axes, parameter.own_shape)


def forget_discarded():
    """Drop the gradients of parameters that nothing else holds: NNX's Variables cannot be referred to weakly."""
    probe = (object(),)
    alone = sys.getrefcount(probe[0])
    for key in [key for key, entry in LAID.items() if sys.getrefcount(entry[0]) <= alone]:
        del LAID[key]


@rule("torch.Tensor.grad:gradient_at")
def gradient_at(parameter):
    """The gradient that lies at a parameter; None where there is none. Of other objects, what they call so."""
    variable = variable_of(parameter)
    if isinstance(variable, nnx.Variable):
        laid = LAID.get(id(variable))
        return None if laid is None else shown(parameter, laid[1]).get_value()
    if isinstance(parameter, jax.Array):
        raise NotImplementedError(
            "gradients lie at parameters, not at arrays: make it one with torch.nn.Parameter, or take its gradient "
            "with torch.autograd.grad"
        )
    return parameter.grad


@rule("torch.Tensor.grad:lay_gradient")
def lay_gradient(parameter, value):
    """Have another gradient lie at a parameter; None for none."""
    variable = variable_of(parameter)
    if isinstance(variable, nnx.Variable):
        LAID.pop(id(variable), None)
        if value is not None:
            laid = variable.replace(variable.get_value())
            shown(parameter, laid).set_value(jnp.asarray(value))
            LAID[id(variable)] = variable, laid
    elif isinstance(parameter, jax.Array):
        raise NotImplementedError("gradients lie at parameters, not at arrays: make it one with torch.nn.Parameter")
    else:
        parameter.grad = value


@rule("torch.Tensor.grad:lay_gradients")
def lay_gradients(modules, gradients):
    """Add gradients of a module, or of several in a tuple, to what lies at their parameters."""
    forget_discarded()
    pairs = zip(modules, gradients, strict=True) if isinstance(modules, tuple) else [(modules, gradients)]
    for module, state in pairs:
        alone = isinstance(module, nnx.Variable)
        values = {} if state is None else {(): state} if alone else dict(nnx.to_flat_state(state))
        for path, variable in [((), module)] if alone else nnx.iter_graph(module):
            if isinstance(variable, nnx.Param) and path in values:
                grad = values[path]
                grad = grad[...] if isinstance(grad, nnx.Variable) else grad
                before = LAID.get(id(variable))
                laid = variable.replace(grad if before is None else before[1].get_value() + grad)
                LAID[id(variable)] = variable, laid


def parameters_of(owner):
    """The Variables of a module, of several parameters, or of one."""
    if isinstance(variable_of(owner), nnx.Variable):
        return [variable_of(owner)]
    given = owner.parameters() if hasattr(owner, "parameters") else owner
    return [variable_of(parameter) for parameter in given]


@rule("torch.Tensor.grad:clear_gradients")
def clear_gradients(owner):
    for variable in parameters_of(owner):
        LAID.pop(id(variable), None)


@rule("torch.Tensor.grad:clip_laid_norm")
def clip_laid_norm(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Clip the gradients that lie at parameters as torch does; their norm before."""
    found = [LAID[id(variable)][1] for variable in parameters_of(parameters) if id(variable) in LAID]
    clipped, norm = clip_gradient_norm([laid.get_value() for laid in found], max_norm, norm_type, error_if_nonfinite)
    for laid, value in zip(found, clipped, strict=True):
        laid.set_value(value)
    return norm


@rule("torch.Tensor.grad:clip_laid_value")
def clip_laid_value(parameters, clip_value, foreach=None):
    for variable in parameters_of(parameters):
        if id(variable) in LAID:
            laid = LAID[id(variable)][1]
            laid.set_value(jnp.clip(laid.get_value(), -clip_value, clip_value))
