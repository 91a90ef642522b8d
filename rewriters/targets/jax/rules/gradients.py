"""Gradients as values: what training.py writes beside ``nnx.value_and_grad``."""

import jax
import jax.numpy as jnp
from flax import nnx
from jax.custom_derivatives import SymbolicZero

from rewriters.rule import rule
from rewriters.targets.jax.rules.filled import Left, filled, opened
from rewriters.targets.jax.rules.nn.parameter import array_of, variable_of
from rewriters.targets.jax.rules.ordered import mapped, ordered, plain


def params_in(modules):
    """Path -> parameter, of modules in a tuple."""
    return {path: value for path, value in nnx.iter_graph(nnx.List(modules)) if isinstance(value, nnx.Param)}


def watching(params, reached):
    """The same function of all parameters' values as they are, whose gradients tell which parameters have some."""

    @jax.custom_vjp
    def watched(values):
        return values

    def forward(values):
        return [value.value for value in values], None

    def backward(_, gradients):
        known = [not isinstance(gradient, SymbolicZero) for gradient in gradients]
        reached.update(path for path, found in zip(params, known, strict=True) if found)
        kept = [g if found else jnp.zeros(g.shape, g.dtype) for g, found in zip(gradients, known, strict=True)]
        return (kept,)

    watched.defvjp(forward, backward, symbolic_zeros=True)
    return watched


def only_reached(gradients, place, reached):
    """The gradients of the module at a place without those that nothing reaches; None of a parameter alone."""
    if isinstance(gradients, nnx.Param):
        return gradients if {(place, 0), (place,)} & reached else None
    if not isinstance(gradients, nnx.State):
        return gradients
    return nnx.from_flat_state({path: g for path, g in nnx.to_flat_state(gradients) if (place, *path) in reached})


@rule("torch.Tensor.grad:value_and_grad")
def value_and_grad(function, argnums=0, has_aux=False):
    """nnx.value_and_grad, without gradients of parameters that the loss does not reach, where nnx gives zeros:
    optimizers leave these alone, as in torch, and weight decay and momentum move none of them.
    """

    def called(*args):
        reached, shapes = set(), []
        places = (argnums,) if isinstance(argnums, int) else argnums

        def told(*args):
            params = params_in(
                [
                    arg
                    if place in places and isinstance(arg, nnx.Module)
                    else nnx.List([arg] if place in places and isinstance(arg, nnx.Param) else [])
                    for place, arg in enumerate(args)
                ]
            )
            before = [param.get_value() for param in params.values()]
            watched = watching(params, reached)(before)
            for param, value in zip(params.values(), watched, strict=True):
                param.set_value(value)
            result = function(*args)
            for param, old, value in zip(params.values(), before, watched, strict=True):
                if param.get_value() is value:
                    param.set_value(old)
            loss, rest = (result[0], opened(result[1:])) if has_aux else (result, ())
            shapes.append(loss.shape)
            loss = loss.reshape(()) if loss.size == 1 else loss  # torch takes a loss of one element that has axes
            return (loss, *rest) if has_aux else loss

        result, gradients = nnx.value_and_grad(told, argnums=argnums, has_aux=has_aux)(*args)
        result = (result[0], *filled(result[1:])) if has_aux else result
        if shapes[-1] != ():
            result = (result[0].reshape(shapes[-1]), *result[1:]) if has_aux else result.reshape(shapes[-1])
        if isinstance(argnums, int):
            return result, only_reached(gradients, argnums, reached)
        return result, tuple(only_reached(g, place, reached) for place, g in zip(places, gradients, strict=True))

    return called


class InPlaceOf:
    """A block in which modules, and Variables, have what their copies have, which gradients are taken of: code that
    comes to the modules by itself computes with that. What the modules are given in it the copies have afterwards.
    """

    def __init__(self, modules, copies):
        kinds = (nnx.Module, nnx.Variable)
        mine, theirs = (
            [one for _, one in nnx.iter_graph(each) if isinstance(one, kinds)] for each in (modules, copies)
        )
        self.pairs = list(zip(mine, theirs, strict=True))
        self.copies = {id(own): copy for own, copy in self.pairs}

    def __enter__(self):
        self.before = [dict(vars(own)) if isinstance(own, nnx.Module) else None for own, _ in self.pairs]
        for (own, copy), before in zip(self.pairs, self.before, strict=True):
            if before is None:
                exchange(own, copy)
            else:  # it counts as made where the copy was
                vars(own).update({name: vars(copy)[name] for name in before if name.startswith("_pytree")})
        return self

    def __exit__(self, *_):
        for (own, copy), before in zip(self.pairs, self.before, strict=True):
            if before is None:
                exchange(own, copy)
                continue
            now = dict(vars(own))
            vars(own).clear()
            vars(own).update(before)
            for name, value in now.items():
                if not name.startswith("_pytree") and before.get(name, now) is not value:
                    setattr(copy, name, self.copies.get(id(value), value))


