"""Paddle's workers hand tensors over in shared memory after they have let go of them, and crash: they share none."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from rewriters.convert import convert_sources
from rewriters.target import load_target

HEAD = "from torch.utils.data import DataLoader\n\ndef f(data, n):\n    return "


def converted(call: str) -> str:
    done = convert_sources({PurePosixPath("a.py"): (HEAD + call).encode()}, load_target("paddle"))
    return done.files[PurePosixPath("a.py")].decode().splitlines()[-1].strip()


@pytest.mark.parametrize(
    ("call", "shared"),
    [
        ("DataLoader(data, 4, num_workers=2)", "use_shared_memory=False"),
        ("DataLoader(data, 4, num_workers=n)", "use_shared_memory=False"),
    ],
)
def test_workers_share_no_memory(call: str, shared: str) -> None:
    assert shared in converted(call)


@pytest.mark.parametrize("call", ["DataLoader(data, 4)", "DataLoader(data, 4, num_workers=0)"])
def test_without_workers_nothing_is_said(call: str) -> None:
    assert "use_shared_memory" not in converted(call)
