"""Settings of a process that programs read back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

THREADS = """
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(before + 1)
    show(before > 0, torch.get_num_threads() == before + 1)
    torch.set_num_threads(before)
    show(torch.get_num_threads() == before)
"""


def test_how_many_threads_there_are(agrees: Callable[..., object]) -> None:
    agrees(THREADS, "paddle")


# What torch.multiprocessing has of Python's own.
PROCESSES = """
    import torch.multiprocessing as mp
    from torch.multiprocessing import Process, Queue

    queue, lock, counter = Queue(), mp.Lock(), mp.Value("i", 3)
    with lock:
        queue.put([1, 2])
    mp.set_start_method("spawn", force=True)
    show(queue.get(timeout=9), counter.value, mp.cpu_count() > 0, mp.get_start_method(), Process is mp.Process)
    show(mp.get_context("spawn").get_start_method(), mp.current_process().name, mp.active_children() is not None)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_processes_are_pythons(agrees: Callable[..., object], target: str) -> None:
    agrees(PROCESSES, target)
