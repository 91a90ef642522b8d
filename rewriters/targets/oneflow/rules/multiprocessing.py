"""torch: processes."""

import oneflow
import torch

from rewriters.rule import alias, rule

alias(torch.multiprocessing.ProcessExitedException, "oneflow.multiprocessing.ProcessExitedException")


alias(torch.multiprocessing.ProcessRaisedException, "oneflow.multiprocessing.ProcessRaisedException")


@rule(torch.multiprocessing.get_all_sharing_strategies)
def get_all_sharing_strategies():
    return oneflow.multiprocessing.get_all_sharing_strategies()


@rule(torch.multiprocessing.get_sharing_strategy)
def get_sharing_strategy():
    return oneflow.multiprocessing.get_sharing_strategy()


@rule(torch.multiprocessing.set_sharing_strategy)
def set_sharing_strategy(new_strategy):
    return oneflow.multiprocessing.set_sharing_strategy(new_strategy)
