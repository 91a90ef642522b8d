"""torch.autograd, torch.func and what is taken back in the backward pass."""

from __future__ import annotations

import inspect

import numpy
import oneflow
from framework import named, wanting_gradient
from probing import close, fails, probe


@probe()
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


@probe()
def dtype_of_gradients(names: list[str]) -> None:
    x = wanting_gradient(3)
    x.double().sum().backward()
    assert x.grad.dtype == x.dtype == oneflow.float32


@probe()
def inference(names: list[str]) -> None:
    x = wanting_gradient(3)
    with oneflow.inference_mode():
        assert not oneflow.is_grad_enabled()
        assert not (x * 2).requires_grad
    assert named(oneflow, "inference") == ["inference_mode"]


@probe()
def hook_after_accumulation(names: list[str]) -> None:
    x, seen = wanting_gradient(3), []
    x.register_hook(lambda grad: seen.append(x.grad))
    (x * 2).sum().backward()
    assert set(seen) == {None}  # what hooks there are come before
    close(x.grad, [2, 2, 2])


@probe()
def anomalies(names: list[str]) -> None:
    assert named(oneflow.autograd, "anomaly") == []
    x = oneflow.zeros(1).requires_grad_()
    (x.sqrt() * 0).sum().backward()
    assert oneflow.isnan(x.grad).all()


@probe()
def engine(names: list[str]) -> None:
    settings = named(oneflow.autograd, "thread", "view", "layout", "kineto")
    assert settings == []
    assert named(oneflow.autograd, "enabled") == ["is_grad_enabled", "set_grad_enabled"]


@probe()
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


@probe()
def functional(names: list[str]) -> None:
    assert oneflow.autograd.grad
    jacobian_and_hessian()


@probe(namesakes=("grad",))
def transformed(names: list[str]) -> None:
    x = wanting_gradient(3)
    fails(TypeError, lambda: oneflow.autograd.grad(lambda x: (x * x).sum()))  # of tensors, not of functions
    close(oneflow.autograd.grad((x * x).sum(), x)[0], 2 * x.detach())
    jacobian_and_hessian()


@probe()
def checked(names: list[str]) -> None:
    x = oneflow.rand(3, dtype=oneflow.float64).requires_grad_()
    (found,) = oneflow.autograd.grad(oneflow.exp(x).sum(), x)
    step = 1e-6
    close(found, (oneflow.exp(x + step) - oneflow.exp(x - step)).detach() / (2 * step))


@probe()
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


@probe(elsewhere=("function",))
def batched(names: list[str]) -> None:
    def function(row):
        return row.sum()

    x = oneflow.rand(4, 3)
    close(oneflow.stack([function(row) for row in x]), x.sum(1))


@probe()
def other_parameters(names: list[str]) -> None:
    module, x = oneflow.nn.Linear(3, 2), oneflow.rand(4, 3)
    values = {name: value * 0 + 1 for name, value in module.state_dict().items()}
    module.load_state_dict(values)
    close(module(x), (x.sum(1, keepdim=True) + 1).expand(4, 2))


@probe()
def batch_norm(names: list[str]) -> None:
    layer, x = oneflow.nn.GroupNorm(1, 3), oneflow.rand(5, 3, 4)
    trained = layer(x)
    layer.eval()
    close(layer(x), trained)
