"""Operations at the places of a sparse tensor that Paddle has no kernel for on every device."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.sparse.log_softmax)
def sparse_log_softmax(input, dim, *, dtype=None):
    places, values = input.indices(), input.values()
    if dtype is not None:
        values = values.astype(dtype)
    # what is not there counts as minus infinity
    there = paddle.scatter_nd(places.T, paddle.ones_like(values), input.shape) > 0
    dense = paddle.scatter_nd(places.T, values, input.shape)
    dense = paddle.where(there, dense, paddle.full_like(dense, -float("inf")))
    found = paddle.nn.functional.log_softmax(dense, axis=dim).gather_nd(places.T)
    return paddle.sparse.sparse_coo_tensor(places, found, input.shape, stop_gradient=found.stop_gradient)


@rule(torch.sparse.sampled_addmm)
def sampled_addmm(input, mat1, mat2, *, beta=1.0, alpha=1.0):
    if input.ndim != 2:
        raise NotImplementedError("for one matrix at a time; take the batch apart")
    crows, cols = input.crows(), input.cols()
    rows = paddle.repeat_interleave(paddle.arange(input.shape[0]), crows[1:] - crows[:-1])
    values = beta * input.values() + alpha * (mat1.index_select(rows) * mat2.T.index_select(cols)).sum(axis=-1)
    return paddle.sparse.sparse_csr_tensor(crows, cols, values, input.shape, stop_gradient=values.stop_gradient)


@rule(torch.sparse.spsolve)
def spsolve(input, other, *, left=True):
    # by the dense matrix: Paddle has no sparse solver
    if not left:
        raise NotImplementedError("solves from the left; transpose the matrix and the right-hand side")
    return paddle.linalg.solve(input.to_dense(), other)


@rule(torch.sspaddmm, torch.Tensor.sspaddmm)
def sspaddmm(input, mat1, mat2, *, beta=1, alpha=1):
    # Paddle has no such sum of sparse tensors
    return (beta * input.to_dense() + alpha * paddle.matmul(mat1.to_dense(), mat2)).to_sparse_coo(2)


@rule(torch.sparse.spdiags)
def spdiags(diagonals, offsets, shape, layout=None):
    rows, columns, values = [], [], []
    for diagonal, offset in zip(paddle.atleast_2d(diagonals), paddle.atleast_1d(offsets).tolist(), strict=True):
        # the element of a column is that of the diagonal with the column's number
        column = paddle.arange(min(diagonal.shape[0], shape[1]), dtype="int64")
        column = column[(column - offset >= 0) & (column - offset < shape[0])]
        rows.append(column - offset)
        columns.append(column)
        values.append(diagonal[column])
    indices = paddle.stack([paddle.concat(rows), paddle.concat(columns)])
    return paddle.sparse.sparse_coo_tensor(indices, paddle.concat(values), list(shape))
