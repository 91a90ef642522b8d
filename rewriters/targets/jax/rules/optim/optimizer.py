"""Optimizers: the parameters of a model in groups with options, changed by gradients that are given."""

from collections.abc import Mapping, MutableMapping

import jax
import jax.numpy as jnp
import torch
from flax import nnx

from rewriters.rule import rule, same
from rewriters.targets.jax.rules.laid_gradients import clear_gradients, gradient_at
from rewriters.targets.jax.rules.nn.parameter import variable_of
from rewriters.targets.jax.rules.optim.groups import check_sizes, groups_in, parameters_in

same(
    "torch.optim.Optimizer.state_dict", "torch.optim.Optimizer.load_state_dict", "torch.optim.Optimizer.param_groups",
    "torch.optim.Optimizer.add_param_group", "torch.optim.Optimizer.zero_grad", "torch.optim.Optimizer.state",
)  # fmt: skip


class Option(nnx.Variable):
    """A number that optimizers and schedules change: compiled steps read it anew."""


class ParameterGroup(nnx.Pytree):
    """Parameters with options of their own, read and written as a dict: ``group["lr"]``."""

    def __init__(self, params, options):
        self.params = nnx.List(params)
        self.names = tuple(options)
        for name, value in options.items():
            self[name] = value

    def __setitem__(self, name, value):
        if name not in self.names:
            self.names = (*self.names, name)
        old = getattr(self, f"_{name}", None)
        if isinstance(value, tuple) and all(isinstance(part, float) for part in value):
            value = nnx.List([Option(jnp.asarray(part, jnp.float64)) for part in value])
        elif (
            isinstance(value, (float, int, jax.Array)) and not isinstance(value, bool) and (value != 0 or name == "lr")
        ):
            if isinstance(old, Option):
                old[...] = jnp.asarray(value, jnp.float64)
                return
            value = Option(jnp.asarray(value, jnp.float64))
        if old is not None:
            delattr(self, f"_{name}")
        setattr(self, f"_{name}", value if isinstance(value, (Option, nnx.List)) else nnx.static(value))

    def __getitem__(self, name):
        if name == "params":
            return list(self.params)
        value = getattr(self, f"_{name}", None)
        if name not in self.names:
            raise KeyError(name)
        if isinstance(value, nnx.List):
            return tuple(float(part[...]) for part in value)
        return float(value[...]) if isinstance(value, Option) else value

    def number(self, name):
        """An option as compiled steps read it; a pair as a list."""
        value = getattr(self, f"_{name}")
        if isinstance(value, nnx.List):
            return [part[...] for part in value]
        return value[...] if isinstance(value, Option) else value

    def is_zero(self, name):
        """Whether a number is zero and stays so until it is set."""
        return not isinstance(getattr(self, f"_{name}"), Option)

    def __contains__(self, name):
        return name == "params" or name in self.names

    def __iter__(self):
        return iter(self.keys())

    def keys(self):
        return ["params", *self.names]

    def items(self):
        return [(name, self[name]) for name in self.keys()]

    def get(self, name, default=None):
        try:
            return self[name]
        except KeyError:
            return default

    def setdefault(self, name, default=None):
        if name not in self:
            self[name] = default
        return self[name]

    def update(self, other):
        for name in other:
            self[name] = other[name]


class SlotsOf(MutableMapping):
    """What is kept of one parameter, as the parameter is shown: read and written."""

    def __init__(self, slots, parameter):
        self.slots, self.parameter = slots, parameter

    def __getitem__(self, name):
        value, axes = self.slots[name][...], getattr(self.parameter, "axes", None)
        if axes is None or value.ndim != len(axes):
            return value
        return jnp.transpose(value, [axes.index(axis) for axis in range(len(axes))])

    def __setitem__(self, name, value):
        held, axes = self.slots[name], getattr(self.parameter, "axes", None)
        value = jnp.asarray(value, held[...].dtype)
        held[...] = value if axes is None or value.ndim != len(axes) else jnp.transpose(value, axes)

    def __delitem__(self, name):
        raise NotImplementedError(f"{name} is kept for every step")

    def __iter__(self):
        return iter(self.slots)

    def __len__(self):
        return sum(1 for _ in self)


class KeptOf(Mapping):
    """What an optimizer keeps of each parameter: ``state[p]``."""

    def __init__(self, optimizer):
        self.optimizer = optimizer

    def __getitem__(self, parameter):
        for place, one in enumerate(self):
            if one is variable_of(parameter):
                return SlotsOf(self.optimizer.slots_of[place], parameter)
        return {}  # as torch's, which begins with nothing

    def __contains__(self, parameter):
        return any(one is variable_of(parameter) for one in self)

    def __iter__(self):
        stepped = int(self.optimizer.updates[...]) > 0
        return iter([param for group in self.optimizer.param_groups for param in group.params] if stepped else [])

    def __len__(self):
        return sum(1 for _ in self)


