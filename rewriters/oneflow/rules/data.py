"""torch.utils.data."""

import torch

from rewriters.rule import alias, same

alias(torch.utils.data.Dataset, "oneflow.utils.data.Dataset")
alias(torch.utils.data.IterableDataset, "oneflow.utils.data.IterableDataset")
same("torch.utils.data.DataLoader", "torch.utils.data.TensorDataset")
