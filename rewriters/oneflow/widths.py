"""Functions of several tensors in files that speak of float64, which OneFlow's refuse beside float32, or leave out."""

from __future__ import annotations

import ast
from typing import Any

from rewriters.values import Method, Ref

# How many arguments promote, or hold what does.
PROMOTING = {f"torch.nn.functional.{name}": 2 for name in ("mse_loss", "l1_loss", "smooth_l1_loss")}
PROMOTING |= {"torch.where": 3, "torch.Tensor.where": 2}
PROMOTING |= {f"torch.{name}": 2 for name in ("maximum", "minimum", "outer")}
PROMOTING |= {f"torch.Tensor.{name}": 1 for name in ("maximum", "minimum", "outer")}
PROMOTING |= {f"torch.{name}": 1 for name in ("cat", "concat", "concatenate", "stack", "hstack", "vstack")}
WIDE = {"float64", "double", "DoubleTensor", "from_numpy"}


def keys(module: Any) -> dict[ast.AST, str]:
    """Calls that the rules for mixed dtypes answer for, with the rule's key."""
    if not any(node.attr in WIDE for node in module.nodes.of(ast.Attribute)):
        return {}
    calls = [(node, getattr(node.func, "v", None)) for node in module.nodes.of(ast.Call)]
    return {
        node: f"{called.name}:mixed"
        for node, called in calls
        if isinstance(called, (Method, Ref))
        and len(node.args) + len(node.keywords) >= PROMOTING.get(called.name, len(node.args) + len(node.keywords) + 1)
        and not any(isinstance(argument, ast.Starred) for argument in node.args)
        and not any(word.arg in {None, "out"} for word in node.keywords)
    }
