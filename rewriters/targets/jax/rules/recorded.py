"""Results of modules that one function keeps and another's loss is computed from: each is recorded with the function
that carries gradients back to what it came from.
"""

import collections
import heapq
import itertools
import weakref

import jax
import jax.numpy as jnp
import numpy
from flax import nnx

from rewriters.rule import rule
from rewriters.targets.jax.rules.gradients import InPlaceOf, only_reached, params_in, watching
from rewriters.targets.jax.rules.laid_gradients import lay_gradients
from rewriters.targets.jax.rules.ordered import mapped, ordered, plain

RESULTS = {}  # the id of an array -> a reference to it, the computation that gave it, its place among the results
COUNT = itertools.count()


class Computation:
    """What a function gave of modules and of recorded results.

    carry: from gradients of the results to those of the parameters, and of the recorded results that went in.
    """

    def __init__(self, modules, taken, results, carry):
        self.number = next(COUNT)
        self.modules, self.taken, self.carry = modules, taken, carry
        self.kinds = [(result.shape, result.dtype) for result in results]

    def filled(self, gradients):
        """Of each result the gradient, zeros where it has none."""
        return [gradients.get(place, jnp.zeros(*kind)) for place, kind in enumerate(self.kinds)]


def origin_of(value):
    """(computation, place) of a recorded result; None of anything else."""
    held = RESULTS.get(id(value))
    return held[1:] if held is not None and held[0]() is value else None


def keep(result, computation, place):
    key = id(result)
    RESULTS[key] = weakref.ref(result, lambda _: RESULTS.pop(key, None)), computation, place


def is_inexact(value):
    return isinstance(value, jax.Array) and jnp.issubdtype(value.dtype, jnp.inexact)


def taken(value):
    """An input, of which the arrays are to be found."""
    value = list(value) if isinstance(value, collections.deque) else value
    for leaf in jax.tree.leaves(value):
        if not isinstance(leaf, (jax.Array, numpy.ndarray, numpy.generic, bool, int, float, complex, str)):
            raise NotImplementedError(
                f"gradients of what {type(leaf).__name__} keeps are not found: keep tensors in a list or a dict"
            )
    return value


@rule("torch.Tensor.grad:recorded")
def recorded(function, *inputs):
    """What the function gives of modules and of what was kept, recorded for ``backward``."""
    modules = [given for given in inputs if isinstance(given, (nnx.Module, nnx.Variable))]
    kept = [given if isinstance(given, (nnx.Module, nnx.Variable)) else taken(given) for given in inputs]
    values = [given for given in kept if not isinstance(given, (nnx.Module, nnx.Variable))]
    found = {id(leaf): leaf for leaf in jax.tree.leaves(values) if origin_of(leaf) is not None}
    structure, params, rest = nnx.split(nnx.List(modules), nnx.Param, ...)
    reached = set()

    def pure(params, values):
        copies = nnx.merge(structure, params, jax.tree.map(lambda one: one, rest))
        held = params_in(copies)
        watched = watching(held, reached)([param.get_value() for param in held.values()])
        for param, value in zip(held.values(), watched, strict=True):
            param.set_value(value)
        put = dict(zip(found, values, strict=True))
        given = [
            one if isinstance(one, (nnx.Module, nnx.Variable))
            else mapped(lambda leaf: put.get(id(leaf), leaf), one)
            for one in kept
        ]  # fmt: skip
        with InPlaceOf(nnx.List(modules), copies):
            leaves, shown["tree"] = jax.tree.flatten(ordered(function(*given)))
        shown["kinds"] = [is_inexact(leaf) + isinstance(leaf, jax.Array) for leaf in leaves]
        others, arrays, results = (
            [leaf for leaf, one in zip(leaves, shown["kinds"], strict=True) if one == kind] for kind in range(3)
        )
        shown["others"] = others
        return results, (arrays, nnx.split(copies, nnx.Param, ...)[2])

    shown = {}
    results, pull, (arrays, changed) = jax.vjp(pure, params, list(found.values()), has_aux=True)
    nnx.update(nnx.List(modules), changed)
    results = [jnp.copy(one) if origin_of(one) is not None else one for one in results]  # given back as it came

    def carry(gradients):
        reached.clear()
        of_params, of_values = pull(gradients)
        return [only_reached(of_params.get(place), place, reached) for place in range(len(modules))], of_values

    made = Computation(modules, list(found.values()), results, carry)
    for place, result in enumerate(results):
        keep(result, made, place)
    each_kind = iter(shown["others"]), iter(arrays), iter(results)
    return plain(jax.tree.unflatten(shown["tree"], [next(each_kind[kind]) for kind in shown["kinds"]]))


@rule("torch.Tensor.grad:apart")
def apart(value):
    """The same values in arrays of which nothing is recorded."""
    return mapped(lambda leaf: jnp.copy(leaf) if isinstance(leaf, jax.Array) else leaf, value)


@rule("torch.Tensor.grad:backward")
def backward(loss):
    """Add the gradients of a recorded loss to what lies at the parameters that it came from."""
    if origin_of(loss) is None:
        raise NotImplementedError("no module that is known gave what this was computed from: no gradient comes of it")
    made, place = origin_of(loss)
    waiting, gradients = [(-made.number, made)], {made: {place: jnp.ones_like(loss)}}
    while waiting:
        made = heapq.heappop(waiting)[1]
        of_modules, of_taken = made.carry(made.filled(gradients.pop(made)))
        for module, found in zip(made.modules, of_modules, strict=True):
            if found is not None:
                lay_gradients(module, found)
        for taken, gradient in zip(made.taken, of_taken, strict=True):
            before, place = origin_of(taken)
            if before not in gradients:
                gradients[before] = {}
                heapq.heappush(waiting, (-before.number, before))
            so_far = gradients[before].get(place)
            gradients[before][place] = gradient if so_far is None else so_far + gradient
