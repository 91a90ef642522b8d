"""Dtypes, memory, and functions of tensors."""

from __future__ import annotations

import numpy
import oneflow
from framework import named, wanting_gradient
from probing import close, fails, probe


@probe()
def bfloat16(names: list[str]) -> None:
    x = oneflow.tensor([1.0]).bfloat16()
    assert x.dtype == oneflow.bfloat16
    close(x.float(), [1])
    fails(RuntimeError, lambda: x + 1, "op_kernel_not_found_error")  # on a CPU


@probe()
def dtypes(names: list[str]) -> None:
    those = {"bool", "uint8", "int8", "int32", "int64", "float16", "bfloat16", "float32", "float64"}
    found = {str(value) for value in vars(oneflow).values() if isinstance(value, oneflow.dtype)}
    own = {"of_record", "tensor_buffer"}  # of records and of lists of tensors
    assert {name.rpartition(".")[2] for name in found} - own == those
    fails(RuntimeError, lambda: oneflow.tensor(numpy.ones(2, "int16")), "invalid_value_error")


@probe()
def complex_numbers(names: list[str]) -> None:
    fails(RuntimeError, lambda: oneflow.tensor([1 + 2j]), "invalid_value_error")
    assert named(oneflow, "complex") == []
    real, imaginary = oneflow.ones(2), oneflow.ones(2) * 2
    close(real * real - imaginary * imaginary, [-3, -3])


@probe()
def shape_in_place(names: list[str]) -> None:
    x = oneflow.rand(2, 3)
    kept = x.numpy()
    x = x.transpose(0, 1)
    close(x, kept.T)


@probe()
def resizing(names: list[str]) -> None:
    x = oneflow.rand(2)
    x = x.new_empty(2, 3)
    assert tuple(x.fill_(1.0).shape) == (2, 3)


@probe()
def slices(names: list[str]) -> None:
    x = oneflow.tensor([1.0, 2.0, 3.0])
    kept = x[1:].clone()
    x.zero_()
    close(kept, [2, 3])


@probe()
def storage(names: list[str]) -> None:
    x = wanting_gradient(3)
    assert named(x, "ptr") == []
    close(x.data, x.numpy())


@probe()
def shared(names: list[str]) -> None:
    from multiprocessing import SimpleQueue

    queue = SimpleQueue()
    queue.put(oneflow.ones(2).numpy())
    close(oneflow.from_numpy(queue.get()), [1, 1])


@probe()
def derived(names: list[str]) -> None:
    class Own(oneflow.Tensor):
        pass

    assert type(Own([1.0, 2.0]) + 1) is oneflow.Tensor


@probe()
def mapped(names: list[str]) -> None:
    assert named(oneflow.Tensor, "map", "apply") == []
    x = oneflow.tensor([1.0, -2.0])
    close(oneflow.where(x > 0, x, x * 0), [1, 0])


@probe()
def copied(names: list[str]) -> None:
    param = oneflow.nn.Parameter(oneflow.zeros(2))
    param.data.copy_(oneflow.tensor([1.0, 2.0]))
    close(param, [1, 2])


@probe()
def traded(names: list[str]) -> None:
    a, b = oneflow.ones(2), oneflow.zeros(2)
    kept = a.clone()
    a.copy_(b)
    b.copy_(kept)
    close(a, [0, 0])
    close(b, [1, 1])


@probe()
def sparse(names: list[str]) -> None:
    assert named(oneflow, "coo", "csr") == []
    assert named(oneflow.Tensor, "sparse", "coo", "csr") == []
    indices, values = oneflow.tensor([[0, 1], [1, 0]]), oneflow.tensor([2.0, 3.0])
    dense = oneflow.zeros(2, 2)
    dense[indices[0], indices[1]] = values
    close(dense, [[0, 2], [3, 0]])


@probe(namesakes=("addmm", "log_softmax", "softmax", "sum"))
def dense_namesakes(names: list[str]) -> None:
    x = oneflow.tensor([[1.0, 2.0], [3.0, 4.0]])
    close(oneflow.addmm(x, x, x), x.numpy() + x.numpy() @ x.numpy())
    close(oneflow.log_softmax(x, 1), numpy.log(oneflow.softmax(x, 1).numpy()))
    close(oneflow.softmax(x, 1).sum(1), [1, 1])
    assert named(oneflow.Tensor, "sparse") == []


@probe()
def products(names: list[str]) -> None:
    x = oneflow.tensor([[0.0, 2.0], [3.0, 0.0]])
    close(oneflow.mm(x, x), [[6, 0], [0, 6]])
    assert named(oneflow, "sparse") == []


@probe()
def nested(names: list[str]) -> None:
    assert named(oneflow, "nested", "jagged") == []
    padded = oneflow.nn.utils.rnn.pad_sequence([oneflow.ones(2), oneflow.ones(1)])
    close(padded, [[1, 1], [1, 0]])
