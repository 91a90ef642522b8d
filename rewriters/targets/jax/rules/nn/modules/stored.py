"""What a module holds, under torch's names and in torch's layout; NNX may keep it under another name and transposed."""

import weakref
from collections.abc import MutableMapping

import jax
import jax.numpy as jnp
from flax import nnx

from rewriters.targets.jax.rules.nn.parameter import set_trained

SHOWN = weakref.WeakValueDictionary()  # the id of a variable -> its View, as long as anyone has that


class View:
    """A parameter in torch's layout: axes of what NNX keeps it in, and torch's shape where that has more axes.

    owner: the layer that may keep it as another layer does.
    """

    def __new__(cls, variable, axes=None, shape=None, owner=None):
        # the same each time, so that ``p is q`` and ``p in seen`` mean what they do of torch's parameters
        view = SHOWN.get(id(variable))
        if view is None or view.variable is not variable or (view.axes, view.own_shape) != (axes, shape):
            view = SHOWN[id(variable)] = super().__new__(cls)
        return view

    def __init__(self, variable, axes=None, shape=None, owner=None):
        self.variable, self.axes, self.own_shape, self.owner = variable, axes, shape, owner

    @property
    def requires_grad(self):
        return isinstance(self.variable, nnx.Param)

    @requires_grad.setter
    def requires_grad(self, value):
        set_trained(self.variable, value)

    def get_value(self):
        value = self.variable.get_value()
        if self.axes is not None:
            value = jnp.transpose(value, [self.axes.index(axis) for axis in range(len(self.axes))])
        return value if self.own_shape is None else value.reshape(self.own_shape)

    def set_value(self, value):
        if self.own_shape is not None:
            value = value.reshape(-1)
        self.variable.set_value(value if self.axes is None else jnp.transpose(value, self.axes))

    def __jax_array__(self):
        return self.get_value()

    def __array__(self, dtype=None, copy=None):
        return self.get_value().__array__(dtype)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.get_value(), name)

    def __getitem__(self, key):
        return self.get_value()[key]

    def __setitem__(self, key, value):
        self.set_value(self.get_value().at[key].set(value))

    def __neg__(self):
        return -self.get_value()

    def __len__(self):
        return len(self.get_value())

    def __iter__(self):
        return iter(self.get_value())

    def __hash__(self):
        return id(self.variable)

    def __eq__(self, other):
        return self.get_value() == other

    def __ne__(self, other):
        return self.get_value() != other

    def __abs__(self):
        return abs(self.get_value())

    def __floordiv__(self, other):
        return self.get_value() // other

    def __mod__(self, other):
        return self.get_value() % other

    def __bool__(self):
        return bool(self.get_value())

    def __int__(self):
        return int(self.get_value())

    def __float__(self):
        return float(self.get_value())

    def __add__(self, other):
        return self.get_value() + other

    def __radd__(self, other):
        return other + self.get_value()

    def __sub__(self, other):
        return self.get_value() - other

    def __rsub__(self, other):
        return other - self.get_value()

    def __mul__(self, other):
        return self.get_value() * other

    def __rmul__(self, other):
        return other * self.get_value()

    def __truediv__(self, other):
        return self.get_value() / other

    def __rtruediv__(self, other):
        return other / self.get_value()

    def __matmul__(self, other):
        return self.get_value() @ other

    def __rmatmul__(self, other):
        return other @ self.get_value()

    def __pow__(self, other):
        return self.get_value() ** other

    def __rpow__(self, other):
        return other ** self.get_value()

    def __lt__(self, other):
        return self.get_value() < other

    def __le__(self, other):
        return self.get_value() <= other

    def __gt__(self, other):
        return self.get_value() > other

    def __ge__(self, other):
        return self.get_value() >= other


BEGUN = "_pytree__buffers"  # (name, whether it is kept) of buffers that were registered as None


class Stored:
    """A buffer that was registered as None: an array that its module has under the name since."""

    def __init__(self, module, name, persistent):
        self.module, self.name, self.persistent = module, name, persistent

    @property
    def dtype(self):
        return self.get_value().dtype

    def get_metadata(self):
        return {"persistent": self.persistent}

    def get_value(self):
        return getattr(self.module, self.name)

    def set_value(self, value):
        setattr(self.module, self.name, value)


