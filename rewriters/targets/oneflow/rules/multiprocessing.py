"""torch: processes."""

import oneflow
import torch

from rewriters.rule import alias, becomes, family, rule

becomes(torch.multiprocessing.set_sharing_strategy, oneflow.multiprocessing.set_sharing_strategy)

alias(torch.multiprocessing.ProcessExitedException, "oneflow.multiprocessing.ProcessExitedException")
alias(torch.multiprocessing.ProcessRaisedException, "oneflow.multiprocessing.ProcessRaisedException")


@family("all_sharing_strategies sharing_strategy")
@rule(torch.multiprocessing.get_all_sharing_strategies)
def get_all_sharing_strategies():
    return oneflow.multiprocessing.get_all_sharing_strategies()
