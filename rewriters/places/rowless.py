"""What may have no rows: elements that a mask picks, places that ``nonzero`` gives, pieces of sizes that are computed.

Experts of a mixture get such rows. Targets that compute no gradients of weights by which nothing was multiplied
(OneFlow leaves what lay in memory, Paddle raises) have a rule that looks, under the function's name, or that of
modules, and ``:rows``.
"""

from __future__ import annotations

import ast

from rewriters.infer.values import BOOLEAN, Choice, Instance, ModuleInfo, ObjectOf, Ref, Tensor, Unknown, Value
from rewriters.places.bindings import MOST_STEPS, Bindings, Bound
from rewriters.places.by_text import handed
from rewriters.text.tree import called_name
from rewriters.torch.table import mro

MODULE = "torch.nn.Module"
FUNCTIONS = {"torch.nn.functional.linear", "torch.matmul", "torch.mm"}
PLACES = {"nonzero", "argwhere", "flatnonzero", "where"}
PIECES = {"split", "split_with_sizes"}
# Of these the result has no rows where what they are of has none.
ALIKE = {
    "to", "float", "half", "double", "bfloat16", "type", "type_as", "cuda", "cpu", "contiguous", "clone", "detach",
    "reshape", "view", "squeeze", "unsqueeze", "relu", "gelu", "silu", "tanh", "sigmoid", "dropout", "mul", "add",
}  # fmt: skip
GOING_THROUGH = {"enumerate", "zip", "list", "tuple", "reversed"}


def keys(module: ModuleInfo) -> dict[ast.AST, str]:
    """Calls of a file that are converted by the rule that looks, with its key."""
    found: dict[ast.AST, str] = {}
    rowless = Rowless(module)
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        if isinstance(called, Ref) and called.name in FUNCTIONS and node.args:
            if rowless.may_be(node.args[0]):
                found[node] = f"{called.name}:rows"
        elif is_of_one(node) and is_layer(called, node.func) and rowless.may_be(node.args[0]):
            found[node] = f"{MODULE}:rows"
    for product in module.nodes.of(ast.BinOp):
        if isinstance(product.op, ast.MatMult) and rowless.may_be(product.left):
            found[product] = "torch.Tensor.__matmul__:rows"
    return found


def is_of_one(call: ast.Call) -> bool:
    """Whether it is given one thing and no more."""
    return len(call.args) == 1 and not call.keywords and not isinstance(call.args[0], ast.Starred)


def is_layer(called: Value | None, node: ast.expr) -> bool:
    """Whether it is a module that may give a row for each that it is given; also an item of what is not known."""
    if isinstance(called, Choice):
        return all(is_layer(one, node) for one in called.values)
    if isinstance(called, Instance):
        return MODULE in mro(called.name) and not called.name.endswith("Loss")
    if isinstance(called, ObjectOf):
        return called.info.is_module
    return isinstance(called, Unknown) and isinstance(node, ast.Subscript)


