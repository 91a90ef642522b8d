"""Reads of what a loop or a comprehension binds are no reads of what the name held before."""

from __future__ import annotations

import ast
import textwrap

import pytest

from rewriters.places.accesses import Accesses


def read_later(program: str) -> str | None:
    """The line, counted from 1, at which v is read after ``changed()``; None for none."""
    body = ast.parse(textwrap.dedent(program)).body
    accesses = Accesses.of(body)
    statement = next(one for one in accesses.around if ast.unparse(one) == "changed()")
    node = accesses.later_read("v", statement, frozenset())
    return None if node is None else f"{node.lineno}"


@pytest.mark.parametrize(
    ("program", "line"),
    [
        ("for v in xs:\n    use(v)\nchanged()", None),
        ("changed()\nfor k, v in xs.items():\n    use(v)", None),
        ("for task in tasks:\n    for k, v in task:\n        use(v)\n    changed()", None),
        ("for v in xs:\n    changed()\n    use(v)", "3"),
        ("for v in xs:\n    use(v)\n    changed()", None),
        ("for v in xs:\n    while v:\n        use(v)\n        changed()", "2"),
        ("for v in xs:\n    pass\nelse:\n    changed()\n    use(v)", "5"),
        ("changed()\nfor v in xs:\n    pass\nuse(v)", "4"),
        ("changed()\nfor x in v:\n    pass", "2"),
        ("changed()\nprint([v for v in xs])", None),
        ("changed()\nprint([x for x in v])", "2"),
        ("changed()\nprint([v for v in xs] + v)", "2"),
        ("changed()\nprint([v for v in v])", "2"),
    ],
)
def test_what_is_bound_anew_is_not_read(program: str, line: str | None) -> None:
    assert read_later(program) == line
