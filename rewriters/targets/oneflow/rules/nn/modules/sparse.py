"""torch.nn.modules: embeddings."""

import oneflow
import torch

from rewriters.rule import rule, same
from rewriters.targets.oneflow.rules.nn.functional.embedding import bag


@rule(torch.nn.Embedding)
def Embedding(
    num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
    sparse=False,
):  # fmt: skip
    if sparse:
        raise NotImplementedError("OneFlow 0.9 has no sparse gradients; pass sparse=False")
    return oneflow.nn.Embedding(
        num_embeddings, embedding_dim, padding_idx=padding_idx, max_norm=max_norm, norm_type=norm_type,
        scale_grad_by_freq=scale_grad_by_freq,
    )  # fmt: skip


@rule(torch.nn.Embedding)
def Embedding(
    num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
    sparse=False, *, device=None, dtype=None,
):  # fmt: skip
    layer = oneflow.nn.Embedding(num_embeddings, embedding_dim, padding_idx, max_norm, norm_type, scale_grad_by_freq)
    return layer.to(
        device="cpu" if device is None else device, dtype=oneflow.get_default_dtype() if dtype is None else dtype
    )


@rule(torch.nn.Embedding)
def Embedding(
    num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
    sparse=False, _weight=None, _freeze=False, device=None, dtype=None,
):  # fmt: skip
    layer = oneflow.nn.Embedding(num_embeddings, embedding_dim, padding_idx, max_norm, norm_type, scale_grad_by_freq)
    if _weight is None:
        _weight = layer.weight.detach().to(
            device="cpu" if device is None else device, dtype=oneflow.get_default_dtype() if dtype is None else dtype
        )
    layer.weight = oneflow.nn.Parameter(_weight, requires_grad=not _freeze)
    return layer


@rule(torch.nn.Embedding.from_pretrained)
def from_pretrained(
    embeddings, freeze=True, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False
):
    layer = oneflow.nn.Embedding(*embeddings.shape, padding_idx, max_norm, norm_type, scale_grad_by_freq)
    layer.weight = oneflow.nn.Parameter(embeddings, requires_grad=not freeze)
    return layer


@rule(torch.nn.EmbeddingBag)
class EmbeddingBag(oneflow.nn.Module):
    """OneFlow has none."""

    def __init__(
        self,
        num_embeddings,
        embedding_dim,
        max_norm=None,
        norm_type=2.0,
        scale_grad_by_freq=False,
        mode="mean",
        sparse=False,
        _weight=None,
        include_last_offset=False,
        padding_idx=None,
        device=None,
        dtype=None,
    ):
        super().__init__()
        if max_norm is not None or scale_grad_by_freq:
            raise NotImplementedError("normalise the weight, scale the gradient yourself")
        start = oneflow.randn(num_embeddings, embedding_dim, dtype=dtype, device=device)
        if padding_idx is not None:
            start[padding_idx] = 0.0
        self.weight = oneflow.nn.Parameter(start if _weight is None else _weight)
        self.num_embeddings, self.embedding_dim, self.sparse = num_embeddings, embedding_dim, sparse
        self.max_norm, self.norm_type, self.scale_grad_by_freq = max_norm, norm_type, scale_grad_by_freq
        self.mode, self.include_last_offset, self.padding_idx = mode, include_last_offset, padding_idx

    def forward(self, input, offsets=None, per_sample_weights=None):
        return bag(
            input, self.weight, offsets, self.mode, per_sample_weights, self.padding_idx, self.include_last_offset
        )


same("torch.nn.Embedding.reset_parameters")
