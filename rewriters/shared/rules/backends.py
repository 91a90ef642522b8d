"""torch.backends."""

from rewriters.rule import rule


@rule(
    "torch.backends.mkldnn.is_available",
    "torch.backends.opt_einsum.is_available",
    "torch.backends.nnpack.is_available",
    "torch.backends.cusparselt.is_available",
    "torch.backends.kleidiai.is_available",
)
def is_available():
    return False
