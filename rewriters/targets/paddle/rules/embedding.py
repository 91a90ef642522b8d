"""Bags of embeddings and the adaptive softmax."""

from collections import namedtuple

import paddle
import torch

from rewriters.rule import rule


def bag(indices, weight, offsets, mode, per_sample_weights, padding_idx, include_last_offset):
    """The sum, mean or maximum of the rows of each bag: of each row of indices, or between two offsets."""
    if indices.is_floating_point():  # torch takes the two in either order
        indices, weight = weight, indices
    if indices.ndim == 2:
        count, width = indices.shape
        owner = paddle.arange(count, dtype="int64").unsqueeze(1).expand([count, width]).flatten()
        indices = indices.flatten()
    else:
        offsets = offsets.astype("int64")
        count = offsets.shape[0] - int(include_last_offset)
        place = paddle.arange(indices.shape[0], dtype="int64")
        owner = (place.unsqueeze(1) >= offsets[:count].unsqueeze(0)).astype("int64").sum(axis=1) - 1
    rows = paddle.nn.functional.embedding(indices, weight)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.flatten().unsqueeze(1)
    if padding_idx is not None:
        kept = paddle.nonzero(indices != padding_idx % weight.shape[0]).flatten()
        rows, owner = rows[kept], owner[kept]
    if mode == "max":
        found = [rows[paddle.nonzero(owner == i).flatten()] for i in range(count)]
        return paddle.stack([r.max(axis=0) if r.shape[0] else paddle.zeros_like(weight[0]) for r in found])
    total = paddle.zeros([count, weight.shape[1]], dtype=weight.dtype)
    total = paddle.index_add(total, owner, 0, rows) if rows.shape[0] else total
    if mode == "sum":
        return total
    sizes = (owner.unsqueeze(0) == paddle.arange(count, dtype="int64").unsqueeze(1)).astype(weight.dtype).sum(axis=1)
    return total / sizes.clip(min=1.0).unsqueeze(1)


@rule(torch.nn.functional.embedding_bag)
def embedding_bag(
    input,
    weight,
    offsets=None,
    max_norm=None,
    norm_type=2,
    scale_grad_by_freq=False,
    mode="mean",
    sparse=False,
    per_sample_weights=None,
    include_last_offset=False,
    padding_idx=None,
):
    if max_norm is not None or scale_grad_by_freq:
        raise NotImplementedError("Paddle has no embedding_bag; normalise the weight, scale the gradient yourself")
    return bag(input, weight, offsets, mode, per_sample_weights, padding_idx, include_last_offset)


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

    def forward(self, input, offsets=None, per_sample_weights=None):
        return bag(
            input, self.weight, offsets, self.mode, per_sample_weights, self.padding_idx, self.include_last_offset
        )


Losses = namedtuple("Losses", ["output", "loss"])


@rule(torch.nn.AdaptiveLogSoftmaxWithLoss)
class AdaptiveLogSoftmaxWithLoss(paddle.nn.Layer):
    """torch's parameters; each word's loss is that of its cluster in the head plus that within the cluster."""

    def __init__(self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None):
        super().__init__()
        self.cutoffs = [*cutoffs, n_classes]
        self.n_classes = n_classes
        clusters = len(cutoffs)
        self.head = paddle.nn.Linear(in_features, cutoffs[0] + clusters, bias_attr=None if head_bias else False)
        self.tail = paddle.nn.LayerList()
        for i in range(clusters):
            width = int(in_features // (div_value ** (i + 1)))
            size = self.cutoffs[i + 1] - self.cutoffs[i]
            self.tail.append(
                paddle.nn.Sequential(
                    paddle.nn.Linear(in_features, width, bias_attr=False),
                    paddle.nn.Linear(width, size, bias_attr=False),
                )
            )

    def log_prob(self, input):
        head = paddle.nn.functional.log_softmax(self.head(input), axis=-1)
        first = self.cutoffs[0]
        parts = [head[..., :first]]
        for i, layer in enumerate(self.tail):
            own = paddle.nn.functional.log_softmax(layer(input), axis=-1)
            parts.append(own + head[..., first + i].unsqueeze(-1))
        return paddle.concat(parts, axis=-1)

    def predict(self, input):
        return self.log_prob(input).argmax(axis=-1)

    def forward(self, input, target):
        found = self.log_prob(input)
        output = paddle.take_along_axis(found, target.unsqueeze(-1), axis=-1).squeeze(-1)
        return Losses(output, -output.mean())
