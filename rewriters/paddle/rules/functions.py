"""Functions of the torch namespace: creation, joining, shape, random numbers, devices, saving."""

import paddle
import torch

from rewriters.rule import alias, rule

alias(torch.no_grad, "paddle.no_grad")
alias(torch.cuda.is_available, "paddle.cuda.is_available")
alias(torch.float32, "paddle.float32")
alias(torch.float64, "paddle.float64")
alias(torch.float16, "paddle.float16")
alias(torch.bfloat16, "paddle.bfloat16")
alias(torch.int64, "paddle.int64")
alias(torch.int32, "paddle.int32")
alias(torch.int16, "paddle.int16")
alias(torch.int8, "paddle.int8")
alias(torch.uint8, "paddle.uint8")
alias(torch.bool, "paddle.bool")


@rule(torch.device)
def device(type):
    return paddle.device(type)


@rule(torch.tril)
def tril(input, diagonal=0):
    return paddle.tril(input, diagonal=diagonal)


@rule(torch.triu)
def triu(input, diagonal=0):
    return paddle.triu(input, diagonal=diagonal)


@rule(torch.save)
def save(obj, f):
    return paddle.save(obj, f)


@rule(torch.load)
def load(f, map_location=None, *, weights_only=None):
    # paddle.load puts tensors on the current device
    return paddle.load(f)
