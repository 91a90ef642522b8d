"""torch: processes."""

import paddle
import torch

from rewriters.rule import becomes, rule

becomes(torch.multiprocessing.init_reductions, paddle.incubate.multiprocessing.init_reductions)


# Between processes Paddle hands tensors over in shared memory that is a file.
@rule(torch.multiprocessing.set_sharing_strategy)
def set_sharing_strategy(new_strategy):
    pass


@rule(torch.multiprocessing.get_sharing_strategy)
def get_sharing_strategy():
    return "file_system"


@rule(torch.multiprocessing.get_all_sharing_strategies)
def get_all_sharing_strategies():
    return {"file_system"}


def run_with_rank(function, *arguments):
    function(paddle.distributed.get_rank(), *arguments)


@rule(torch.multiprocessing.spawn, torch.multiprocessing.start_processes)
def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    # Paddle's processes know their rank, torch's are given it
    return paddle.distributed.spawn(run_with_rank, args=(fn, *args), nprocs=nprocs, join=join, daemon=daemon)
