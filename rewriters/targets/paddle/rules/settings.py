"""Settings of the whole program, versions, testing, and what asks for Python's own values."""

import paddle
import torch

from rewriters.rule import alias, becomes, family, rule

becomes(torch.get_device_module, paddle.get_device_module, device="/")
becomes(torch.get_autocast_dtype, paddle.amp.get_autocast_dtype)


@rule(torch.set_float32_matmul_precision)
def set_float32_matmul_precision(precision):
    # TF32 is the environment's NVIDIA_TF32_OVERRIDE
    return None


@rule(torch.set_warn_always)
def set_warn_always(b):
    return None


@rule(torch.set_printoptions)
def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    if profile is not None:  # what it says, where nothing else does
        precision = (2 if profile == "short" else 4) if precision is None else precision
        threshold = (2**31 - 1 if profile == "full" else 1000) if threshold is None else threshold
        edgeitems = (2 if profile == "short" else 3) if edgeitems is None else edgeitems
        linewidth = 80 if linewidth is None else linewidth
    return paddle.set_printoptions(
        precision=precision, threshold=threshold, edgeitems=edgeitems, sci_mode=sci_mode, linewidth=linewidth
    )


@rule(torch.is_autocast_enabled, torch.is_autocast_cpu_enabled)
def is_autocast_enabled(device_type=None):
    return paddle.amp.is_autocast_enabled()


@family("gpu cpu")
@rule(torch.get_autocast_gpu_dtype)
def get_autocast_gpu_dtype():
    return paddle.amp.get_autocast_gpu_dtype()


@rule(torch.clear_autocast_cache)
def clear_autocast_cache():
    return None


@family("float int sum", "a a args")
@rule(torch.sym_float)
def sym_float(a):
    return float(a)


@rule(torch.sym_not)
def sym_not(a):
    return not a


@rule(torch.sym_sqrt)
def sym_sqrt(a):
    return a**0.5


@family("max min")
@rule(torch.sym_max)
def sym_max(a, b):
    return max(a, b)


@rule(torch.sym_ite)
def sym_ite(b, t, f):
    return t if b else f


@rule(torch.norm_except_dim)
def norm_except_dim(v, pow=2, dim=0):
    rows = paddle.norm(paddle.moveaxis(v, dim, 0).reshape([v.shape[dim], -1]), p=pow, axis=1)
    shape = [1] * v.ndim
    shape[dim] = -1
    return rows.reshape(shape)


# 0: anything goes; 1: what is deterministic where there is a choice, without an error; 2: the same
deterministic = {"mode": 0}


@rule(torch.set_deterministic_debug_mode)
def set_deterministic_debug_mode(debug_mode):
    names = {"default": 0, "warn": 1, "error": 2}
    deterministic["mode"] = names.get(debug_mode, debug_mode)
    if paddle.is_compiled_with_cuda():
        on = int(deterministic["mode"] > 0)
        paddle.set_flags({"FLAGS_cudnn_deterministic": on, "FLAGS_embedding_deterministic": on})


@rule(torch.use_deterministic_algorithms)
def use_deterministic_algorithms(mode, *, warn_only=False):
    # Paddle raises nothing where an operator has no deterministic way
    set_deterministic_debug_mode((1 if warn_only else 2) if mode else 0)


@rule(torch.get_deterministic_debug_mode)
def get_deterministic_debug_mode():
    return deterministic["mode"]


@rule(torch.are_deterministic_algorithms_enabled)
def are_deterministic_algorithms_enabled():
    return deterministic["mode"] > 0


@rule(torch.is_deterministic_algorithms_warn_only_enabled)
def is_deterministic_algorithms_warn_only_enabled():
    return deterministic["mode"] == 1


# What set_num_threads was given: Paddle does not tell.
threads = {"number": None}


@rule(torch.set_num_threads)
def set_num_threads(num):
    # those of the mathematical library; OpenMP's are the environment's OMP_NUM_THREADS
    threads["number"] = num
    return paddle.base.core.set_num_threads(num)


@rule(torch.get_num_threads)
def get_num_threads():
    # before that, what the flag says, by which Paddle begins
    return threads["number"] or paddle.get_flags("FLAGS_paddle_num_threads")["FLAGS_paddle_num_threads"]


@rule(torch.set_num_interop_threads)
def set_num_interop_threads(num):
    # Paddle's operators run one after another
    pass


@rule(torch.get_num_interop_threads)
def get_num_interop_threads():
    return 1


@rule(torch.init_num_threads)
def init_num_threads():
    pass


@rule(torch.thread_safe_generator)
def thread_safe_generator():
    # Paddle's loaders work in processes, and in those torch has none either
    return None


@rule(torch.set_flush_denormal)
def set_flush_denormal(mode):
    # as torch on a processor that cannot
    return False


@rule(torch.is_warn_always_enabled)
def is_warn_always_enabled():
    return False


alias(torch.has_lapack, "True")
alias(torch.has_spectral, "True")
