"""torch.compile. Training steps are compiled by nnx.jit as a whole, and models outside of them run as they stand."""

import torch

from rewriters.rule import rule


@rule(torch.compile, torch.compiler.compile)
def compile(
    model=None, *, fullgraph=False, dynamic=None, backend="inductor", mode=None, options=None, disable=False
):  # fmt: skip
    if model is None:
        return lambda function: function
    return model


@rule(torch.compiler.is_compiling, torch.compiler.is_dynamo_compiling, torch.compiler.is_exporting)
def is_compiling():
    return False


@rule(torch.compiler.disable)
def disable(fn=None, recursive=True, *, reason=None):
    if fn is None:
        return lambda function: function
    return fn