def exchange(one, other):
    """Have two Variables hold each other's values."""
    for name in nnx.Variable.__slots__:
        mine, theirs = object.__getattribute__(one, name), object.__getattribute__(other, name)
        object.__setattr__(one, name, theirs)
        object.__setattr__(other, name, mine)


@rule("torch.Tensor.grad:value_and_grad_in_place")
def value_and_grad_in_place(function, argnums=0, has_aux=False):
    """The same of a function that comes to the modules by itself, too (``self.model``)."""

    def called(*args):
        places = (argnums,) if isinstance(argnums, int) else argnums
        modules = nnx.List([arg for arg in args if isinstance(arg, (nnx.Module, nnx.Variable))])
        others = [place for place in places if not isinstance(args[place], (nnx.Module, nnx.Variable))]

        def inside(copies, *values):
            given = dict(zip(others, values, strict=True))
            with InPlaceOf(modules, copies):
                result = function(*(given.get(place, arg) for place, arg in enumerate(args)))
            left.append(Left(function, args))
            loss, rest = result if has_aux else (result, None)
            return loss, (rest, list(left[-1].arrays.values()))

        left = []
        found = value_and_grad(inside, tuple(range(len(others) + 1)), has_aux=True)
        (loss, (rest, values)), (of_modules, *of_others) = found(modules, *(args[place] for place in others))
        left[-1].put_back(values)
        result = (loss, rest) if has_aux else loss
        held = dict(nnx.to_flat_state(of_modules))
        laid = {id(value): held[path] for path, value in nnx.iter_graph(modules) if path in held}
        gradients = dict(zip(others, of_others, strict=True))
        for place in places:  # each once
            if isinstance(args[place], nnx.Variable):
                gradients[place] = laid.pop(id(args[place]), None)
            elif isinstance(args[place], nnx.Module):
                own = {path: laid.pop(id(value)) for path, value in nnx.iter_graph(args[place]) if id(value) in laid}
                gradients[place] = nnx.from_flat_state(own)
        each = tuple(gradients[place] for place in places)
        return result, each[0] if isinstance(argnums, int) else each

    return called


@rule("torch.Tensor.grad:modules_in")
def modules_in(held):
    """The modules that a list or a dict holds, each once."""
    return nnx.List(list({id(one): one for one in modules_below(held)}.values()))


def modules_below(held):
    for one in held.values() if isinstance(held, dict) else held:
        if isinstance(one, nnx.Module):
            yield one
        elif isinstance(one, (list, tuple, dict)):
            yield from modules_below(one)


@rule("torch.Tensor.grad:add_gradients")
def add_gradients(gradients, more):
    """The sum of gradients of one kind; None stands for none."""
    if gradients is None or more is None:
        return more if gradients is None else gradients
    if isinstance(more, tuple):
        return tuple(add_gradients(one, other) for one, other in zip(gradients, more, strict=False))
    if not isinstance(more, nnx.State):
        return gradients + more
    found, others = dict(nnx.to_flat_state(gradients)), dict(nnx.to_flat_state(more))
    both = {path: jax.tree.map(jnp.add, found[path], others[path]) for path in found.keys() & others.keys()}
    return nnx.from_flat_state(found | others | both)


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
    """The gradient of one parameter of modules by their gradients; None where it has none. Raises of an array."""
    if isinstance(parameter, jax.Array):
        raise NotImplementedError(
            "an array is no parameter of the modules: take its gradient with torch.autograd.grad, or read it under the "
            "name by which it goes into the loss"
        )
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


@rule("torch.Tensor.grad:with_gradient")
def with_gradient(parameter, modules, gradients, value):
    """The gradients of modules with another of one parameter; None for none."""
    several = isinstance(modules, tuple)
    found = gradients if several else (gradients,)
    if found is None:
        found = (None,) * len(modules)
    pairs = zip(modules if several else (modules,), found, strict=True)
    changed = [with_gradient_in(parameter, module, held, value) for module, held in pairs]
    if all(one is None for one in changed):
        raise NotImplementedError("this is no parameter of the modules whose gradients these are")
    kept = tuple(old if new is None else new[0] for old, new in zip(found, changed, strict=True))
    return kept if several else kept[0]