@rule(torch.optim.Optimizer)
class Optimizer(nnx.Pytree):
    """``update(model, grads)`` changes the parameters that it was made of by their gradients.

    A derived class has ``slots``: what it keeps for a parameter in the beginning, and ``change``: a parameter and what
    is kept of it after a step.
    """

    def __init__(self, params, defaults):
        self.options = nnx.static(dict_of(defaults))
        self.param_groups = nnx.List([])
        self.slots_of = nnx.List([])
        self.updates = nnx.OptState(jnp.zeros((), jnp.int32))
        for group in groups_in(params):
            self.add_param_group(group)

    def add_param_group(self, param_group):
        given = dict(param_group)
        params = [variable_of(param) for param in parameters_in(given.pop("params"))]
        params = [param for number, param in enumerate(params) if all(param is not one for one in params[:number])]
        known = [param for group in self.param_groups for param in group.params]
        if any(param is one for param in params for one in known):
            raise ValueError("some parameters appear in more than one parameter group")
        group = ParameterGroup(params, {**self.defaults, **given})
        self.param_groups.append(group)
        for param in params:
            slots = self.slots(param[...], group)
            self.slots_of.append(nnx.Dict({name: nnx.OptState(value) for name, value in slots.items()}))

    def slots(self, param, group):
        return {}

    def change(self, param, grad, slots, group):
        raise NotImplementedError

    def update(self, modules, gradients):
        """A step by the gradients of a model, or of several in a tuple: None where there are none."""
        if gradients is not None:
            apply_gradients(self, modules, gradients)

    def zero_grad(self, set_to_none=True):
        """Clear what lies at the parameters; what is given to ``update`` is kept nowhere."""
        clear_gradients([param for group in self.param_groups for param in group.params])

    def step(self, closure=None):
        """A step by the gradients that lie at the parameters, and stay there."""
        loss = None if closure is None else closure()
        params = [param for group in self.param_groups for param in group.params]
        params = [param for param in params if gradient_at(param) is not None]
        if not params:
            raise NotImplementedError("no gradients lie at the parameters: give them to `update`")
        self.update(tuple(params), tuple(gradient_at(param) for param in params))
        return loss

    @property
    def state(self):
        return KeptOf(self)

    @property
    def defaults(self):
        return dict(self.options)

    def kept(self):
        """What is kept, by the place of the parameter."""
        if int(self.updates[...]) == 0:
            return {}
        return {place: {name: slots[name][...] for name in slots} for place, slots in enumerate(self.slots_of)}

    def state_dict(self):
        places = iter(range(len(self.slots_of)))
        groups = []
        for group in self.param_groups:
            options = {name: group[name] for name in group.names}
            groups.append({**options, "params": [next(places) for _ in group.params]})
        return {"state": self.kept(), "param_groups": groups}

    def load_state_dict(self, state_dict):
        groups = state_dict["param_groups"]
        check_sizes(self.param_groups, groups)
        for group, given in zip(self.param_groups, groups, strict=False):
            for name in given:
                if name not in ("params", "param_names"):
                    value = given[name]
                    group[name] = tuple(value) if isinstance(value, list) else value
        for place, given in state_dict["state"].items():
            for name, value in given.items():
                slots = self.slots_of[int(place)]
                slots[name][...] = jnp.asarray(value, slots[name][...].dtype)
        self.updates[...] = jnp.asarray(1 if state_dict["state"] else 0, jnp.int32)

    # -- what derived classes say --------------------------------------------------------------------------------------

    def directed(self, grad, group):
        return -grad if group.number("maximize") else grad

    def decayed(self, param, grad, group, decoupled=False):
        """(parameter, gradient) with the weight decay in one of them."""
        if group.is_zero("weight_decay"):
            return param, grad
        decay = group.number("weight_decay")
        if decoupled:
            return param * dtyped(1 - group.number("lr") * decay, param), grad
        return param, grad + dtyped(decay, param) * param


def dict_of(options):
    """Options as what compiled functions compare."""
    return tuple(options.items())


def dtyped(number, like):
    """A number in an array's dtype."""
    return jnp.asarray(number, like.dtype)


def moving(old, new, beta):
    """An exponential moving average."""
    return old + dtyped(1 - beta, old) * (new - old)


def moving_square(old, new, beta):
    return dtyped(beta, old) * old + dtyped(1 - beta, old) * (new * new)


@nnx.jit
def apply_gradients(optimizer, modules, gradients):
    """Change what the optimizer trains by the gradients of the modules."""
    found = {}
    for module, state in (
        zip(modules, gradients, strict=False) if isinstance(modules, tuple) else [(modules, gradients)]
    ):
        if state is None:
            continue
        if isinstance(module, nnx.Variable):
            found[id(module)] = state
            continue
        values = dict(nnx.to_flat_state(state))
        for path, value in nnx.iter_graph(module):
            if isinstance(value, nnx.Param) and path in values:
                found[id(value)] = values[path]
    place = 0
    for group in optimizer.param_groups:
        for param in group.params:
            slots = optimizer.slots_of[place]
            place += 1
            grad = found.get(id(param))
            if grad is None:
                continue
            grad = grad[...] if isinstance(grad, nnx.Variable) else grad
            for name, begun in optimizer.slots(param[...], group).items():
                if name not in slots:  # an option that needs it was set since
                    slots[name] = nnx.OptState(begun)
            now = {name: slots[name][...] for name in slots}
            value, changed = optimizer.change(param[...], grad, now, group)
            param[...] = value.astype(param[...].dtype)
            for name, new in changed.items():
                slots[name][...] = new.astype(now[name].dtype)
    optimizer.updates[...] += 1
