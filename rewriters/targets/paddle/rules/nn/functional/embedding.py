"""torch.nn.functional: embedding."""

import paddle


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
