"""Processes that train together: JAX needs one, which has all devices (nn/parallel.py)."""

import os

import jax
import torch

from rewriters.rule import rule


class Started:
    """Whether a group of processes was begun, and by what name its backend was asked for."""

    now, backend = False, "gloo"


@rule(torch.distributed.init_process_group)
def init_process_group(
    backend=None, init_method=None, timeout=None, world_size=-1, rank=-1, store=None, group_name="", pg_options=None,
    device_id=None,
):  # fmt: skip
    if max(world_size, int(os.environ.get("WORLD_SIZE", 1))) > 1:
        raise RuntimeError("JAX trains on all devices from one process: start the program by itself, without torchrun")
    Started.now, Started.backend = True, backend or "gloo"


@rule(torch.distributed.destroy_process_group)
def destroy_process_group(group=None):
    Started.now = False


@rule(torch.distributed.is_available)
def is_available():
    return True


@rule(torch.distributed.is_initialized)
def is_initialized():
    return Started.now


@rule(torch.distributed.get_rank)
def get_rank(group=None):
    return jax.process_index()


@rule(torch.distributed.get_world_size)
def get_world_size(group=None):
    return jax.process_count()


class Done:
    """Of what goes on beside the program in torch: here it is done when it is begun."""

    def wait(self, timeout=None):
        return True

    def is_completed(self):
        return True


@rule(torch.distributed.barrier)
def barrier(group=None, async_op=False, device_ids=None):
    return Done() if async_op else None


@rule(torch.distributed.all_reduce)
def all_reduce(tensor, op=None, group=None, async_op=False):
    # of one process's it is the tensor itself
    return Done() if async_op else None


@rule(torch.distributed.broadcast)
def broadcast(tensor, src=None, group=None, async_op=False, group_src=None):
    return Done() if async_op else None


@rule(torch.distributed.all_gather)
def all_gather(tensor_list, tensor, group=None, async_op=False):
    tensor_list[0] = tensor
    return Done() if async_op else None
