"""A rule that says that its outcome differs: the site is converted, and says so; a helper warns when it is called."""

from __future__ import annotations

import warnings

RULES = """
@rule(torch.sort)
def sort(input, dim=-1, stable=False):
    if stable:
        differs("equal values change places; sort numpy's")
    return toy.sort(input, dim)
"""
REASON = "equal values change places; sort numpy's"


def test_comment_and_report(toy_target, conversion) -> None:
    done = conversion("import torch\ny = torch.sort([1], stable=True)\nz = torch.sort([1])\n", toy_target(RULES))
    (text,) = done.files.values()
    assert text.decode() == f"import toy\n# migrate: differs {REASON}\ny = toy.sort([1], -1)\nz = toy.sort([1], -1)\n"
    assert [(site.line, site.detail) for site in done.reports[0].sites if site.outcome == "differs"] == [(2, REASON)]


def test_helper_warns(toy_target, conversion, execute) -> None:
    done = conversion("import torch\nf = lambda flag: torch.sort([2], stable=flag)\n", toy_target(RULES))
    scope = execute(done, sort=lambda x, dim: x)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        assert scope["f"](False) == [2]
        assert not heard
        assert scope["f"](True) == [2]
    assert [str(one.message) for one in heard] == [REASON]
