"""Which special rules a project's conversion takes is remembered, as the conversion is."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from migrate.weights.carry import special
from rewriters.target import load_target

TIED = b"""
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(8, 4)
        self.head = nn.Linear(4, 8, bias=False)
        self.head.weight = self.table.weight
"""


def test_uses_are_remembered_by_the_text_that_they_are_in(monkeypatch: pytest.MonkeyPatch) -> None:
    target, path = load_target("paddle"), PurePosixPath("net.py")
    found = special.uses_in({path: TIED}, target, "")
    assert [use.line for use in found[path]] == [9], found

    def fails(*_: object) -> None:
        raise AssertionError("inferred again")

    monkeypatch.setattr(special, "special_keys", fails)
    assert special.uses_in({path: TIED}, target, "") == found
    with pytest.raises(AssertionError, match="inferred again"):
        special.uses_in({path: TIED + b"\n"}, target, "")
