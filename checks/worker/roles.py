"""What a constructor does with its parameters: which of torch's layers they are handed to, as what.

``nn.Linear(state_dim, 8)`` says that ``state_dim`` is a size, for which any number is as good. Followed through names
and attributes that hold the parameter, arithmetic, and the project's own constructors and functions.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
import types
from typing import Any, Iterator, NamedTuple

SIZE = 16
ROLES = {
    "in_features out_features in_channels out_channels num_embeddings embedding_dim input_size hidden_size": SIZE,
    "num_features normalized_shape num_channels embed_dim d_model dim_feedforward in1_features in2_features": SIZE,
    "kernel_size": 3,
    "num_layers upscale_factor scale_factor": 2,
    "num_heads nhead num_groups": 4,
    "stride dilation groups padding output_size": 1,
    "padding_idx": 0,
    "p dropout negative_slope": 0.1,
    "eps": 1e-5,
}
"""What torch's layers call their arguments."""

MAKERS = ("zeros", "ones", "empty", "rand", "randn", "full")
"""Functions of torch's whose numbers are sizes."""

DEEPEST = 6  # constructors within one another


class Use(NamedTuple):
    """A call that is handed a parameter. callee: what is called. place: the number of the argument, or its keyword."""

    callee: Any
    place: Any


def role(make: Any, name: str, deep: int = 0) -> Any:
    """A number for a parameter, by what becomes of it; None where nothing tells.

    make: the class or function that has it.
    """
    for use in uses(make, name, arithmetic=True) if deep < DEEPEST else ():
        inside = getattr(use.callee, "__module__", None) or ""
        if use.callee is range:
            return 2
        if inside.split(".")[0] == "torch" or (inside == "" and getattr(use.callee, "__name__", "") in MAKERS):
            found = of_torch(use)
        else:
            known = parameter(use)
            found = None if known is None else role(use.callee, known, deep + 1)
        if found is not None:
            return found
    return None


def read(make: Any, name: str, deep: int = 0) -> set[str]:
    """The attributes that the code of a class or function reads off its parameter, and what it hands it to."""
    tree = source(make)
    if tree is None or deep > DEEPEST:
        return set()
    held = holders(tree, name, arithmetic=False)
    found = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and written(node.value) in held
    }
    for use in uses(make, name, arithmetic=False):
        known = parameter(use)
        if known is not None and (getattr(use.callee, "__module__", None) or "").split(".")[0] != "torch":
            found |= read(use.callee, known, deep + 1)
    return found


def set_to(make: Any) -> dict[str, Any]:
    """Attribute -> the literal that the code of a class stores under it, of other objects than its own."""
    found: dict[str, Any] = {}
    for node in ast.walk(source(make) or ast.Module([], [])):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
            target = node.targets[0]
            if isinstance(node.value, ast.Constant) and written(target.value) not in ("self", ""):
                found.setdefault(target.attr, node.value.value)
    return found


def uses(make: Any, name: str, arithmetic: bool) -> Iterator[Use]:
    """The calls that a constructor or function hands its parameter to. arithmetic: also what is computed of it."""
    function = inspect.unwrap(getattr(make, "__init__") if isinstance(make, type) else make)  # noqa: B009
    tree = source(function)
    if tree is None:
        return
    held = holders(tree, name, arithmetic)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        given: list[Any] = [*enumerate(node.args), *((word.arg, word.value) for word in node.keywords if word.arg)]
        places = [place for place, value in given if holds(value, held, arithmetic)]
        callee = looked_up(node.func, function, make) if places else None
        if callee is not None:
            yield from (Use(callee, place) for place in places)


def holders(tree: ast.AST, name: str, arithmetic: bool) -> set[str]:
    """The name, and the variables and attributes of self that are given what it holds."""
    found: set[str] = {name}
    grown = True
    while grown:
        stores = [one for one in ast.walk(tree) if isinstance(one, ast.Assign) and holds(one.value, found, arithmetic)]
        more = {written(target) for one in stores for target in one.targets} - found - {""}
        found |= more
        grown = bool(more)
    return found


def holds(node: ast.AST, names: set[str], arithmetic: bool) -> bool:
    """Whether an expression is one of the names, or arithmetic with one."""
    if isinstance(node, ast.BinOp) and arithmetic:
        return holds(node.left, names, True) or holds(node.right, names, True)
    return written(node) in names


def of_torch(use: Use) -> Any:
    """The number for an argument of a layer of torch's, or a size of what it makes; None for others."""
    if not isinstance(use.callee, type):
        return SIZE if getattr(use.callee, "__name__", "") in MAKERS and isinstance(use.place, int) else None
    name = parameter(use)
    return next((value for names, value in ROLES.items() if name in names.split()), None)


def parameter(use: Use) -> Any:
    """The name of the parameter that the argument fills, None for none."""
    try:
        found = [*inspect.signature(use.callee).parameters.values()]
    except (TypeError, ValueError):
        return None
    if isinstance(use.place, str):
        return use.place
    plain = [item.name for item in found if item.kind in (item.POSITIONAL_ONLY, item.POSITIONAL_OR_KEYWORD)]
    return plain[use.place] if use.place < len(plain) else None


def looked_up(node: ast.AST, function: Any, make: Any) -> Any:
    """What a call's function is, by the names of the file that it stands in; ``super().__init__`` is the base class."""
    if isinstance(node, ast.Attribute):
        if node.attr == "__init__" and isinstance(node.value, ast.Call) and written(node.value.func) == "super":
            return next((base for base in make.__mro__[1:] if "__init__" in vars(base)), None)
        owner = looked_up(node.value, function, make)
        return getattr(owner, node.attr, None) if isinstance(owner, (types.ModuleType, type)) else None
    if isinstance(node, ast.Name):
        return function.__globals__.get(node.id, getattr(builtins, node.id, None))
    return None


def written(node: ast.AST) -> str:
    """``self.x`` or ``x`` as text, "" for other expressions."""
    if isinstance(node, ast.Name):
        return node.id
    owned = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    return f"{node.value.id}.{node.attr}" if owned else ""  # type: ignore[attr-defined]


def source(make: Any) -> Any:
    """The syntax tree of a class or function, None of what was made at run time."""
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(make)))
    except (OSError, TypeError, SyntaxError):
        return None
