"""torch.func: transforms of functions, by paddle.grad and by loops. What is differentiated may be dicts or lists.

A transform inside another builds the graph that the outer one needs; Paddle has no second derivative of some operators.
"""

import paddle
import torch

from rewriters.rule import rule


def is_watched(value):
    return isinstance(value, paddle.Tensor) and not value.stop_gradient and paddle.is_grad_enabled()


def watched(structure):
    """The same tensors, each with a gradient of its own, and whether one was part of a graph already."""

    def watch(value):
        value = paddle.assign(value) if is_watched(value) else value.detach()
        value.stop_gradient = False
        return value

    nested = any(is_watched(value) for value in paddle.utils.flatten(structure))
    with paddle.enable_grad():
        return paddle.utils.map_structure(watch, structure), nested


def chosen(args, argnums):
    """The arguments that are differentiated: one, or a tuple."""
    return args[argnums] if isinstance(argnums, int) else tuple(args[number] for number in argnums)


def with_chosen(args, argnums, values):
    args = list(args)
    for number, value in [(argnums, values)] if isinstance(argnums, int) else zip(argnums, values, strict=True):
        args[number] = value
    return args


def slopes(output, points, vector, nested, again=False):
    """Gradients in the structure of the points; zero where the output does not depend on one."""
    flat = paddle.utils.flatten(points)
    if output.stop_gradient:
        return paddle.utils.map_structure(paddle.zeros_like, points)
    found = paddle.grad(output, flat, vector, retain_graph=nested or again, create_graph=nested, allow_unused=True)
    found = [paddle.zeros_like(p) if value is None else value for p, value in zip(flat, found, strict=True)]
    return paddle.utils.pack_sequence_as(points, found)


def settled(structure, nested):
    """Cut off the graph that nobody asked for."""
    if nested:
        return structure
    return paddle.utils.map_structure(lambda v: v.detach() if isinstance(v, paddle.Tensor) else v, structure)


@rule(torch.func.grad_and_value)
def grad_and_value(func, argnums=0, has_aux=False):
    def wrapped(*args, **kwargs):
        points, nested = watched(chosen(args, argnums))
        with paddle.enable_grad():
            result = func(*with_chosen(args, argnums, points), **kwargs)
        value = result[0] if has_aux else result
        found = slopes(value, points, None, nested)
        return found, settled(result, nested)

    return wrapped


@rule(torch.func.grad)
def func_grad(func, argnums=0, has_aux=False):
    both = grad_and_value(func, argnums, has_aux)

    def wrapped(*args, **kwargs):
        found, result = both(*args, **kwargs)
        return (found, result[1]) if has_aux else found

    return wrapped


@rule(torch.func.vjp)
def func_vjp(func, *primals, has_aux=False):
    points, nested = watched(primals)
    with paddle.enable_grad():
        result = func(*points)
    output = result[0] if has_aux else result

    def product(*cotangents):
        vectors = paddle.utils.flatten(cotangents)
        values = paddle.utils.flatten(output)
        if len(values) != len(vectors):
            raise RuntimeError("the cotangents have another structure than the function's output")
        total = sum(((value * vector).sum() for value, vector in zip(values, vectors, strict=True)), paddle.zeros([]))
        found = slopes(total, points, None, nested or any(map(is_watched, vectors)), again=True)
        return tuple(found)

    return (settled(output, nested), product, result[1]) if has_aux else (settled(output, nested), product)


@rule(torch.func.jvp)
def func_jvp(func, primals, tangents, *, strict=False, has_aux=False):
    # the derivative of the backward product, which is linear in its vector
    points, nested = watched(tuple(primals))
    with paddle.enable_grad():
        result = func(*points)
        output = result[0] if has_aux else result
        vectors = paddle.utils.map_structure(paddle.zeros_like, output)
        for vector in paddle.utils.flatten(vectors):
            vector.stop_gradient = False
        pairs = zip(paddle.utils.flatten(output), paddle.utils.flatten(vectors), strict=True)
        total = sum(((value * vector).sum() for value, vector in pairs), paddle.zeros([]))
        back = paddle.utils.flatten(slopes(total, points, None, True))
        directions = paddle.utils.flatten(tuple(tangents))
        along = sum(((slope * d).sum() for slope, d in zip(back, directions, strict=True)), paddle.zeros([]))
        found = slopes(along, vectors, None, nested)
    answer = settled(output, nested), settled(found, nested)
    return (*answer, result[1]) if has_aux else answer