def with_gradient_in(parameter, module, gradients, value):
    """The same of one module, as a list; None where it has no such parameter."""
    paths = {id(held): path for path, held in nnx.iter_graph(module) if isinstance(held, nnx.Param)}
    path = paths.get(id(variable_of(parameter)))
    if path is None:
        return None
    held = {} if gradients is None else dict(nnx.to_flat_state(gradients))
    if value is None:
        held.pop(path, None)
        return [nnx.from_flat_state(held) if held else None]
    held[path] = variable_of(parameter).replace(variable_of(parameter).get_value())
    shown = held[path]
    if not isinstance(parameter, nnx.Variable):
        shown = type(parameter)(shown, parameter.axes, parameter.own_shape)
    shown.set_value(jnp.asarray(value))
    return [nnx.from_flat_state(held)]


@rule("torch.Tensor.grad:forward_with_gradients")
def forward_with_gradients(function, *modules):
    """(outputs, backward): what a function of modules gives, and the function that carries gradients of the outputs
    back to the parameters of the modules, as often as it is called. None stands for no gradient.
    """
    structure, params, rest = nnx.split(nnx.List(modules), nnx.Param, ...)
    reached = set()

    def pure(params):
        copies = nnx.merge(structure, params, rest)
        held = params_in(copies)
        for param, value in zip(
            held.values(), watching(held, reached)([p.get_value() for p in held.values()]), strict=True
        ):
            param.set_value(value)
        with InPlaceOf(nnx.List(modules), copies):
            outputs = function(*modules)
        return outputs, nnx.split(copies, nnx.Param, ...)[2]

    outputs, pull, changed = jax.vjp(pure, params, has_aux=True)
    nnx.update(nnx.List(modules), changed)

    def backward(gradients):
        if isinstance(outputs, tuple):
            pairs = zip(outputs, gradients, strict=False)
            gradients = tuple(jnp.zeros_like(out) if grad is None else grad for out, grad in pairs)
        reached.clear()
        (found,) = pull(gradients)
        each = tuple(only_reached(found.get(place), place, reached) for place in range(len(modules)))
        return each[0] if len(each) == 1 else each

    return outputs, backward


@rule("torch.Tensor.grad:vjp_of_parameters")
def vjp_of_parameters(function, module, has_aux=False):
    """jax.vjp of a function of a module: gradients are a tuple of those of its parameters that are trained, in
    torch's layout."""
    structure, params, rest = nnx.split(module, nnx.Param, ...)

    def pure(params):
        copy = nnx.merge(structure, params, jax.tree.map(lambda one: one, rest))  # Variables that may change here
        with InPlaceOf(module, copy):
            value, aux = function(module) if has_aux else (function(module), None)
        return value, (ordered(aux), nnx.split(copy, nnx.Param, ...)[2])

    value, pull, (aux, changed) = jax.vjp(pure, params, has_aux=True)
    aux = plain(aux)
    nnx.update(module, changed)

    def backward(gradients):
        (found,) = pull(gradients)
        trained = (one for one in module.parameters() if isinstance(variable_of(one), nnx.Param))
        return tuple(gradient_of(parameter, module, found) for parameter in trained)

    return (value, backward, aux) if has_aux else (value, backward)


@rule("torch.Tensor.grad:each_gradient")
def each_gradient(gradients):
    """What jax.vjp gives of one input: of a list of arrays a tuple, as torch.autograd.grad does."""
    (found,) = gradients
    return tuple(found) if isinstance(found, (list, tuple)) else (found,)


@rule("torch.Tensor.grad:arrays_of")
def arrays_of(values):
    """A list or tuple of arrays, of which some may have been held as parameters."""
    return [array_of(value) for value in values] if isinstance(values, (list, tuple)) else array_of(values)


@rule("torch.Tensor.grad:same_gradient")
def same_gradient(before, after):
    """The value after a change of which no gradient knows; its gradient is that of what was before."""

    @jax.custom_vjp
    def changed(before, after):
        return after

    changed.defvjp(lambda _, after: (after, None), lambda _, gradient: (gradient, jnp.zeros_like(gradient)))
    return changed(before, after)


@rule("torch.Tensor.grad:constant")
def constant(value):
    """A constant for gradients; what holds a parameter, or is no array, stays what it is."""
    return mapped(
        lambda part: jax.lax.stop_gradient(part) if isinstance(part, jax.Array) else part,
        value,
        is_leaf=lambda part: isinstance(part, (nnx.Variable, nnx.Module)),
    )
