"""torch.jit: what is said to its compiler; without it the code runs as it stands."""

import contextlib

import torch

from rewriters.rule import rule


@rule(torch.jit.is_scripting, torch.jit.is_tracing)
def is_scripting():
    return False


@rule(torch.jit.annotate)
def annotate(the_type, the_value):
    return the_value


@rule("torch.jit._overload", "torch.jit._overload_method")
def overload(func):
    return func


# Marks for torch's compilers alone; the function stays as it is.
@rule(
    torch.compiler.allow_in_graph,
    torch.compiler.assume_constant_result,
    torch.jit.export,
    torch.jit.interface,
    torch.jit.script_if_tracing,
    torch.jit.script_method,
)
def marked(fn):
    return fn


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
