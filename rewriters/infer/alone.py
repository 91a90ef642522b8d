"""Uses that show by themselves that something is a tensor: nothing else that programs hand around could be used so.

The counterpart of ``rewrite/others_uses.py``. What is asked for is not enough (``x.view(dtype)`` is numpy's too, and
``backend.softmax(x)`` a function's): it counts with what it is given. Where the project has a method of that name
itself, objects that hand on whatever they are asked for, or another library's tensors, it says nothing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from rewriters.infer.handing_on import HandingOn, is_handing_on
from rewriters.infer.syntax import constant_int
from rewriters.text.tree import Nodes, children, last_name, walk
from rewriters.torch.overloads import meant
from rewriters.torch.table import entry

# Libraries whose objects have methods of torch's tensors.
LIKE_TORCH = {
    "tensordict", "torchrl", "tinygrad", "mindspore", "oneflow", "paddle", "megengine", "jittor", "pytorch3d", "mlx",
    "torch_sparse", "nestedtensor", "mxnet", "pykeops", "gpytorch", "linear_operator", "chainer", "minitorch", "needle",
}  # fmt: skip
SEQUENCES = (ast.Tuple, ast.List)


def count(least: int, most: int | None = None) -> Callable[[ast.Call], bool]:
    """So many arguments without a keyword."""
    return lambda call: least <= len(call.args) <= (least if most is None else most)


def with_literal(least: int, most: int = 9) -> Callable[[ast.Call], bool]:
    """So many, and an integer that is written out among them."""
    return lambda call: least <= len(call.args) <= most and any(constant_int(one) is not None for one in call.args)


def first_literal(most: int, least: int = 1) -> Callable[[ast.Call], bool]:
    """So many, the first an integer that is written out."""
    return lambda call: least <= len(call.args) <= most and constant_int(call.args[0]) is not None


def with_words(*words: str) -> Callable[[ast.Call], bool]:
    return lambda call: any(word.arg in words for word in call.keywords) and len(call.args) <= 1


def none_or_literal(call: ast.Call) -> bool:
    return not call.args or first_literal(1)(call)


def at_axis(call: ast.Call) -> bool:
    """``x.unsqueeze(1)``, ``x.unsqueeze(dim)``."""
    return len(call.args) + len(call.keywords) == 1


def sizes(call: ast.Call) -> bool:
    """``x.view(n, -1)``, ``x.permute(0, 2, 1)``: several integers, or three of anything."""
    return len(call.args) > 2 or with_literal(2)(call)


# What tensors have, with what tells that it is theirs. ``numel`` sizes have, too.
ALONE: dict[str, Callable[[ast.Call], bool]] = {
    **dict.fromkeys(
        ("contiguous", "long", "rsqrt", "sigmoid", "nelement", "element_size", "is_contiguous", "data_ptr",
         "is_floating_point", "ndimension"), count(0)),
    **dict.fromkeys(("expand_as", "view_as", "type_as", "masked_select", "bmm"), count(1)),
    **dict.fromkeys(("masked_fill", "index_select", "masked_scatter"), count(2)),
    **dict.fromkeys(("index_add", "index_copy", "scatter_add"), count(3)),
    **dict.fromkeys(("new_zeros", "new_ones", "new_full", "new_empty", "new_tensor"), count(1, 9)),
    **dict.fromkeys(("unbind", "tril", "triu"), none_or_literal),
    **dict.fromkeys(("softmax", "log_softmax", "logsumexp"), first_literal(1)),
    **dict.fromkeys(("view", "permute"), sizes),
    "unsqueeze": at_axis,
    "backward": lambda call: not call.args and {word.arg for word in call.keywords} <= {"retain_graph", "create_graph"},
    "clamp": with_words("min", "max"),
    "expand": with_literal(2),
    "flatten": first_literal(2),
    "gather": first_literal(2, 2),
    "repeat": with_literal(3),
    "repeat_interleave": first_literal(2),
    "size": first_literal(1),
}  # fmt: skip
# Methods that change a tensor in place end so; what modules have too, or others.
SHARED_ENDING = {"requires_grad_", "share_memory_", "apply_", "map_", "set_", "rename_", "register_"}
# What tensors have and others as well, if it is asked for of what that gives.
CHAINS = {
    "detach": {"cpu", "numpy", "clone", "requires_grad_", "float", "cuda", "to", "mean", "transpose", "squeeze"},
    "cpu": {"numpy", "tolist", "item"},
}
# What gives a tensor of a tensor, and of anything else something of the kind that it is itself: of modules modules, of
# arrays arrays.
ALIKE = {
    "to", "cpu", "cuda", "float", "double", "half", "clone", "detach", "type", "pow", "abs", "exp", "log", "sqrt",
    "square", "neg", "add", "sub", "mul", "div", "transpose", "squeeze", "reshape", "round", "sum", "mean", "sin",
    "cos", "cumsum", "clip", "eq", "ne", "gt", "lt", "ge", "le",
}  # fmt: skip
# Those of them that modules have as well; what is moved, and is none of these, is a tensor: ``x.eq(y).cpu()``.
OF_MODULES = {"to", "cpu", "cuda", "float", "double", "half", "type", "clone", "detach"}
MOVED = {"cpu", "cuda", "detach"}
# Attributes of tensors through which a chain goes on.
THROUGH = {"data"}


def shown_by(call: ast.Call) -> ast.expr | None:
    """What a call shows to be a tensor: the thing whose method it calls, or that this one comes out of."""
    method = call.func
    if not isinstance(method, ast.Attribute) or any(isinstance(one, ast.Starred) for one in call.args):
        return None
    inner = method.value
    if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
        before = inner.func.attr
        plain = not (inner.args or inner.keywords)
        if plain and method.attr in CHAINS.get(before, ()):
            return root(inner)
        if method.attr in MOVED and not call.args and before in ALIKE - OF_MODULES:
            return root(inner)
    return root(inner) if is_alone(call, method.attr) else None


def root(node: ast.expr) -> ast.expr:
    """What a tensor comes out of that must be one too."""
    while True:
        if isinstance(node, ast.Attribute) and node.attr in THROUGH:
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ALIKE:
            node = node.func.value
        elif isinstance(node, ast.BinOp) and is_number(node.right):
            node = node.left
        elif isinstance(node, ast.BinOp) and is_number(node.left):
            node = node.right
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Invert)):
            node = node.operand
        else:
            return node


def is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float))


def given(call: ast.Call, name: str) -> Iterator[ast.expr]:
    """What a call gives one of torch's functions that takes a tensor there and nothing else."""
    if not OF_TENSORS.fullmatch(name):
        return
    for place, argument in enumerate(call.args):
        if isinstance(argument, ast.Starred):
            break
        if is_tensors(name, place):
            yield root(argument)
    for word in call.keywords:
        if word.arg is not None and is_tensors(name, word.arg):
            yield root(word.value)


