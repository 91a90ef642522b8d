"""torch.autograd: what asks for gradients. Training steps and calls of grad become functions (training.py)."""

import torch

from rewriters.rule import rule


@rule(torch.autograd.Variable)
def Variable(data, requires_grad=False, volatile=False):
    return data
