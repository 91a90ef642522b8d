"""torch: backends."""

import paddle
import torch

from rewriters.rule import becomes, rule

becomes(torch.backends.cuda.is_built, paddle.device.is_compiled_with_cuda)


# Builds without CUDA do not have the flags.
@rule("torch.backends.cudnn.benchmark=")
def set_cudnn_benchmark(value):
    paddle.set_flags({"FLAGS_cudnn_exhaustive_search": value} if paddle.device.is_compiled_with_cuda() else {})


@rule("torch.backends.cudnn.deterministic=")
def set_cudnn_deterministic(value):
    paddle.set_flags({"FLAGS_cudnn_deterministic": value} if paddle.device.is_compiled_with_cuda() else {})


@rule(
    "torch.backends.cudnn.enabled=",
    "torch.backends.cudnn.allow_tf32=",
    "torch.backends.cuda.matmul.allow_tf32=",
)
def set_backend_flag(value):
    # the environment's: NVIDIA_TF32_OVERRIDE
    pass


@rule("torch.version.cuda:told")
def cuda_version():
    # Paddle's is the text False where it was built without
    return paddle.version.cuda() if paddle.device.is_compiled_with_cuda() else None


@rule("torch.cuda._initialized:told")
def initialized():
    return paddle.cuda.is_initialized()
