"""torch: what was built in."""

import framework
import torch

from rewriters.rule import alias, rule

# What torch was built for: no target's package is built for GPUs of AMD's or Intel's.
alias(torch.version.hip, "None")
alias(torch.version.xpu, "None")


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