class Rowless:
    """Of the expressions of a file, whether they may have no rows."""

    def __init__(self, module: ModuleInfo) -> None:
        self.module, self.bindings = module, Bindings(module)
        self.found: dict[ast.expr, bool] = {}

    def may_be(self, node: ast.expr, depth: int = 0) -> bool:
        if node not in self.found:
            self.found[node] = False  # what is bound by way of itself is so by another way
            self.found[node] = depth >= MOST_STEPS or self.looked_at(node, depth)
        return self.found[node]

    def looked_at(self, node: ast.expr, depth: int) -> bool:
        if isinstance(node, ast.Name):
            given = self.bindings.latest(node, self.bindings.stores.get(node.id, []))
            held = self.bindings.values(node) or ([] if self.is_looked_at(node) else handed(self.module, node))
            return any(map(self.is_piece, given)) or any(self.may_be(one, depth + 1) for one in held)
        if isinstance(node, ast.Subscript):
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            picked = isinstance(getattr(node.value, "v", None), (Tensor, Unknown)) and any(map(self.picks, parts))
            return picked or (self.gives_pieces(node.value, depth) and not isinstance(node.slice, ast.Slice))
        if isinstance(node, ast.BinOp):
            return not isinstance(node.op, ast.MatMult) and self.may_be(node.left, depth)
        if isinstance(node, ast.Call):
            name, func = called_name(node), node.func
            if name == "masked_select":
                return True
            if name == "index_select":
                return any(map(self.picks, node.args))
            of = node.args[:1] if isinstance(getattr(func, "v", None), Ref) else [getattr(func, "value", node)]
            return name in ALIKE and bool(of) and of[0] is not node and self.may_be(of[0], depth)
        return False

    def is_looked_at(self, node: ast.Name) -> bool:
        """Whether it is all that a module is given, whose calls look."""
        function = self.module.nodes.around(node, ast.FunctionDef)
        return isinstance(function, ast.FunctionDef) and function.name == "forward" and len(function.args.args) == 2

    def picks(self, index: ast.expr, depth: int = 0) -> bool:
        """Whether an index takes as many as something computed says."""
        value = getattr(index, "v", None)
        if isinstance(index, ast.Compare) or (isinstance(value, Tensor) and value.kinds == BOOLEAN and value.ndim != 0):
            return True
        if isinstance(index, ast.UnaryOp):
            return isinstance(index.op, ast.Invert) and self.picks(index.operand, depth)
        if isinstance(index, ast.Call):
            name = called_name(index)
            if name in PLACES:
                return name != "where" or len(index.args) == 1
            func = index.func
            return name in ALIKE and isinstance(func, ast.Attribute) and self.picks(func.value, depth)
        if isinstance(index, ast.Subscript):  # ``torch.where(mask)[0]``
            return self.picks(index.value, depth)
        if isinstance(index, ast.Name) and depth < MOST_STEPS:
            given = self.bindings.latest(index, self.bindings.stores.get(index.id, []))
            return any(bound.value is not index and self.picks(bound.value, depth + 1) for bound in given)
        return False

    def is_piece(self, bound: Bound) -> bool:
        """``a, b = x.split(sizes)``, ``for piece in x.split(sizes)``"""
        value = bound.value
        while isinstance(value, ast.Call) and called_name(value) in GOING_THROUGH:
            if any(self.gives_pieces(one, 1) for one in value.args[1:]):
                return True
            value = value.args[0] if value.args else ast.Constant(None)
        return bool(bound.way) and self.gives_pieces(value, 1)

    def gives_pieces(self, node: ast.expr, depth: int) -> bool:
        """Whether it splits by sizes that are computed."""
        if isinstance(node, ast.Name) and depth < MOST_STEPS:
            return any(self.gives_pieces(one, depth + 1) for one in self.bindings.values(node))
        if not isinstance(node, ast.Call) or called_name(node) not in PIECES:
            return False
        plain = isinstance(getattr(node.func, "v", None), Ref)
        sizes = [*node.args[1 if plain else 0 :][:1], *(word.value for word in node.keywords if word.arg != "dim")]
        axes = [*node.args[2 if plain else 1 :], *(word.value for word in node.keywords if word.arg == "dim")]
        first = all(getattr(one, "value", None) == 0 for one in axes)
        return first and any(not is_written_out(one) and not is_number(one) for one in sizes)


def is_written_out(node: ast.expr) -> bool:
    """``[a, b]``, ``[a] * 2``"""
    node = node.left if isinstance(node, ast.BinOp) else node
    return isinstance(node, (ast.Constant, ast.List, ast.Tuple))


def is_number(node: ast.expr) -> bool:
    """Whether pieces are of one size, so that none is empty."""
    value = getattr(node, "v", None)
    return getattr(value, "kind", "") in {"int", "number"}
