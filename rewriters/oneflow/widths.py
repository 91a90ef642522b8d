"""Functions that promote where nothing tells the dtypes: of several tensors in files that speak of float64, which
OneFlow's refuse beside float32, or leave out; clamping by a fraction.
"""

from __future__ import annotations

import ast
from typing import Any

from rewriters.values import FLOATING, INTEGRAL, Method, Plain, Ref, Tensor

# How many arguments promote, or hold what does.
PROMOTING = {f"torch.nn.functional.{name}": 2 for name in ("mse_loss", "l1_loss", "smooth_l1_loss")}
PROMOTING |= {"torch.where": 3, "torch.Tensor.where": 2}
PROMOTING |= {f"torch.{name}": 2 for name in ("maximum", "minimum", "outer")}
PROMOTING |= {f"torch.Tensor.{name}": 1 for name in ("maximum", "minimum", "outer")}
PROMOTING |= {f"torch.{name}": 1 for name in ("cat", "concat", "concatenate", "stack", "hstack", "vstack")}
CLAMPING = {f"{owner}.{name}" for owner in ("torch", "torch.Tensor") for name in ("clamp", "clip")}
TINY = 0.01
WIDE = {"float64", "double", "DoubleTensor", "from_numpy"}


def keys(module: Any) -> dict[ast.AST, str]:
    """Calls that the rules for mixed dtypes answer for, with the rule's key."""
    return clamping(module) | of_two_widths(module)


def clamping(module: Any) -> dict[ast.AST, str]:
    """``x.clamp(max=2.5)`` of what may be integers: torch gives floating-point numbers."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        if not isinstance(called, (Method, Ref)) or called.name not in CLAMPING:
            continue
        of = node.func.value if isinstance(called, Method) and isinstance(node.func, ast.Attribute) else None
        of = node.args[0] if of is None and node.args else of
        value = getattr(of, "v", None)
        known = isinstance(value, Tensor) and (not value.kinds & INTEGRAL or not value.kinds & FLOATING)
        if of is not None and not isinstance(of, ast.Starred) and not known and any(map(is_fraction, bounds(node))):
            found[node] = f"{called.name}:fraction"
    return found


def bounds(node: ast.Call) -> list[ast.expr]:
    return [*node.args, *(word.value for word in node.keywords if word.arg in {"min", "max"})]


def is_fraction(node: ast.expr) -> bool:
    """Whether it is a number that no integer is; what is next to nothing keeps logarithms finite, of floats."""
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    number = node.value if isinstance(node, ast.Constant) else None
    return isinstance(number, float) and not number.is_integer() and number > TINY


def of_two_widths(module: Any) -> dict[ast.AST, str]:
    """Calls that may be given float32 and float64, in files that speak of that."""
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
        and not (called.name == "torch.where" and all(isinstance(value_of(part), Plain) for part in node.args[1:]))
    }


def value_of(node: ast.expr) -> object:
    return getattr(node, "v", None)
