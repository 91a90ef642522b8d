"""torch: backends."""

import oneflow
import oneflow.backends.cudnn
import oneflow.sysconfig

from rewriters.rule import family, rule


@rule("torch.backends.cudnn.benchmark=")
def benchmark(value):
    # algorithms are tried out, where none is chosen by a rule of thumb
    oneflow.backends.cudnn.enable_conv_heuristic_search_algo(not value)


@family(
    "cudnn.deterministic cudnn.enabled cuda.matmul.allow_tf32 cudnn.allow_tf32",
    "deterministic enabled allow_tf32 cudnn_allow_tf32",
)
@rule("torch.backends.cudnn.deterministic=")
def deterministic(value):
    pass


@rule("torch.version.cuda:told")
def cuda_version():
    number = oneflow.sysconfig.get_cuda_version() if oneflow.sysconfig.with_cuda() else 0
    return f"{number // 1000}.{number % 1000 // 10}" if number else None


@rule("torch.cuda._initialized:told")
def initialized():
    return oneflow.cuda.is_available()
