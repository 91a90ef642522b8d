"""What names are bound to, and what functions give: in one order, in every run."""

from __future__ import annotations

import ast
from pathlib import PurePosixPath

from rewriters.files import Files
from rewriters.infer.values import FunctionOf
from rewriters.places.bindings import returned

MANY = 60


def test_what_a_function_gives_comes_in_order() -> None:
    returns = "".join(f"    if n == {n}:\n        return x + {n}\n" for n in range(MANY))
    files = Files.read({PurePosixPath("p.py"): f"def f(x, n):\n{returns}    return x\n\n\nf(1, 2)\n".encode()}, "")
    files.inferred()
    module = files.modules[PurePosixPath("p.py")]
    (call,) = module.nodes.of(ast.Call)
    function = call.func.v
    assert isinstance(function, FunctionOf)
    # the outermost first, as all nodes of a file come
    assert [one.lineno for one in returned(module, function)] == [2 + 2 * MANY, *range(3, 3 + 2 * MANY, 2)]
