"""One sample without its batch axis, which torch's layers take and Paddle's refuse: where the rank is known.

Where it is not known the call stays as it is, and Paddle says aloud that the input has an axis too few.
"""

import torch

from rewriters.rule import Rank, rule


@rule(
    "torch.nn.AdaptiveAvgPool1d:call",
    "torch.nn.AdaptiveMaxPool1d:call",
    "torch.nn.AvgPool1d:call",
    "torch.nn.CircularPad1d:call",
    "torch.nn.Conv1d:call",
)
def one_sequence(self, input: Rank[2]):
    return self(input.unsqueeze(0)).squeeze(0)
