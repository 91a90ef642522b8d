"""What torch's tensors show of themselves, and Paddle's do not."""

from __future__ import annotations

import hashlib
import multiprocessing

import paddle
from framework import wanting_gradient
from probing import close, fails, probe


@probe(
    "Paddle does not show a tensor's storage; x.data_ptr() is its address, x.numel() * x.element_size() its bytes, "
    "x.flatten() its elements"
)
def storage(names: list[str]) -> None:
    x = paddle.arange(6, dtype="float32").reshape([2, 3])
    fails(AttributeError, lambda: x.untyped_storage())
    assert x[1:].data_ptr() - x.data_ptr() == 3 * x.element_size()
    assert x.numel().item() * x.element_size() == len(x.numpy().tobytes())
    close(x.flatten(), list(range(6)))


@probe(
    "Paddle's only form in place, x.set_(x, ...), loses the gradient; bind what as_strided gives, x = "
    "x.as_strided(size, stride), in the source: that is converted"
)
def strided_in_place(names: list[str]) -> None:
    leaf = wanting_gradient(3)
    x = leaf * 2
    x.set_(x, [2], [1], x.element_size())  # the last two elements
    x.sum().backward()
    assert leaf.grad.shape == [2]  # torch's is [0, 2, 2]
    x = paddle.arange(6, dtype="float32")
    close(x.as_strided([2, 2], [2, 1]), [[0, 1], [2, 3]])


@probe(
    "Paddle computes plain tensors from those of a derived class, and making one cuts the gradient; write functions of "
    "plain tensors"
)
def derived_class(names: list[str]) -> None:
    class Named(paddle.Tensor):
        pass

    leaf = wanting_gradient(2)
    found = Named(leaf * 2)
    assert type(found) is Named
    assert type(found + 1) is paddle.Tensor
    assert found.stop_gradient


@probe(
    "Paddle's x.layout is the order of an image's axes ('NCHW'), of sparse tensors too; ask x.is_sparse_coo(), "
    "x.is_sparse_csr()",
    namesakes=("layout",),
)
def layout(names: list[str]) -> None:
    x = paddle.eye(2)
    coo, csr = x.to_sparse_coo(2), x.to_sparse_csr()
    assert {x.layout, coo.layout, csr.layout} == {"NCHW"}
    assert [y.is_sparse_coo() for y in (x, coo, csr)] == [False, True, False]
    assert [y.is_sparse_csr() for y in (x, coo, csr)] == [False, False, True]


@probe(
    "Paddle has no words for layouts; ask x.is_sparse_coo() and x.is_sparse_csr(), make such tensors with "
    "x.to_sparse_coo(x.ndim), x.to_sparse_csr()",
    namesakes=("layout",),
)
def layouts(names: list[str]) -> None:
    fails(AttributeError, lambda: paddle.layout)  # the tensors' property is another thing, as `layout` shows
    x = paddle.eye(2)
    assert x.to_sparse_coo(x.ndim).is_sparse_coo()
    assert x.to_sparse_csr().is_sparse_csr()


@probe(
    "Paddle's axes cannot be bound to functorch's dimensions; index by position, or write it with paddle.einsum",
)
def bound_axes(names: list[str]) -> None:
    x = paddle.arange(6, dtype="float32").reshape([2, 3])
    close(paddle.einsum("ij,j->i", x, paddle.ones([3])), x[:, 0] + x[:, 1] + x[:, 2])


@probe("Paddle has no hash of a tensor's elements; hash its bytes: hashlib.sha256(x.numpy().tobytes())")
def hashed(names: list[str]) -> None:
    x, other = paddle.ones([3]), paddle.ones([3])
    assert hash(x) != hash(other)  # Python's own is the object's
    digests = {hashlib.sha256(x.numpy().tobytes()).digest() for x in (x, other)}
    assert len(digests) == 1


@probe(
    "Paddle's tensors are not shared between processes by a method; send x.numpy() through a queue of multiprocessing"
)
def shared(names: list[str]) -> None:
    x = paddle.ones([3])
    fails(AttributeError, lambda: x.share_memory_())
    queue = multiprocessing.Queue()
    queue.put(x.numpy())
    close(queue.get(timeout=30), x)


@probe(
    "Paddle's tensors are not told of streams; wait for the other stream, stream.synchronize(), before the tensor goes"
)
def streams(names: list[str]) -> None:
    fails(AttributeError, lambda: paddle.ones([1]).record_stream(None))
    assert callable(paddle.device.Stream.synchronize)
    fails(TypeError, lambda: paddle.device.synchronize(), "gpu")  # a stream is of a GPU


@probe(
    "Paddle's tensors have no method for each device; write x.to('xpu'), which says what devices this Paddle knows",
    namesakes=("xpu",),  # Layer.xpu and modules
)
def moved(names: list[str]) -> None:
    x = paddle.ones([2])
    for name in names:
        method = name.rpartition(".")[2]
        fails(AttributeError, lambda method=method: getattr(x, method)())
    fails(ValueError, lambda: x.to("xpu"), "not compiled with XPU")
    fails(ValueError, lambda: x.to("mtia"), "'cpu', 'gpu'")
    assert x.to("cpu").place.is_cpu_place()


@probe("Paddle does not tell whether x.retain_grads() was called; keep that yourself, or ask x.is_leaf")
def retained(names: list[str]) -> None:
    x = wanting_gradient(2)
    y, z = x * 2, x * 3
    before = set(dir(y))
    y.retain_grads()
    assert set(dir(y)) == before
    (y + z).sum().backward()
    assert y.grad is not None
    assert z.grad is None
    assert [x.is_leaf, y.is_leaf] == [True, False]


@probe("Paddle's tensors have one memory format; leave the argument out, or give the layers data_format='NHWC'")
def memory_format(names: list[str]) -> None:
    x = paddle.ones([1, 3, 8, 8])
    fails(TypeError, lambda: paddle.empty([2], memory_format=0))
    assert x.transpose([0, 2, 3, 1]).contiguous().shape == [
        1,
        8,
        8,
        3,
    ]  # which torch's channels_last leaves (1, 3, 8, 8)
    layer = paddle.nn.Conv2D(3, 4, 3, data_format="NHWC")
    assert layer(paddle.ones([1, 8, 8, 3])).shape == [1, 6, 6, 4]


@probe("Paddle's tensors cannot trade places; trade their values: kept = a.clone(), then a.copy_(b) and b.copy_(kept)")
def traded(names: list[str]) -> None:
    a, b = paddle.zeros([2]), paddle.ones([2])
    kept = a.clone()
    a.copy_(b)
    b.copy_(kept)
    close(a, [1, 1])
    close(b, [0, 0])


@probe("Paddle's is got by a call: write paddle.Generator('cpu') for it, and paddle.seed(...) for its manual_seed")
def generator(names: list[str]) -> None:
    assert paddle.Generator("cpu") is not paddle.Generator
    paddle.Generator("cpu").manual_seed(5)
    first = paddle.rand([3])
    paddle.seed(5)
    close(paddle.rand([3]), first)
    state = paddle.Generator("cpu").get_state()
    first = paddle.rand([3])
    paddle.Generator("cpu").set_state(state)
    close(paddle.rand([3]), first)
