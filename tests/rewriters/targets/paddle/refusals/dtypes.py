"""Dtypes that Paddle has not, or cannot compute with; quantized tensors."""

from __future__ import annotations

import paddle
from framework import has_no_kernel
from probing import close, fails, probe


def last(name: str) -> str:
    return name.rpartition(".")[2]


def is_no_dtype(name: str) -> None:
    """Neither a name of Paddle nor a text that it takes for a dtype."""
    fails(AttributeError, lambda: getattr(paddle, name))
    for make in (lambda: paddle.ones([2], dtype=name), lambda: paddle.ones([2]).astype(name)):
        try:
            given = make()
        except (TypeError, ValueError):
            continue
        raise AssertionError(f"{name} gives {given.dtype}")


@probe()
def complex_dtypes(names: list[str]) -> None:
    assert {last(name) for name in names} == {"complex32", "chalf"}
    is_no_dtype("complex32")
    fails(AttributeError, lambda: paddle.ones([2]).chalf())
    kinds = {
        name for name in dir(paddle) if name.startswith("complex") and isinstance(getattr(paddle, name), paddle.dtype)
    }
    assert kinds == {"complex64", "complex128"}
    x = paddle.ones([2]).astype(paddle.complex64)
    close((x * x).real(), [1, 1])


@probe(namesakes=("uint16", "uint32", "uint64"))
def wide_unsigned(names: list[str]) -> None:
    for name in names:
        dtype = getattr(paddle, last(name))
        has_no_kernel(lambda dtype=dtype: paddle.zeros([2], dtype=dtype))
        x = paddle.to_tensor([1, 2]).astype(dtype)
        assert x.dtype == dtype
        assert x.astype(paddle.int64).tolist() == [1, 2]
        has_no_kernel(lambda x=x: x + x)
        has_no_kernel(lambda x=x: x == x)
        has_no_kernel(lambda x=x: x[0])
        has_no_kernel(lambda x=x: paddle.concat([x, x]))
    assert paddle.ones([2]).astype("uint16").dtype == paddle.bfloat16
    fails(ValueError, lambda: paddle.to_tensor([1], dtype="uint32"))
    fails(ValueError, lambda: paddle.to_tensor([1], dtype="uint64"))
    x = paddle.to_tensor([65535], dtype=paddle.int32)
    assert ((x + x) & paddle.full_like(x, 0xFFFF)).tolist() == [65534]  # how 16 bits wrap around


@probe()
def narrow_floats(names: list[str]) -> None:
    for name in names:
        is_no_dtype(last(name))
    x = paddle.to_tensor([1.0, 2.5])
    for dtype in (paddle.float8_e4m3fn, paddle.float8_e5m2):
        narrow = x.astype(dtype)
        close(narrow.astype("float32"), x)
        has_no_kernel(lambda narrow=narrow: narrow + narrow)
    close((x.astype(paddle.bfloat16) * 2).astype("float32"), [2, 5])


@probe()
def bits(names: list[str]) -> None:
    for name in names:
        is_no_dtype(last(name))
    x = paddle.to_tensor([1, -8], dtype=paddle.int8)
    assert (x + x).tolist() == [2, -16]
    low, high = paddle.to_tensor([5, 15], dtype=paddle.uint8), paddle.to_tensor([9, 0], dtype=paddle.uint8)
    four = paddle.full([1], 4, dtype=paddle.uint8)
    packed = low | (high << four)
    assert packed.tolist() == [0x95, 0x0F]
    assert (packed >> four).tolist() == high.tolist()


@probe()
def quantized(names: list[str]) -> None:
    from paddle.quantization import PTQ, QAT, QuantConfig
    from paddle.quantization.observers import AbsmaxObserver
    from paddle.quantization.quanters import FakeQuanterWithAbsMaxObserver

    for name in ("qint8", "quint8", "qint32"):
        is_no_dtype(name)
    x = paddle.rand([4, 3])
    model = paddle.nn.Sequential(paddle.nn.Linear(3, 2))
    fake = FakeQuanterWithAbsMaxObserver()
    trained = QAT(QuantConfig(activation=fake, weight=fake)).quantize(model)
    assert type(trained[0]).__name__ == "QuantedLinear"
    assert trained(x).shape == [4, 2]
    model.eval()
    after = PTQ(QuantConfig(activation=AbsmaxObserver(), weight=AbsmaxObserver()))
    observed = after.quantize(model)
    observed(x)
    converted = after.convert(observed)(x)
    assert converted.dtype == paddle.float32  # what comes out is no quantized tensor either
    assert paddle.allclose(converted, model(x), atol=0.05).item()
