"""torch: processes."""

import oneflow
import torch

from rewriters.rule import alias, family, rule

alias(torch.multiprocessing.ProcessExitedException, "oneflow.multiprocessing.ProcessExitedException")
alias(torch.multiprocessing.ProcessRaisedException, "oneflow.multiprocessing.ProcessRaisedException")


@family("all_sharing_strategies sharing_strategy")
@rule(torch.multiprocessing.get_all_sharing_strategies)
def get_all_sharing_strategies():
    return oneflow.multiprocessing.get_all_sharing_strategies()


@rule(torch.multiprocessing.set_sharing_strategy)
def set_sharing_strategy(new_strategy):
    return oneflow.multiprocessing.set_sharing_strategy(new_strategy)
