"""torch: what is said to tracers and compilers."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.fx.wrap)
def wrap(fn_or_name: str):
    pass


@rule(torch.fx.wrap)
def wrap(fn_or_name):
    return fn_or_name


@rule(torch._assert)
def _assert(condition, message):
    assert condition, message


@rule(torch._shape_as_tensor)
def _shape_as_tensor(input):
    return paddle.to_tensor(input.shape, dtype="int64")


@rule(torch.jit._script_if_tracing)
def _script_if_tracing(fn):
    return fn


@rule(torch._C._get_tracing_state)
def _get_tracing_state():
    return None
