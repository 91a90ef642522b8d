"""torch: backends."""

from rewriters.rule import family, rule


@family(
    "cudnn.benchmark cudnn.deterministic cudnn.enabled cuda.matmul.allow_tf32 cudnn.allow_tf32",
    "benchmark deterministic enabled allow_tf32 cudnn_allow_tf32",
)
@rule("torch.backends.cudnn.benchmark=")
def benchmark(value):
    pass
