"""Groups of an optimizer's parameters under torch's keys.

Paddle's groups have names of their own, and a learning rate that is a factor of the optimizer's. Chosen by passes.py
where the parameters may be groups with options beyond the decay; ``param_groups`` is read and set through these.
"""

import collections.abc
import math

import paddle

from rewriters.rule import rule

# torch's options of each of Paddle's optimizers, in torch's order
group_options = {
    "SGD": "momentum dampening weight_decay nesterov maximize foreach differentiable fused",
    "Momentum": "momentum dampening weight_decay nesterov maximize foreach differentiable fused",
    "Adam": "betas eps weight_decay amsgrad maximize foreach capturable differentiable fused decoupled_weight_decay",
    "AdamW": "betas eps weight_decay amsgrad maximize foreach capturable differentiable fused decoupled_weight_decay",
    "Adamax": "betas eps weight_decay foreach maximize differentiable capturable",
    "NAdam": "betas eps weight_decay momentum_decay decoupled_weight_decay maximize foreach capturable differentiable",
    "RAdam": "betas eps weight_decay maximize foreach capturable decoupled_weight_decay differentiable",
    "RMSProp": "momentum alpha eps centered weight_decay capturable foreach maximize differentiable",
    "Adagrad": "lr_decay eps weight_decay initial_accumulator_value foreach maximize differentiable fused",
    "Adadelta": "rho eps weight_decay maximize capturable foreach differentiable",
}


group_words = {"eps": "epsilon", "alpha": "rho", "nesterov": "use_nesterov"}


group_defaults = {"momentum": 0, "dampening": 0, "lr_decay": 0, "foreach": None, "fused": None}


group_flags = ("nesterov", "amsgrad", "maximize", "differentiable", "capturable", "decoupled_weight_decay")


def options_of(kind):
    return group_options.get(kind, "weight_decay").split()


def plain_group(group):
    """One of torch's groups in Paddle's words."""
    group = dict(group)
    group["params"] = [group["params"]] if isinstance(group["params"], paddle.Tensor) else list(group["params"])
    if "betas" in group:
        group["beta1"], group["beta2"] = group.pop("betas")
    if group.get("dampening", 0) or group.get("maximize", False) or group.get("amsgrad", False):
        raise NotImplementedError("Paddle's groups have no dampening, maximize or amsgrad; give them to the optimizer")
    if "weight_decay" in group:
        group["weight_decay"] = float(group["weight_decay"])
    return {group_words.get(key, key): value for key, value in group.items()}


def parameter_groups(params, lr):
    """(groups as Paddle has them, the rate of which theirs are factors)

    Paddle keeps a group's rate and decay at its parameters, where they outlive the optimizer: they are taken back.
    """
    params = list(params)
    if not params or not isinstance(params[0], dict):
        found = [p[1] if isinstance(p, tuple) else p for p in params]
        without_options(found)
        return found, float(lr)
    base = float(lr) or 1.0
    groups = [plain_group(group) for group in params]
    for group in groups:
        without_options(group["params"])
        group["learning_rate"] = group.pop("lr", lr) / base
    return groups, base


def without_options(parameters):
    for parameter in parameters:
        if getattr(parameter, "optimize_attr", {}).get("learning_rate", 1.0) != 1.0:
            parameter.optimize_attr = {**parameter.optimize_attr, "learning_rate": 1.0}
        if getattr(parameter, "regularizer", None) is not None:
            parameter.regularizer = None


@rule("torch.optim.SGD:groups")
def SGD_of_groups(
    params,
    lr=1e-3,
    momentum=0,
    dampening=0,
    weight_decay=0,
    nesterov=False,
    *,
    maximize=False,
    foreach=None,
    fused=None,
):
    if dampening != 0 or maximize:
        raise NotImplementedError("Paddle's Momentum has no dampening, and minimizes")
    groups, rate = parameter_groups(params, lr)
    if not momentum and not any(isinstance(group, dict) and group.get("momentum") for group in groups):
        return paddle.optimizer.SGD(learning_rate=rate, parameters=groups, weight_decay=float(weight_decay))
    return momentum_of_groups(groups, rate, momentum, weight_decay, nesterov)


def momentum_of_groups(groups, rate, momentum, weight_decay, nesterov):
    return paddle.optimizer.Momentum(
        learning_rate=rate,
        momentum=momentum,
        parameters=groups,
        use_nesterov=nesterov,
        weight_decay=float(weight_decay),
    )


