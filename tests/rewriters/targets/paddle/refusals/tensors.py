"""What torch's tensors show of themselves, and Paddle's do not."""

from __future__ import annotations

import hashlib
import multiprocessing

import paddle
from framework import wanting_gradient
from probing import close, fails, probe


@probe()
def storage(names: list[str]) -> None:
    x = paddle.arange(6, dtype="float32").reshape([2, 3])
    fails(AttributeError, lambda: x.untyped_storage())
    assert x[1:].data_ptr() - x.data_ptr() == 3 * x.element_size()
    assert x.numel().item() * x.element_size() == len(x.numpy().tobytes())
    close(x.flatten(), list(range(6)))


@probe()
def strided_in_place(names: list[str]) -> None:
    leaf = wanting_gradient(3)
    x = leaf * 2
    x.set_(x, [2], [1], x.element_size())  # the last two elements
    x.sum().backward()
    assert leaf.grad.shape == [2]  # torch's is [0, 2, 2]
    x = paddle.arange(6, dtype="float32")
    close(x.as_strided([2, 2], [2, 1]), [[0, 1], [2, 3]])


@probe()
def derived_class(names: list[str]) -> None:
    class Named(paddle.Tensor):
        pass

    leaf = wanting_gradient(2)
    found = Named(leaf * 2)
    assert type(found) is Named
    assert type(found + 1) is paddle.Tensor
    assert found.stop_gradient


@probe(namesakes=("layout",))
def layout(names: list[str]) -> None:
    x = paddle.eye(2)
    coo, csr = x.to_sparse_coo(2), x.to_sparse_csr()
    assert {x.layout, coo.layout, csr.layout} == {"NCHW"}
    assert [y.is_sparse_coo() for y in (x, coo, csr)] == [False, True, False]
    assert [y.is_sparse_csr() for y in (x, coo, csr)] == [False, False, True]


@probe(namesakes=("layout",))
def layouts(names: list[str]) -> None:
    fails(AttributeError, lambda: paddle.layout)  # the tensors' property is another thing, as `layout` shows
    x = paddle.eye(2)
    assert x.to_sparse_coo(x.ndim).is_sparse_coo()
    assert x.to_sparse_csr().is_sparse_csr()


@probe()
def bound_axes(names: list[str]) -> None:
    x = paddle.arange(6, dtype="float32").reshape([2, 3])
    close(paddle.einsum("ij,j->i", x, paddle.ones([3])), x[:, 0] + x[:, 1] + x[:, 2])


@probe()
def hashed(names: list[str]) -> None:
    x, other = paddle.ones([3]), paddle.ones([3])
    assert hash(x) != hash(other)  # Python's own is the object's
    digests = {hashlib.sha256(x.numpy().tobytes()).digest() for x in (x, other)}
    assert len(digests) == 1


@probe()
def shared(names: list[str]) -> None:
    x = paddle.ones([3])
    fails(AttributeError, lambda: x.share_memory_())
    queue = multiprocessing.Queue()
    queue.put(x.numpy())
    close(queue.get(timeout=30), x)


@probe(namesakes=("xpu",))
def moved(names: list[str]) -> None:
    x = paddle.ones([2])
    for name in names:
        method = name.rpartition(".")[2]
        fails(AttributeError, lambda method=method: getattr(x, method)())
    fails(ValueError, lambda: x.to("xpu"), "not compiled with XPU")
    fails(ValueError, lambda: x.to("mtia"), "'cpu', 'gpu'")
    assert x.to("cpu").place.is_cpu_place()


@probe()
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


@probe()
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


@probe()
def traded(names: list[str]) -> None:
    a, b = paddle.zeros([2]), paddle.ones([2])
    kept = a.clone()
    a.copy_(b)
    b.copy_(kept)
    close(a, [1, 1])
    close(b, [0, 0])


@probe()
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
