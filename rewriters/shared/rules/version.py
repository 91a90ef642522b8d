"""torch.version."""

import torch

from rewriters.rule import alias

# What torch was built for: no target's package is built for GPUs of AMD's or Intel's.
alias(torch.version.hip, "None")
alias(torch.version.xpu, "None")
