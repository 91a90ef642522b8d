"""What steers torch's compilers: decorators that mark functions, settings, and what runs in its own threads."""

import paddle
import torch

from rewriters.rule import alias, rule

alias(torch.jit.ScriptModule, "paddle.nn.Layer")


@rule(torch.compiler.nested_compile_region)
def nested_compile_region(fn=None, options=None, **kwargs):
    return (lambda function: function) if fn is None else fn


@rule(torch.compiler.substitute_in_graph)
def substitute_in_graph(original_fn, *, can_constant_fold_through=False, skip_signature_check=False):
    return lambda function: function


@rule(torch.compiler.wrap_numpy)
def wrap_numpy(fn):
    """A function of arrays as one of tensors."""

    def of_tensors(*args, **kwargs):
        def array(value):
            return value.numpy() if isinstance(value, paddle.Tensor) else value

        found = fn(*map(array, args), **{name: array(value) for name, value in kwargs.items()})
        return tuple(map(paddle.to_tensor, found)) if isinstance(found, tuple) else paddle.to_tensor(found)

    return of_tensors


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


@rule(torch.compiler.save_cache_artifacts)
def save_cache_artifacts():
    return None


@rule(torch.compiler.load_cache_artifacts)
def load_cache_artifacts(serialized_artifacts):
    return None


@rule(torch.compiler.list_backends)
def list_backends(exclude_tags=("debug", "experimental")):
    return ["CINN"] if paddle.is_compiled_with_cinn() else []


@rule(torch.compiler.set_stance)
class set_stance:
    """Whether compiled functions run compiled; torch's other stances say when it compiles again."""

    def __init__(self, stance="default", *, skip_guard_eval_unsafe=False, force_backend=None):
        paddle.jit.enable_to_static(stance != "force_eager")

    def __enter__(self):
        return None

    def __exit__(self, *failure):
        paddle.jit.enable_to_static(True)


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
