"""Optimizers and autograd: functional forms, hooks, the insides of autograd.Function and of the profiler."""

from __future__ import annotations

import contextlib
import inspect
import io
from typing import Any

import paddle
from framework import wanting_gradient
from probing import close, fails, probe

# torch.optim's module, whose function it is, and the class that the reader is sent to
CLASSES = {
    "adadelta": "Adadelta", "adagrad": "Adagrad", "adam": "Adam", "adamax": "Adamax", "adamw": "AdamW", "asgd": "ASGD",
    "nadam": "NAdam", "radam": "RAdam", "rmsprop": "RMSProp", "rprop": "Rprop", "sgd": "SGD",
}  # fmt: skip


@probe(namesakes=tuple(CLASSES))
def functional_forms(names: list[str]) -> None:
    assert {name.rpartition(".")[2] for name in names} == CLASSES.keys()
    for module, made in CLASSES.items():
        assert inspect.ismodule(getattr(paddle.optimizer, module)), module
        layer = paddle.nn.Linear(2, 2)
        before = layer.weight.clone()
        options: dict[str, Any] = {"learning_rate": 0.1, "parameters": layer.parameters()}
        optimizer = getattr(paddle.optimizer, made)(**options, **({"batch_num": 1} if made == "ASGD" else {}))
        layer(paddle.ones([1, 2])).sum().backward()
        optimizer.step()
        assert (layer.weight != before).any().item(), made


@probe()
def hooks_of_steps(names: list[str]) -> None:
    assert not any("hook" in name for name in dir(paddle.optimizer.Optimizer) if not name.startswith("__"))
    x = paddle.nn.Linear(1, 1)
    optimizer = paddle.optimizer.SGD(0.1, parameters=x.parameters())
    before = x.weight.clone()
    x(paddle.ones([1, 1])).sum().backward()
    for parameter in x.parameters():  # what the hook would have done
        parameter.grad.set_value(paddle.zeros_like(parameter))
    optimizer.step()
    close(x.weight, before)


@probe()
def swapped_in(names: list[str]) -> None:
    def stepped(layer: Any, optimizer: Any) -> None:
        layer(paddle.ones([1, 2])).sum().backward()
        optimizer.step()
        optimizer.clear_grad()

    layer = paddle.nn.Linear(2, 2)
    optimizer = paddle.optimizer.Adam(0.1, parameters=layer.parameters())
    stepped(layer, optimizer)
    values = {name: value.clone() for name, value in layer.state_dict().items()}
    state = {n: v.clone() if isinstance(v, paddle.Tensor) else v for n, v in optimizer.state_dict().items()}
    stepped(layer, optimizer)
    once = layer.weight.clone()
    stepped(layer, optimizer)
    layer.set_state_dict(values)
    optimizer.set_state_dict(state)
    stepped(layer, optimizer)
    close(layer.weight, once)


@probe()
def own_functions(names: list[str]) -> None:
    class Cube(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            (x,) = ctx.saved_tensor()
            return grad * 3 * x**2

    x = wanting_gradient(3)
    Cube.apply(x).sum().backward()
    close(x.grad, (3 * x**2).detach())


@probe()
def strides_of_gradients(names: list[str]) -> None:
    x = wanting_gradient(2, 3)
    (x.T * paddle.arange(6, dtype="float32").reshape([3, 2])).sum().backward()
    close(x.grad.contiguous(), [[0, 2, 4], [1, 3, 5]])
    assert x.grad.contiguous().strides == [3, 1]


def profiled(**options: Any) -> str:
    with paddle.profiler.Profiler(
        targets=[paddle.profiler.ProfilerTarget.CPU], on_trace_ready=lambda profiler: None, **options
    ) as profiler:
        x = paddle.ones([3])
        paddle.multiply(x, x)
    with contextlib.redirect_stdout(io.StringIO()) as text:
        profiler.summary()
    return text.getvalue()


@probe()
def profiler(names: list[str]) -> None:
    assert callable(paddle.profiler.Profiler.summary)
    assert "multiply" in profiled()


@probe()
def vtune(names: list[str]) -> None:
    taken = inspect.signature(paddle.profiler.Profiler).parameters
    assert not any("itt" in name for name in taken)
    assert "multiply" in profiled()


@probe()
def nvtx(names: list[str]) -> None:
    assert "emit_nvtx" in inspect.signature(paddle.profiler.Profiler).parameters
    assert "multiply" in profiled(emit_nvtx=True)


@probe()
def recomputed(names: list[str]) -> None:
    calls = []

    def step(x: Any) -> Any:
        calls.append(1)
        return (x * x).tanh()

    x = wanting_gradient(3)
    paddle.distributed.fleet.utils.recompute(step, x).sum().backward()
    assert len(calls) == 2
    kept = x.detach()
    kept.stop_gradient = False
    step(kept).sum().backward()
    close(x.grad, kept.grad)


@probe(namesakes=("RNNBase",))
def recurrent_base(names: list[str]) -> None:
    base = paddle.nn.layer.rnn.RNNBase
    fails(TypeError, lambda: base("LSTM", 3, 4, bias=True, batch_first=True), "bias")
    for kind in (paddle.nn.LSTM, paddle.nn.GRU, paddle.nn.SimpleRNN):
        assert issubclass(kind, base)

        class Derived(kind):  # type: ignore[misc, valid-type]
            pass

        found, _ = Derived(3, 4)(paddle.ones([2, 5, 3]))
        assert found.shape == [2, 5, 4]
