"""torch.autograd: gradients."""

import oneflow
import torch

from rewriters.rule import alias, differs, rule

alias("torch.autograd.Variable:test", "oneflow.Tensor")
alias("torch.autograd.Variable:annotated", "oneflow.Tensor")


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
    """With allow_unused None for inputs that take no part: OneFlow's own fails for them.

    At an input that was computed OneFlow's own goes on for a step: it leaves part of the gradient with what that was
    computed of, where the next backward() counts it, and frees what that step keeps. So nothing is handed on there.
    """
    inputs = [inputs] if isinstance(inputs, oneflow.Tensor) else list(inputs)
    outputs = [outputs] if isinstance(outputs, oneflow.Tensor) else list(outputs)
    nodes = nodes_below([part.grad_fn for part in outputs]) if allow_unused else ()
    used = [part for part in inputs if not allow_unused or (part.grad_fn is not None and part.grad_fn in nodes)]
    found, hooked = {}, set()
    for part in used:
        if not part.is_leaf and id(part) not in hooked:
            below = nodes_below(part.grad_fn.next_functions)
            if not any(one.grad_fn in below for one in used):
                hooked.add(id(part))
                part.register_hook(ending_in(found, id(part), hooked))
    options = {"retain_graph": bool(retain_graph) or bool(hooked), "create_graph": create_graph}
    given = iter(oneflow.autograd.grad(outputs, used, grad_outputs, **options) if used else ())
    gradients = {id(part): gradient for part, gradient in zip(used, given, strict=True)}
    gradients.update(found)
    hooked.clear()  # hooks can't be taken away
    found.clear()
    return tuple(gradients.get(id(part)) for part in inputs)


def ending_in(found, key, hooked):
    """A hook that keeps the gradient and hands on zeros, as long as its tensor is among those hooked."""

    def hook(gradient):
        if key not in hooked:
            return None
        found[key] = gradient
        return oneflow.zeros_like(gradient)

    return hook


def nodes_below(pending):
    """Functions of a graph that a gradient comes to from some of them on."""
    nodes, pending = set(), list(pending)
    while pending:
        node = pending.pop()
        if node is not None and node not in nodes:
            nodes.add(node)
            pending += node.next_functions
    return nodes


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
