"""torch.sparse.FloatTensor and the like: the old way to make a sparse tensor, by dtype."""

import paddle
import torch

from rewriters.rule import rule


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
