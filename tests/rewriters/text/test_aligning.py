"""Lines that stood below a bracket stand below it where an edit moved it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rewriters.text.aligning import aligned


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param("x = f(a,\n      b)\n", "x = long(a,\n      b)\n", "x = long(a,\n         b)\n", id="longer"),
        pytest.param("x = long(a,\n         b)\n", "x = f(a,\n         b)\n", "x = f(a,\n      b)\n", id="shorter"),
        pytest.param(
            "x = f(\n    a,\n    b)\n", "x = long(\n    a,\n    b)\n", "x = long(\n    a,\n    b)\n", id="hanging"
        ),
        pytest.param(
            "y = f(g(a,\n        b),\n      c)\n",
            "y = ff(gg(a,\n        b),\n      c)\n",
            "y = ff(gg(a,\n          b),\n       c)\n",
            id="one in another",
        ),
        pytest.param(
            "y = f(a,\n      g(\n          b))\n",
            "y = long(a,\n      g(\n          b))\n",
            "y = long(a,\n         g(\n             b))\n",
            id="what hangs below a line that moves",
        ),
        pytest.param(
            "y = f(a,  # one\n      # two\n      b)\n",
            "y = long(a,  # one\n      # two\n      b)\n",
            "y = long(a,  # one\n         # two\n         b)\n",
            id="comments",
        ),
        pytest.param(
            "y = very.long(a,\n              g(\n  1234, b))\n",
            "y = f(a,\n              g(\n  1234, b))\n",
            "y = f(a,\n      g(\n1234, b))\n",
            id="a line with less white space than its bracket moves by loses nothing",
        ),
        pytest.param(
            'y = f(a, """\n      text""",\n      b)\n',
            'y = long(a, """\n      text""",\n      b)\n',
            'y = long(a, """\n      text""",\n         b)\n',
            id="not the lines of a text",
        ),
        pytest.param(
            "y = very.long(a,\n              b).fill()\n",
            "y = of([a],\n              k=b).fill(1)\n",
            "y = of([a],\n       k=b).fill(1)\n",
            id="arguments that became others",
        ),
        pytest.param("y = f(a,\n\t  b)\n", "y = long(a,\n\t  b)\n", "y = long(a,\n\t  b)\n", id="tabs stay"),
        pytest.param(
            f"y = f(a,\n      {'b' * 112})\n",
            f"y = long(a,\n      {'b' * 112})\n",
            f"y = long(a,\n      {'b' * 112})\n",
            id="no line grows too long",
        ),
    ],
)
def test_aligned(before: str, after: str, expected: str) -> None:
    assert aligned(before, after) == expected


def test_statements_and_heads(converted: Callable[..., str]) -> None:
    before = """\
import torch


def area(a: torch.Tensor,
         b: torch.Tensor, n: int):
    if torch.sum(torch.min(a,
                           b),
                 0) > n:
        a = torch.min(a[:, 2:],
                      b.view(n, 2))
        return a
    return b
"""
    after = """\
import paddle


def area(a: paddle.Tensor,
         b: paddle.Tensor, n: int):
    if paddle.sum(paddle.minimum(a,
                                 b),
                  0) > n:
        a = paddle.minimum(a[:, 2:],
                           b.reshape([n, 2]))
        return a
    return b
"""
    assert converted(before) == after
