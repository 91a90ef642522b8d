"""Optimizers that have no groups in Paddle, given what may be groups: one with options, or several without."""

import inspect

import paddle

from rewriters.rule import rule
from rewriters.targets.paddle.rules.optim.asgd import ASGD
from rewriters.targets.paddle.rules.optim.lbfgs import LBFGS
from rewriters.targets.paddle.rules.optim.optimizer import Adafactor, Muon
from rewriters.targets.paddle.rules.optim.rprop import Rprop
from rewriters.targets.paddle.rules.optim.sparse_adam import SparseAdam


def of_one_group(made, params, args, options):
    """The optimizer of all parameters, with what their groups say alike."""
    params = list(params)
    given = inspect.signature(made).bind_partial(None, *args, **options).arguments
    if params and isinstance(params[0], dict):
        told = [{name: value for name, value in group.items() if name != "params"} for group in params]
        if any(one != told[0] for one in told):
            raise NotImplementedError("Paddle's has no groups; make an optimizer for each")
        given.update(told[0])
        inside = [group["params"] for group in params]
        params = [p for one in inside for p in ([one] if isinstance(one, paddle.Tensor) else one)]
    elif params and isinstance(params[0], tuple):  # names and parameters
        params = [parameter for _, parameter in params]
    return made(**{**given, "params": params})


@rule("torch.optim.ASGD:groups")
def ASGD_of_groups(params, *args, **options):
    return of_one_group(ASGD, params, args, options)


@rule("torch.optim.LBFGS:groups")
def LBFGS_of_groups(params, *args, **options):
    return of_one_group(LBFGS, params, args, options)


@rule("torch.optim.Adafactor:groups")
def Adafactor_of_groups(params, *args, **options):
    return of_one_group(Adafactor, params, args, options)


@rule("torch.optim.Muon:groups")
def Muon_of_groups(params, *args, **options):
    return of_one_group(Muon, params, args, options)


@rule("torch.optim.Rprop:groups")
def Rprop_of_groups(params, *args, **options):
    return of_one_group(Rprop, params, args, options)


@rule("torch.optim.SparseAdam:groups")
def SparseAdam_of_groups(params, *args, **options):
    return of_one_group(SparseAdam, params, args, options)


@rule(
    "torch.optim.ASGD:kept", "torch.optim.LBFGS:kept", "torch.optim.Adafactor:kept", "torch.optim.Muon:kept",
    "torch.optim.Rprop:kept", "torch.optim.SparseAdam:kept",
)  # fmt: skip
def of_kept_groups(params, **options):
    raise NotImplementedError(
        "the dicts of groups are copied, and the program goes on with its own; read and write optimizer.param_groups"
    )