# A schedule cycles the momentum: SGD has one, be it 0 at first.
@rule("torch.optim.SGD:groups cycled")
def cycled_SGD_of_groups(
    params,
    lr=1e-3,
    momentum=0,
    dampening=0,
    weight_decay=0,
    nesterov=False,
    *,
    maximize=False,
    foreach=None,
    fused=None,
):
    if dampening != 0 or maximize:
        raise NotImplementedError("Paddle's Momentum has no dampening, and minimizes")
    groups, rate = parameter_groups(params, lr)
    return momentum_of_groups(groups, rate, momentum, weight_decay, nesterov)


def of_groups(kind, params, lr, betas, eps, weight_decay, **options):
    """One of the optimizers with two betas."""
    groups, rate = parameter_groups(params, lr)
    return kind(
        learning_rate=rate,
        beta1=betas[0],
        beta2=betas[1],
        epsilon=eps,
        parameters=groups,
        weight_decay=float(weight_decay),
        **options,
    )


@rule("torch.optim.Adam:groups")
def Adam_of_groups(
    params, lr=1e-3, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, amsgrad=False, *, foreach=None, fused=None
):
    return of_groups(paddle.optimizer.Adam, params, lr, betas, eps, weight_decay, amsgrad=amsgrad)


@rule("torch.optim.AdamW:groups")
def AdamW_of_groups(
    params, lr=1e-3, betas=(0.9, 0.999), eps=1e-08, weight_decay=1e-2, amsgrad=False, *, foreach=None, fused=None
):
    return of_groups(paddle.optimizer.AdamW, params, lr, betas, eps, weight_decay, amsgrad=amsgrad)


@rule("torch.optim.Adamax:groups")
def Adamax_of_groups(params, lr=2e-3, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, foreach=None):
    return of_groups(paddle.optimizer.Adamax, params, lr, betas, eps, weight_decay)


@rule("torch.optim.NAdam:groups")
def NAdam_of_groups(
    params, lr=2e-3, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, momentum_decay=4e-3, *, foreach=None
):
    return of_groups(paddle.optimizer.NAdam, params, lr, betas, eps, weight_decay, momentum_decay=momentum_decay)


@rule("torch.optim.RAdam:groups")
def RAdam_of_groups(params, lr=1e-3, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, *, foreach=None):
    return of_groups(paddle.optimizer.RAdam, params, lr, betas, eps, weight_decay)


@rule("torch.optim.Adagrad:groups")
def Adagrad_of_groups(
    params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, foreach=None
):
    if lr_decay != 0:
        raise NotImplementedError("Paddle's Adagrad has no lr_decay; use paddle.optimizer.lr.InverseTimeDecay")
    groups, rate = parameter_groups(params, lr)
    return paddle.optimizer.Adagrad(
        learning_rate=rate,
        epsilon=eps,
        parameters=groups,
        weight_decay=float(weight_decay),
        initial_accumulator_value=initial_accumulator_value,
    )


@rule("torch.optim.Adadelta:groups")
def Adadelta_of_groups(params, lr=1.0, rho=0.9, eps=1e-06, weight_decay=0, foreach=None):
    groups, rate = parameter_groups(params, lr)
    return paddle.optimizer.Adadelta(
        learning_rate=rate, epsilon=eps, rho=rho, parameters=groups, weight_decay=float(weight_decay)
    )


