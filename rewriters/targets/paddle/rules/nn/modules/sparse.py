"""torch.nn.modules: embeddings."""

import paddle
import torch

from rewriters.rule import rule
from rewriters.targets.paddle.rules.nn.functional.embedding import bag


class PaddedEmbedding(paddle.nn.Embedding):
    """Gives the padding's row as it is, and no gradient to it; Paddle's own gives zeros for it."""

    def forward(self, x):
        rows = paddle.nn.functional.embedding(
            x,
            self.weight,
            max_norm=self._max_norm,
            norm_type=self._norm_type,
            sparse=self._sparse,
            scale_grad_by_freq=self._scale_grad_by_freq,
        )
        return paddle.where((x == self._padding_idx % self._num_embeddings).unsqueeze(-1), rows.detach(), rows)


def frozen(layer):
    layer.weight.stop_gradient = True
    return layer


@rule(torch.nn.Embedding)
def Embedding(
    num_embeddings,
    embedding_dim,
    padding_idx=None,
    max_norm=None,
    norm_type=2.0,
    scale_grad_by_freq=False,
    sparse=False,
    _weight=None,
    _freeze=False,
    device=None,
    dtype=None,
):
    if _weight is not None:
        raise NotImplementedError("Paddle's Embedding makes its own weight; use Embedding.from_pretrained")
    if _freeze:
        options = {"max_norm": max_norm, "norm_type": norm_type, "scale_grad_by_freq": scale_grad_by_freq}
        return frozen(Embedding(num_embeddings, embedding_dim, padding_idx, **options, sparse=sparse, dtype=dtype))
    if padding_idx is not None and max_norm is None and not scale_grad_by_freq:
        return PaddedEmbedding(num_embeddings, embedding_dim, padding_idx=padding_idx, sparse=sparse, dtype=dtype)
    if padding_idx is not None:
        return PaddedEmbedding(
            num_embeddings,
            embedding_dim,
            padding_idx=padding_idx,
            max_norm=max_norm,
            norm_type=norm_type,
            scale_grad_by_freq=scale_grad_by_freq,
            sparse=sparse,
            dtype=dtype,
        )
    return paddle.nn.Embedding(
        num_embeddings,
        embedding_dim,
        max_norm=max_norm,
        norm_type=norm_type,
        scale_grad_by_freq=scale_grad_by_freq,
        sparse=sparse,
        dtype=dtype,
    )


@rule(torch.nn.Embedding.from_pretrained)
def from_pretrained(embeddings, freeze=True, padding_idx=None, sparse=False):
    if padding_idx is not None:
        count, size = embeddings.shape
        layer = PaddedEmbedding(count, size, padding_idx=padding_idx % count, sparse=sparse)
        layer.weight.set_value(embeddings)
        layer.weight.stop_gradient = freeze
        return layer
    return paddle.nn.Embedding(
        embeddings.shape[0],
        embeddings.shape[1],
        padding_idx=padding_idx,
        sparse=sparse,
        weight_attr=paddle.ParamAttr(initializer=paddle.nn.initializer.Assign(embeddings), trainable=not freeze),
    )


@rule(torch.nn.EmbeddingBag)
class EmbeddingBag(paddle.nn.Layer):
    """Paddle has none."""

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
        start = paddle.nn.initializer.Normal() if _weight is None else paddle.nn.initializer.Assign(_weight)
        self.weight = self.create_parameter([num_embeddings, embedding_dim], default_initializer=start)
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.max_norm, self.norm_type, self.scale_grad_by_freq = max_norm, norm_type, scale_grad_by_freq
        self.mode, self.include_last_offset, self.padding_idx = mode, include_last_offset, padding_idx
        self.sparse = sparse
        if dtype is not None:
            self.to(dtype=dtype)

    def forward(self, input, offsets=None, per_sample_weights=None):
        return bag(
            input, self.weight, offsets, self.mode, per_sample_weights, self.padding_idx, self.include_last_offset
        )
