"""The table of views that are copies in a target says what the installed frameworks do."""

from __future__ import annotations

import json

import pytest

from migrate.sharing import differences
from rewriters.target import load_target

pytestmark = pytest.mark.framework


@pytest.mark.parametrize("name", ["paddle", "oneflow"])
def test_table_is_what_the_frameworks_do(name: str) -> None:
    target = load_target(name)
    assert json.loads((target.records / "copies.json").read_text()) == differences(target)
