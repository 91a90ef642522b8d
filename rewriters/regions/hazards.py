"""Code that a graph cannot hold, since it is run once, on values that are not there yet: named with its line."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from rewriters.infer.values import BOOLEAN, External, FunctionInfo, Method, Plain, Ref, Tensor
from rewriters.regions.tracing import value_of
from rewriters.text.tree import children, is_in_place

READS = {"item", "tolist", "numpy", "__bool__", "__float__", "__int__", "equal", "allclose", "is_nonzero"}
"""Methods that give a tensor's values to Python."""

NUMBERS = {"float", "int", "bool", "complex"}
LOOKING = {"max", "min", "any", "all", "sorted", "range"}
"""Functions of Python's that look at the values of what they are given."""
TO_PYTHON = {"torch.equal", "torch.allclose", "torch.is_nonzero"}
OF_NUMBERS = ("math.", "numpy.")

SIZED_BY_VALUES = {
    f"torch.{owner}{name}"
    for owner in ("", "Tensor.")
    for name in (
        *("nonzero", "argwhere", "masked_select"),
        *("unique", "unique_consecutive", "bincount", "repeat_interleave"),
    )
} | {f"torch.nn.utils.rnn.{name}" for name in ("pack_padded_sequence", "pad_packed_sequence", "pack_sequence")}
"""What they return is as large as the values say."""

SIZED = {
    *(f"torch.{name}" for name in ("arange", "zeros", "ones", "full", "empty", "eye", "linspace", "rand", "randn")),
    *(f"torch.Tensor.{name}" for name in ("new_zeros", "new_ones", "new_full", "new_empty")),
    *(f"torch.Tensor.{name}" for name in ("view", "reshape", "expand", "repeat", "tile")),
}
"""What is given sizes, as a rule by position."""
FILLING = {"torch.full", "torch.Tensor.new_full"}
ONE_HOT = "torch.nn.functional.one_hot"

MEMBERSHIP = (ast.In, ast.NotIn)
RANDOM = ("random.", "numpy.random.")
CLOCKS = ("time.",)


@dataclass(frozen=True)
class Hazard:
    """The innermost statement, and why no graph holds it.

    kind: values (Python looks at a tensor's values), sizes (a shape depends on them), state (an attribute is stored),
    random (a draw or a clock of Python's), print.
    """

    statement: ast.stmt
    reason: str
    kind: str = "values"


def in_function(function: FunctionInfo, held: Collection[ast.AST] = ()) -> list[Hazard]:
    """Those of a function's own code."""
    body = function.node.body
    if not isinstance(body, list):
        return []
    return [hazard for statement in body for hazard in in_statement(statement, owner_in(function), held)]


def root_of(node: ast.expr) -> ast.expr:
    """``x`` of ``x.a[0].b``"""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node


def owner_in(function: FunctionInfo) -> str:
    """What a method calls its object, "" in other functions."""
    arguments = function.node.args.args
    return arguments[0].arg if function.kind == "method" and arguments else ""


def in_statement(statement: ast.stmt, owner: str = "", held: Collection[ast.AST] = ()) -> Iterator[Hazard]:
    """Those of a statement and the ones inside it.

    owner: the name of ``self``, where storing to its attributes counts.
    held:  branches and loops that are written so that a graph holds them.
    """
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) or statement in held:
        return
    if isinstance(statement, (ast.If, ast.While)) and depends_on_values(statement.test):
        kind = "if" if isinstance(statement, ast.If) else "while"
        yield Hazard(statement, f"`{kind} {short(statement.test)}` decides by a tensor's values")
    if isinstance(statement, ast.Assert) and depends_on_values(statement.test):
        yield Hazard(statement, f"`assert {short(statement.test)}` looks at a tensor's values")
    if isinstance(statement, (ast.Assign, ast.AugAssign)) and owner:
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        for target in targets:
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == owner:
                reason = f"`{short(target)}` is stored once, when the graph is made, not at each call"
                yield Hazard(statement, reason, "state")
    for node in children(statement):
        if isinstance(node, ast.stmt):
            yield from in_statement(node, owner, held)
        elif isinstance(node, ast.expr):
            yield from in_expression(node, statement, owner, held)
        elif isinstance(node, (ast.withitem, ast.ExceptHandler, ast.match_case)):
            for inner in children(node):
                if isinstance(inner, ast.stmt):
                    yield from in_statement(inner, owner, held)
                elif isinstance(inner, ast.expr):
                    yield from in_expression(inner, statement, owner, held)


