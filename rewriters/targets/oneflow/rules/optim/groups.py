"""Optimizers into which the program looks: groups as torch's dicts, state and state_dict by torch's names."""

from collections import defaultdict
from collections.abc import MutableMapping

import oneflow

from rewriters.rule import rule

# OneFlow's words for what an optimizer keeps of a parameter
KEPT = {"momentum_buf": "momentum_buffer", "square_avgs": "square_avg", "acc_deltas": "acc_delta"}


class Group(MutableMapping, oneflow.optim.optimizer.ParamGroup):
    """A group of OneFlow's that is a dict too, with its parameters under "params"."""

    @staticmethod
    def of(group):
        made = Group.__new__(Group)
        made.__dict__ = group.__dict__
        return made

    def __getitem__(self, key):
        return self._parameters if key == "params" else self._options[key]

    def __setitem__(self, key, value):
        if key == "params":
            self._parameters = value
            if "params" not in self._options:
                return
        self._options[key] = value

    def __delitem__(self, key):
        del self._options[key]

    def __iter__(self):
        return iter(["params", *(key for key in self._options if key != "params")])

    def __len__(self):
        return len({"params", *self._options})


class Slots(dict):
    """What an optimizer keeps of one parameter, by torch's names; what is stored there reaches the optimizer."""

    def __init__(self, own, step):
        super().__init__({KEPT.get(key, key): value for key, value in own.items()})
        self.own = own
        if own and "momentum_buf" not in own:  # SGD counts no steps
            self.setdefault("step", step)

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        self.own[{new: old for old, new in KEPT.items()}.get(key, key)] = value


class States(defaultdict):
    """What an optimizer keeps, by parameters; what is stored or taken out here is so in the optimizer."""

    def __init__(self, kept, slots):
        super().__init__(dict, slots)
        self.kept = kept

    def __missing__(self, param):
        slots = Slots(self.kept.setdefault(param, {}), 0)
        super().__setitem__(param, slots)
        return slots

    def __setitem__(self, param, slots):
        given = {{new: old for old, new in KEPT.items()}.get(key, key): value for key, value in slots.items()}
        self.forget(param)
        self.kept.setdefault(param, {}).update(given)
        super().__setitem__(param, slots if isinstance(slots, Slots) else Slots(self.kept[param], 0))

    def __delitem__(self, param):
        super().__delitem__(param)
        self.forget(param)

    def pop(self, param, *default):
        found = super().pop(param, *default)
        self.forget(param)
        return found

    def clear(self):
        for param in [*self]:
            del self[param]

    def forget(self, param):
        """Where nothing is kept of any parameter, the steps count from the first."""
        self.kept.get(param, {}).clear()
        if not any(own for key, own in self.kept.items() if not isinstance(key, str)):
            self.kept["step"] = 0


def listed(params):
    """Parameters or groups as OneFlow takes them: in lists."""
    params = list(params)
    if dicts_in(params[:1]):
        return [
            {
                **group,
                "params": [group["params"]] if isinstance(group["params"], oneflow.Tensor) else [*group["params"]],
            }
            for group in params
        ]
    return params


def of_dicts(groups, given):
    """OneFlow's groups as torch's. The program's own dicts hold their options, and get those that they lack."""
    for group, own in zip(groups, given):  # noqa: B905
        for key, value in group._options.items():
            own.setdefault(key, value)
        own["params"], group._options = group._parameters, own
    return [Group.of(group) for group in groups]


def dicts_in(params):
    return [group for group in params if isinstance(group, (dict, Group))]


class Groups:
    """Before an optimizer of OneFlow's."""

    def __init__(self, params, **options):
        params = list(params)
        super().__init__(listed(params), **options)
        self.param_groups = of_dicts(self.param_groups, dicts_in(params))

    @property
    def defaults(self):
        return self._default_options

    @property
    def state(self):
        step = oneflow.tensor(float(self._state["step"]))
        slots = {key: value for key, value in self._state.items() if not isinstance(key, str) and self._state["step"]}
        return States(self._state, {param: Slots(own, step) for param, own in slots.items() if own})

    @state.setter
    def state(self, value):
        self._state = {"step": 0, **{param: {} for group in self.param_groups for param in group["params"]}}
        for param, slots in value.items():
            self._state[param] = {{new: old for old, new in KEPT.items()}.get(k, k): v for k, v in slots.items()}

    def add_param_group(self, param_group):
        super().add_param_group(listed([param_group])[0])
        self.param_groups[-1:] = of_dicts(self.param_groups[-1:], [param_group])

    def state_dict(self):
        order = {id(p): n for n, p in enumerate(p for group in self.param_groups for p in group["params"])}
        groups = [{**group} for group in self.param_groups]
        for group in groups:
            group["params"] = [order[id(param)] for param in group.pop("params")]  # torch's come last
        return {"state": {order[id(p)]: dict(slots) for p, slots in self.state.items()}, "param_groups": groups}

    def load_state_dict(self, state_dict):
        params = [param for group in self.param_groups for param in group["params"]]
        for group, saved in zip(self.param_groups, state_dict["param_groups"], strict=True):
            # from then on the program's dict is its own, as in torch
            group._options = {**group._options, **{key: value for key, value in saved.items() if key != "params"}}
        state = {params[index]: dict(slots) for index, slots in state_dict["state"].items()}
        steps = [slots.pop("step", 1) for slots in state.values()]
        self.state = {p: {k: v.clone() if hasattr(v, "clone") else v for k, v in s.items()} for p, s in state.items()}
        self._state["step"] = int(max(steps, default=0))


