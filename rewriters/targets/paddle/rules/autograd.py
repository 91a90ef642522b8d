"""Gradients: modes, torch.autograd, functions with a backward of their own."""

import paddle
import torch

from rewriters.rule import alias, rule, same

alias(torch.no_grad, "paddle.no_grad")
alias(torch.enable_grad, "paddle.enable_grad")
alias(torch.set_grad_enabled, "paddle.set_grad_enabled")
alias(torch.autograd.graph.saved_tensors_hooks, "paddle.autograd.saved_tensors_hooks")

same(
    "torch.autograd.function.FunctionCtx.save_for_backward",
    "torch.autograd.function.FunctionCtx.mark_non_differentiable",
    "torch.autograd.function.FunctionCtx.set_materialize_grads",
)


@rule(torch.inference_mode)
def inference_mode(mode=True):
    return paddle.set_grad_enabled(not mode) if mode is not True else paddle.no_grad()


@rule(torch.is_grad_enabled)
def is_grad_enabled():
    return paddle.is_grad_enabled()


@rule(torch.is_inference_mode_enabled)
def is_inference_mode_enabled():
    return not paddle.is_grad_enabled()


@rule(torch.is_inference, torch.Tensor.is_inference)
def is_inference(input):
    return False


@rule(torch.autograd.grad)
def grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    only_inputs=True,
    allow_unused=None,
    is_grads_batched=False,
    materialize_grads=False,
):
    if is_grads_batched:
        raise NotImplementedError("paddle.grad takes one vector; call it once for each")
    if materialize_grads:
        raise NotImplementedError("paddle.grad gives None for what is unused; pass allow_unused=True and fill in zeros")
    return paddle.grad(
        outputs,
        inputs,
        grad_outputs=grad_outputs,
        retain_graph=retain_graph,
        create_graph=create_graph,
        allow_unused=False if allow_unused is None else allow_unused,
    )


@rule("torch.autograd.grad:kept")
def tuple_of_grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    only_inputs=True,
    allow_unused=None,
    is_grads_batched=False,
    materialize_grads=False,
):
    if is_grads_batched:
        raise NotImplementedError("paddle.grad takes one vector; call it once for each")
    if materialize_grads:
        raise NotImplementedError("paddle.grad gives None for what is unused; pass allow_unused=True and fill in zeros")
    return tuple(
        paddle.grad(
            outputs,
            inputs,
            grad_outputs=grad_outputs,
            retain_graph=retain_graph,
            create_graph=create_graph,
            allow_unused=False if allow_unused is None else allow_unused,
        )
    )


@rule(torch.autograd.backward)
def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None):
    if create_graph:
        raise NotImplementedError("Paddle's backward builds no graph; use paddle.grad(..., create_graph=True)")
    if inputs is not None:
        raise NotImplementedError("Paddle's backward goes to all leaves; use paddle.grad for some of them")
    return paddle.autograd.backward(
        tensors if isinstance(tensors, (list, tuple)) else [tensors],
        grad_tensors,
        retain_graph=False if retain_graph is None else retain_graph,
    )


@rule(torch.Tensor.backward)
def tensor_backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    if create_graph:
        raise NotImplementedError("Paddle's backward builds no graph; use paddle.grad(..., create_graph=True)")
    if inputs is not None:
        raise NotImplementedError("Paddle's backward goes to all leaves; use paddle.grad for some of them")
    return self.backward(gradient, retain_graph=False if retain_graph is None else retain_graph)


@rule(torch.Tensor.retain_grad)
def retain_grad(self):
    return self.retain_grads()


@rule(torch.Tensor.register_hook)
def register_hook(self, hook):
    return self.register_hook(hook)


@rule(torch.Tensor.detach, torch.detach)
def detach(input):
    return input.detach()


@rule(torch.Tensor.detach_, torch.detach_)
def detach_(input):
    return input.detach_()


@rule(torch.detach_copy)
def detach_copy(input):
    return input.detach().clone()


@rule(torch.autograd.Variable)
def Variable(data, requires_grad=False):
    if not requires_grad:
        return data.detach()
    found = data.detach()
    found.stop_gradient = False
    return found


@rule(torch.autograd.function.once_differentiable)
def once_differentiable(fn):
    return fn


@rule(torch.autograd.Function)
class Function:
    """A function with a backward of its own: torch's protocol, run by paddle.autograd.PyLayer.

    ctx has torch's saved_tensors and needs_input_grad; backward gives None for arguments that are no tensors.
    """

    @classmethod
    def apply(cls, *args):
        if "_layer" not in cls.__dict__:
            cls._layer = _layer_of(cls)
        return cls._layer.apply(*args)


@rule(torch.autograd.Function.apply)
def apply(self, *args):
    return self.apply(*args)


def _layer_of(function):
    class Layer(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, *args):
            ctx.are_tensors = [isinstance(value, paddle.Tensor) for value in args]
            ctx.needs_input_grad = tuple(isinstance(v, paddle.Tensor) and not v.stop_gradient for v in args)
            if not hasattr(function, "setup_context"):
                return function.forward(ctx, *args)
            output = function.forward(*args)
            function.setup_context(ctx, args, output)
            return output

        @staticmethod
        def backward(ctx, *grads):
            found = function.backward(ctx, *grads)
            found = found if isinstance(found, (tuple, list)) else (found,)
            given = zip(found, ctx.are_tensors, ctx.needs_input_grad, strict=True)
            kept = tuple(value if wanted else None for value, is_tensor, wanted in given if is_tensor)
            return kept[0] if len(kept) == 1 else kept

    Layer._backward_function.saved_tensors = property(lambda ctx: tuple(ctx.saved_tensor()))
    return Layer


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


@rule(torch.autograd.functional.jvp)
def jvp(func, inputs, v=None, create_graph=False, strict=False):
    return paddle.incubate.autograd.jvp(func, inputs, v)


@rule(torch.autograd.functional.vhp, torch.autograd.functional.hvp)
def vhp(func, inputs, v=None, create_graph=False, strict=False):
    points = _leaves(inputs)
    output = func(*points)
    slopes = paddle.grad(output, points, create_graph=True)
    vectors = v if v is None or isinstance(v, (list, tuple)) else [v]
    found = paddle.grad(slopes, points, vectors)
    return output.detach(), found[0] if isinstance(inputs, paddle.Tensor) else tuple(found)
