"""Sparse tensors: made from indices and values, turned back, multiplied."""

import torch


def of_coordinates(a0: "float32[3]"):
    return torch.sparse_coo_tensor([[0, 1, 1], [2, 0, 2]], a0, (2, 3)).to_dense()


def of_tensors(a0: "int64[2,3]<2", a1: "float32[3]"):
    return torch.sparse_coo_tensor(a0, a1, size=(2, 2)).to_dense()


def of_dense(a0: "float32[3,4]"):
    sparse = a0.to_sparse()
    return sparse.to_dense(), sparse.is_sparse, a0.is_sparse


def parts(a0: "float32[3]"):
    sparse = torch.sparse_coo_tensor([[1, 0, 1], [2, 0, 2]], a0, (2, 3)).coalesce()
    return sparse.indices(), sparse.values(), sparse.shape


def rows(a0: "float32[3]"):
    return torch.sparse_csr_tensor([0, 1, 3], [2, 0, 2], a0, size=(2, 3)).to_dense()


def rows_parts(a0_: "float32[3]"):
    sparse = torch.sparse_csr_tensor([0, 1, 3], [2, 0, 2], a0_, size=(2, 3))
    return sparse.crow_indices(), sparse.col_indices(), sparse.values()


def times_dense(a0_: "float32[3]", a1: "float32[3,4]"):
    return torch.sparse.mm(torch.sparse_coo_tensor([[0, 1, 1], [2, 0, 2]], a0_, (2, 3)), a1)


def added(a0_: "float32[3]", a1_: "float32[3]"):
    one = torch.sparse_coo_tensor([[0, 1, 1], [2, 0, 2]], a0_, (2, 3))
    return (one + torch.sparse_coo_tensor([[0, 0, 1], [0, 2, 1]], a1_, (2, 3))).to_dense()
