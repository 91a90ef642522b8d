"""Hooks of one module's calls: its class looks, at each call, for what the module keeps."""

import functools
from collections import OrderedDict

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.nn.modules.module import TorchMethods

KEPT = "hooks_of_calls"


class Hooks:
    """What is called before and after a module, in order; copies of the module share it."""

    def __init__(self):
        self.before, self.after, self.loading = OrderedDict(), OrderedDict(), OrderedDict()
        self.backward = OrderedDict()


class Handle:
    """Takes a hook back."""

    def __init__(self, held):
        self.held = held

    def remove(self):
        self.held.pop(self, None)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.remove()


def hooks_of(module):
    """The module's own, and from now on its class looks for them."""
    kind = type(module)
    original = kind.__call__
    if getattr(original, "kind", None) is not kind:

        @functools.wraps(original)
        def call(self, *args, **kwargs):
            hooks = vars(self).get(KEPT)
            if hooks is None or type(self) is not kind:  # what a derived class calls of its base
                return original(self, *args, **kwargs)
            for hook, with_kwargs in [*hooks.before.values()]:
                found = hook(self, args, kwargs) if with_kwargs else hook(self, args)
                if with_kwargs and found is not None:
                    args, kwargs = found
                elif found is not None:
                    args = found if isinstance(found, tuple) else (found,)
            result = original(self, *args, **kwargs)
            for hook, with_kwargs in [*hooks.after.values()]:
                found = hook(self, args, kwargs, result) if with_kwargs else hook(self, args, result)
                result = result if found is None else found
            return watched(self, hooks, result) if hooks.backward else result

        call.kind = kind
        kind.__call__ = call
    return kept_by(module)


class NotAtHand(tuple):
    """Gradients of what goes into a module, which come later than those of what it gives."""

    def refuse(self, *args):
        raise NotImplementedError("a hook sees gradients of what a module gives; take those of what goes in by jax.vjp")

    __getitem__ = __iter__ = __len__ = refuse


def watched(module, hooks, result):
    """What a module gives, whose gradients its hooks are shown when they are computed."""
    parts, structure = jax.tree.flatten(result)
    places = [i for i, one in enumerate(parts) if isinstance(one, jax.Array) and jnp.issubdtype(one.dtype, jnp.inexact)]

    def backward(_, gradients):
        if any(isinstance(one, jax.core.Tracer) for one in gradients):
            raise NotImplementedError(
                "hooks look at gradients as they are computed, which compiled functions have none of"
            )
        for hook, first in [*hooks.backward.values()]:
            found = hook(module, gradients) if first else hook(module, NotAtHand(), gradients)
            if found is not None and not first:
                raise NotImplementedError(
                    "a hook gives gradients of what goes in: change those of what the module gives"
                )
            gradients = gradients if found is None else (found if isinstance(found, tuple) else (found,))
        return gradients

    same = jax.custom_vjp(lambda *arrays: arrays)
    same.defvjp(lambda *arrays: (arrays, None), backward)
    for place, one in zip(places, same(*(parts[place] for place in places)), strict=True):
        parts[place] = one
    return jax.tree.unflatten(structure, parts)


def kept_by(module):
    if KEPT not in vars(module):
        setattr(module, KEPT, Hooks())
    return vars(module)[KEPT]


def keep(held, hook, with_kwargs, prepend):
    handle = Handle(held)
    held[handle] = (hook, with_kwargs)
    if prepend:
        held.move_to_end(handle, last=False)
    return handle


@rule(torch.nn.Module.register_forward_hook)
def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
    if always_call:
        raise NotImplementedError("a hook is not called of what raised; call the function where that is handled")
    return keep(hooks_of(self).after, hook, with_kwargs, prepend)


@rule(torch.nn.Module.register_forward_pre_hook)
def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
    return keep(hooks_of(self).before, hook, with_kwargs, prepend)


@rule(torch.nn.Module.register_full_backward_hook)
def register_full_backward_hook(self, hook, prepend=False):
    return keep(hooks_of(self).backward, hook, False, prepend)


@rule(torch.nn.Module.register_full_backward_pre_hook)
def register_full_backward_pre_hook(self, hook, prepend=False):
    return keep(hooks_of(self).backward, hook, True, prepend)


def telling(load):
    """``load_state_dict`` that first asks what the modules keep to see, and change, what is loaded."""

    @functools.wraps(load)
    def load_state_dict(self, state_dict, strict=True, assign=False):
        state_dict, missing, unexpected, errors = OrderedDict(state_dict), [], [], []
        for name, module in self.named_modules():
            hooks = vars(module).get(KEPT)
            for hook, with_module in [*hooks.loading.values()] if hooks else []:
                given = (state_dict, f"{name}." if name else "", {}, strict, missing, unexpected, errors)
                hook(module, *given) if with_module else hook(*given)
        if errors:
            raise RuntimeError("; ".join(errors))
        return load(self, state_dict, strict, assign)

    load_state_dict.tells = True
    return load_state_dict


@rule(torch.nn.Module._register_load_state_dict_pre_hook)
def register_load_hook(self, hook, with_module=False):
    if not hasattr(TorchMethods.load_state_dict, "tells"):
        TorchMethods.load_state_dict = telling(TorchMethods.load_state_dict)
    return keep(kept_by(self).loading, hook, with_module, False)


@rule(torch.nn.Module.register_load_state_dict_pre_hook)
def register_load_state_dict_pre_hook(self, hook):
    return register_load_hook(self, hook, with_module=True)
