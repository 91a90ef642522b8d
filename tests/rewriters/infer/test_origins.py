"""What decides an unknown is found in as many steps as there are expressions."""

from __future__ import annotations

import ast
from pathlib import PurePosixPath

from rewriters.files import Files
from rewriters.infer.origins import DEEPEST, Origins

TANGLED = b"""
def f(y, s=2):
    y = (y != (y * 2 if not True else y)) == y
    return y.sum(-2).flatten()
"""


def test_what_leads_to_itself_in_several_ways_is_followed_once() -> None:
    """Each of the y's in the assignment is bound by it: along all ways that were 3 ** DEEPEST steps."""
    path = PurePosixPath("program.py")
    project = Files.read({path: TANGLED}, "").inferred()
    (module,) = project.modules.values()
    asked = next(node for node in ast.walk(module.tree) if isinstance(node, ast.Attribute) and node.attr == "sum")
    origins = Origins()
    origins.of(asked.value, module)
    expressions = sum(isinstance(node, ast.expr) for node in ast.walk(module.tree))
    assert len(origins.traced) <= expressions * DEEPEST
