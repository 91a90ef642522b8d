"""torch: backends."""

from rewriters.rule import rule


@rule("torch.backends.cudnn.benchmark=")
def benchmark(value):
    pass


@rule("torch.backends.cudnn.deterministic=")
def deterministic(value):
    pass


@rule("torch.backends.cudnn.enabled=")
def enabled(value):
    pass


@rule("torch.backends.cuda.matmul.allow_tf32=")
def allow_tf32(value):
    pass


@rule("torch.backends.cudnn.allow_tf32=")
def cudnn_allow_tf32(value):
    pass
