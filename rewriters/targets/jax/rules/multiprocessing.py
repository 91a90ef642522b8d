"""torch.multiprocessing: JAX has all devices of a machine in one process."""

import torch

from rewriters.rule import rule


@rule(torch.multiprocessing.set_sharing_strategy)
def set_sharing_strategy(new_strategy):
    pass


@rule(torch.multiprocessing.get_sharing_strategy)
def get_sharing_strategy():
    return "file_system"


@rule(torch.multiprocessing.get_all_sharing_strategies)
def get_all_sharing_strategies():
    return {"file_system"}


@rule(torch.multiprocessing.spawn, torch.multiprocessing.start_processes)
def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    if nprocs > 1:
        raise RuntimeError("JAX trains on all devices from one process: call the function, with rank 0 of 1")
    fn(0, *args)
