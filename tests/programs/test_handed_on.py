"""Classes and functions of torch's that are handed on, looked up by name or probed for, as public code does it.

The programs lie in ``handed_on/*.txt``, divided by ``---``; the first line of each says where such code is found.
A line ``#: layers.py`` begins a file of several.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

TARGETS = ("paddle", "oneflow")
HEAD = """\
import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(module):
    for m in module.modules():
        for name in ("weight", "bias", "weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"):
            p = getattr(m, name, None)
            if isinstance(p, nn.Parameter):
                nn.init.constant_(p, 0.25)
    return module


def ramp(*shape):
    n = 1
    for size in shape:
        n *= size
    return torch.arange(n, dtype=torch.float32).reshape(shape) * 0.5 - 0.75


"""


def programs() -> dict[str, dict[str, str]]:
    """File and number -> path -> text."""
    found = {}
    for file in sorted(Path(__file__).with_name("handed_on").glob("*.txt")):
        for number, text in enumerate(file.read_text(encoding="utf-8").rstrip("\n").split("\n---\n")):
            first, *rest = re.split(r"^#: (\S+)\n", text, flags=re.MULTILINE)
            files = dict(zip(rest[::2], rest[1::2], strict=True)) or {"program.py": first}
            files["program.py"] = HEAD + files["program.py"]
            found[f"{file.stem}-{number}"] = files
    return found


PROGRAMS = programs()


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees(agrees: Callable[..., object], name: str, target: str) -> None:
    agrees(PROGRAMS[name], target)
