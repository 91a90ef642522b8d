"""torch.autograd: functional."""

import paddle
import torch

from rewriters.rule import becomes, rule

becomes(torch.autograd.functional.jvp, paddle.incubate.autograd.jvp, v="/", create_graph=None, strict=None)


def _leaves(inputs):
    points = [inputs] if isinstance(inputs, paddle.Tensor) else list(inputs)
    leaves = [point.detach() for point in points]
    for leaf in leaves:
        leaf.stop_gradient = False
    return leaves


@rule(torch.autograd.functional.jacobian)
def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    single = isinstance(inputs, paddle.Tensor)
    points = [inputs] if single else list(inputs)
    points = points if create_graph else _leaves(inputs)
    output = func(*points)
    rows = [
        paddle.grad(value, points, retain_graph=True, create_graph=create_graph, allow_unused=True)
        for value in output.reshape([-1])
    ]
    columns = [
        [paddle.zeros_like(point) if value is None else value for value in column]
        for point, column in zip(points, zip(*rows, strict=True), strict=True)
    ]
    found = [
        paddle.stack(column).reshape([*output.shape, *point.shape])
        for point, column in zip(points, columns, strict=True)
    ]
    return found[0] if single else tuple(found)


@rule(torch.autograd.functional.hessian)
def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    if create_graph:
        raise NotImplementedError("call paddle.grad twice with create_graph=True")
    if not isinstance(inputs, paddle.Tensor):
        raise NotImplementedError("give one tensor: concatenate the inputs and split them in the function")
    (point,) = _leaves(inputs)
    return jacobian(lambda x: jacobian(func, x, create_graph=True), point, create_graph=True).detach()


@rule(torch.autograd.functional.vjp)
def vjp(func, inputs, v=None, create_graph=False, strict=False):
    points = _leaves(inputs)
    output = func(*points)
    found = paddle.grad(output, points, v, create_graph=create_graph)
    return output if create_graph else output.detach(), found[0] if isinstance(inputs, paddle.Tensor) else tuple(found)


@rule(torch.autograd.functional.vhp, torch.autograd.functional.hvp)
def vhp(func, inputs, v=None, create_graph=False, strict=False):
    if create_graph:
        raise NotImplementedError("call paddle.grad twice with create_graph=True")
    points = _leaves(inputs)
    output = func(*points)
    slopes = paddle.grad(output, points, create_graph=True)
    vectors = v if v is None or isinstance(v, (list, tuple)) else [v]
    found = paddle.grad(slopes, points, vectors)
    return output.detach(), found[0] if isinstance(inputs, paddle.Tensor) else tuple(found)
