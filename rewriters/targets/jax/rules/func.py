"""torch.func: derivatives and batches of functions, which JAX is made of."""

import contextlib
from collections import OrderedDict

import jax
import jax.numpy as jnp
import torch
from flax import nnx

from rewriters.rule import becomes, rule
from rewriters.targets.jax.rules.nn.modules.stored import View, each_variable

becomes(torch.func.jacfwd, jax.jacfwd, randomness=None)
becomes(torch.func.hessian, jax.hessian)


def in_order(value):
    """The value with its dicts as OrderedDicts: JAX hands dicts on sorted by key, and these as they are."""
    if type(value) is dict:
        return OrderedDict((key, in_order(item)) for key, item in value.items())
    return type(value)(map(in_order, value)) if type(value) in (list, tuple) else value


def keeping_order(function):
    def called(*args, **kwargs):
        kwargs = {name: in_order(value) for name, value in kwargs.items()}
        return in_order(function(*map(in_order, args), **kwargs))

    return called


@rule(torch.func.grad)
def func_grad(func, argnums=0, has_aux=False):
    return keeping_order(jax.grad(keeping_order(func), argnums, has_aux))


@rule(torch.func.grad_and_value)
def grad_and_value(func, argnums=0, has_aux=False):
    both = keeping_order(jax.value_and_grad(keeping_order(func), argnums, has_aux))

    def turned(*args, **kwargs):
        value, gradients = both(*args, **kwargs)
        return gradients, value

    return turned


@rule(torch.func.vmap, torch.vmap)
def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    if randomness == "different":
        raise NotImplementedError("what is drawn inside is the same for each; draw before, and map over that too")
    return keeping_order(jax.vmap(keeping_order(func), in_order(in_dims), in_order(out_dims)))


@rule(torch.func.jacrev)
def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None, _preallocate_and_copy=False):
    return keeping_order(jax.jacrev(keeping_order(func), argnums, has_aux))


@rule(torch.func.vjp)
def func_vjp(func, *primals, has_aux=False):
    return jax.vjp(func, *primals, has_aux=has_aux)


@rule(torch.func.jvp)
def func_jvp(func, primals, tangents, *, strict=False, has_aux=False):
    return jax.jvp(func, tuple(primals), tuple(tangents), has_aux=has_aux)


@rule(torch.func.linearize)
def func_linearize(func, *primals):
    return jax.linearize(func, *primals)


def value_in(given):
    return given.get_value() if isinstance(given, (nnx.Variable, View)) else jnp.asarray(given)


@rule(torch.func.functional_call)
def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    if not tie_weights:
        raise NotImplementedError("what is tied is one variable of Flax; give each layer its own")
    dicts = parameter_and_buffer_dicts
    given = dict(dicts) if isinstance(dicts, dict) else {name: value for each in dicts for name, value in each.items()}
    graph, state = nnx.split(module)
    copied = nnx.merge(graph, jax.tree.map(lambda value: value, state))  # variables of its own
    own = {name: view for name, view, _ in each_variable(copied, nnx.Variable, once=False)}
    unknown, left = [name for name in given if name not in own], [name for name in own if name not in given]
    if strict and (unknown or left):
        raise RuntimeError(f"functional_call is strict: the module has not {unknown}, and also has {left}")
    given = {name: value_in(value) for name, value in given.items() if name in own}
    for name, value in given.items():
        own[name].set_value(value)
    before = [variable.get_value() for variable in jax.tree.leaves(nnx.state(copied), is_leaf=is_variable)]
    result = copied(*(() if args is None else args if isinstance(args, tuple) else (args,)), **(kwargs or {}))
    after = jax.tree.leaves(nnx.state(copied), is_leaf=is_variable)
    kept = jax.tree.leaves(nnx.state(module), is_leaf=is_variable)
    changes = [place for place, old in enumerate(before) if after[place].get_value() is not old]
    if changes and any(own[name].get_value() is not value for name, value in given.items() if is_plain(own[name])):
        raise NotImplementedError("a buffer that was given to functional_call changed: torch changes it in place")
    for place in changes:
        kept[place].set_value(after[place].get_value())
    return result


def is_variable(value):
    return isinstance(value, nnx.Variable)


def is_plain(value):
    return is_variable(value) and not isinstance(value, nnx.Param)


@rule(torch.func.stack_module_state)
def stack_module_state(models):
    def stacked(dicts):
        # new ones, of which the models' own know nothing
        return {name: jax.lax.stop_gradient(jnp.stack([values[name][...] for values in dicts])) for name in dicts[0]}

    parameters = stacked([dict(model.named_parameters()) for model in models])
    return parameters, stacked([dict(model.named_buffers()) for model in models])


@rule(torch.func.functionalize)
def functionalize(func, *, remove="mutations"):
    # arrays do not change
    return func


@rule(torch.func.debug_unwrap)
def debug_unwrap(tensor, *, recurse=True):
    return tensor


@rule("torch._dynamo._trace_wrapped_higher_order_op.TransformGetItemToIndex")
def TransformGetItemToIndex():
    return contextlib.nullcontext()  # what is traced is an index
