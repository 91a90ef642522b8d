"""Sparse tensors in COO and CSR."""

import torch


def coordinates():
    made = torch.sparse_coo_tensor(torch.tensor([[0, 1], [1, 0]]), torch.tensor([1.0, 2.0]), (2, 3))
    return made.to_dense(), made.is_sparse, made.coalesce().indices(), made.coalesce().values()


def rows():
    made = torch.sparse_csr_tensor(torch.tensor([0, 1, 2]), torch.tensor([1, 0]), torch.tensor([1.0, 2.0]), size=(2, 3))
    return made.to_dense(), made.crow_indices(), made.col_indices(), made.values()


def made_sparse(a0_: "float32[2,3]"):
    return a0_.to_sparse().to_dense(), a0_.to_sparse().sparse_dim(), a0_.is_sparse


def multiplied(a0_: "float32[2,3]", a1_: "float32[3,4]"):
    return torch.sparse.mm(a0_.to_sparse(), a1_), torch.spmm(a0_.to_sparse(), a1_)
