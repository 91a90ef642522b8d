"""JAX inside a worker: arrays to numpy and back, and gradients, which JAX takes of functions.

Loaded by path in the interpreter that has JAX; imports nothing else than it, Flax and numpy.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")
if made := re.search(r"xla_force_host_platform_device_count=(\d+)", os.environ.get("XLA_FLAGS", "")):
    # Devices on a CPU wait for each other in one pool of threads, for ever where it has too few; NPROC is its size.
    os.environ.setdefault("NPROC", str(max(4 * int(made[1]), os.cpu_count() or 1)))

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx

jax.config.update("jax_enable_x64", True)


def version():
    """The framework's version."""
    return jax.__version__


def seed(number):
    """What the helper module of a converted file draws from; each makes its own when it is imported."""
    for module in list(sys.modules.values()):
        rngs = getattr(module, "rngs", None)
        if isinstance(rngs, nnx.Rngs):
            rngs.manual_seed(number) if hasattr(type(rngs), "manual_seed") else nnx.reseed(rngs, default=number)


def threads(number):
    """XLA takes them from the environment before it starts."""


def is_tensor(value):
    return isinstance(value, jax.Array)


def opened(value):
    """The array of what holds a parameter, which a program shows as a tensor; anything else as it is."""
    if isinstance(value, nnx.Variable) or isinstance(getattr(value, "variable", None), nnx.Variable):
        return value.get_value()
    return value


def is_module(value):
    return isinstance(value, nnx.Module)


MADE = itertools.count(1)


def tensor(array):
    """A tensor of the array's dtype and shape that owns its memory."""
    if next(MADE) % 200 == 0:
        jax.clear_caches()  # each shape and dtype has its own compiled code, kept for ever else
    return jnp.array(np.array(array))


def array(value):
    """The tensor's values; bfloat16, which numpy does not have, as float32."""
    if value.dtype == jnp.bfloat16:
        value = value.astype(jnp.float32)
    return np.asarray(jax.lax.stop_gradient(value))


def dtype(value):
    """The name of a tensor's dtype, ``float32``."""
    return str(value.dtype)


def evaluate(model):
    model.eval()


def no_grad():
    return contextlib.nullcontext()


def differentiable(value):
    """Whether a gradient can be taken of it."""
    return jnp.issubdtype(value.dtype, jnp.inexact)


def pulled_back(compute, leaves):
    """What ``compute(leaves)`` gives, and from weights of each output to the gradients of their sum, as arrays."""
    outputs, back = jax.vjp(lambda *values: compute(list(values)), *values_of(leaves))
    return outputs, lambda weights: as_arrays(back(weighted(outputs, weights)))


def pulled_back_twice(compute, leaves, first):
    """As ``pulled_back``; of the sum of squares of the gradients with respect to so many first leaves."""

    def gradients(weights):
        def squares(*given):
            outputs, back = jax.vjp(lambda *some: compute([*some, *given[first:]]), *given[:first])
            found = [value for value in back(weighted(outputs, weights)) if value.dtype != jax.dtypes.float0]
            return sum((value * value.conj()).real.sum() for value in found)

        found, back = jax.vjp(squares, *values)
        return as_arrays(back(jnp.ones_like(found)))

    values = values_of(leaves)
    return compute(values), gradients


def values_of(leaves):
    return [leaf.get_value() if isinstance(leaf, nnx.Variable) else leaf for leaf in leaves]


def weighted(outputs, weights):
    """The weights as JAX takes them: of complex numbers its gradients are the conjugates of torch's."""
    return [jnp.asarray(weight, output.dtype).conj() for output, weight in zip(outputs, weights, strict=True)]


def as_arrays(gradients):
    return [None if value.dtype == jax.dtypes.float0 else array(value.conj()) for value in gradients]


# -- models ---------------------------------------------------------------------------------------------------------

MODULE = nnx.Module
LEVELS = ("outputs", "activations", "gradients", "steps", "double")


def parts(module):
    """(name, value) of what a module holds, by its own names and in its own order."""
    if isinstance(module, nnx.List):
        return [(str(place), value) for place, value in enumerate(module)]
    return list(module.items() if isinstance(module, nnx.Dict) else vars(module).items())


def persists(value):
    return value.get_metadata().get("persistent", True)


def variables(module, prefix=""):
    """(dotted path, variable) of parameters and persistent buffers; one that is held twice has two paths."""
    for name, value in parts(module):
        # A Linear that shares another's weight has it in torch's layout, under torch's name.
        path = f"{prefix}{'weight' if name == 'tied' else name}"
        if isinstance(value, nnx.Module):
            yield from variables(value, f"{path}.")
        elif isinstance(value, nnx.Variable) and not isinstance(value, nnx.RngState) and persists(value):
            yield path, value


def state(model):
    """Name -> array, for parameters and persistent buffers."""
    return {name: array(value.get_value()) for name, value in variables(model)}