# What is read and set of them.
class ParameterGroup(collections.abc.MutableMapping, dict):
    """One of an optimizer's groups under torch's keys; the only one where Paddle has no groups."""

    def __init__(self, optimizer, group):
        super().__init__()
        self.optimizer, self.group = optimizer, group
        kinds = (kind.__name__ for kind in type(optimizer).__mro__)
        self.kind = next((kind for kind in kinds if kind in group_options), type(optimizer).__name__)
        # What Paddle calls epsilon there is torch's, squared.
        self.squared = type(optimizer) is paddle.optimizer.RMSProp

    def parameters(self):
        """Without the statistics of batch normalization, which are parameters in Paddle alone."""
        found = self.optimizer._param_groups if self.group is None else self.group["params"]
        statistics = (p.name for p in found if p.stop_gradient and "batch_norm" in p.name)
        hidden = {name for name in statistics if name.endswith((".w_1", ".w_2"))}
        return [p for p in found if p.name not in hidden] if hidden else found

    def own(self, word):
        """An option in Paddle's words."""
        if self.group is not None:
            if word in self.group:
                return self.group[word]
            if word in self.optimizer._default_dict:  # the optimizer's own is the last group's, after a step
                return self.optimizer._default_dict[word]
        public = word == "initial_accumulator_value"
        return getattr(self.optimizer, word if public else f"_{word}")

    def set_own(self, word, value):
        if self.group is not None:
            self.group[word] = value
        else:
            setattr(self.optimizer, f"_{word}", value)

    def extras(self):
        """What torch's optimizer of that kind knows nothing of."""
        if self.group is None:
            return self.optimizer.__dict__.setdefault("_own_options", {})
        return self.group

    def decay(self):
        regularizer = getattr(self.parameters()[0], "regularizer", None)
        if self.kind == "AdamW":
            return self.own("weight_decay")
        if regularizer is None:
            regularizer = self.optimizer.regularization
        if regularizer is None:
            return getattr(self.optimizer, "_regularization_coeff", 0) or 0
        return getattr(regularizer, "_coeff", regularizer)

    def set_decay(self, value):
        if self.kind == "AdamW":
            self.set_own("weight_decay", value)
            return
        for parameter in self.parameters():
            parameter.regularizer = paddle.regularizer.L2Decay(float(value))
        if self.group is not None:
            self.group["weight_decay"] = paddle.regularizer.L2Decay(float(value))

    def set_beta(self, word, value):
        """torch corrects by the new coefficient to the power of all steps, Paddle keeps a product of the old ones."""
        old = self.own(word)
        powers = self.optimizer._accumulators.get(f"{word}_pow_acc", {})
        for parameter in self.parameters():
            if parameter.name in powers and 0 < old < 1:
                power = powers[parameter.name]
                power.fill_(value ** round(math.log(power.item()) / math.log(old)))
        self.set_own(word, value)

    def rate(self):
        factor = 1.0 if self.group is None else self.group.get("learning_rate", 1.0)
        return self.optimizer.get_lr() * factor

    def set_rate(self, value):
        optimizer, schedule = self.optimizer, self.optimizer._learning_rate
        if len(groups_of(optimizer)) > 1:
            base = optimizer.get_lr()
            if not base:
                rates = {id(group): 0.0 for group in optimizer._param_groups}
                optimizer.set_lr(1.0)
                for group in optimizer._param_groups:
                    ParameterGroup(optimizer, group).set_factor(rates[id(group)])
                base = 1.0
            self.set_factor(value / base)
            return
        if self.group is not None:
            value = value / (self.group.get("learning_rate", 1.0) or 1.0)
        if isinstance(schedule, paddle.optimizer.lr.LRScheduler):
            schedule.told = (schedule.last_epoch, last_rates(schedule)[0])  # what get_last_lr() goes on to say
            schedule.last_lr = value
        else:
            optimizer.set_lr(value)

    def set_factor(self, factor):
        self.group["learning_rate"] = factor
        for parameter in self.parameters():
            parameter.optimize_attr["learning_rate"] = factor

    def __getitem__(self, key):
        if key in ("params", "lr", "weight_decay"):
            return {"params": self.parameters, "lr": self.rate, "weight_decay": self.decay}[key]()
        if key == "betas":
            return self.own("beta1"), self.own("beta2")
        if key not in options_of(self.kind):
            return self.extras()[key]
        if (self.kind, key) == ("AdamW", "decoupled_weight_decay"):
            return True
        try:
            value = self.own(group_words.get(key, key))
        except AttributeError:
            return False if key in group_flags else group_defaults[key]
        if self.squared and key == "eps":
            return value**0.5
        return value or group_defaults[key] if key == "momentum" else value

    def __setitem__(self, key, value):
        if key == "lr":
            self.set_rate(float(value))
        elif key == "weight_decay":
            self.set_decay(value)
        elif key == "betas":
            self.set_beta("beta1", value[0])
            self.set_beta("beta2", value[1])
        elif key == "params":
            raise NotImplementedError("Paddle's optimizers keep their parameters; make another optimizer")
        elif key not in options_of(self.kind):
            self.extras()[key] = value
        elif self.kind == "SGD" or key in ("dampening", "amsgrad", "centered", "lr_decay") or key in group_flags[2:]:
            if value != self[key]:
                raise NotImplementedError(f"give {key} to the optimizer when it is made")
        else:
            value = value**2 if self.squared and key == "eps" else value
            self.set_own(group_words.get(key, key), value)

    def __delitem__(self, key):
        del self.extras()[key]

    def __iter__(self):
        known = ("params", "lr", *options_of(self.kind))
        hidden = {"learning_rate", "beta1", "beta2", "grad_clip", "regularization_method", "regularization_coeff"}
        hidden |= set(group_words.values())
        return iter([*known, *(key for key in self.extras() if key not in known and key not in hidden)])

    def __len__(self):
        return len(list(iter(self)))

    def __repr__(self):
        return repr(dict(self))