OF_TENSORS = re.compile(r"torch\.((nn\.functional|linalg|special|fft)\.)?[a-z]\w*")


@cache
def is_tensors(name: str, place: int | str) -> bool:
    found = meant(name, place)
    return bool(found) and all(one.types == {"Tensor"} for one in found)


def is_alone(call: ast.Call, name: str) -> bool:
    if None in {word.arg for word in call.keywords}:
        return False
    if name in ALONE and ALONE[name](call):
        return True
    if name.endswith("_") and not name.startswith("_") and name not in SHARED_ENDING:
        return is_method(name)
    return any(is_axis(word) for word in call.keywords) and len(call.args) <= 1 and is_method(name)


def is_method(name: str) -> bool:
    return (entry(f"torch.Tensor.{name}") or {}).get("kind") == "method"


def is_axis(word: ast.keyword) -> bool:
    """``dim=1``, ``dim=(-2, -1)``, ``keepdim=True``."""
    if word.arg == "keepdim":
        return isinstance(word.value, ast.Constant) and isinstance(word.value.value, bool)
    parts = word.value.elts if isinstance(word.value, SEQUENCES) else [word.value]
    return word.arg == "dim" and bool(parts) and all(constant_int(part) is not None for part in parts)


def names_of_use(call: ast.Call) -> Iterator[str]:
    """The names that are asked for in it."""
    part: ast.expr = call.func
    while isinstance(part, ast.Attribute):
        yield part.attr
        part = part.value.func if isinstance(part.value, ast.Call) else part.value


