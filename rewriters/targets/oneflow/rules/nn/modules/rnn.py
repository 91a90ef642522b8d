"""torch.nn.modules: recurrent layers."""

import torch

from rewriters.rule import alias

alias(torch.nn.RNNBase, "oneflow.nn.RNNBase")
