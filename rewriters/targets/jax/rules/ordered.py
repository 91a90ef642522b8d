"""Dicts in their order: JAX sorts those that go into and come out of its transformations by key."""

import functools
from collections import OrderedDict, defaultdict

import jax
from flax import nnx

from rewriters.rule import rule


@jax.tree_util.register_pytree_node_class
class Ordered:
    """A dict whose items JAX takes as they come.

    empty: one of its kind.
    """

    def __init__(self, empty, keys, values):
        self.empty, self.keys, self.values = empty, keys, values

    def tree_flatten(self):
        factory = getattr(self.empty, "default_factory", None)
        return self.values, (type(self.empty), factory, self.keys)

    @classmethod
    def tree_unflatten(cls, made, values):
        kind, factory, keys = made
        return cls(kind(factory) if kind is defaultdict else kind(), keys, list(values))


def ordered(value):
    """The same, whose dicts are ``Ordered``, in lists and tuples, too."""
    if type(value) in (dict, OrderedDict, defaultdict):
        empty = defaultdict(value.default_factory) if type(value) is defaultdict else type(value)()
        return Ordered(empty, tuple(value), [ordered(item) for item in value.values()])
    return in_each(ordered, value)


def plain(value):
    """What ``ordered`` was given."""
    if isinstance(value, Ordered):
        value.empty.update(zip(value.keys, map(plain, value.values), strict=True))
        return value.empty
    return in_each(plain, value)


def in_each(function, value):
    if type(value) in (list, tuple):
        return type(value)(map(function, value))
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(function, value))
    return value


def mapped(function, value, is_leaf=None):
    """jax.tree.map, whose dicts keep their order."""
    return plain(jax.tree.map(function, ordered(value), is_leaf=is_leaf))


@rule("torch.Tensor.grad:ordered_jit")
def ordered_jit(function, **options):
    """nnx.jit of a function that is given dicts, or gives some: they keep their order."""

    @functools.wraps(function)
    def inside(*args):
        return ordered(function(*map(plain, args)))

    compiled = nnx.jit(inside, **options)
    return lambda *args: plain(compiled(*map(ordered, args)))


@rule("torch.Tensor.grad:ordered_vjp")
def ordered_vjp(function, *inputs, has_aux=True):
    """jax.vjp of a function that gives dicts beside its value: they keep their order."""

    def inside(*given):
        value, others = function(*given)
        return value, ordered(others)

    value, backward, others = jax.vjp(inside, *inputs, has_aux=has_aux)
    return value, backward, plain(others)
