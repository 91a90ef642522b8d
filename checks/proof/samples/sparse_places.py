"""Operations at the places of a sparse tensor."""

import torch


def softmax_of_rows(a0_: "float32[4]"):
    sparse = torch.sparse_coo_tensor([[0, 1, 1, 2], [2, 0, 2, 1]], a0_, (4, 3))
    return torch.sparse.log_softmax(sparse, 1).coalesce().values()


def softmax_of_columns(a0_: "float32[4]"):
    sparse = torch.sparse_coo_tensor([[0, 1, 1, 2], [2, 0, 2, 1]], a0_, (4, 3))
    return torch.sparse.log_softmax(sparse, dim=0, dtype=torch.float64).to_dense()


def sampled(a0_: "float32[3,4]", a1_: "float32[3,5]", a2_: "float32[5,4]"):
    places = torch.relu(a0_).to_sparse_csr()
    return torch.sparse.sampled_addmm(places, a1_, a2_, beta=0.5, alpha=2.0).to_dense()


def sampled_plain(a0_: "float64[3,4]", a1_: "float64[3,2]", a2_: "float64[2,4]"):
    found = torch.sparse.sampled_addmm(a0_.to_sparse_csr(), a1_, a2_)
    return found.values(), found.crow_indices(), found.col_indices()


def added_to_sparse(a0_: "float32[3,4]", a1_: "float32[3,5]", a2_: "float32[5,4]"):
    kept, left = (a0_ * (a0_ > 0)).to_sparse(), (a1_ * (a1_ > 0)).to_sparse()
    return torch.sspaddmm(kept, left, a2_).to_dense(), kept.sspaddmm(left, a2_, beta=0.5, alpha=2).to_dense()
