"""Compilers. Paddle's is to_static; what only steers torch's is refused."""

import paddle
import torch

from rewriters.rule import alias, rule

alias(torch.jit.ignore, "paddle.jit.not_to_static")
alias(torch.jit.unused, "paddle.jit.not_to_static")
alias(torch.compiler.disable, "paddle.jit.not_to_static")


@rule(torch.compiler.disable)
def disable(fn=None, recursive=True, reason=None):
    return paddle.jit.not_to_static if fn is None else paddle.jit.not_to_static(fn)


@rule(torch.jit.ignore)
def ignore(drop=False, **kwargs):
    return drop if callable(drop) else paddle.jit.not_to_static


@rule(torch.jit.script)
def script(obj, optimize=None, example_inputs=None):
    # Functions run as they stand: Paddle's tracer refuses some of what runs well, and its errors hide where. A layer
    # has to be compiled for paddle.jit.save.
    return paddle.jit.to_static(obj, full_graph=False, backend=None) if isinstance(obj, paddle.nn.Layer) else obj


@rule(torch.jit.trace)
def trace(func, example_inputs=None, check_trace=True, strict=True):
    return paddle.jit.to_static(func, full_graph=False, backend=None)


@rule(torch.jit.save)
def save_static(m, f):
    return paddle.jit.save(m, f)


@rule(torch.jit.load)
def load_static(f, map_location=None):
    return paddle.jit.load(f)


@rule(torch.compiler.is_compiling, torch.compiler.is_dynamo_compiling, torch.compiler.is_exporting)
def is_compiling():
    return False


@rule(torch.jit.freeze, torch.jit.optimize_for_inference)
def freeze(mod):
    # Paddle's predictor does both when it loads the model
    return mod


@rule(torch.jit.isinstance)
def jit_isinstance(obj, target_type):
    return isinstance(obj, target_type)
