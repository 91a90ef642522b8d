"""torch.nn.functional: embedding."""

import oneflow


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
