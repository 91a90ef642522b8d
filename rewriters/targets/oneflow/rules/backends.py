"""torch: backends."""

from rewriters.rule import family, rule


@family("benchmark deterministic enabled")
@rule("torch.backends.cudnn.benchmark=")
def benchmark(value):
    pass


@rule("torch.backends.cuda.matmul.allow_tf32=")
def allow_tf32(value):
    pass


@rule("torch.backends.cudnn.allow_tf32=")
def cudnn_allow_tf32(value):
    pass
