"""Settings of the whole program, versions, testing, and what asks for Python's own values."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.set_float32_matmul_precision)
def set_float32_matmul_precision(precision):
    # TF32 is the environment's NVIDIA_TF32_OVERRIDE
    return None


@rule(torch.set_warn_always)
def set_warn_always(b):
    return None


@rule(torch.set_printoptions)
def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    if profile is not None:
        raise NotImplementedError("Paddle has no profiles of printing; pass precision, threshold, edgeitems, linewidth")
    return paddle.set_printoptions(
        precision=precision, threshold=threshold, edgeitems=edgeitems, sci_mode=sci_mode, linewidth=linewidth
    )


@rule(torch.is_autocast_enabled, torch.is_autocast_cpu_enabled)
def is_autocast_enabled(device_type=None):
    return paddle.amp.is_autocast_enabled()


@rule(torch.get_autocast_dtype)
def get_autocast_dtype(device_type):
    return paddle.amp.get_autocast_dtype(device_type)


@rule(torch.get_autocast_gpu_dtype)
def get_autocast_gpu_dtype():
    return paddle.amp.get_autocast_gpu_dtype()


@rule(torch.get_autocast_cpu_dtype)
def get_autocast_cpu_dtype():
    return paddle.amp.get_autocast_cpu_dtype()


@rule(torch.clear_autocast_cache)
def clear_autocast_cache():
    return None


@rule(torch.typename)
def typename(obj):
    module = type(obj).__module__
    return type(obj).__qualname__ if module == "builtins" else f"{module}.{type(obj).__qualname__}"


@rule(torch.cond)
def cond(pred, true_fn, false_fn, operands=()):
    return true_fn(*operands) if pred else false_fn(*operands)


@rule(torch.while_loop)
def while_loop(cond_fn, body_fn, carried_inputs):
    while cond_fn(*carried_inputs):
        carried_inputs = body_fn(*carried_inputs)
    return carried_inputs


@rule(torch.sym_float)
def sym_float(a):
    return float(a)


@rule(torch.sym_int)
def sym_int(a):
    return int(a)


@rule(torch.sym_not)
def sym_not(a):
    return not a


@rule(torch.sym_sqrt)
def sym_sqrt(a):
    return a**0.5


@rule(torch.sym_max)
def sym_max(a, b):
    return max(a, b)


@rule(torch.sym_min)
def sym_min(a, b):
    return min(a, b)


@rule(torch.sym_ite)
def sym_ite(b, t, f):
    return t if b else f


@rule(torch.norm_except_dim)
def norm_except_dim(v, pow=2, dim=0):
    rows = paddle.norm(paddle.moveaxis(v, dim, 0).reshape([v.shape[dim], -1]), p=pow, axis=1)
    shape = [1] * v.ndim
    shape[dim] = -1
    return rows.reshape(shape)


@rule(torch.testing.assert_close, torch.testing.assert_allclose)
def assert_close(actual, expected, *, rtol=None, atol=None, equal_nan=False, check_dtype=True, msg=None):
    actual, expected = paddle.to_tensor(actual), paddle.to_tensor(expected)
    assert actual.shape == expected.shape, f"shapes {actual.shape} and {expected.shape} differ"
    assert not check_dtype or actual.dtype == expected.dtype, f"dtypes {actual.dtype} and {expected.dtype} differ"
    if rtol is None:
        rtol = {paddle.float16: 1e-3, paddle.bfloat16: 1.6e-2, paddle.float64: 1e-7}.get(actual.dtype, 1.3e-6)
        atol = {paddle.float64: 1e-7}.get(actual.dtype, 1e-5)
    exact = not paddle.is_floating_point(actual) and not actual.is_complex()
    same = (actual == expected) if exact else paddle.isclose(actual, expected, rtol, atol, equal_nan=equal_nan)
    assert bool(same.all()), msg or f"{int((~same).sum())} of {same.size} elements differ"


@rule(torch.sym_sum)
def sym_sum(args):
    return sum(args)


@rule(
    "torch.backends.cudnn.benchmark=",
    "torch.backends.cudnn.deterministic=",
    "torch.backends.cudnn.enabled=",
    "torch.backends.cudnn.allow_tf32=",
    "torch.backends.cuda.matmul.allow_tf32=",
)
def set_backend_flag(value):
    # the environment's: FLAGS_cudnn_exhaustive_search, FLAGS_cudnn_deterministic, NVIDIA_TF32_OVERRIDE
    pass