def shapes(model):
    """Name -> shape of what ``load_state`` fills."""
    return {name: tuple(value.shape) for name, value in variables(model)}


def load_state(model, arrays):
    """Fill parameters and buffers; names and shapes must be those of ``shapes``."""
    own = dict(variables(model))
    if own.keys() != arrays.keys():
        raise KeyError(
            f"the model has {sorted(own.keys() - arrays.keys())}, and not {sorted(arrays.keys() - own.keys())}"
        )
    for name, value in own.items():
        value.set_value(jnp.array(arrays[name], value.dtype))


def parameters(model):
    """Name -> parameter, for those that are trained."""
    found = {id(value): (name, value) for name, value in reversed(list(variables(model)))}
    return {name: value for name, value in reversed(list(found.values())) if isinstance(value, nnx.Param)}


def substituted(model, values):
    """A copy of the model whose parameters of these names are these values: its own are not written to in a trace."""
    graph, state = nnx.split(model)
    model = nnx.merge(graph, jax.tree.map(lambda value: value, state))
    own = dict(variables(model))  # one that is held twice may come under its other name first
    for name, value in values.items():
        own[name].set_value(value)
    return model


def modules(model):
    """(qualified name, module) of the model and all its parts, named as in torch: without what NNX puts between."""
    found, waiting = [], [("", model)]
    seen = set()
    while waiting:
        path, module = waiting.pop()
        if id(module) in seen:
            continue
        seen.add(id(module))
        found.append((path, module))
        held = module.layers if isinstance(module, nnx.Sequential) else module
        below = [(name, value) for name, value in parts(held) if isinstance(value, nnx.Module)]
        waiting += [(f"{path}.{name}" if path else name, value) for name, value in reversed(below)]
    return found


def callable_here(kind):
    return hasattr(kind, "__call__")  # noqa: B004 (of the class: its instances are called)


@contextlib.contextmanager
def hooked(model, before, after):
    """Have each call of a module told: ``before(name, module, args, kwargs)``, ``after(name, module, result)``."""
    names = {id(module): name for name, module in modules(model)}
    saved, told_of = {}, {}
    listening = [True]

    def told(kind, original):
        def call(self, *args, **kwargs):
            name = names.get(id(self)) if listening else None
            if name is None or type(self) is not kind:  # what a derived class calls of its base
                return original(self, *args, **kwargs)
            before(name, self, args, kwargs)
            result = original(self, *args, **kwargs)
            after(name, self, result)
            return result

        return call

    kinds = [kind for kind in dict.fromkeys(type(module) for _, module in modules(model)) if callable_here(kind)]
    calls = {kind: kind.__call__ for kind in kinds}
    for kind in kinds:
        saved[kind] = vars(kind).get("__call__")
        kind.__call__ = told_of[kind] = told(kind, calls[kind])
    try:
        yield
    finally:
        listening.clear()
        for kind, original in saved.items():
            if vars(kind).get("__call__") is not told_of[kind]:
                continue  # the program has wrapped it since, for hooks of its own
            if original is None:
                del kind.__call__
            else:
                kind.__call__ = original


def clone(value):
    """A copy through which gradients flow."""
    return jnp.array(value)


def recorded():
    """All that is computed keeps what its gradient needs by itself."""
    return contextlib.nullcontext()


def drawing(draws):
    """What a compiled function draws hangs on its keys: nothing is replayed."""
    return contextlib.nullcontext()


@contextlib.contextmanager
def dropout(keep):
    """Have every dropout take its mask from ``keep(shape, p)``, True where an element stays."""

    def call(self, inputs, *, deterministic=None, rngs=None):
        if self.rate == 0.0 or (self.deterministic if deterministic is None else deterministic):
            return inputs
        whole = {axis % inputs.ndim for axis in self.broadcast_dims}
        mask = keep([1 if axis in whole else size for axis, size in enumerate(inputs.shape)], self.rate)
        return jnp.where(mask, inputs / (1.0 - self.rate), 0.0).astype(inputs.dtype)

    def kept(p, shape, rngs):
        return jnp.asarray(keep(shape, p))

    # NNX's own layer, and the function of helper modules through which all others draw.
    places = [(nnx.Dropout, "__call__", call)]
    helpers = [module for module in list(sys.modules.values()) if isinstance(getattr(module, "rngs", None), nnx.Rngs)]
    places += [(module, "kept_by_dropout", kept) for module in helpers if hasattr(module, "kept_by_dropout")]
    before = [getattr(place, name) for place, name, _ in places]
    for place, name, value in places:
        setattr(place, name, value)
    try:
        yield
    finally:
        for (place, name, _), value in zip(places, before, strict=True):
            setattr(place, name, value)


def train(model):
    model.train()


def train_step(compute, model, optimizer, scheduler):
    """One step on the loss that ``compute`` returns of the model; the loss as an array."""
    loss, gradients = nnx.value_and_grad(compute)(model)
    optimizer.update(model, gradients)
    if scheduler is not None:
        scheduler.step()
    return array(loss)