def without(options):
    """torch's words that only choose among its implementations, dropped; the others are refused."""
    if options.get("maximize") or options.get("dampening"):
        raise NotImplementedError("OneFlow's optimizers minimize, and have no dampening; leave these words out")
    if options.get("decoupled_weight_decay"):
        raise NotImplementedError("OneFlow's Adam has no decoupled weight decay; derive from AdamW")


# What a program derives from has torch's constructor.
@rule("torch.optim.SGD:base")
class SGDWithGroups(Groups, oneflow.optim.SGD):
    def __init__(self, params, lr=1e-3, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False, **options):
        without({**options, "dampening": dampening})
        super().__init__(params, lr=lr, momentum=momentum, weight_decay=weight_decay, nesterov=nesterov)


@rule("torch.optim.Adam:base")
class AdamWithGroups(Groups, oneflow.optim.Adam):
    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, amsgrad=False, **options
    ):  # fmt: skip
        without(options)
        super().__init__(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad)


@rule("torch.optim.AdamW:base")
class AdamWWithGroups(Groups, oneflow.optim.AdamW):
    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, **options
    ):  # fmt: skip
        without(options)
        super().__init__(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad)


@rule("torch.optim.Adadelta:base")
class AdadeltaWithGroups(Groups, oneflow.optim.Adadelta):
    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0.0, foreach=None, **options):
        without(options)
        super().__init__(params, lr=lr, rho=rho, eps=eps, weight_decay=weight_decay)


@rule("torch.optim.SGD:groups")
def GroupedSGD(
    params, lr=1e-3, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False, *, maximize=False, foreach=None,
    differentiable=False, fused=None,
):  # fmt: skip
    if differentiable:
        raise NotImplementedError("OneFlow's steps are in no graph; write the update out")
    if dampening != 0 or maximize:
        raise NotImplementedError("OneFlow's SGD has no dampening and minimizes; leave these words out")
    return SGDWithGroups(params, lr=lr, momentum=momentum, weight_decay=weight_decay, nesterov=nesterov)


@rule("torch.optim.Adam:groups")
def GroupedAdam(
    params, lr=1e-3, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, amsgrad=False, *, foreach=None, maximize=False,
    capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False,
):  # fmt: skip
    if differentiable:
        raise NotImplementedError("OneFlow's steps are in no graph; write the update out")
    if maximize:
        raise NotImplementedError("OneFlow's Adam minimizes; negate the loss")
    if decoupled_weight_decay:
        return AdamWWithGroups(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad)
    return AdamWithGroups(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad)


@rule("torch.optim.AdamW:groups")
def GroupedAdamW(
    params, lr=1e-3, betas=(0.9, 0.999), eps=1e-08, weight_decay=1e-2, amsgrad=False, *, maximize=False, foreach=None,
    capturable=False, differentiable=False, fused=None,
):  # fmt: skip
    if differentiable:
        raise NotImplementedError("OneFlow's steps are in no graph; write the update out")
    if maximize:
        raise NotImplementedError("OneFlow's AdamW minimizes; negate the loss")
    return AdamWWithGroups(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad)


@rule("torch.optim.Adadelta:groups")
def GroupedAdadelta(
    params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, *, capturable=False, maximize=False,
    differentiable=False,
):  # fmt: skip
    if differentiable:
        raise NotImplementedError("OneFlow's steps are in no graph; write the update out")
    if maximize:
        raise NotImplementedError("OneFlow's Adadelta minimizes; negate the loss")
    return AdadeltaWithGroups(params, lr=lr, rho=rho, eps=eps, weight_decay=weight_decay)


@rule("torch.optim.Optimizer:base")
class Optimizer(Groups, oneflow.optim.Optimizer):
    """What optimizers of the program derive from: torch's protocol."""

    state = None

    def __init__(self, params, defaults):
        self.state = defaultdict(dict)
        params = list(params)
        oneflow.optim.Optimizer.__init__(self, listed(params), dict(defaults))
        self.param_groups = of_dicts(self.param_groups, dicts_in(params))

    def zero_grad(self, set_to_none=True):
        super().zero_grad(set_to_none=set_to_none)

    def load_state_dict(self, state_dict):
        params = [param for group in self.param_groups for param in group["params"]]
        for group, saved in zip(self.param_groups, state_dict["param_groups"], strict=True):
            group._options = {**group._options, **{key: value for key, value in saved.items() if key != "params"}}
        self.state = defaultdict(dict, {params[index]: dict(slots) for index, slots in state_dict["state"].items()})


@rule(
    "torch.optim.RMSprop:kept", "torch.optim.Adagrad:kept", "torch.optim.Adamax:kept", "torch.optim.ASGD:kept",
    "torch.optim.NAdam:kept", "torch.optim.RAdam:kept", "torch.optim.Rprop:kept",
)  # fmt: skip
def of_kept_groups(params, **options):
    raise NotImplementedError(
        "the dicts of groups are copied, and the program goes on with its own; read and write optimizer.param_groups"
    )