def as_torchs(module, name, variable):
    """(torch's name, the parameter in torch's layout) of a module's variable: a layer says where they differ."""
    own, axes = getattr(module, "torchs", {}).get(name, (name, None))
    shape = getattr(module, "torchs_shape", None)
    return own, variable if axes is None and shape is None else View(variable, axes, shape)


ORDER = "_pytree__order"  # named as what NNX itself keeps in a module: nnx.Dict does not count it as an item


def held_by(module):
    """(name, value) of attributes as they were first set: NNX sorts them by name when it compiles or copies."""
    places = {name: place for place, name in enumerate(vars(module).get(ORDER, ()))}
    return sorted(vars(module).items(), key=lambda item: places.get(item[0], len(places)))


def parts_of(module):
    """(name, part) of the modules that a module holds, in torch's order and under torch's names."""
    held = module.layers if isinstance(module, nnx.Sequential) else module
    if isinstance(held, nnx.List):
        items = [(str(place), part) for place, part in enumerate(held)]
    else:
        items = list(held.items()) if isinstance(held, nnx.Dict) else held_by(held)
    return [(name, part) for name, part in items if isinstance(part, nnx.Module)]


def variables_of(module):
    """(torch's name, parameter or buffer in torch's layout, the variable itself) of what a module itself holds."""
    held = enumerate(module) if isinstance(module, nnx.List) else held_by(module)
    held = module.items() if isinstance(module, nnx.Dict) else held
    own = [(str(name), value) for name, value in held if isinstance(value, nnx.Variable)]
    found = [(*as_torchs(module, name, value), value) for name, value in own if not isinstance(value, nnx.RngState)]
    begun = [one for one in vars(module).get(BEGUN, ()) if isinstance(vars(module).get(one[0]), jax.Array)]
    later = [(name, Stored(module, name, persistent)) for name, persistent in begun]
    return found + [(name, View(one), one) for name, one in later]


def own_of(module, test):
    """(torch's name, in torch's layout) of the variables that a module itself holds, of those that pass a test."""
    return [(name, view) for name, view, variable in variables_of(module) if test(variable)]


def children_of(module):
    """(name, part) of the modules that a module holds, each once."""
    seen = set()
    return [(name, part) for name, part in parts_of(module) if not (id(part) in seen or seen.add(id(part)))]


class Held(MutableMapping):
    """What a module itself holds, by torch's names, as ``module._modules``: what is set there is in the module.

    items: gives the pairs (name, what is held) of a module.
    """

    def __init__(self, module, items):
        self.module, self.items_of = module, items

    def __getitem__(self, name):
        return dict(self.items_of(self.module))[name]

    def __setitem__(self, name, value):
        held = self.module.layers if isinstance(self.module, nnx.Sequential) else self.module
        if isinstance(held, nnx.List) and name in self:
            held[int(name)] = value
        elif isinstance(self.module, nnx.Dict):
            self.module[name] = value
        else:
            setattr(self.module, name, value)

    def __delitem__(self, name):
        if isinstance(self.module, nnx.List):
            del self.module[int(name)]
        else:
            delattr(self.module, name)

    def __iter__(self):
        return iter([name for name, _ in self.items_of(self.module)])

    def __len__(self):
        return len(self.items_of(self.module))


def each_module(module, prefix="", seen=None, once=True):
    """(dotted name, module) of a module and all its parts, each once or under all its names."""
    seen = set() if seen is None else seen
    if once and id(module) in seen:
        return
    seen.add(id(module))
    yield prefix, module
    for name, part in parts_of(module):
        yield from each_module(part, f"{prefix}.{name}" if prefix else name, seen, once)


def each_variable(module, kinds, prefix="", recurse=True, once=True):
    """(dotted name, in torch's layout, the variable) of those of some kinds."""
    seen = set()
    for path, part in each_module(module, prefix, once=once) if recurse else [(prefix, module)]:
        for name, view, variable in variables_of(part):
            of_kind = isinstance(variable, kinds) or (kinds is nnx.Variable and isinstance(variable, Stored))
            if of_kind and not (once and id(variable) in seen):
                seen.add(id(variable))
                yield f"{path}.{name}" if path else name, view, variable
