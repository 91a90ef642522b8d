"""TorchScript in the source: OneFlow has no compiler of Python's text, so functions run as they are."""

import torch

from rewriters.rule import alias, rule

alias(torch.jit.ScriptModule, "oneflow.nn.Module")


@rule(torch.jit.script)
def script(obj, optimize=None, example_inputs=None):
    return obj  # as torch.compile's: `migrate convert --static` writes an nn.Graph


@rule(torch.jit.unused)
def unused(fn):
    return fn


@rule(torch.jit.ignore)
def ignore(drop=False, **kwargs):
    return drop if callable(drop) else (lambda function: function)


@rule(torch.jit.enable_onednn_fusion)
def enable_onednn_fusion(enabled):
    return None
