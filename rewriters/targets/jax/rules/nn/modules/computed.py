"""A parameter that is computed of others each time it is read, such as a weight of norm and direction."""

from flax import nnx

from rewriters.targets.jax.rules.nn.modules.stored import as_torchs


def computed(module, name, value_of, begin=None):
    """Have ``value_of(module)``, in torch's layout, as the parameter of torch's name; what it was until now.

    begin: called with the module before each call of it.
    """
    held = {own: value for own, value in vars(module).items() if isinstance(value, nnx.Variable)}
    found = [(own, as_torchs(module, own, value)) for own, value in held.items()]
    own, shown = next(((own, shown) for own, (torchs, shown) in found if torchs == name), (None, None))
    if own is None:
        raise ValueError(f"{type(module).__name__} has no parameter {name}")
    kind = type(module)
    start = shown[...]
    variable, axes = held[own], getattr(shown, "axes", None)

    def read(self):
        value = value_of(self)
        return nnx.Param((value if axes is None else value.transpose(axes)).reshape(variable.shape))

    def call(self, *args, **kwargs):
        if begin is not None:
            begin(self)
        return kind.__call__(self, *args, **kwargs)

    delattr(module, own)
    more = {own: property(read), "__call__": call, "computed_of": (name, own, kind)}
    object.__setattr__(module, "__class__", type(kind.__name__, (kind,), more))
    return start


def settled(module, name, of):
    """Have the parameter be kept again, as it was computed of others, which go."""
    known = getattr(module, "computed_of", (None, None, None))
    if known[0] != name or any(not hasattr(module, f"{name}_{part}") for part in of):
        raise ValueError(f"{name} of {type(module).__name__} is not computed so")
    _, own, kind = known
    value = getattr(module, own)[...]
    object.__setattr__(module, "__class__", kind)
    for part in of:
        delattr(module, f"{name}_{part}")
    setattr(module, own, nnx.Param(value))
    return module
