"""Dtypes, casts, and what is asked of a tensor."""

import torch


def casts(a0: "float32[2,3]"):
    return (
        a0.double(),
        a0.half(),
        a0.bfloat16().float(),
        a0.long(),
        a0.int(),
        a0.short(),
        a0.char(),
        a0.bool(),
        a0.float(),
    )


def casts_by_type(a0: "float32[2,3]", a1: "int64[2,3]<5"):
    return a0.type(torch.float64), a0.type(torch.int64), a1.type("torch.FloatTensor"), a1.type_as(a0), a0.byte()


def complex_casts(a0_: "float32[2,3]"):
    return a0_.cfloat(), a0_.cdouble()


def constructors():
    return (
        torch.FloatTensor([1, 2]),
        torch.LongTensor([[1, 2]]),
        torch.DoubleTensor([1.5]),
        torch.BoolTensor([True]),
        torch.IntTensor([3]),
        torch.ByteTensor([3]),
        torch.HalfTensor([1.0]),
        torch.ShortTensor([1]),
        torch.CharTensor([1]),
        torch.BFloat16Tensor([1.0]).shape,
        torch.Tensor([1.0, 2.0]),
        torch.FloatTensor(2, 3).shape,
    )


def limits():
    return (
        torch.finfo(torch.float32).eps,
        torch.finfo(torch.float16).max,
        torch.finfo(torch.float64).tiny,
        torch.finfo(torch.float32).min,
        torch.iinfo(torch.int32).max,
        torch.iinfo(torch.uint8).min,
    )


def defaults():
    before = torch.get_default_dtype() == torch.float32
    torch.set_default_dtype(torch.float64)
    wide = torch.zeros(2)
    torch.set_default_dtype(torch.float32)
    return before, wide


def constants():
    return torch.pi, torch.e, torch.inf, torch.tensor([1.0, 2.0])[torch.newaxis]


def dtype_is(a0: "float32[2]", a1: "int64[2]<5"):
    return (
        a0.dtype.is_floating_point,
        a1.dtype.is_floating_point,
        a0.dtype.is_complex,
        a0.dtype.itemsize,
        a0.dtype in (torch.float16, torch.float32),
        isinstance(a0.dtype, torch.dtype),
    )


def predicates(a0: "float32[2]", a1: "int64[2]<5"):
    return (
        torch.is_tensor(a0),
        torch.is_tensor(3),
        torch.is_floating_point(a0),
        a1.is_floating_point(),
        a0.is_complex(),
        torch.is_complex(a0),
        a1.is_signed(),
        torch.is_signed(a0),
        a0.is_cuda,
        a0.is_cpu,
        a0.is_quantized,
        a0.is_meta,
        a0.is_mps,
        a0.is_sparse,
        a0.is_conj(),
        a0.is_neg(),
        a0.is_inference(),
        torch.is_nonzero(torch.tensor(3)),
        torch.tensor(0.0).is_nonzero(),
        a0.is_same_size(a1),
    )


def counted(a0: "float32[2,3]"):
    return torch.numel(a0), a0.numel(), a0.nbytes, a0.itemsize, a0.element_size(), a0.ndimension(), a0.get_device()


def laid_out(a0: "float32[2,3]"):
    return a0.stride(), a0.stride(0), a0.is_contiguous(), a0.storage_offset(), a0.T.contiguous()


def pinned(a0: "float32[2,3]"):
    return a0.is_pinned(), a0.is_pinned(device="cpu")


def sized():
    return torch.Size([2, 3]), torch.Size((2, 3)).numel(), torch.zeros(2, 3).size() == torch.Size([2, 3])


def moved(a0_: "float32[2,3]", a1: "int64[2]<5"):
    return (
        a0_.to(torch.float64),
        a0_.to("cpu", torch.int64),
        a0_.to(a1),
        a0_.to(device="cpu", dtype=torch.float64, non_blocking=True),
        a0_.to(dtype=torch.float16),
        a0_.to(a0_.device),
        a0_.to(torch.device("cpu")),
        a0_.to("cpu", non_blocking=True),
        a0_.cpu(),
    )


def copied(a0: "float32[2,3]", a1_: "float32[2,3]"):
    copy = torch.clone(a0)
    a1_.copy_(torch.ones(3))
    return copy, a0.clone(), a1_, a0.to(torch.float32, copy=True)


def numbers(a0_: "float32[2,3]"):
    return a0_.numpy(), a0_.detach().cpu().numpy(), a0_.numpy(force=True), a0_[0, 0].item(), a0_.tolist()


def resized(a0_: "float32[2,3]"):
    return a0_.clone().resize_(3, 2), a0_.clone().resize_((6,)), a0_.clone().resize_as_(torch.zeros(3, 2))


def applied(a0_: "float32[2,3]"):
    return a0_.apply_(lambda value: value * 2 + 1)


def new_ones(a0: "float32[2,3]", a1: "int64[2]<5"):
    return (
        a0.new_zeros(2),
        a0.new_ones((2, 3)),
        a1.new_full((2,), 3),
        a0.new_tensor([1, 2]),
        a1.new_zeros(2, dtype=torch.float32),
        a0.new_empty(2, 3).shape,
        a0.new(2, 3).shape,
        a0.new([1.0, 2.0]),
    )


def devices(a0: "float32[2,3]"):
    device = torch.device("cpu")
    return device.type, str(device), a0.device.type, a0.device == device, torch.device("cuda:1").index


def cuda():
    return torch.cuda.is_available(), torch.cuda.device_count(), torch.cuda.is_initialized(), torch.cuda.empty_cache()


def requires(a0_: "float32[2,3]"):
    a0_.requires_grad = True
    first = a0_.requires_grad
    a0_.requires_grad_(False)
    return first, a0_.requires_grad
