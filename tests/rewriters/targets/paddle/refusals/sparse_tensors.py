"""Sparse tensors: formats and operations that Paddle has none of."""

from __future__ import annotations

import paddle
from framework import wanting_gradient
from probing import close, fails, probe


def eye() -> paddle.Tensor:
    return paddle.eye(2).to_sparse_coo(2)


@probe()
def formats(names: list[str]) -> None:
    made = {name for name in dir(paddle.sparse) if name.startswith("sparse_")}
    assert made == {"sparse_coo_tensor", "sparse_csr_tensor"}
    assert {name for name in dir(paddle.Tensor) if name.startswith("to_sparse")} == {"to_sparse_coo", "to_sparse_csr"}
    close(paddle.sparse.sparse_coo_tensor([[0, 1], [0, 1]], [1.0, 1.0], [2, 2]).to_dense(), paddle.eye(2))
    close(paddle.sparse.sparse_csr_tensor([0, 1, 2], [0, 1], [1.0, 1.0], [2, 2]).to_dense(), paddle.eye(2))


@probe()
def resized(names: list[str]) -> None:
    x = eye()
    for name in names:
        method = name.rpartition(".")[2]
        fails(AttributeError, lambda method=method: getattr(x, method)([3, 3], 2, 0))
    wider = paddle.sparse.sparse_coo_tensor(x.indices(), x.values(), [3, 3])
    assert wider.to_dense().shape == [3, 3]


@probe()
def nested(names: list[str]) -> None:
    fails(AttributeError, lambda: paddle.nested)
    fails(ValueError, lambda: paddle.to_tensor([[1.0, 2.0], [3.0]]))
    padded, lengths = paddle.to_tensor([[1.0, 2.0], [3.0, 0.0]]), paddle.to_tensor([2, 1])
    kept = paddle.nn.functional.sequence_mask(lengths, maxlen=2, dtype="float32")
    close((padded * kept).sum(axis=1) / lengths.astype("float32"), [1.5, 3.0])


@probe()
def semi_structured(names: list[str]) -> None:
    from paddle.incubate import asp

    layer = paddle.nn.Linear(4, 4)
    fails(AssertionError, lambda: asp.prune_model(layer, n=2, m=4), "call asp.decorate()")
    optimizer = paddle.optimizer.SGD(parameters=layer.parameters())
    fails(AttributeError, lambda: asp.decorate(optimizer), "create_parameter")
    layer = paddle.nn.Linear(4, 4)
    mask = paddle.to_tensor([1.0, 0.0, 1.0, 0.0])
    layer.weight.set_value(layer.weight * mask.unsqueeze(-1))
    assert asp.calculate_density(layer.weight.numpy()) == 0.5
    close(layer(paddle.ones([1, 4])), layer(mask.unsqueeze(0)))


@probe()
def sparse_gradients(names: list[str]) -> None:
    fails(
        AttributeError, lambda: paddle.autograd.gradcheck
    )  # what gradcheck becomes is migrate's, by finite differences
    leaf = wanting_gradient(2, 2)
    paddle.sparse.multiply(leaf.to_sparse_coo(2), leaf.to_sparse_coo(2)).to_dense().sum().backward()
    close(leaf.grad, leaf.detach() * 2)


@probe()
def invariants(names: list[str]) -> None:
    fails(ValueError, lambda: paddle.sparse.sparse_coo_tensor([[5], [5]], [1.0], [2, 2]), "minimum shape")
    paddle.sparse.sparse_coo_tensor([[-1], [0]], [1.0], [2, 2])  # torch refuses a negative index
    paddle.sparse.sparse_csr_tensor([0, 5, 2], [0, 1], [1.0, 2.0], [2, 2])  # and rows that end before they begin
