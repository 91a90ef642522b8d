"""What a loss leaves behind beside its value: dicts, lists and objects that hold arrays, which stay what they are."""

import collections
import types
from functools import partial

import jax
import numpy
from flax import nnx

CODE = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType)
PLAIN = (nnx.Module, nnx.Variable, jax.Array, type, str)


class Same:
    """What is handed on as it is, whatever it may be."""

    def __init__(self, value):
        self.value = value


@jax.tree_util.register_pytree_node_class
class Filled:
    """What holds arrays. Once these are known it is filled with them.

    names: of its attributes; keys: of its items.
    """

    def __init__(self, held, names, keys, values):
        self.held, self.names, self.keys, self.values = held, names, keys, values

    def tree_flatten(self):
        return self.values, (Same(self.held), self.names, self.keys)

    @classmethod
    def tree_unflatten(cls, made, values):
        held, names, keys = made
        return cls(held.value, names, keys, list(values))


def opened(value, seen=()):
    """The same, whose parts JAX finds in their order, those of objects too."""
    if isinstance(value, jax.Array) or value is None or (isinstance(value, PLAIN[:2]) and not seen):
        return value
    if isinstance(value, PLAIN) or id(value) in seen:  # a module that an object has stays the same
        return Filled(value, (), (), [])
    if isinstance(value, (bool, int, float, complex)) or hasattr(value, "__array__"):
        return value
    seen = (*seen, id(value))
    if isinstance(value, tuple):
        seen = seen[:-1]
        parts = [opened(part, seen) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    attributes = {} if isinstance(value, CODE) else dict(getattr(value, "__dict__", {}))
    items = list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if type(value) is list else []
    parts = [opened(part, seen) for part in [*attributes.values(), *(item for _, item in items)]]
    return Filled(value, tuple(attributes), tuple(key for key, _ in items), parts)


def filled(value):
    """What ``opened`` was given, with what has become of its parts."""
    if isinstance(value, tuple):
        parts = list(map(filled, value))
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if not isinstance(value, Filled):
        return value
    parts = list(map(filled, value.values))
    count = len(value.names)
    if count:
        vars(value.held).update(zip(value.names, parts[:count], strict=True))
    if isinstance(value.held, dict):
        dict.update(value.held, zip(value.keys, parts[count:], strict=True))
    elif type(value.held) is list and value.keys:
        value.held[:] = parts[count:]
    return value.held


class Left:
    """What code has stored while gradients were taken, in objects, lists and dicts that a function and others of its
    file come to.

    found: what holds arrays that are still being computed: (what stores into it, its value).
    """

    def __init__(self, function, given):
        self.found, self.arrays, self.seen = [], {}, set()
        self.file = function.__globals__
        self.waiting = [function, *given]
        while self.waiting:
            self.look_in(self.waiting.pop())

    def look_in(self, holder):
        if isinstance(holder, types.FunctionType) and holder.__globals__ is self.file and id(holder) not in self.seen:
            self.seen.add(id(holder))
            self.waiting += reached_by(holder)
        if id(holder) in self.seen or isinstance(holder, (*PLAIN, *CODE, numpy.ndarray)):
            return
        self.seen.add(id(holder))
        if isinstance(holder, dict):
            self.keep((partial(dict.__setitem__, holder, key), item) for key, item in holder.items())
        elif isinstance(holder, (list, collections.deque)):
            self.keep((partial(holder.__setitem__, place), item) for place, item in enumerate(holder))
        elif isinstance(holder, (tuple, set, frozenset)):
            self.waiting += holder
        self.waiting += (part for part in vars(type(holder)).values() if isinstance(part, types.FunctionType))
        named = getattr(holder, "__dict__", {})
        self.keep((partial(named.__setitem__, name), item) for name, item in named.items())

    def keep(self, places):
        for put, item in places:
            if isinstance(item, (bool, int, float, str)) or item is None:
                continue
            held = [leaf for leaf in (item if isinstance(item, tuple) else [item]) if isinstance(leaf, jax.core.Tracer)]
            if held:
                self.found.append((put, item))
                self.arrays |= {id(leaf): leaf for leaf in held}
            self.waiting.append(item)

    def put_back(self, values):
        """Have what was stored hold the arrays that have been computed."""
        known = dict(zip(self.arrays, values, strict=True))
        for put, item in self.found:
            if isinstance(item, tuple):
                put(tuple(known.get(id(leaf), leaf) for leaf in item))
            else:
                put(known[id(item)])


def contents(cell):
    """What a name around a function holds, nothing where it is not bound yet."""
    try:
        return [cell.cell_contents]
    except ValueError:
        return []


def reached_by(function):
    """What a function reads from around it."""
    cells = [held for cell in function.__closure__ or () for held in contents(cell)]
    inner = [part for part in function.__code__.co_consts if isinstance(part, types.CodeType)]
    names = {name for code in [function.__code__, *inner] for name in code.co_names}
    return cells + [function.__globals__[name] for name in sorted(names & function.__globals__.keys())]
