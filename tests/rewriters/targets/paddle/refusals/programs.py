"""torch's functions, programs and TorchScript."""

from __future__ import annotations

import os
import tempfile
import time
from typing import Any

import numpy
import paddle
import paddle.nn.functional as F
from framework import wanting_gradient
from probing import close, fails, probe


@probe()
def ldl(names: list[str]) -> None:
    x = paddle.to_tensor([[4.0, 2.0], [2.0, 3.0]])
    packed, pivots = paddle.linalg.lu(x)
    permutation, lower, upper = paddle.linalg.lu_unpack(packed, pivots)
    close(permutation @ lower @ upper, x)
    factor = paddle.linalg.cholesky(x)
    close(factor @ factor.T, x)


@probe()
def lobpcg(names: list[str]) -> None:
    x = paddle.diag(paddle.to_tensor([1.0, 5.0, 3.0]))
    values, vectors = paddle.linalg.eigh(x)
    close(values[-2:].flip(0), [5, 3])  # the k largest, as lobpcg gives them
    close(x @ vectors, vectors * values)


@probe()
def identity_transform(names: list[str]) -> None:
    fails(IndexError, lambda: paddle.distribution.ChainTransform([])(paddle.ones([2])))
    normal = paddle.distribution.Normal(0.0, 1.0)
    assert paddle.distribution.TransformedDistribution(normal, []).sample([3]).shape == [3]


@probe(namesakes=("rearrange",))
def rearranged(names: list[str]) -> None:
    # einops is not in this environment: its own tests run on Paddle
    from paddle.tensor.einsum import rearrange

    assert rearrange([1, 0, -1]) == ([1, 0], [2])  # of einsum's inside: axes, no tensor
    fails(TypeError, lambda: rearrange(paddle.ones([2, 3]), "a b -> b a"))
    x = paddle.arange(24, dtype="float32").reshape([2, 3, 4])
    close(x.transpose([1, 0, 2]).reshape([3, 8]), numpy.arange(24.0).reshape(2, 3, 4).transpose(1, 0, 2).reshape(3, 8))


@probe()
def batch_norm(names: list[str]) -> None:
    def gradient(training: bool) -> Any:
        layer = paddle.nn.BatchNorm1D(3, use_global_stats=False)
        layer.training = training
        x = paddle.to_tensor(numpy.random.RandomState(0).randn(5, 3).astype("float32"), stop_gradient=False)
        (layer(x) ** 3).sum().backward()
        return x.grad.sum(axis=0)

    close(gradient(training=True), [0, 0, 0])  # as it must be: a shift of the batch changes nothing
    assert (gradient(training=False).abs() > 1).all().item()
    layer = paddle.nn.GroupNorm(1, 3)
    x = paddle.rand([5, 3])
    trained = layer(x)
    layer.eval()
    close(layer(x), trained)


@probe()
def scaled_product(names: list[str]) -> None:
    x, y = paddle.ones([2, 3]), paddle.ones([3, 2])
    narrow = x.astype("float8_e4m3fn")
    fails(RuntimeError, lambda: paddle.matmul(narrow, y.astype("float8_e4m3fn")), "kernel")
    scale = paddle.to_tensor(0.5)
    close((narrow.astype("float32") * scale) @ y, numpy.full([2, 2], 1.5))


@probe()
def attention(names: list[str]) -> None:
    x = paddle.rand([2, 5, 8])
    assert paddle.nn.MultiHeadAttention(8, 2)(x).shape == [2, 5, 8]
    heads = x.reshape([2, 5, 2, 4])
    assert F.scaled_dot_product_attention(heads, heads, heads).shape == [2, 5, 2, 4]


@probe(namesakes=("can_use_flash_attention",))
def attention_kernels(names: list[str]) -> None:
    from paddle.nn.functional.sdpa import SDPParams, can_use_flash_attention

    # of sdpa's inside, and of parameters that only it makes
    fails(TypeError, lambda: SDPParams(1, 2, 3, None, 0.0, False), "scale")
    fails(AttributeError, lambda: can_use_flash_attention())
    heads = paddle.rand([1, 5, 2, 4])
    chosen = F.scaled_dot_product_attention(heads, heads, heads)
    with paddle.nn.attention.sdpa_kernel(paddle.nn.attention.SDPBackend.MATH):
        close(F.scaled_dot_product_attention(heads, heads, heads), chosen)


@probe()
def loss_in_parts(names: list[str]) -> None:
    logits, labels = paddle.rand([6, 4]), paddle.to_tensor([0, 1, 2, 3, 0, 1])
    fails(TypeError, lambda: F.cross_entropy(logits, labels, options=None))
    whole = F.cross_entropy(logits, labels)
    close((F.cross_entropy(logits[:3], labels[:3]) + F.cross_entropy(logits[3:], labels[3:])) / 2, whole)


@probe()
def overrides(names: list[str]) -> None:
    class Own:
        @classmethod
        def __torch_function__(cls, *given: Any) -> str:
            return "asked"

    fails(ValueError, lambda: paddle.add(Own(), Own()))


# The next ones are TorchScript's: that Paddle has nothing of the name anywhere is looked up for each of them, and what
# remains to try is what stands in its place.


@probe()
def parser(names: list[str]) -> None:
    @paddle.jit.to_static(full_graph=True)
    def doubled(x: Any) -> Any:
        if x.sum() > 0:  # no annotation and no comment of a type is asked for
            return x * 2
        return x

    close(doubled(paddle.ones([2])), [2, 2])
    close(doubled(-paddle.ones([2])), [-1, -1])


def saved_and_read() -> None:
    layer = paddle.nn.Linear(3, 2)
    made = paddle.jit.to_static(layer, input_spec=[paddle.static.InputSpec([None, 3], "float32")])
    x = paddle.rand([4, 3])
    with tempfile.TemporaryDirectory() as folder:
        paddle.jit.save(made, os.path.join(folder, "model"))
        close(paddle.jit.load(os.path.join(folder, "model"))(x), layer(x))


@probe()
def script(names: list[str]) -> None:
    assert callable(paddle.jit.to_static)
    assert callable(paddle.jit.save)
    saved_and_read()


@probe()
def script_files(names: list[str]) -> None:
    with tempfile.NamedTemporaryFile(suffix=".pt") as file:
        fails(ValueError, lambda: paddle.jit.load(file.name))
    assert callable(paddle.jit.save)
    saved_and_read()


@probe()
def measured(names: list[str]) -> None:
    layer, x = paddle.nn.Linear(3, 2), paddle.rand([4, 3])
    start = time.perf_counter()
    layer(x)
    assert 0 < time.perf_counter() - start < 60


@probe()
def dual_numbers(names: list[str]) -> None:
    fails(AttributeError, lambda: paddle.autograd.forward_ad)
    x = wanting_gradient(3)
    found, tangent = paddle.incubate.autograd.jvp(lambda x: x * x, x, paddle.ones([3]))
    close(found, (x * x).detach())
    close(tangent, (x * 2).detach())


@probe()
def stacks(names: list[str]) -> None:
    def said(level: int) -> str:
        paddle.set_flags({"FLAGS_call_stack_level": level})
        try:
            paddle.ones([6]).reshape([4, 4])
        except ValueError as error:
            return str(error)
        finally:
            paddle.set_flags({"FLAGS_call_stack_level": 1})
        raise AssertionError("reshape fits")

    assert "C++ Traceback" in said(2)
    assert "C++ Traceback" not in said(1)
