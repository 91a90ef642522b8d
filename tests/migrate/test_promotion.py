"""The tables of promotion say what the installed frameworks do: a sample of them is calculated anew."""

from __future__ import annotations

import pytest

from migrate.promotion import differences
from rewriters.rules.promotion import table_of
from rewriters.target import load_target

pytestmark = pytest.mark.framework


@pytest.mark.parametrize("name", ["paddle", "oneflow"])
def test_table_is_what_the_frameworks_do(name: str) -> None:
    target = load_target(name)
    operators = ("mul", "truediv", "and")
    table = table_of(target.folder)
    assert differences(target, operators) == {operator: table[operator] for operator in operators}
