"""torch.autograd, torch.func and what is taken back in the backward pass."""

from __future__ import annotations

import inspect

import numpy
import oneflow
from framework import named, wanting_gradient
from probing import close, fails, probe


@probe("the inside of torch.autograd.Function; derive from it alone")
def functions(names: list[str]) -> None:
    class Doubled(oneflow.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    assert oneflow.autograd.Function
    x = wanting_gradient(3)
    Doubled.apply(x).sum().backward()
    close(x.grad, [2, 2, 2])


@probe("OneFlow 0.9 gives gradients in the parameter's dtype; leave it out")
def dtype_of_gradients(names: list[str]) -> None:
    x = wanting_gradient(3)
    x.double().sum().backward()
    assert x.grad.dtype == x.dtype == oneflow.float32


@probe("OneFlow 0.9 does not tell tensors of inference mode; ask x.requires_grad, oneflow.is_grad_enabled()")
def inference(names: list[str]) -> None:
    x = wanting_gradient(3)
    with oneflow.inference_mode():
        assert not oneflow.is_grad_enabled()
        assert not (x * 2).requires_grad
    assert named(oneflow, "inference") == ["inference_mode"]


@probe("OneFlow 0.9 has no such hook; call the function after backward()")
def hook_after_accumulation(names: list[str]) -> None:
    x, seen = wanting_gradient(3), []
    x.register_hook(lambda grad: seen.append(x.grad))
    (x * 2).sum().backward()
    assert set(seen) == {None}  # what hooks there are come before
    close(x.grad, [2, 2, 2])


@probe("OneFlow 0.9 does not look for NaN in the backward pass; assert on oneflow.isnan(x.grad) after it")
def anomalies(names: list[str]) -> None:
    assert named(oneflow.autograd, "anomaly") == []
    x = oneflow.zeros(1).requires_grad_()
    (x.sqrt() * 0).sum().backward()
    assert oneflow.isnan(x.grad).all()


@probe("steers torch's own engine of gradients, and OneFlow 0.9's takes nothing of the kind; remove it")
def engine(names: list[str]) -> None:
    settings = named(oneflow.autograd, "thread", "view", "layout", "kineto")
    assert settings == []
    assert named(oneflow.autograd, "enabled") == ["is_grad_enabled", "set_grad_enabled"]


@probe("OneFlow 0.9 has no test for what is like a tensor; use isinstance(x, oneflow.Tensor)")
def like_a_tensor(names: list[str]) -> None:
    assert isinstance(oneflow.ones(2), oneflow.Tensor)
    assert not isinstance(numpy.ones(2), oneflow.Tensor)


@probe("OneFlow 0.9 has no derivatives forward; take one by finite differences, or oneflow.autograd.grad twice")
def forward_derivatives(names: list[str]) -> None:
    x, direction = wanting_gradient(3), oneflow.tensor([1.0, 2.0, 3.0])
    v = oneflow.ones(3).requires_grad_()
    (backward,) = oneflow.autograd.grad(x * x, x, v, create_graph=True)
    (forward,) = oneflow.autograd.grad(backward, v, direction)
    close(forward, 2 * x.detach() * direction)
    step = 1e-3
    moved = ((x + step * direction) ** 2 - (x - step * direction) ** 2) / (2 * step)
    assert numpy.allclose(moved.detach().numpy(), forward.numpy(), atol=1e-2)


def jacobian_and_hessian() -> None:
    x = oneflow.tensor([1.0, 2.0, 3.0]).requires_grad_()
    y = x * x
    rows = [oneflow.autograd.grad(y, x, v, retain_graph=True)[0] for v in oneflow.eye(3)]
    close(oneflow.stack(rows), numpy.diag([2.0, 4.0, 6.0]))
    (first,) = oneflow.autograd.grad((x**3).sum(), x, create_graph=True)
    (second,) = oneflow.autograd.grad(first.sum(), x)
    close(second, 6 * x.detach())


@probe(
    "OneFlow 0.9 has no derivatives of functions; call oneflow.autograd.grad(y, x, v) for each row, with "
    "create_graph=True for second ones"
)
def functional(names: list[str]) -> None:
    assert oneflow.autograd.grad
    jacobian_and_hessian()


@probe(
    "OneFlow 0.9 has no derivatives of functions; call oneflow.autograd.grad(y, x) on tensors that require it",
    namesakes=("grad",),
)
def transformed(names: list[str]) -> None:
    x = wanting_gradient(3)
    fails(TypeError, lambda: oneflow.autograd.grad(lambda x: (x * x).sum()))  # of tensors, not of functions
    close(oneflow.autograd.grad((x * x).sum(), x)[0], 2 * x.detach())
    jacobian_and_hessian()


@probe("OneFlow 0.9 checks no gradients; compare oneflow.autograd.grad(...) with finite differences in float64")
def checked(names: list[str]) -> None:
    x = oneflow.rand(3, dtype=oneflow.float64).requires_grad_()
    (found,) = oneflow.autograd.grad(oneflow.exp(x).sum(), x)
    step = 1e-6
    close(found, (oneflow.exp(x + step) - oneflow.exp(x - step)).detach() / (2 * step))


@probe("OneFlow 0.9 has no gradient of samples; use numpy.gradient(x.numpy()), or differences of slices")
def samples(names: list[str]) -> None:
    x = oneflow.tensor([1.0, 4.0, 9.0])
    close(numpy.gradient(x.numpy()), [3, 4, 5])
    close(x[1:] - x[:-1], [3, 5])


@probe(
    "OneFlow 0.9's checkpoint runs the whole function again; leave it out, or use "
    "oneflow.utils.checkpoint.checkpoint on parts"
)
def checkpoints(names: list[str]) -> None:
    from oneflow.utils.checkpoint import checkpoint

    assert checkpoint is oneflow.utils.checkpoint.checkpoint
    assert list(inspect.signature(checkpoint).parameters) == ["function", "args"]
    runs = []

    def part(x):
        runs.append(1)
        return x * x

    x = wanting_gradient(3)
    checkpoint(part, x).sum().backward()
    assert len(runs) == 2
    close(x.grad, 2 * x.detach())


@probe(
    "OneFlow 0.9 transforms no functions; write the loop over the batch: oneflow.stack([function(row) for row in x])",
    elsewhere=("function",),  # of the reader
)
def batched(names: list[str]) -> None:
    def function(row):
        return row.sum()

    x = oneflow.rand(4, 3)
    close(oneflow.stack([function(row) for row in x]), x.sum(1))


@probe("OneFlow 0.9 calls a module with its own parameters alone; load the others: module.load_state_dict(values)")
def other_parameters(names: list[str]) -> None:
    module, x = oneflow.nn.Linear(3, 2), oneflow.rand(4, 3)
    values = {name: value * 0 + 1 for name, value in module.state_dict().items()}
    module.load_state_dict(values)
    close(module(x), (x.sum(1, keepdim=True) + 1).expand(4, 2))


@probe("OneFlow 0.9 replaces no layers; build the model with oneflow.nn.GroupNorm")
def batch_norm(names: list[str]) -> None:
    layer, x = oneflow.nn.GroupNorm(1, 3), oneflow.rand(5, 3, 4)
    trained = layer(x)
    layer.eval()
    close(layer(x), trained)
