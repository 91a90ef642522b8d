"""How values lie is found once for each expression, however often a name is bound."""

from __future__ import annotations

import ast
from pathlib import PurePosixPath

from rewriters.files import Files
from rewriters.places.computed_layouts import MOST_STEPS, Layout

OFTEN = 60


def test_each_expression_is_followed_once_for_each_depth() -> None:
    bindings = "".join(f"    if n > {n}:\n        x = (x.t() * {n}).exp() + x\n" for n in range(OFTEN))
    text = f"import torch\n\n\ndef f(x: torch.Tensor, n):\n{bindings}    y = x.flatten()\n    y.add_(1)\n    return x\n"
    files = Files.read({PurePosixPath("p.py"): text.encode()}, "")
    files.inferred()
    module = files.modules[PurePosixPath("p.py")]
    layout = Layout(module, lambda node: False)
    reshaped = next(node for node in module.nodes.of(ast.Call) if getattr(node.func, "attr", "") == "flatten")
    layout.of(reshaped.func.value)
    expressions = sum(isinstance(node, ast.expr) for node in ast.walk(module.tree))
    assert len(layout.found) <= expressions * (MOST_STEPS + 1)
