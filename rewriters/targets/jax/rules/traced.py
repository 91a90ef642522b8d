"""Gradients of what other functions have computed: ``def gradient(y, x): return torch.autograd.grad(y, x, ...)``. What
leads to y is traced where it is computed: with what carries gradients back, and with how it is computed again.
"""

import jax
import jax.numpy as jnp
from flax import nnx

from rewriters.rule import rule
from rewriters.targets.jax.rules.generator import rngs
from rewriters.targets.jax.rules.gradients import InPlaceOf, params_in, watching
from rewriters.targets.jax.rules.laid_gradients import shown
from rewriters.targets.jax.rules.nn.parameter import variable_of
from rewriters.targets.jax.rules.ordered import mapped, ordered, plain
from rewriters.targets.jax.rules.recorded import COUNT, is_inexact, keep, origin_of


class Trace:
    """What a function gave of arrays and parameters.

    sources: these; values: what they were then; origins: of each the trace that it came of, and its place there.
    again:   from such values to the results; carry: from the gradients of the results to those of the sources.
    """

    def __init__(self, again, sources, values, results, carry=None):
        self.number = next(COUNT)
        self.again, self.sources, self.values, self.pull = again, sources, values, carry
        self.origins = [origin_of(one) for one in sources]
        self.kinds = [(result.shape, result.dtype) for result in results]
        for place, result in enumerate(results):
            keep(result, self, place)

    def key(self, place):
        """What a source is known by."""
        origin = self.origins[place]
        return id(self.sources[place]) if origin is None else (origin[0].number, origin[1])

    def carry(self, gradients):
        if self.pull is None:
            self.pull = carried(lambda values: (self.again(values), None), self.values)[2]
        return self.pull([gradients.get(place, jnp.zeros(*kind)) for place, kind in enumerate(self.kinds)])


def carried(function, values):
    """(results, what comes out beside them, what carries gradients back to the values: None where none passes)."""
    reached = set()

    def inside(values):
        held = [nnx.Param(value) for value in values]
        return function(watching(dict(enumerate(held)), reached)(values))

    results, pull, others = jax.vjp(inside, values, has_aux=True)

    def carry(gradients):
        reached.clear()
        (found,) = pull(gradients)
        return [gradient if place in reached else None for place, gradient in enumerate(found)]

    return results, others, carry


def is_held(value):
    return isinstance(variable_of(value), (nnx.Module, nnx.Variable))


def collections_of(modules):
    """The plain lists and dicts that modules keep."""
    held = [one for _, one in nnx.iter_graph(modules) if isinstance(one, nnx.Module)]
    named = [(name, value) for one in held for name, value in vars(one).items()]
    return [value for name, value in named if type(value) in (list, dict) and not name.startswith("_pytree")]


def arrays_in(pairs):
    """Of each copy the arrays that it holds: what a Variable is, and attributes of a module."""
    return [
        {name: value for name, value in vars(copy).items() if isinstance(value, jax.Array)}
        if isinstance(copy, nnx.Module)
        else copy.get_value()
        for _, copy in pairs
    ]


def take_over(pairs, arrays):
    """Give modules what their copies have got: arrays, numbers, texts and the like."""
    for (own, copy), held in zip(pairs, arrays, strict=True):
        if isinstance(own, nnx.Variable):
            own.set_value(held)
            continue
        plain = {name: value for name, value in vars(copy).items() if not holds_state(value)}
        for name, value in {**plain, **held}.items():
            if not name.startswith("_pytree") and vars(own).get(name, pairs) is not value:
                setattr(own, name, value)


def holds_state(value):
    return any(is_held(leaf) or isinstance(leaf, jax.Array) for leaf in jax.tree.leaves(value, is_leaf=is_held))


@rule("torch.Tensor.grad:traced")
def traced(function, *inputs, of=()):
    """What the function gives of these inputs, traced for ``gradients_of``. of: the modules that it calls."""
    leaves = jax.tree.leaves(list(inputs), is_leaf=is_held)
    modules = {id(one): one for one in [*of, *(variable_of(leaf) for leaf in leaves if is_held(leaf))]}
    modules = nnx.List(list(modules.values()))
    params = params_in(modules)
    arrays = list({id(leaf): leaf for leaf in leaves if is_inexact(leaf)}.values())
    structure, before = nnx.split(modules)
    before, drawn, shape = jax.tree.map(lambda one: one, before), rngs.counter.drawn, {}

    def run(values):
        copies = nnx.merge(structure, jax.tree.map(lambda one: one, before))
        held = params_in(copies)
        for path, value in zip(params, values[len(arrays) :], strict=True):
            held[path].set_value(value)
        put = dict(zip(map(id, arrays), values, strict=False))
        given = [mapped(lambda leaf: put.get(id(leaf), leaf), one, is_leaf=is_held) for one in inputs]
        with InPlaceOf(modules, copies) as block:
            parts, shape["tree"] = jax.tree.flatten(ordered(function(*given)))
        shape["kinds"] = [is_inexact(part) + isinstance(part, jax.Array) for part in parts]
        others, constants, results = (
            [part for part, one in zip(parts, shape["kinds"], strict=True) if one == kind] for kind in range(3)
        )
        shape["others"], shape["pairs"] = others, block.pairs
        return results, (constants, arrays_in(block.pairs))

    def again(values):
        now, rngs.counter.drawn = rngs.counter.drawn, drawn
        lists = [(one, one.copy()) for one in collections_of(modules)]
        try:
            return run(values)[0]
        finally:
            rngs.counter.drawn = now
            for one, before in lists:
                one.clear()
                one.update(before) if isinstance(one, dict) else one.extend(before)

    values = [*arrays, *(param.get_value() for param in params.values())]
    results, (constants, changed), carry = carried(run, values)
    take_over(shape["pairs"], changed)
    for param, value in zip(params.values(), values[len(arrays) :], strict=True):
        param.set_value(value)
    results = [jnp.copy(one) if origin_of(one) is not None or id(one) in map(id, arrays) else one for one in results]
    each_kind = iter(shape["others"]), iter(constants), iter(results)
    Trace(again, [*arrays, *params.values()], values, results, carry)
    return plain(jax.tree.unflatten(shape["tree"], [next(each_kind[kind]) for kind in shape["kinds"]]))


