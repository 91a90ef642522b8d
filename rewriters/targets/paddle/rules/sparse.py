"""Sparse tensors, as far as Paddle has them: COO and CSR."""

import paddle
import torch

from rewriters.rule import BoolTensor, alias, becomes, family, rule

becomes(torch.Tensor.sparse_mask, paddle.sparse.mask_as)

alias(torch.strided, "None")  # what a tensor is that no function of paddle.sparse has made


@rule(torch.Tensor.to_sparse_csr)
def to_sparse_csr(self, dense_dim=None):
    if dense_dim is not None:
        raise NotImplementedError("Paddle's sparse matrices hold numbers; leave dense_dim out")
    return self.to_sparse_csr()


@rule(torch.sparse_coo_tensor)
def sparse_coo_tensor(
    indices,
    values: paddle.Tensor,
    size=None,
    *,
    dtype=None,
    device=None,
    requires_grad=False,
    check_invariants=None,
    is_coalesced=None,
):
    if requires_grad:
        return paddle.sparse.sparse_coo_tensor(indices, values.detach(), size, dtype=dtype, stop_gradient=False)
    # by itself Paddle stops the gradient of the values that it is given
    return paddle.sparse.sparse_coo_tensor(indices, values, size, dtype=dtype, stop_gradient=values.stop_gradient)


@rule(torch.sparse_coo_tensor)
def sparse_coo_tensor(
    indices,
    values,
    size=None,
    *,
    dtype=None,
    device=None,
    requires_grad=False,
    check_invariants=None,
    is_coalesced=None,
):
    return paddle.sparse.sparse_coo_tensor(indices, values, size, dtype=dtype, stop_gradient=not requires_grad)


@rule(torch.sparse_csr_tensor)
def sparse_csr_tensor(
    crow_indices, col_indices, values, size, *, dtype=None, device=None, requires_grad=False, check_invariants=None
):
    return paddle.sparse.sparse_csr_tensor(
        crow_indices, col_indices, values, size, dtype=dtype, stop_gradient=not requires_grad
    )


@rule(torch.Tensor.to_sparse)
def to_sparse(self, sparse_dim: int):
    return self.to_sparse_coo(sparse_dim)


@rule(torch.Tensor.to_sparse, torch.Tensor.to_sparse_coo)
def to_sparse(self: BoolTensor):
    # Paddle's kernel takes no bool
    return paddle.sparse.cast(self.astype("uint8").to_sparse_coo(self.ndim), value_dtype="bool")


@rule(torch.Tensor.to_sparse, torch.Tensor.to_sparse_coo)
def to_sparse(self):
    return self.to_sparse_coo(self.ndim)


@rule(torch.Tensor.to_dense)
def to_dense(self, dtype=None, *, masked_grad=None):
    if self.is_sparse_coo():  # Paddle's own takes the last of several values at one place, torch their sum
        dense = paddle.scatter_nd(self.indices().T, self.values(), self.shape)
    else:
        dense = self if self.is_dense() else self.to_dense()
    return dense if dtype is None else dense.astype(dtype)


@family("is_sparse is_coalesced sparse_dim dense_dim is_sparse_csr coalesce")
@rule(torch.Tensor.is_sparse)
def is_sparse(self):
    return self.is_sparse()


# A method there, which is never false; others than tensors may have an attribute of that name.
@rule("torch.Tensor.is_sparse:any")
def is_sparse_at_all(self):
    return is_sparse(self) if isinstance(self, paddle.Tensor) else self.is_sparse


@family("indices values crow_indices col_indices", "self.indices self.values self.crows self.cols")
@rule(torch.Tensor.indices, torch.indices_copy)
def indices(self):
    return self.indices()


@family("_indices _values", "self.indices self.values")
@rule("torch.Tensor._indices")
def _indices(self):
    return self.indices()


@rule(torch.sparse.mm, torch.spmm, torch.dsmm, torch.hsmm, torch.smm, torch.Tensor.smm, torch.hspmm)
def sparse_mm(input, mat2):
    if input.place.is_gpu_place():
        return paddle.sparse.matmul(input, mat2)
    # Paddle multiplies sparse matrices on GPUs alone
    return to_dense(input) @ to_dense(mat2)


@rule("torch.mm:sparse", "torch.Tensor.mm:sparse")
def mm_of_any(input, mat2):
    return paddle.mm(input, mat2) if input.is_dense() and mat2.is_dense() else sparse_mm(input, mat2)


@rule("torch.Tensor.t:sparse")
def t_of_any(self):
    if isinstance(self, paddle.Tensor) and not self.is_dense():
        return paddle.sparse.transpose(self, [1, 0])
    return self.t()


@rule(torch.sparse.addmm, torch.saddmm)
def sparse_addmm(input, mat1, mat2, *, beta=1, alpha=1):
    return beta * input + alpha * sparse_mm(mat1, mat2)


@rule(torch.sparse.sum)
def sparse_sum(input, dim=None, dtype=None):
    return paddle.sparse.sum(input, axis=dim, dtype=dtype)


@rule(torch.sparse.softmax)
def sparse_softmax(input, dim, *, dtype=None):
    if dtype is not None:
        input = paddle.sparse.cast(input, value_dtype=dtype)
    return paddle.sparse.nn.functional.softmax(input, axis=dim)


@rule(
    torch.sparse.BFloat16Tensor,
    torch.sparse.ByteTensor,
    torch.sparse.CharTensor,
    torch.sparse.DoubleTensor,
    torch.sparse.FloatTensor,
    torch.sparse.HalfTensor,
    torch.sparse.IntTensor,
    torch.sparse.LongTensor,
    torch.sparse.ShortTensor,
)
def sparse_of_dtype(indices, values, size=None):
    # torch takes values of the named dtype only
    return paddle.sparse.sparse_coo_tensor(indices, values, size, stop_gradient=values.stop_gradient)