def sizes_taken(statement: ast.stmt) -> ast.expr | None:
    """What ``b, c, h, w = x.size()`` shows to be a tensor."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return None
    call, targets = statement.value, statement.targets
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "size" or call.args or call.keywords:
        return None
    return root(call.func.value) if all(isinstance(one, SEQUENCES) and len(one.elts) > 1 for one in targets) else None


class Others:
    """What in a project may be used as tensors are.

    names: of the methods that its classes have; anything: whether any name may be one's.
    """

    def __init__(self, trees: Iterable[Nodes]) -> None:
        self.names: set[str] = set()
        self.anything = False
        self.handing = HandingOn()
        files = [*trees]
        for nodes in files:
            for node in nodes.of(ast.Import, ast.ImportFrom):
                modules = [one.name for one in node.names] if isinstance(node, ast.Import) else [node.module or ""]
                self.anything |= any(name.partition(".")[0] in LIKE_TORCH for name in modules)
            for node in nodes.of(ast.ClassDef):
                self.handing.add(node, nodes)
                if not any((last_name(base) or "").endswith("Function") for base in node.bases):
                    self.add(node, nodes)
        self.anything = self.anything or self.handing.may_ask_a_tensor(files)

    def add(self, node: ast.ClassDef, nodes: Nodes) -> None:
        for part in node.body:
            if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.names.add(part.name)
                self.anything |= part.name == "__torch_function__"
                if is_handing_on(part):
                    self.handing.hands_on(node, nodes, part)
            elif isinstance(part, ast.Assign):
                self.names |= {one.id for one in part.targets if isinstance(one, ast.Name)}

    def may_be(self, call: ast.Call) -> bool:
        return self.anything or not self.names.isdisjoint(names_of_use(call))


# What is evaluated first of a statement, whatever comes of it.
FIRST = {ast.If: "test", ast.While: "test", ast.For: "iter", ast.Assert: "test", ast.Return: "value"}
SIMPLE = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign)
# What may not be evaluated, or not here.
SOMETIMES = (
    *(ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr),
    *(ast.Compare, ast.Await, ast.Yield, ast.YieldFrom),
)
LEAVING = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await, ast.Try)


def shown_parameters(
    function: ast.FunctionDef | ast.AsyncFunctionDef, others: Others, called: Callable[[ast.Call], str]
) -> frozenset[str]:
    """The parameters that its body surely uses as tensors alone can be used, before it binds them anew or returns.

    called: the name of torch's function that a call calls; "" of others.
    """
    arguments = function.args
    names = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    found: set[str] = set()
    bound: set[str] = set()
    for statement in straight(function.body):
        shown = [*uses(statement, others, called)]
        found |= {one.id for one in shown if isinstance(one, ast.Name)} - bound
        bound |= {part.id for part in walk(statement) if isinstance(part, ast.Name) and isinstance(part.ctx, BINDING)}
    return frozenset(found & names)


BINDING = (ast.Store, ast.Del)


def straight(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that are executed one after the other, whatever comes of them, up to the first that may leave."""
    for statement in body:
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            yield from straight(statement.body)
        else:
            yield statement
        if any(isinstance(part, LEAVING) for part in walk(statement)):
            return


def uses(statement: ast.stmt, others: Others, called: Callable[[ast.Call], str]) -> Iterator[ast.expr]:
    """What a statement surely shows to be tensors."""
    unpacked = sizes_taken(statement)
    if unpacked is not None and not others.may_be(statement.value):  # type: ignore[attr-defined]
        yield unpacked
    parts: list[ast.AST] = []
    if isinstance(statement, SIMPLE):
        parts.append(statement)
    elif type(statement) in FIRST and getattr(statement, FIRST[type(statement)]) is not None:
        parts.append(getattr(statement, FIRST[type(statement)]))
    while parts:
        part = parts.pop()
        if isinstance(part, ast.Call):
            shown = shown_by(part)
            if shown is not None and not others.may_be(part):
                yield shown
            if not others.anything:
                yield from given(part, called(part))
        first = part.left if isinstance(part, ast.Compare) else part.test if isinstance(part, ast.IfExp) else None
        first = part.values[0] if isinstance(part, ast.BoolOp) else first
        parts += [first] if first is not None else [] if isinstance(part, SOMETIMES) else children(part)
