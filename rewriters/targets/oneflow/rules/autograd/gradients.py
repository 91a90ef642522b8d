"""torch.autograd: gradients."""

import oneflow
import torch

from rewriters.rule import differs, rule


@rule("torch.autograd.function.FunctionCtx:value")
class Context:
    """What forward leaves for backward: OneFlow's own loses lists and tuples that are stored to it."""

    def __init__(self, args):
        self.needs_input_grad = tuple(isinstance(value, oneflow.Tensor) and value.requires_grad for value in args)
        self.saved_tensors, self.constant, self.materialize = (), (), True

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors

    def mark_non_differentiable(self, *tensors):
        self.constant = tensors

    def set_materialize_grads(self, value):
        self.materialize = value


def nothing_like(value):
    """OneFlow takes no None for the gradient of what requires one."""
    differs("backward gives None, so torch leaves .grad alone; in OneFlow it is zeros: detach the argument")
    return oneflow.zeros_like(value)


@rule(torch.autograd.Function)
class Function:
    """A function with a backward of its own: torch's protocol. OneFlow's own takes and gives tensors only."""

    @classmethod
    def apply(cls, *args):
        context = Context(args)
        outputs, single = (), False

        class Call(oneflow.autograd.Function):
            @staticmethod
            def forward(ctx, *tensors):
                nonlocal outputs, single
                rest = iter(tensors)
                given = [next(rest) if isinstance(value, oneflow.Tensor) else value for value in args]
                if hasattr(cls, "setup_context"):
                    found = cls.forward(*given)
                    cls.setup_context(context, tuple(given), found)
                else:
                    found = cls.forward(context, *given)
                single = isinstance(found, oneflow.Tensor)
                outputs = (found,) if single else tuple(found)
                return found

            @staticmethod
            def backward(ctx, *grads):
                if context.materialize:
                    pairs = zip(grads, outputs, strict=True)
                    grads = [oneflow.zeros_like(output) if grad is None else grad for grad, output in pairs]
                found = cls.backward(context, *grads)
                found = found if isinstance(found, (tuple, list)) else (found,)
                kept = [
                    nothing_like(value) if grad is None and value.requires_grad else grad
                    for grad, value in zip(found, args, strict=False)
                    if isinstance(value, oneflow.Tensor)
                ]
                return kept[0] if len(kept) == 1 else tuple(kept)

        found = Call.apply(*(value for value in args if isinstance(value, oneflow.Tensor)))
        constant = [any(output is tensor for tensor in context.constant) for output in outputs]
        pairs = zip((found,) if single else found, constant, strict=True)
        parts = [part.detach() if fixed else part for part, fixed in pairs]
        return parts[0] if single else tuple(parts)


@rule(torch.autograd.grad)
def grad(
    outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, *, allow_unused=None
):
    if allow_unused:
        return gradients_of_used(outputs, inputs, grad_outputs, retain_graph, create_graph)
    if grad_outputs is None and retain_graph is None and not create_graph:
        return oneflow.autograd.grad(outputs, inputs)
    return oneflow.autograd.grad(
        outputs, inputs, grad_outputs, retain_graph=bool(retain_graph), create_graph=create_graph
    )


def gradients_of_used(outputs, inputs, grad_outputs, retain_graph, create_graph):
    """None for inputs that take no part: OneFlow's own fails for them."""
    inputs = [inputs] if isinstance(inputs, oneflow.Tensor) else list(inputs)
    nodes, pending = set(), [part.grad_fn for part in ([outputs] if isinstance(outputs, oneflow.Tensor) else outputs)]
    while pending:
        node = pending.pop()
        if node is not None and node not in nodes:
            nodes.add(node)
            pending += node.next_functions
    used = [part for part in inputs if part.grad_fn is not None and part.grad_fn in nodes]
    options = {"retain_graph": bool(retain_graph), "create_graph": create_graph}
    found = iter(oneflow.autograd.grad(outputs, used, grad_outputs, **options) if used else ())
    return tuple(next(found) if any(part is one for one in used) else None for part in inputs)


@rule(torch.autograd.backward)
def backward(tensors, grad_tensors=None):
    return oneflow.autograd.backward(tensors, grad_tensors)


@rule(torch.autograd.backward)
def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False):
    return oneflow.autograd.backward(tensors, grad_tensors, retain_graph=bool(retain_graph), create_graph=create_graph)


@rule("torch.autograd.Variable:part")
def variable_of_part(data, requires_grad=False, volatile=False):
    with oneflow.no_grad():
        part = data.unsqueeze(0).squeeze(0)
    return part.requires_grad_(requires_grad)


@rule(torch.autograd.Variable)
def Variable(data, requires_grad=False, volatile=False):
    # volatile says nothing since torch 0.4
    return data.detach().requires_grad_() if requires_grad else data.detach()
