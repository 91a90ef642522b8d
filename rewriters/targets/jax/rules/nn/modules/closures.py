"""Functions that modules keep and that reach modules or parameters by themselves.

A copy of a module, which is what Flax differentiates and compiles, keeps a plain function as it is: what it reaches
would be of the original, and have no gradient. As nodes of Flax they reach what the copy has.
"""

import functools
import types

from flax import nnx


class Closure(nnx.Pytree):
    """A function with what it closes over."""

    def __init__(self, function, held):
        self.function = nnx.static(function)
        self.held = nnx.data(held)  # name of a free variable -> what it stands for
        self.bound = nnx.static(tuple(id(content_of(function, name)) for name in held))

    def __call__(self, *args, **kwargs):
        function, held = self.function, dict(self.held)
        for name, known in zip(self.held, self.bound, strict=True):
            if id(content_of(function, name)) != known:
                raise RuntimeError(f"{name}, which {function.__qualname__} reaches, was bound anew since it is kept")
        cells = zip(function.__code__.co_freevars, function.__closure__, strict=True)
        closure = tuple(types.CellType(held[name]) if name in held else cell for name, cell in cells)
        made = types.FunctionType(
            function.__code__, function.__globals__, function.__name__, function.__defaults__, closure
        )
        made.__kwdefaults__ = function.__kwdefaults__
        return made(*args, **kwargs)


class Applied(nnx.Pytree):
    """A function with its first arguments: a method of a module, ``functools.partial``."""

    def __init__(self, function, args, keywords):
        self.function = nnx.data(function) if reaches(function) else nnx.static(function)
        self.args, self.keywords = nnx.data(list(args)), nnx.data(dict(keywords))

    def __call__(self, *args, **kwargs):
        return self.function(*self.args, *args, **{**self.keywords, **kwargs})


def content_of(function, name):
    """What a free variable of a function stands for; None where it is not bound yet."""
    cell = function.__closure__[function.__code__.co_freevars.index(name)]
    try:
        return cell.cell_contents
    except ValueError:
        return None


def holds(value, kinds):
    """Whether it is, or holds, something of these classes."""
    if isinstance(value, (list, tuple)):
        return any(holds(item, kinds) for item in value)
    if isinstance(value, dict):
        return holds(list(value.values()), kinds)
    return isinstance(value, kinds)


def reaches(value):
    """Whether it is, or holds, a module or a parameter."""
    return holds(value, (nnx.Variable, nnx.Pytree))


def followed(value):
    """The value, in which functions that reach modules or parameters are nodes of Flax's."""
    if isinstance(value, types.MethodType) and reaches(value.__self__):
        return Applied(value.__func__, [value.__self__], {})
    if isinstance(value, functools.partial):
        function = followed(value.func)
        held = [*value.args, *value.keywords.values()]
        return Applied(function, value.args, value.keywords) if reaches(function) or reaches(held) else value
    if isinstance(value, types.FunctionType) and value.__closure__:
        found = {name: followed(content_of(value, name)) for name in value.__code__.co_freevars if name != "__class__"}
        found = {name: content for name, content in found.items() if reaches(content)}
        return Closure(value, found) if found else value
    if type(value) in (list, tuple):
        return type(value)(map(followed, value))
    if type(value) is dict:
        return {name: followed(item) for name, item in value.items()}
    return value
