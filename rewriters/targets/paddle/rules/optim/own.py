"""What a program's own optimizers derive from: torch's Optimizer, whose groups are dicts with all their options.

Paddle's computes its steps itself, of options that it knows; here the program does. Chosen by passes/optimizers.py.
"""

import copy
import functools
import warnings
from collections import OrderedDict, defaultdict

import paddle
from paddle.nn.layer.layers import HookRemoveHelper

from rewriters.rule import family, rule


@rule("torch.optim.Optimizer:own")
class OwnOptimizer(paddle.optimizer.Optimizer):
    """torch's: ``param_groups`` are dicts, ``state`` has a dict for each parameter, ``step`` is the program's."""

    has_torchs_groups = True  # told by the class, as super() is asked as well

    def __init__(self, params, defaults):
        if isinstance(params, paddle.Tensor):
            raise TypeError("params argument given to the optimizer should be an iterable of Tensors or dicts")
        self.defaults, self.state, self.param_groups = defaults, defaultdict(dict), []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    # What Paddle asks its optimizers for.
    @property
    def _param_groups(self):
        return self.param_groups

    @property
    def _parameter_list(self):
        return [parameter for group in self.param_groups for parameter in group["params"]]

    def get_lr(self):
        return self.param_groups[0]["lr"]

    def set_lr(self, value):
        for group in self.param_groups:
            group["lr"] = value

    def set_lr_scheduler(self, scheduler):
        if not hasattr(scheduler, "schedules"):  # that has one for each group sets their rates itself
            kind = type(scheduler).__name__
            raise NotImplementedError(f"{kind} sets no rates of an optimizer that derives from torch's Optimizer")

    def minimize(self, loss, *args, **kwargs):
        raise NotImplementedError("call backward() of the loss and step() of the optimizer")

    def step(self, closure=None):
        raise NotImplementedError

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if "zero_grad" in vars(cls):
            cls.zero_grad = clearing(cls.zero_grad)

    def clear_grad(self, set_to_zero=True):
        """What zero_grad is called in Paddle: the program's, if it has one, which may call this for torch's."""
        if self.__dict__.get("_clearing", False):
            OwnOptimizer.zero_grad(self, set_to_none=not set_to_zero)
        elif set_to_zero:
            self.zero_grad(set_to_none=False)
        else:
            self.zero_grad()

    def zero_grad(self, set_to_none=True):
        for parameter in self._parameter_list:
            if parameter.grad is not None:
                parameter.clear_gradient(not set_to_none)

    def add_param_group(self, param_group):
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        given = param_group["params"]
        if isinstance(given, set):
            raise TypeError("optimizer parameters need to be organized in ordered collections, not in sets")
        given = [given] if isinstance(given, paddle.Tensor) else list(given)
        named = [isinstance(one, tuple) for one in given]
        if any(named) and not all(named):
            raise ValueError("all optimizer params should be with/without names")
        pairs = given if any(named) else [("", parameter) for parameter in given]
        pairs = [pair for pair in pairs if not is_statistic(pair[1])]
        param_group["params"] = [parameter for _, parameter in pairs]
        if any(named):
            param_group["param_names"] = [name for name, _ in pairs]
        self._check_parameters(param_group)
        for name, default in self.defaults.items():
            param_group.setdefault(name, default)
        self.param_groups.append(param_group)

    def _check_parameters(self, group):
        for parameter in group["params"]:
            if not isinstance(parameter, paddle.Tensor):
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {type(parameter)}")
            if not self.defaults.get("differentiable") and not parameter.is_leaf:
                raise ValueError("can't optimize a non-leaf Tensor")
        if self.param_groups and ("param_names" in group) != ("param_names" in self.param_groups[0]):
            raise ValueError("all optimizer param groups should be with/without names")
        own = {id(parameter) for parameter in group["params"]}
        if len(own) != len(group["params"]):
            warnings.warn("optimizer contains a parameter group with duplicate parameters", stacklevel=4)
        if any(id(parameter) in own for parameter in self._parameter_list):
            raise ValueError("some parameters appear in more than one parameter group")

    # States.
    def state_dict(self):
        places, groups = {}, []
        for group in self.param_groups:
            for parameter in group["params"]:
                places.setdefault(id(parameter), len(places))
            options = {key: value for key, value in group.items() if key != "params"}
            groups.append({**options, "params": [places[id(parameter)] for parameter in group["params"]]})
        state = {places[id(key)] if isinstance(key, paddle.Tensor) else key: value for key, value in self.state.items()}
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict):
        state_dict = dict(state_dict)
        for hook in list(self._load_hooks("before").values()):
            changed = hook(self, state_dict)
            state_dict = state_dict if changed is None else changed
        self._load_state(state_dict)
        for hook in list(self._load_hooks("after").values()):
            hook(self)

    def _load_state(self, state_dict):
        saved = [dict(group) for group in state_dict["param_groups"]]
        if len(saved) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(a["params"]) != len(b["params"]) for a, b in zip(self.param_groups, saved, strict=True)):
            raise ValueError("loaded state dict contains a parameter group that doesn't match the size of optimizer's")
        places = [place for group in saved for place in group["params"]]
        own = dict(zip(places, self._parameter_list, strict=True))
        state = defaultdict(dict)
        for key, value in state_dict["state"].items():
            if key in own:
                state[own[key]] = state_like(own[key], value)
            else:
                state[key] = value
        groups = []
        for group, one in zip(self.param_groups, saved, strict=True):
            names = {"param_names": group["param_names"]} if "param_names" in group else {}
            one.pop("param_names", None)
            groups.append({**copy.deepcopy(one), "params": group["params"], **names})
        self.__setstate__({"state": state, "param_groups": groups})

    def _load_hooks(self, when):
        """Of loading."""
        return self.__dict__.setdefault(f"_hooks_{when}", OrderedDict())

    def _hooked(self, when, hook, prepend):
        handle = HookRemoveHelper(self._load_hooks(when))
        self._load_hooks(when)[handle._hook_id] = hook
        if prepend:
            self._load_hooks(when).move_to_end(handle._hook_id, last=False)
        return handle

    def register_load_state_dict_pre_hook(self, hook, prepend=False):
        return self._hooked("before", hook, prepend)

    def register_load_state_dict_post_hook(self, hook, prepend=False):
        return self._hooked("after", hook, prepend)

    def set_state_dict(self, state_dict):
        self.load_state_dict(state_dict)

    def __getstate__(self):
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.defaults.setdefault("differentiable", False)

    def __repr__(self):
        text = f"{type(self).__name__} ("
        for index, group in enumerate(self.param_groups):
            text += f"\nParameter Group {index}\n"
            text += "".join(f"    {key}: {group[key]}\n" for key in sorted(group) if key != "params")
        return text + ")"

    def _cuda_graph_capture_health_check(self):
        """Paddle captures no graphs of steps."""

    _accelerator_graph_capture_health_check = _cuda_graph_capture_health_check


