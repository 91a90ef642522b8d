"""Kinds of dtype in whole programs: promotion, reductions of integers, data of other dtypes, casts.

The programs lie in ``dtypes/*.txt``, divided by ``---``. Those with a first line ``# paddle`` run in Paddle alone: the
other target has no such kernel or dtype, or its page in ``docs/`` says what differs.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

TARGETS = ("paddle", "oneflow")
HEAD = """\
import operator

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

"""


def programs() -> list[tuple[str, str]]:
    """(target, program) of all files."""
    found = []
    for file in sorted(Path(__file__).with_name("dtypes").glob("*.txt")):
        for text in file.read_text(encoding="utf-8").rstrip("\n").split("\n---\n"):
            only = text.partition("\n")[0].removeprefix("# ")
            found += [(target, text) for target in TARGETS if only not in TARGETS or only == target]
    return found


@pytest.mark.parametrize(("target", "program"), programs())
def test_agrees(agrees: Callable[..., object], target: str, program: str) -> None:
    agrees(HEAD + program, target)


@pytest.mark.parametrize("target", TARGETS)
def test_another_default_dtype_is_marked(outcome: Callable[..., object], target: str) -> None:
    found = outcome("import torch\ntorch.set_default_dtype(torch.float64)\nshow(torch.arange(3.0) / 2)", target)
    assert any(site.outcome == "differs" for site in found.sites)  # type: ignore[attr-defined]
