"""Settings of a process that programs read back."""

from __future__ import annotations

from collections.abc import Callable

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
