"""Bags of embeddings and the adaptive softmax, which OneFlow has not."""

from collections import namedtuple

import oneflow
import torch

from rewriters.rule import rule


def bag(indices, weight, offsets, mode, shares, padding_idx, include_last_offset):
    """The sum, mean or maximum of the rows of each bag: of each row of indices, or between two offsets."""
    if indices.is_floating_point():  # torch takes the two in either order
        indices, weight = weight, indices
    if shares is not None and mode != "sum":
        raise NotImplementedError(f"embedding_bag: per_sample_weights was not None, but mode is {mode}, not sum")
    if indices.ndim == 2:
        if offsets is not None:
            raise ValueError("if input is 2D, then offsets has to be None")
        held = oneflow.ones(indices.shape, dtype=oneflow.bool, device=indices.device)
    else:
        if offsets is None:
            raise ValueError("offsets has to be a 1D Tensor but got None")
        # as rows of the longest bag's width, of which some places are held
        first = offsets.to(oneflow.int64)
        last = first[1:]
        if include_last_offset:
            first = first[:-1]
        else:
            last = oneflow.cat([last, oneflow.full_like(first[:1], indices.shape[0])])
        width = int((last - first).max()) if indices.shape[0] else 0
        place = first.unsqueeze(1) + oneflow.arange(max(width, 1), device=first.device)
        held = place < last.unsqueeze(1)
        place = oneflow.where(held, place, oneflow.zeros_like(place))
        indices = indices[place] if width else oneflow.zeros_like(place)
        shares = shares[place] if width and shares is not None else None
    if padding_idx is not None:
        held = oneflow.logical_and(held, indices != padding_idx % weight.shape[0])
    rows = oneflow.nn.functional.embedding(indices, weight)
    kept = held.unsqueeze(-1)
    if mode == "max":
        low = oneflow.full_like(rows, oneflow.finfo(weight.dtype).min)
        found = oneflow.max(oneflow.where(kept, rows, low), 1)[0]
        some = held.to(oneflow.int64).sum(1, keepdim=True) > 0
        return oneflow.where(some, found, oneflow.zeros_like(found))
    if shares is not None:
        rows = rows * shares.unsqueeze(-1)
    total = oneflow.where(kept, rows, oneflow.zeros_like(rows)).sum(1)
    if mode == "sum":
        return total
    return total / oneflow.clamp(held.to(weight.dtype).sum(1, keepdim=True), min=1.0)


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
        raise NotImplementedError("OneFlow has no embedding_bag; normalise the weight, scale the gradient yourself")
    return bag(input, weight, offsets, mode, per_sample_weights, padding_idx, include_last_offset)


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


def log_shares(scores):
    # not log_softmax: that of oneDNN is less exact
    return scores - oneflow.logsumexp(scores, -1, keepdim=True)


Losses = namedtuple("Losses", ["output", "loss"])


@rule(torch.nn.AdaptiveLogSoftmaxWithLoss)
class AdaptiveLogSoftmaxWithLoss(oneflow.nn.Module):
    """torch's parameters; each word's loss is that of its cluster in the head plus that within the cluster."""

    def __init__(self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None):
        super().__init__()
        self.cutoffs = [*cutoffs, n_classes]
        self.in_features, self.n_classes = in_features, n_classes
        self.div_value, self.head_bias = div_value, head_bias
        self.head = oneflow.nn.Linear(in_features, cutoffs[0] + len(cutoffs), bias=head_bias)
        self.tail = oneflow.nn.ModuleList()
        for number, (first, last) in enumerate(zip(self.cutoffs, self.cutoffs[1:], strict=False), 1):
            width = int(in_features // (div_value**number))
            inner = (
                oneflow.nn.Linear(in_features, width, bias=False),
                oneflow.nn.Linear(width, last - first, bias=False),
            )
            self.tail.append(oneflow.nn.Sequential(*inner))
        if device is not None:
            self.to(device)

    def log_prob(self, input):
        head, first = log_shares(self.head(input)), self.cutoffs[0]
        parts = [head[..., :first]]
        for number, layer in enumerate(self.tail):
            parts.append(log_shares(layer(input)) + head[..., first + number].unsqueeze(-1))
        return oneflow.cat(parts, -1)

    def predict(self, input):
        return oneflow.argmax(self.log_prob(input), dim=-1)

    def forward(self, input, target):
        found = self.log_prob(input)
        output = oneflow.gather(found, -1, target.unsqueeze(-1)).squeeze(-1)
        return Losses(output, -output.mean())
