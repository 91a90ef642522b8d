"""torch.nn.functional: products of matrices."""

import framework
import torch

from rewriters.rule import rule


@rule(torch.nn.functional.grouped_mm)
def grouped_mm(mat_a, mat_b, *, offs=None, bias=None, out_dtype=None):
    if offs is None:
        return framework.bmm(mat_a, mat_b)
    ends = offs.tolist()
    spans = list(zip([0, *ends[:-1]], ends, strict=True))
    if mat_a.ndim == 2 and mat_b.ndim == 2:
        none = framework.zeros([mat_a.shape[0], mat_b.shape[1]], dtype=mat_a.dtype)
        products = [mat_a[:, i:j] @ mat_b[i:j] if i < j else none.to(mat_a.device) for i, j in spans]
        return framework.stack(products)
    # What comes after the last group is whatever memory holds in torch.
    if mat_a.ndim == 2:
        products = [mat_a[i:j] @ mat_b[group] for group, (i, j) in enumerate(spans) if i < j]
        return framework.concat([*products, framework.zeros_like(mat_a[ends[-1] :] @ mat_b[0])])
    products = [mat_a[group] @ mat_b[:, i:j] for group, (i, j) in enumerate(spans) if i < j]
    return framework.concat([*products, framework.zeros_like(mat_a[0] @ mat_b[:, ends[-1] :])], 1)
