"""torch.nn.modules.utils: keys of checkpoints, sizes of one number for all axes."""

import collections.abc
import functools

import torch

from rewriters.rule import rule


@rule(torch.nn.modules.utils.consume_prefix_in_state_dict_if_present)
def consume_prefix_in_state_dict_if_present(state_dict, prefix):
    for key in list(state_dict):
        if key.startswith(prefix):
            state_dict[key[len(prefix) :]] = state_dict.pop(key)


def repeated(x, times):
    # Some tensors are gone through by their items alone.
    return tuple(x) if isinstance(x, collections.abc.Iterable) or hasattr(x, "unbind") else (x,) * times


@rule("torch.nn.modules.utils._ntuple")
def n_tuple(n, name="parse"):
    return functools.partial(repeated, times=n)


@rule("torch.nn.modules.utils._single")
def single(x):
    return repeated(x, 1)


@rule("torch.nn.modules.utils._pair")
def pair(x):
    return repeated(x, 2)


@rule("torch.nn.modules.utils._triple")
def triple(x):
    return repeated(x, 3)


@rule("torch.nn.modules.utils._quadruple")
def quadruple(x):
    return repeated(x, 4)


@rule("torch.nn.modules.utils._reverse_repeat_tuple")
def reverse_repeat_tuple(t, n):
    return tuple(x for x in reversed(t) for _ in range(n))