def in_expression(node: ast.AST, statement: ast.stmt, owner: str, held: Collection[ast.AST] = ()) -> Iterator[Hazard]:
    if node in held:
        return
    if isinstance(node, ast.Call):
        reason, kind = call(node, owner)
        if reason:
            yield Hazard(statement, reason, kind)
    elif isinstance(node, ast.IfExp) and depends_on_values(node.test):
        yield Hazard(statement, f"`{short(node)}` decides by a tensor's values")
    elif isinstance(node, ast.Compare) and isinstance(node.ops[-1], MEMBERSHIP) and is_tensor(node.comparators[-1]):
        yield Hazard(statement, f"`{short(node)}` gives a tensor's values to Python")
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and is_mask(node.slice):
        yield Hazard(statement, f"`{short(node)}` is as large as the mask's values say", "sizes")
    elif isinstance(node, ast.Slice) and any(map(may_be_size, (node.lower, node.upper, node.step))):
        yield Hazard(statement, f"`{short(node)}` is as large as the values say", "sizes")
    elif isinstance(node, ast.comprehension) and any(map(depends_on_values, node.ifs)):
        yield Hazard(statement, f"`{short(node.ifs[0])}` decides by a tensor's values")
    elif isinstance(node, ast.FormattedValue) and is_tensor(node.value):
        yield Hazard(statement, f"`{short(node)}` makes a text of a tensor's values")
    for inner in children(node):
        if not isinstance(inner, ast.Lambda):
            yield from in_expression(inner, statement, owner, held)


def call(node: ast.Call, owner: str) -> tuple[str, str]:
    """Why a graph does not hold a call, and of which kind that is; "" where it does."""
    value = value_of(node.func)
    name = value.name if isinstance(value, (Method, Ref, External)) else ""
    if isinstance(value, Method) and name.startswith("torch.Tensor."):
        method = name.rpartition(".")[2]
        if method in READS:
            return f"`{short(node)}` gives a tensor's values to Python", "values"
        if is_in_place(method) and isinstance(node.func, ast.Attribute):
            root = root_of(node.func.value)
            if owner and isinstance(root, ast.Name) and root.id == owner:
                return f"`{short(node)}` changes a buffer, which a graph does not", "state"
    gives_places = name == "torch.where" and len(node.args) + len(node.keywords) == 1
    if name in SIZED_BY_VALUES or gives_places or sized_by_tensor(node, name):
        return f"`{short(node)}` is as large as the values say", "sizes"
    if name.startswith(RANDOM):
        return f"`{short(node)}` is drawn once, when the graph is made, not at each call", "random"
    if name.startswith(CLOCKS):
        return f"`{short(node)}` is read once, when the graph is made", "random"
    if isinstance(node.func, ast.Name) and node.func.id == "next" and isinstance(value, (Plain, type(None))):
        return f"`{short(node)}` takes one thing, when the graph is made, not at each call", "random"
    own = isinstance(node.func, ast.Name) and node.func.id in NUMBERS | LOOKING
    looks = name in TO_PYTHON or ((own or name.startswith(OF_NUMBERS)) and any(map(is_tensor, node.args)))
    if looks:
        return f"`{short(node)}` gives a tensor's values to Python", "values"
    if isinstance(node.func, ast.Name) and node.func.id == "print" and isinstance(value, (Plain, type(None))):
        return f"`{short(node)}` prints once, when the graph is made, and no values", "print"
    return "", ""


def sized_by_tensor(node: ast.Call, name: str) -> bool:
    """Whether a tensor without axes says how large what a call of torch's makes is."""
    if name == ONE_HOT:
        return len(node.args) + len(node.keywords) == 1
    if name not in SIZED:
        return False
    sizes = node.args[:1] if name in FILLING else node.args
    parts = [part for one in sizes for part in (one.elts if isinstance(one, (ast.Tuple, ast.List)) else [one])]
    return any(map(may_be_size, parts))


def may_be_size(node: ast.expr | None) -> bool:
    """Whether it is a tensor of integers, of one number as far as is known."""
    value = getattr(node, "was", None) or (value_of(node) if node is not None else None)  # written as a number since
    return isinstance(value, Tensor) and not value.assumed and not value.ndim


def depends_on_values(node: ast.expr) -> bool:
    """Whether the truth of an expression is that of a tensor's values."""
    if isinstance(node, ast.BoolOp):
        return any(depends_on_values(part) for part in node.values)
    if isinstance(node, ast.UnaryOp):
        return depends_on_values(node.operand)
    if isinstance(node, ast.Compare):
        if all(isinstance(op, (ast.Is, ast.IsNot, *MEMBERSHIP)) for op in node.ops):
            return False
        return is_tensor(node) or any(is_tensor(part) for part in (node.left, *node.comparators))
    return is_tensor(node)


def is_tensor(node: ast.expr) -> bool:
    """Whether it surely is one: a parameter of a forward without an annotation may be a flag."""
    value = value_of(node)
    return isinstance(value, Tensor) and not value.assumed


def is_mask(node: ast.expr) -> bool:
    value = value_of(node)
    return isinstance(value, Tensor) and not value.assumed and value.kinds == BOOLEAN


def short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 60 else text[:57] + "..."
