"""Compilers. Paddle's is to_static; what only steers torch's is refused."""

import paddle
import torch

from rewriters.rule import alias, rule

alias(torch.jit.ignore, "paddle.jit.not_to_static")
alias(torch.jit.unused, "paddle.jit.not_to_static")


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


@rule(torch.jit.freeze, torch.jit.optimize_for_inference)
def freeze(mod):
    # Paddle's predictor does both when it loads the model
    return mod


@rule(torch.jit.isinstance)
def jit_isinstance(obj, target_type):
    return isinstance(obj, target_type)


alias(torch.jit.ScriptModule, "paddle.nn.Layer")


@rule(
    torch.compiler.cudagraph_mark_step_begin,
    torch.compiler.reset,
    torch.compiler.set_enable_guard_collectives,
    torch.compiler.set_default_backend,
    torch.jit.enable_onednn_fusion,
    torch.jit.set_fusion_strategy,
    torch.jit.run_frozen_optimizations,
)
def steer(*args):
    pass


@rule(torch.jit.Attribute)
def Attribute(value, type):
    return value


@rule(torch.jit.trace_module)
def trace_module(
    mod,
    inputs,
    optimize=None,
    check_trace=True,
    check_inputs=None,
    check_tolerance=1e-05,
    strict=True,
):
    for name in inputs:
        setattr(mod, name, paddle.jit.to_static(getattr(mod, name), full_graph=False, backend=None))
    return mod


@rule(torch.jit._script_if_tracing)
def _script_if_tracing(fn):
    return fn
