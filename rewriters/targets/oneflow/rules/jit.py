"""TorchScript in the source: OneFlow has no compiler of Python's text, so functions run as they are."""

import contextlib

import torch

from rewriters.rule import alias, rule

alias(torch.jit.ScriptModule, "oneflow.nn.Module")


@rule(torch.jit.script)
def script(obj, optimize=None, example_inputs=None):
    return obj  # as torch.compile's: `migrate convert --static` writes an nn.Graph


@rule(torch.jit.is_scripting, torch.jit.is_tracing)
def is_scripting():
    return False


@rule(torch.jit.annotate)
def annotate(the_type, the_value):
    return the_value


@rule(torch.jit.export, torch.jit.interface, torch.jit.script_if_tracing, torch.jit.script_method)
def marked(fn):
    return fn


@rule(torch.jit.unused)
def unused(fn):
    return fn


@rule(torch.jit.ignore)
def ignore(drop=False, **kwargs):
    return drop if callable(drop) else (lambda function: function)


@rule(torch.jit.enable_onednn_fusion)
def enable_onednn_fusion(enabled):
    return None


@rule(torch.jit.onednn_fusion_enabled)
def onednn_fusion_enabled():
    return False


@rule(torch.jit.optimized_execution, torch.jit.fuser)
def unsteered(setting):
    return contextlib.nullcontext()


@rule(torch.jit.strict_fusion)
def strict_fusion():
    return contextlib.nullcontext()


# torch's own threads: the value is there at once.
@rule(torch.jit.fork, torch.fork)
def fork(func, *args, **kwargs):
    return func(*args, **kwargs)


@rule(torch.jit.wait, torch.wait)
def wait(future):
    return future
