"""torch.jit: a program runs as it stands, and what is trained is compiled by nnx.jit (training.py)."""

import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.nn.modules.module import Module


@rule(torch.jit.script, torch.jit.trace)
def script(obj, *args, **kwargs):
    return obj


@rule(torch.jit.script_method)
def script_method(fn):
    return fn


@rule(torch.jit.trace_module)
def trace_module(mod, inputs, *args, **kwargs):
    return mod


@rule(torch.jit.ignore)
def ignore(drop=False, **kwargs):
    return drop if callable(drop) else lambda function: function


@rule(torch.jit.unused)
def unused(fn):
    return fn


@rule(torch.jit.freeze)
def freeze(mod, preserved_attrs=None, optimize_numerics=True):
    return mod


@rule(torch.jit.optimize_for_inference)
def optimize_for_inference(mod, other_methods=None):
    return mod


@rule(torch.jit.isinstance)
def jit_isinstance(obj, target_type):
    return isinstance(obj, target_type)


@rule(torch.jit.Attribute)
def Attribute(value, type):
    return value


@rule(torch.jit.ScriptModule)
class ScriptModule(Module):
    pass


@rule("torch.jit._script_if_tracing")
def script_if_tracing(fn):
    return fn
