"""Sparse and nested tensors, and layouts. Each with why, and what to do instead."""

from rewriters.rule import refuse

refuse(
    "torch.Tensor.ccol_indices", "torch.Tensor.coalesce", "torch.Tensor.col_indices", "torch.Tensor.crow_indices",
    "torch.Tensor.dense_dim", "torch.Tensor.indices", "torch.Tensor.is_coalesced", "torch.Tensor.resize_as_sparse_",
    "torch.Tensor.row_indices", "torch.Tensor.sparse_dim", "torch.Tensor.sparse_mask", "torch.Tensor.sparse_resize_",
    "torch.Tensor.sparse_resize_and_clear_", "torch.Tensor.to_dense", "torch.Tensor.to_sparse",
    "torch.Tensor.to_sparse_bsc", "torch.Tensor.to_sparse_bsr", "torch.Tensor.to_sparse_coo",
    "torch.Tensor.to_sparse_csc", "torch.Tensor.to_sparse_csr", "torch.Tensor.values", "torch.ccol_indices_copy",
    "torch.col_indices_copy", "torch.crow_indices_copy", "torch.indices_copy", "torch.nested.as_nested_tensor",
    "torch.nested.masked_select", "torch.nested.narrow", "torch.nested.nested_tensor",
    "torch.nested.nested_tensor_from_jagged", "torch.nested.to_padded_tensor",
    "torch.nn.functional.sparse_support_notes", "torch.resize_as_sparse_", "torch.row_indices_copy",
    "torch.sparse.BFloat16Tensor", "torch.sparse.ByteTensor", "torch.sparse.CharTensor", "torch.sparse.DoubleTensor",
    "torch.sparse.FloatTensor", "torch.sparse.HalfTensor", "torch.sparse.IntTensor", "torch.sparse.LongTensor",
    "torch.sparse.ShortTensor", "torch.sparse.SparseSemiStructuredTensor",
    "torch.sparse.SparseSemiStructuredTensorCUSPARSELT", "torch.sparse.SparseSemiStructuredTensorCUTLASS",
    "torch.sparse.as_sparse_gradcheck", "torch.sparse.check_sparse_tensor_invariants", "torch.sparse.sampled_addmm",
    "torch.sparse.spdiags", "torch.sparse.spsolve", "torch.sparse.to_sparse_semi_structured", "torch.sparse_bsc",
    "torch.sparse_bsc_tensor", "torch.sparse_bsr", "torch.sparse_bsr_tensor", "torch.sparse_compressed_tensor",
    "torch.sparse_coo", "torch.sparse_coo_tensor", "torch.sparse_csc", "torch.sparse_csc_tensor", "torch.sparse_csr",
    "torch.sparse_csr_tensor", "torch.values_copy",
    "OneFlow 0.9 has dense tensors only; keep indices and values as two tensors",
)  # fmt: skip
refuse(
    "torch.Tensor.layout", "torch.layout", "torch.strided",
    "OneFlow 0.9's tensors have one layout, the strided one; leave layouts out",
)  # fmt: skip
refuse(
    "torch.Tensor.to_padded_tensor", "torch.jagged",
    "OneFlow 0.9 has no nested tensors; keep the padded tensor and its lengths",
)  # fmt: skip
refuse(
    "torch.sparse.addmm", "torch.sparse.log_softmax", "torch.sparse.softmax", "torch.sparse.sum",
    "OneFlow 0.9 has no sparse tensors, and the function of that name takes dense ones; use it: oneflow.addmm, "
    "log_softmax, softmax or sum",
)  # fmt: skip