def groups_of(optimizer):
    groups = optimizer._param_groups
    return groups if groups and isinstance(groups[0], dict) else [None]


@rule("torch.optim.Optimizer.param_groups")
def param_groups(self):
    if getattr(self, "has_torchs_groups", False):
        return self.param_groups
    return [ParameterGroup(self, group) for group in groups_of(self)]


@rule("torch.optim.lr_scheduler.LRScheduler.get_last_lr:groups", "torch.optim.lr_scheduler.LRScheduler.get_last_lr:any")
def last_rates(self):
    """As of the last step; what a group was given since is not in it."""
    if hasattr(self, "get_last_lr"):
        return self.get_last_lr()
    rates = []
    for schedule in getattr(self, "schedules", [self]):
        step, rate = getattr(schedule, "told", (None, 0.0))
        rates.append(rate if step == schedule.last_epoch else schedule.last_lr)
    return rates


@rule("torch.optim.lr_scheduler.LRScheduler.base_lrs:groups")
def first_rates(self):
    if hasattr(self, "base_lrs"):
        return self.base_lrs
    return [schedule.base_lr for schedule in getattr(self, "schedules", [self])]


@rule("torch.optim.lr_scheduler.LRScheduler.base_lrs=:groups")
def set_first_rates(self, value):
    if hasattr(self, "base_lrs"):
        self.base_lrs = value
    else:
        for schedule, rate in zip(getattr(self, "schedules", [self]), value, strict=True):
            schedule.base_lr = rate


@rule("torch.optim.lr_scheduler.LRScheduler.get_lr:groups")
def rates_of(self):
    found = [schedule.get_lr() for schedule in getattr(self, "schedules", [self])]
    return found[0] if hasattr(self, "get_last_lr") else found


# States.
@rule("torch.optim.Optimizer.state_dict:groups")
def optimizer_state(self):
    """Paddle's, and torch's options of the groups: loading brings them back."""
    if getattr(self, "has_torchs_groups", False):
        return self.state_dict()
    groups, count = [], 0
    for group in param_groups(self):
        options = {key: value for key, value in group.items() if key != "params"}
        groups.append({**options, "params": list(range(count, count + len(group["params"])))})
        count += len(group["params"])
    return {**self.state_dict(), "param_groups": groups}


def set_state_by_place(optimizer, state):
    """Paddle finds a state by the parameters' names, which are others in a model made later; torch by their place."""
    if getattr(optimizer, "has_torchs_groups", False):
        return optimizer.load_state_dict(state)
    state = dict(state)
    options = state.pop("param_groups", [])
    kinds = ("_moment", "_beta1_pow", "_beta2_pow", "_velocity", "_inf_norm", "_mean_", "__avg", "_momentum", "_mu_")
    kinds += ("_step", "_eta_", "_ax_", "_row_var", "_col_var", "_variance", "_exp_avg")  # of the helper's own
    names = []
    for key in state:
        cuts = [key.find(kind) for kind in kinds if key.find(kind) > 0]
        if cuts and key[: min(cuts)] not in names:
            names.append(key[: min(cuts)])
    own = [p.name for p in optimizer._parameter_list if not isinstance(p, dict)]
    if isinstance(optimizer._param_groups[0], dict):
        own = [p.name for group in optimizer._param_groups for p in group["params"]]
    found = {}
    for key, value in state.items():
        name = next((n for n in sorted(names, key=len, reverse=True) if key.startswith(n + "_")), None)
        if name is None or len(own) != len(names):
            found[key] = value
            continue
        stem = own[names.index(name)] + key[len(name) :].rpartition("_")[0]
        # the number counts the optimizers that the parameter has had
        found.update({f"{stem}_{count}": value for count in range(8)})
    optimizer.set_state_dict(found)
    if not isinstance(optimizer._learning_rate, paddle.optimizer.lr.LRScheduler):
        for group, saved in zip(param_groups(optimizer), options, strict=False):
            for word, value in zip(("beta1", "beta2"), saved.get("betas", ()), strict=False):
                group.set_own(word, value)  # the state's powers are of these
            group.update({key: value for key, value in saved.items() if key != "params"})
