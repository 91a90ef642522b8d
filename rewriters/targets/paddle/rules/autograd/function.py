"""torch.autograd.function: what functions with a derivative of their own are handed."""

import torch

from rewriters.rule import alias

alias(torch.autograd.function.FunctionCtx, "paddle.autograd.PyLayerContext")
