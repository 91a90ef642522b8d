"""Sparse tensors by coordinates, as jax.experimental.sparse.BCOO: a row for each element; its sums are of numbers."""

import jax.numpy as jnp
import torch
from jax.experimental import sparse

from rewriters.rule import rule


def with_data(made, dtype):
    return sparse.BCOO((made.data.astype(dtype), made.indices), shape=made.shape)


def is_kept_sparse(x):
    return hasattr(x, "todense")


def whole(x):
    numbers = with_data(x, jnp.int8) if x.dtype == jnp.bool_ else x
    return numbers.todense()


@rule(torch.Tensor.to_sparse, torch.Tensor.to_sparse_coo)
def to_sparse(self):
    return with_data(sparse.BCOO.fromdense(self, index_dtype=jnp.int64), self.dtype)


@rule(torch.Tensor.to_dense)
def to_dense(self, dtype=None, *, masked_grad=None):
    return (whole(self) if is_kept_sparse(self) else self).astype(self.dtype if dtype is None else dtype)


@rule(torch.Tensor.indices)
def indices(self):
    return self.indices.T


@rule(torch.Tensor.values)
def values(self):
    return self.data


@rule(torch.Tensor.is_sparse)
def is_sparse(self):
    return is_kept_sparse(self)


@rule(torch.Tensor.coalesce)
def coalesce(self):
    return with_data(self.sum_duplicates(), self.dtype)
