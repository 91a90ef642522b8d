"""How the ResNet of the mutation table is trained: what its train.py has in the middle of a script, as functions."""

import torch
import torch.nn.functional as F
import torch.optim as optim
from torch.optim.lr_scheduler import MultiStepLR


def optimizer(model):
    return optim.SGD(model.parameters(), lr=0.02, momentum=0.9, weight_decay=1e-3)


def scheduler(optimizer):
    return MultiStepLR(optimizer, milestones=[2], gamma=0.1)


def loss(logits, images):
    targets = torch.arange(0, logits.shape[0], dtype=torch.int64)
    return F.cross_entropy(logits, targets)
