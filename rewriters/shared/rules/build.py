"""torch: what was built in."""

import framework

from rewriters.rule import rule


@rule("torch.__config__.show")
def show():
    # torch tells of its libraries, by lines
    return f"{framework.__name__} {framework.__version__}"


@rule(
    "torch.backends.mkldnn.is_available",
    "torch.backends.opt_einsum.is_available",
    "torch.backends.nnpack.is_available",
    "torch.backends.cusparselt.is_available",
    "torch.backends.kleidiai.is_available",
)
def is_available():
    return False