def traces_behind(outputs, targets):
    """The traces that led to arrays, the first ones first; of what the targets came nothing is looked at."""
    found, waiting = {}, [origin_of(one)[0] for one in outputs if origin_of(one) is not None]
    while waiting:
        made = waiting.pop()
        if made.number not in found:
            found[made.number] = made
            origins = [(made.key(place), origin) for place, origin in enumerate(made.origins)]
            waiting += [origin[0] for key, origin in origins if origin is not None and key not in targets]
    return [found[number] for number in sorted(found)]


def key_of(value):
    origin = origin_of(value)
    return id(variable_of(value)) if origin is None else (origin[0].number, origin[1])


def carried_back(outputs, by, traces, targets):
    """Of each target the gradient, None where no trace leads to it."""
    gradients = {}
    add = lambda key, one: gradients.update({key: gradients[key] + one if key in gradients else one})  # noqa: E731
    for output, gradient in zip(outputs, by, strict=True):
        add(key_of(output), gradient)
    for made in reversed(traces):
        places = range(len(made.kinds))
        own = {place: gradients[made.number, place] for place in places if (made.number, place) in gradients}
        if own:
            for place, gradient in enumerate(made.carry(own)):
                if gradient is not None:
                    add(made.key(place), gradient)
    return [gradients.get(target) for target in targets]


@rule("torch.Tensor.grad:gradients_of")
def gradients_of(outputs, inputs, grad_outputs=None, create_graph=False, allow_unused=False, materialize_grads=False):
    """torch.autograd.grad: the gradients of what ``traced`` gave with respect to what that was given."""
    several = isinstance(outputs, (list, tuple))
    outputs = list(outputs) if several else [outputs]
    inputs = list(inputs) if not is_held(inputs) and not isinstance(inputs, jax.Array) else [inputs]
    by = list(grad_outputs) if isinstance(grad_outputs, (list, tuple)) else [grad_outputs] * len(outputs)
    if any(one is None and output.size != 1 for one, output in zip(by, outputs, strict=True)):
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    by = [jnp.ones_like(output) if one is None else one for one, output in zip(by, outputs, strict=True)]
    targets = [key_of(one) for one in inputs]
    traces = traces_behind(outputs, set(targets))
    found = carried_back(outputs, by, traces, targets)
    if not allow_unused and not materialize_grads and any(one is None for one in found):
        raise RuntimeError(
            "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if "
            "this is the desired behavior."
        )
    found = [laid_out(held, one) for held, one in zip(inputs, found, strict=True)]
    if create_graph:
        trace_gradients(outputs, by, traces, targets, inputs, found)
    else:
        found = [one if one is None else jax.lax.stop_gradient(one) for one in found]
    pairs = zip(inputs, found, strict=True)
    return tuple(jnp.zeros_like(held[...]) if one is None and materialize_grads else one for held, one in pairs)


def laid_out(parameter, gradient):
    """A gradient as the parameter shows its value; of an array as it is."""
    if gradient is None or not is_held(parameter) or isinstance(parameter, nnx.Variable):
        return gradient
    return shown(parameter, parameter.variable.replace(gradient)).get_value()


def trace_gradients(outputs, by, traces, targets, inputs, found):
    """Have gradients be traced themselves: they are computed again from all that the traces come of."""
    sources, values, keys = [], [], []
    own = [target for target, one in zip(targets, found, strict=True) if one is not None]
    shows = [held for held, one in zip(inputs, found, strict=True) if one is not None]
    wanted = [key_of(one) for one in outputs]
    inner = {(made.number, place) for made in traces for place in range(len(made.kinds))} - set(targets)
    for made in traces:
        for place, source in enumerate(made.sources):
            if made.key(place) not in inner and made.key(place) not in keys:
                sources.append(source)
                values.append(made.values[place])
                keys.append(made.key(place))
    inexact = [one for one in by if is_inexact(one)]

    def again(values):
        known = dict(zip(keys, values, strict=False))
        given = iter(values[len(keys) :])
        weights = [next(given) if is_inexact(one) else one for one in by]

        def of_targets(values):
            held = known | dict(zip(own, values, strict=True))
            for made in traces:
                results = made.again([held[made.key(place)] for place in range(len(made.sources))])
                named = {(made.number, place): one for place, one in enumerate(results)}
                held.update({key: one for key, one in named.items() if key not in own})
            return [held[key] for key in wanted]

        (gradients,) = jax.vjp(of_targets, [known[target] for target in own])[1](weights)
        return [laid_out(parameter, one) for parameter, one in zip(shows, gradients, strict=True)]

    Trace(again, [*sources, *inexact], [*values, *inexact], [one for one in found if one is not None])
