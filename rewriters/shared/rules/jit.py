"""torch.jit: what is said to its compiler; without it the code runs as it stands."""

import contextlib

import torch

from rewriters.rule import alias, becomes, rule

becomes(torch.jit.strict_fusion, contextlib.nullcontext)

alias("torch.jit.Final", "typing.Final")


@rule(torch.jit.TracerWarning)
class TracerWarning(Warning):
    """Of torch's tracer: nobody gives it here, and programs say that they do not want it."""


@rule(torch.jit.is_scripting, torch.jit.is_tracing, torch._C._is_tracing)
def is_scripting():
    return False


@rule(torch._C._get_tracing_state)
def _get_tracing_state():
    return None


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
    "torch._dynamo.allow_in_graph",
    "torch._dynamo.assume_constant_result",
    "torch._dynamo.forbid_in_graph",
    torch.jit.export,
    torch.jit.interface,
    torch.jit.script_if_tracing,
    torch.jit.script_method,
)
def marked(fn):
    return fn


@rule(
    "torch._dynamo.mark_dynamic",
    "torch._dynamo.mark_static",
    "torch._dynamo.mark_static_address",
    "torch._dynamo.maybe_mark_dynamic",
)
def tell_compiler(t, *args, **kwargs):
    pass


@rule("torch._dynamo.reset", "torch._dynamo.reset_code_caches")
def forget_compiled():
    pass


@rule(torch.jit.onednn_fusion_enabled)
def onednn_fusion_enabled():
    return False


@rule(torch.jit.optimized_execution, torch.jit.fuser)
def unsteered(setting):
    return contextlib.nullcontext()


# torch's own threads: the value is there at once.
@rule(torch.jit.fork, torch.fork)
def fork(func, *args, **kwargs):
    return func(*args, **kwargs)


@rule(torch.jit.wait, torch.wait)
def wait(future):
    return future
