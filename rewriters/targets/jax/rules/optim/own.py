"""Optimizers of a program's own: classes derived from torch's, which read the gradients that lie at parameters."""

import copy
from collections.abc import MutableMapping

from rewriters.rule import rule
from rewriters.targets.jax.rules.laid_gradients import clear_gradients
from rewriters.targets.jax.rules.nn.parameter import variable_of
from rewriters.targets.jax.rules.optim.groups import check_sizes, groups_in, parameters_in


class StateOf(MutableMapping):
    """What an optimizer keeps of each parameter: ``state[p]``, begun as an empty dict."""

    def __init__(self):
        self.held = {}

    def __getitem__(self, parameter):
        return self.held.setdefault(id(variable_of(parameter)), (parameter, {}))[1]

    def __setitem__(self, parameter, value):
        self.held[id(variable_of(parameter))] = parameter, value

    def __delitem__(self, parameter):
        del self.held[id(variable_of(parameter))]

    def __contains__(self, parameter):
        return id(variable_of(parameter)) in self.held

    def __iter__(self):
        return iter([parameter for parameter, _ in self.held.values()])

    def __len__(self):
        return len(self.held)


@rule("torch.optim.Optimizer:base")
class OwnOptimizer:
    """Groups of parameters with options, and what is kept of each. A derived class has ``step``."""

    def __init__(self, params, defaults):
        self.defaults = dict(defaults)
        self.state = StateOf()
        self.param_groups = []
        for group in groups_in(params):
            self.add_param_group(group)

    def add_param_group(self, param_group):
        self.param_groups.append({**self.defaults, **param_group, "params": parameters_in(param_group["params"])})

    def zero_grad(self, set_to_none=True):
        for group in self.param_groups:
            clear_gradients(group["params"])

    def step(self, closure=None):
        raise NotImplementedError

    def parameters_in_order(self):
        return [one for group in self.param_groups for one in group["params"]]

    def state_dict(self):
        order = self.parameters_in_order()
        places = {id(variable_of(one)): place for place, one in enumerate(order)}
        groups = [
            {name: value for name, value in group.items() if name != "params"}
            | {"params": [places[id(variable_of(one))] for one in group["params"]]}
            for group in self.param_groups
        ]
        state = {places[id(variable_of(one))]: self.state[one] for one in order if one in self.state}
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict):
        order = self.parameters_in_order()
        check_sizes(self.param_groups, state_dict["param_groups"])
        for group, given in zip(self.param_groups, state_dict["param_groups"], strict=True):
            group.update({name: value for name, value in given.items() if name != "params"})
        for place, kept in state_dict["state"].items():
            self.state[order[int(place)]] = copy.copy(kept)
