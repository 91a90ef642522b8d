"""torch.autograd: gradients."""

import paddle
import torch

from rewriters.rule import alias, family, rule

alias("torch.autograd.Variable:test", "paddle.Tensor")
alias("torch.autograd.Variable:annotated", "paddle.Tensor")


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


@family("kept iterable", "tuple_of_grad grad_of_iterable", ("            inputs,", "            list(inputs),"))
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


@rule(torch.autograd.Variable)
def Variable(data, requires_grad=False, volatile=False):
    # volatile says nothing since torch 0.4
    if not requires_grad:
        return data.detach()
    found = data.detach()
    found.stop_gradient = False
    return found


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


def _apart(output, ctx, args):
    """Paddle takes what lies in the memory of an argument, as ``x.view_as(x)`` does, for that argument changed."""
    if isinstance(output, (tuple, list)):
        return type(output)(_apart(one, ctx, args) for one in output)
    if not isinstance(output, paddle.Tensor) or any(one is output for one in getattr(ctx, "changed", ())):
        return output
    given = (value for value in args if isinstance(value, paddle.Tensor))
    return output.clone() if any(value._is_shared_buffer_with(output) for value in given) else output


def _layer_of(function):
    class Layer(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, *args):
            ctx.are_tensors = [isinstance(value, paddle.Tensor) for value in args]
            ctx.needs_input_grad = tuple(isinstance(v, paddle.Tensor) and not v.stop_gradient for v in args)
            if not hasattr(function, "setup_context"):
                return _apart(function.forward(ctx, *args), ctx, args)
            output = function.forward(*args)
            function.setup_context(ctx, args, output)
            return _apart(output, ctx, args)

        @staticmethod
        def backward(ctx, *grads):
            found = function.backward(ctx, *grads)
            found = found if isinstance(found, (tuple, list)) else (found,)
            while len(found) > len(ctx.are_tensors) and found[-1] is None:  # an argument that was left out
                found = found[:-1]
            given = zip(found, ctx.are_tensors, ctx.needs_input_grad, strict=True)
            kept = tuple(value if wanted else None for value, is_tensor, wanted in given if is_tensor)
            return kept[0] if len(kept) == 1 else kept

    Layer._backward_function.saved_tensors = property(lambda ctx: tuple(ctx.saved_tensor()))
    return Layer
