"""What is asked of a tensor's memory; rounding as quantization does it; segments; averages of models."""

import torch


def memory(a0: "float32[3,4]"):
    return a0.is_set_to(a0), a0.is_set_to(a0 + 1), a0.dim_order(), torch.is_storage(a0), torch.nn.parameter.is_lazy(a0)


def mapped(a0_: "float32[3]", a1_: "float32[3]"):
    a0_.map_(a1_, lambda a, b: a * 2 + b)
    return a0_


def strided(a0_: "float32[3,4]", a1: "float32[2,2]"):
    return torch.as_strided_scatter(a0_, a1, (2, 2), (1, 2)), a0_.as_strided_scatter(a1, (2, 2), (4, 1), 1)


def quantized(a0: "float32[4,3]", a1: "0.1<=float32[3]<0.5"):
    zeros = torch.zeros(3, dtype=torch.int32)
    return (
        torch.fake_quantize_per_tensor_affine(a0, 0.1, 0, -5, 5),
        torch.fake_quantize_per_tensor_affine(a0, 0.05, 3, 0, 255),
        torch.fake_quantize_per_channel_affine(a0, a1.detach(), zeros, 1, -2, 2),
    )


def segments(a0: "float32[6,2]"):
    lengths = torch.tensor([2, 0, 3, 1])
    return (
        torch.segment_reduce(a0, "sum", lengths=lengths),
        torch.segment_reduce(a0, "max", lengths=torch.tensor([2, 4])),
        torch.segment_reduce(a0, "mean", offsets=torch.tensor([0, 2, 5, 6])),
        torch.segment_reduce(a0, "min", lengths=lengths, initial=1.0),
    )


def grouped(a0_: "float32[6,8]", a1_: "float32[2,8,8]"):
    offsets = torch.tensor([2, 6], dtype=torch.int32)
    return torch.nn.functional.grouped_mm(a0_, a1_, offs=offsets)


def diagonals(a0_: "float32[3,4]"):
    found: torch.Tensor = torch.sparse.spdiags(a0_, torch.tensor([0, 1, -1]), (4, 4))
    return found.to_dense()


def chosen_kernel(a0: "float32[1,2,4,8]"):
    with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
        return torch.nn.functional.scaled_dot_product_attention(a0, a0, a0)


def averaged_many(a0_: "float32[3]", a1_: "float32[3]"):
    torch.optim.swa_utils.get_ema_multi_avg_fn(0.9)([a0_], [a1_], 1)
    first = a0_.clone()
    torch.optim.swa_utils.get_swa_multi_avg_fn()([a0_], [a1_], torch.tensor(3))
    return first, a0_


def set_to(a0_: "float32[3,4]", a1_: "float32[5]", a2_: "float32[2]"):
    a1_.set_(a0_)
    a2_.set_(a0_, 1, (2, 3), (4, 1))
    a0_.add_(1)
    return a1_, a2_, torch.ones(3).set_()


def not_shared(a0: "float32[3]"):
    return a0.is_shared(), (a0 * 2).is_shared()
