"""torch: compilation."""

import paddle
import torch

from rewriters.rule import alias, rule

alias(torch.compile, "paddle.jit.to_static")


@rule(torch.compile, torch.compiler.compile)
def compile(model, *, fullgraph=False, dynamic=None, backend="inductor", mode=None, options=None, disable=False):
    # backend=None: without CINN, a compiler of kernels that not every build of Paddle has
    return paddle.jit.to_static(model, full_graph=fullgraph, backend=None)


alias(torch.compiler.disable, "paddle.jit.not_to_static")


@rule(torch.compiler.disable)
def disable(fn=None, recursive=True, reason=None):
    return paddle.jit.not_to_static if fn is None else paddle.jit.not_to_static(fn)


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


# Chosen by passes/optimizers.py: Paddle compiles methods of layers alone.
@rule("torch.compile:step")
def compile_step(model, *, fullgraph=False, dynamic=None, backend="inductor", mode=None, options=None, disable=False):
    if not isinstance(model.__self__, paddle.nn.Layer):
        return model
    return paddle.jit.to_static(model, full_graph=fullgraph, backend=None)
