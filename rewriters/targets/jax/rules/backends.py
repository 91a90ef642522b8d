"""torch.backends: settings of its libraries, of which JAX has none."""

from rewriters.rule import rule


@rule("torch.backends.cudnn.benchmark=", "torch.backends.cudnn.deterministic=", "torch.backends.cudnn.enabled=")
def cudnn_setting(value):
    pass


@rule("torch.backends.cuda.matmul.allow_tf32=", "torch.backends.cudnn.allow_tf32=")
def tf32_setting(value):
    pass
