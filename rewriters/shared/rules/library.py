"""torch.library: operators of a program's own, which are functions of Python here."""

import contextlib
import inspect

import framework
import torch

from rewriters.rule import rule
from rewriters.targets.framework.rules.autograd.gradients import Function
from rewriters.targets.framework.rules.library import casts, device_type_of, takes_gradients

OPERATORS = {}  # by "namespace::name"


def operator_of(op):
    """Of its name, or as it stands. One of C++ has none: what is registered for it waits, and calling it raises."""
    if not isinstance(op, str):
        return op
    if op not in OPERATORS:
        CustomOpDef(*op.split("::"), None, None)
    return OPERATORS[op]


@rule(torch.library.CustomOpDef)
class CustomOpDef:
    """A function that torch's tracer does not look into: called with tensors, it runs the kernel of their device.

    As in torch, no gradient goes through what the kernels compute: register_autograd says the derivative.
    """

    def __init__(self, namespace, name, schema, fn, tags=None):
        self._qualname, self._init_fn = f"{namespace}::{name}", fn
        self._signature = None if fn is None else inspect.signature(fn)
        self._kernels, self._disabled, self._changes = {}, set(), False
        self._backward_fn = self._setup_context_fn = None
        self._autocast = set()
        OPERATORS[self._qualname] = self

    def __repr__(self):
        return f"<CustomOpDef({self._qualname})>"

    def register_kernel(self, device_types, fn=None, /):
        def register(fn):
            kinds = [device_types] if device_types is None or isinstance(device_types, str) else device_types
            self._kernels.update(dict.fromkeys(kinds, fn))
            return fn

        return register if fn is None else register(fn)

    def register_autograd(self, backward, /, *, setup_context=None):
        self._backward_fn, self._setup_context_fn = backward, setup_context

    # Tracers ask for these alone, and none looks for an operator here; map functions call one element by one.
    def register_fake(self, fn, /):
        return fn

    def register_vmap(self, func=None):
        return (lambda fn: fn) if func is None else func

    def register_torch_dispatch(self, torch_dispatch_class, fn=None, /):
        return (lambda fn: fn) if fn is None else fn

    def register_effect(self, effect):
        pass

    def register_autocast(self, device_type, cast_inputs):
        self._autocast.add(device_type)

    @contextlib.contextmanager
    def set_kernel_enabled(self, device_type, enabled=True):
        (self._disabled.discard if enabled else self._disabled.add)(device_type)
        try:
            yield
        finally:
            self._disabled.discard(device_type)

    def _kernel(self, device_type):
        kind = device_type if device_type in self._kernels else None
        if kind not in self._kernels:
            raise NotImplementedError(f"{self._qualname} has no kernel for {device_type}")
        return self._init_fn if kind in self._disabled else self._kernels[kind]

    def __call__(self, *args, **kwargs):
        if self._init_fn is None:
            raise NotImplementedError(f"{self._qualname} is an operator of C++ for torch; there is none here")
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        args, named = bound.args, bound.kwargs
        listed = [part for value in args if isinstance(value, (list, tuple)) for part in value]
        tensors = [value for value in (*args, *named.values(), *listed) if isinstance(value, framework.Tensor)]
        device = device_type_of(tensors[0]) if tensors else str(bound.arguments.get("device", "cpu")).partition(":")[0]
        if device in self._autocast and casts(device):
            raise NotImplementedError(f"{self._qualname} is not cast by autocast here; cast its arguments before")
        kernel = self._kernel(device)
        if framework.is_grad_enabled() and any(map(takes_gradients, (*args, *listed))):
            if self._changes or any(map(takes_gradients, listed)):
                raise NotImplementedError(f"{self._qualname}: no gradients of what it changes, or of lists of tensors")
            return self._differentiated(kernel, args, named)
        with framework.no_grad():
            return kernel(*args, **named)

    def _differentiated(self, kernel, args, named):
        operator = self

        class Call(Function):
            @staticmethod
            def forward(ctx, *args):
                output = kernel(*args, **named)
                if operator._setup_context_fn is not None:
                    rest = {"keyword_only_inputs": named} if named else {}
                    operator._setup_context_fn(ctx=ctx, inputs=args, output=output, **rest)
                return output

            @staticmethod
            def backward(ctx, *grads):
                if operator._backward_fn is None:
                    raise RuntimeError(
                        f"Trying to backward through {operator._qualname} but no autograd formula was registered."
                    )
                return operator._backward_fn(ctx, *grads)

        return Call.apply(*args)


@rule(torch.library.custom_op)
def custom_op(name, fn=None, /, *, mutates_args, device_types=None, schema=None, tags=None):
    def define(function):
        operator = CustomOpDef(*name.split("::"), schema, function, tags)
        operator._changes = bool(mutates_args)
        operator.register_kernel(device_types, function)
        return operator

    return define if fn is None else define(fn)


@rule(torch.library.register_fake, torch.library.impl_abstract)
def register_fake(op, func=None, /, *, lib=None, _stacklevel=1, allow_override=True):
    return (lambda fn: fn) if func is None else func


@rule(torch.library.register_vmap)
def register_vmap(op, func=None, /, *, lib=None):
    return (lambda fn: fn) if func is None else func


@rule(torch.library.register_torch_dispatch)
def register_torch_dispatch(op, torch_dispatch_class, func=None, /, *, lib=None):
    return (lambda fn: fn) if func is None else func


@rule(torch.library.register_autograd)
def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    operator_of(op).register_autograd(backward, setup_context=setup_context)


@rule(torch.library.register_kernel)
def register_kernel(op, device_types, func=None, /, *, lib=None):
    return operator_of(op).register_kernel(device_types, func)


@rule(torch.library.register_autocast)
def register_autocast(op, device_type, cast_inputs, /, *, lib=None):
    operator_of(op).register_autocast(device_type, cast_inputs)