@rule(torch.func.linearize)
def linearize(func, *primals):
    # each product is computed anew
    return func(*primals), lambda *tangents: func_jvp(func, primals, tangents)[1]


@rule(torch.func.jacrev, torch.func.jacfwd)
def jacrev(func, argnums=0, has_aux=False, *, chunk_size=None, randomness="error"):
    def wrapped(*args, **kwargs):
        points, nested = watched(chosen(args, argnums))
        with paddle.enable_grad():
            result = func(*with_chosen(args, argnums, points), **kwargs)
        output = result[0] if has_aux else result

        def of(value):
            flat = paddle.utils.flatten(points)
            rows = [paddle.utils.flatten(slopes(row, points, None, nested, True)) for row in value.reshape([-1])]
            found = [
                paddle.stack(column).reshape([*value.shape, *point.shape])
                for column, point in zip(zip(*rows, strict=True), flat, strict=True)
            ]
            return paddle.utils.pack_sequence_as(points, found)

        with paddle.enable_grad():
            found = settled(of(output), nested) if isinstance(output, paddle.Tensor) else tuple(map(of, output))
        return (found, result[1]) if has_aux else found

    return wrapped


@rule(torch.func.hessian)
def func_hessian(func, argnums=0):
    return jacrev(jacrev(func, argnums), argnums)


def tied_to(tensor, layers):
    """Where layers hold the same tensor: what is given for one of its names is for all."""
    stores = [store for layer in layers for store in (layer._parameters, layer._buffers)]
    return [(store, name) for store in stores for name, value in store.items() if value is tensor]


@rule(torch.func.functional_call)
def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    given = parameter_and_buffer_dicts
    given = given if isinstance(given, dict) else {name: value for part in given for name, value in part.items()}
    owners = dict(module.named_sublayers(include_self=True))
    kept = []
    try:
        for name, value in given.items():
            path, _, last = name.rpartition(".")
            owner = owners[path]
            store = owner._parameters if last in owner._parameters else owner._buffers
            places = tied_to(store[last], owners.values()) if tie_weights else [(store, last)]
            for store, last in places:
                kept.append((store, last, store[last]))
                store[last] = value
        args = () if args is None else args if isinstance(args, tuple) else (args,)
        return module(*args, **(kwargs or {}))
    finally:
        for store, last, value in reversed(kept):
            store[last] = value


@rule(torch.func.stack_module_state)
def stack_module_state(models):
    def stacked(dicts):
        found = {name: paddle.stack([values[name].detach() for values in dicts]) for name in dicts[0]}
        for name, value in found.items():
            value.stop_gradient = dicts[0][name].stop_gradient
        return found

    parameters = stacked([dict(model.named_parameters()) for model in models])
    return parameters, stacked([dict(model.named_buffers()) for model in models])


@rule(torch.vmap, torch.func.vmap)
def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """By a call for each element of the batch, stacked."""
    if randomness == "same":
        raise NotImplementedError("a loop draws random numbers anew for each element; draw them before")

    def spread(dims, value):
        """Each tensor's axis: one for all of a part, or in the same structure."""
        if isinstance(dims, int) or dims is None:
            return paddle.utils.map_structure(lambda _: dims, value)
        if isinstance(value, dict):
            return {key: spread(dims[key], part) for key, part in value.items()}
        return type(value)(spread(d, part) for d, part in zip(dims, value, strict=True))

    def wrapped(*args, **kwargs):
        values = paddle.utils.flatten(args)
        flat = paddle.utils.flatten(spread(in_dims, args))
        size = next(value.shape[dim] for value, dim in zip(values, flat, strict=True) if dim is not None)
        slices = [[v] * size if d is None else paddle.unbind(v, d) for v, d in zip(values, flat, strict=True)]
        results = [
            func(*paddle.utils.pack_sequence_as(args, list(parts)), **kwargs) for parts in zip(*slices, strict=True)
        ]
        columns = zip(*(paddle.utils.flatten(result) for result in results), strict=True)
        axes = paddle.utils.flatten(spread(out_dims, results[0]))
        found = [paddle.stack(column, axis=axis) for column, axis in zip(columns, axes, strict=True)]
        return paddle.utils.pack_sequence_as(results[0], found)

    return wrapped


@rule(torch.func.functionalize)
def functionalize(func, *, remove="mutations"):
    # it gives the same values
    return func


@rule(torch.func.debug_unwrap)
def debug_unwrap(tensor, *, recurse=True):
    return tensor
