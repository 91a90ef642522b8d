"""torch.autograd.graph."""

import torch

from rewriters.rule import alias

alias(torch.autograd.graph.saved_tensors_hooks, "paddle.autograd.saved_tensors_hooks")