def clearing(method):
    """A program's own zero_grad, in which clear_grad is torch's."""

    @functools.wraps(method)
    def called(self, *args, **kwargs):
        before = self.__dict__.get("_clearing", False)
        self.__dict__["_clearing"] = True
        try:
            return method(self, *args, **kwargs)
        finally:
            self.__dict__["_clearing"] = before

    return called


def is_statistic(parameter):
    """Whether it is one of batch normalization's, which are parameters in Paddle alone."""
    name = getattr(parameter, "name", "")
    return "batch_norm" in name and name.endswith((".w_1", ".w_2")) and parameter.stop_gradient


def state_like(parameter, value, key=None):
    """A copy of what a parameter's state has, of the parameter's type and at its place; steps are counted as ever."""
    if isinstance(value, paddle.Tensor):
        if key == "step":
            return value.clone()
        wide = parameter.is_floating_point()
        return value.to(parameter.place, parameter.dtype) if wide else value.to(parameter.place)
    if isinstance(value, dict):
        return {name: state_like(parameter, one, name) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(state_like(parameter, one) for one in value)
    return copy.deepcopy(value)


def own_method(optimizer, name):
    if not getattr(optimizer, "has_torchs_groups", False):
        raise NotImplementedError(f"Paddle's own optimizers have no {name}; those of the program do")
    return getattr(optimizer, name)


@rule("torch.optim.Optimizer.add_param_group:own")
def add_param_group(self, param_group):
    return own_method(self, "add_param_group")(param_group)


@family("pre post")
@rule("torch.optim.Optimizer.register_load_state_dict_pre_hook:own")
def register_load_state_dict_pre_hook(self, hook, prepend=False):
    return own_method(self, "register_load_state_dict_pre_hook")(hook, prepend)
