"""Uses that show by themselves that something is a tensor: nothing else that programs hand around could be used so.

The counterpart of ``rewrite/others_uses.py``. What is asked for is not enough (``x.view(dtype)`` is numpy's too, and
``backend.softmax(x)`` a function's): it counts with what it is given. Where the project has a method of that name
itself, objects that hand on whatever they are asked for, or another library's tensors, it says nothing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache

from rewriters.infer.others import Others
from rewriters.infer.syntax import constant_int, path_of
from rewriters.text.tree import last_name
from rewriters.torch.overloads import meant
from rewriters.torch.table import entry

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
    """One of these, and no more than a number before it: a function takes the tensor first."""
    return lambda call: any(word.arg in words for word in call.keywords) and is_with_number(call)


def is_with_number(call: ast.Call) -> bool:
    return len(call.args) <= 1 and all(map(is_number, call.args))


def any_of(*tests: Callable[[ast.Call], bool]) -> Callable[[ast.Call], bool]:
    return lambda call: any(test(call) for test in tests)


def at_axis(call: ast.Call) -> bool:
    """``x.unsqueeze(1)``, ``x.unsqueeze(dim)``."""
    return len(call.args) + len(call.keywords) == 1


def along_axes(call: ast.Call) -> bool:
    """``x.flip(0)``, ``x.flip([2, 3])``."""
    return bool(call.args) and all(is_axes(part) for part in call.args)


def is_axes(node: ast.expr) -> bool:
    parts = node.elts if isinstance(node, SEQUENCES) else [node]
    return bool(parts) and all(constant_int(part) is not None for part in parts)


def sizes(call: ast.Call) -> bool:
    """``x.view(n, -1)``, ``x.permute(0, 2, 1)``: several integers, or three of anything."""
    return len(call.args) > 2 or with_literal(2)(call)


def sizes_or_one(call: ast.Call) -> bool:
    return sizes(call) or any(map(is_computed, call.args))


def is_computed(node: ast.expr) -> bool:
    """``-1``, ``n * m``, ``x.size(0)``, ``x.shape[1]``: a number, where numpy's ``view`` takes a dtype."""
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
        of_shape = isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
        return of_shape or (isinstance(node.value, ast.Call) and last_name(node.value.func) == "size")
    if isinstance(node, ast.Call):
        return last_name(node.func) in {"size", "len", "int"}
    counted = isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.FloorDiv, ast.Sub))
    return counted or (is_negated(node) and constant_int(node) is not None)


def one_size(call: ast.Call) -> bool:
    """``x.size(1)``, ``x.size(-dim)``, ``x.size()[0]``, ``len(x.size())``: of others it is a number, or takes none."""
    if call.args:
        return first_literal(1)(call) or (len(call.args) == 1 and is_negated(call.args[0]))
    around = getattr(call, "parent", None)
    if isinstance(around, ast.Subscript):
        return around.value is call and is_axes_or_some(around.slice)
    return isinstance(around, ast.Call) and call in around.args and last_name(around.func) == "len"


def to_integers(call: ast.Call) -> bool:
    """``x.to(torch.long)``, which modules refuse."""
    given = call.args[0] if len(call.args) == 1 else None
    return isinstance(given, ast.Attribute) and path_of(given.value) == "torch" and given.attr in OF_INTEGERS


OF_INTEGERS = {"long", "int", "short", "bool", "uint8", "int8", "int16", "int32", "int64"}


def of_more_axes(call: ast.Call) -> bool:
    """``x.transpose(1, 2)``: an array takes all of its axes, and these are none of two."""
    axes = [constant_int(part) for part in call.args]
    return (
        len(axes) == 2 and not call.keywords and None not in axes and {one % 2 for one in axes if one in PAIR} != {0, 1}
    )


# The axes of what has two.
PAIR = (-2, -1, 0, 1)


def is_axes_or_some(node: ast.expr) -> bool:
    """``[0]``, ``[2:]``"""
    return isinstance(node, ast.Slice) or constant_int(node) is not None


def is_negated(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def between(call: ast.Call) -> bool:
    """``x.clamp(0, 1)``, ``x.clamp(-a, a)``: a function takes what it clamps first."""
    if len(call.args) != 2 or call.keywords:
        return False
    low, high = call.args
    return is_number(low) or (isinstance(low, ast.UnaryOp) and (is_number(low.operand) or same(low.operand, high)))


def same(left: ast.expr, right: ast.expr) -> bool:
    return path_of(left) is not None and path_of(left) == path_of(right)


# What tensors have, with what tells that it is theirs. ``numel`` sizes have, too.
ALONE: dict[str, Callable[[ast.Call], bool]] = {
    **dict.fromkeys(
        ("long", "int", "short", "byte", "bool", "rsqrt", "sigmoid", "nelement", "element_size", "is_contiguous",
         "data_ptr", "is_floating_point", "ndimension", "dim", "numpy", "detach", "t"), count(0)),
    **dict.fromkeys(("expand_as", "view_as", "type_as", "masked_select", "bmm", "record_stream"), count(1)),
    **dict.fromkeys(("masked_fill", "index_select", "masked_scatter"), count(2)),
    **dict.fromkeys(("index_add", "index_copy", "scatter_add"), count(3)),
    **dict.fromkeys(("new_zeros", "new_ones", "new_full", "new_empty", "new_tensor"), count(1, 9)),
    **dict.fromkeys(("unbind", "tril", "triu"), any_of(count(0), first_literal(1))),
    **dict.fromkeys(("softmax", "log_softmax", "logsumexp", "stride"), first_literal(1)),
    "view": sizes_or_one,
    "permute": sizes,
    **dict.fromkeys(("chunk", "topk"), first_literal(2)),
    "flip": along_axes,
    "contiguous": any_of(count(0), with_words("memory_format")),
    "cuda": with_words("non_blocking"),
    "nonzero": with_words("as_tuple"),
    "unsqueeze": at_axis,
    "backward": lambda call: not call.args and {word.arg for word in call.keywords} <= {"retain_graph", "create_graph"},
    "clamp": any_of(with_words("min", "max"), between),
    "expand": with_literal(2),
    "to": to_integers,
    "transpose": of_more_axes,
    "rot90": any_of(first_literal(2, 2), first_literal(1)),
    "flatten": first_literal(2),
    "gather": first_literal(2, 2),
    "repeat": with_literal(3),
    "repeat_interleave": first_literal(2),
    "size": one_size,
}  # fmt: skip
# Methods that change a tensor in place end so; what modules have too, or others.
SHARED_ENDING = {"requires_grad_", "share_memory_", "apply_", "map_", "set_", "rename_", "register_"}
# Methods that neither modules nor storages have.
OF_TENSORS = {
    "sum", "mean", "std", "var", "max", "min", "abs", "exp", "log", "sqrt", "pow", "mul", "div", "add", "sub", "clamp",
    "round", "view", "reshape", "permute", "transpose", "unsqueeze", "squeeze", "flatten", "softmax", "sigmoid",
    "matmul", "mm", "bmm", "argmax", "topk", "expand", "masked_fill", "unbind", "cumsum", "numpy", "item", "detach",
    "contiguous",
}  # fmt: skip
# What tensors have and others as well, if it is asked for of what that gives.
CHAINS = {
    "detach": {"cpu", "numpy", "clone", "requires_grad_", "float", "cuda", "to", "mean", "transpose", "squeeze"},
    "cpu": {"numpy", "tolist", "item", "sum", "mean", "abs", "exp", "unsqueeze", "permute", "sigmoid", "softmax"},
    "cuda": {"sum", "mean", "abs", "exp", "unsqueeze", "permute", "sigmoid", "softmax"},
    # Modules give modules, which have none of these, and storages neither.
    **dict.fromkeys(("float", "double", "half"), OF_TENSORS),
}  # fmt: skip
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
# Of what modules give by these another module comes out, and nobody counts with those: ``1 - x.float()``.
CAST = {"float", "double", "half", "cpu", "cuda"}
COUNTING = (ast.Sub, ast.Div, ast.Pow, ast.MatMult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr)
ORDERING = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
COMPARING = (*ORDERING, ast.Eq, ast.NotEq)
# What a class may define so that comparing its objects gives a tensor.
COMPARED = {"__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"}
# Attributes of tensors through which a chain goes on.
THROUGH = {"data"}


def shown_by(call: ast.Call, own: Others) -> ast.expr | None:
    """What a call shows to be a tensor: the thing whose method it calls, or that this one comes out of.

    own: what else in the project may be used so.
    """
    method = call.func
    if not isinstance(method, ast.Attribute):
        return None
    name, chained = method.attr, isinstance(method.value, ast.Call)
    if not (chained or call.keywords or name in TELLING or name.endswith("_")):
        return None  # most
    if any(isinstance(one, ast.Starred) for one in call.args):
        return None
    if own.take(call, method.attr):
        return None
    inner = method.value
    if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and not own.take(inner, inner.func.attr):
        before = inner.func.attr
        plain = not (inner.args or inner.keywords)
        if plain and method.attr in CHAINS.get(before, ()):
            return root(inner, own)
        if method.attr in MOVED and not call.args and before in ALIKE - OF_MODULES:
            return root(inner, own)
    if not call.args and method.attr in own.without_arguments:
        return None
    return root(inner, own) if is_alone(call, method.attr) or is_counted(call, method.attr) else None


# Methods that may show something without keywords.
TELLING = {*ALONE, *CAST}


def is_counted(call: ast.Call, name: str) -> bool:
    """Whether something is done with what a module's method would give of a module that nobody does with one."""
    if name not in CAST or call.args or call.keywords:
        return False
    if isinstance(call.func, ast.Attribute) and is_computed_of(call.func.value):
        return True
    around = getattr(call, "parent", None)
    if isinstance(around, ast.BinOp):
        return isinstance(around.op, COUNTING) or is_fraction(around.left) or is_fraction(around.right)
    if isinstance(around, ast.UnaryOp):
        return isinstance(around.op, (ast.USub, ast.Invert))
    return isinstance(around, ast.Compare) and isinstance(around.ops[0], ORDERING)


def is_computed_of(node: ast.expr) -> bool:
    """``(x > 0).float()``, ``(1 - x).half()``: what is counted with or compared is no module."""
    if isinstance(node, ast.Compare):
        return isinstance(node.ops[0], COMPARING)
    return isinstance(node, ast.BinOp) and isinstance(node.op, COUNTING)


def is_fraction(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, float)


def root(node: ast.expr, own: Others) -> ast.expr:
    """What a tensor comes out of that must be one too."""
    while True:
        if isinstance(node, ast.Attribute) and node.attr in THROUGH and node.attr not in own.names:
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_alike(node, node.func, own):
            node = node.func.value
        elif isinstance(node, ast.BinOp) and is_number(node.right):
            node = node.left
        elif isinstance(node, ast.BinOp) and is_number(node.left):
            node = node.right
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Invert)):
            node = node.operand
        elif isinstance(node, ast.Compare) and is_with_a_number(node) and COMPARED.isdisjoint(own.names):
            node = node.left
        else:
            return node


def is_alike(call: ast.Call, method: ast.Attribute, own: Others) -> bool:
    return method.attr in ALIKE and not own.take(call, method.attr)


def is_with_a_number(node: ast.Compare) -> bool:
    """``x > 0``"""
    return len(node.ops) == 1 and isinstance(node.ops[0], COMPARING) and is_number(node.comparators[0])


def is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float))


def given(call: ast.Call, name: str, own: Others) -> Iterator[ast.expr]:
    """What a call gives one of torch's functions that takes a tensor there and nothing else."""
    if name in JOINING and call.args and isinstance(call.args[0], SEQUENCES):
        yield from (root(one, own) for one in call.args[0].elts if not isinstance(one, ast.Starred))
    if not TAKING_TENSORS.fullmatch(name):
        return
    for place, argument in enumerate(call.args):
        if isinstance(argument, ast.Starred):
            break
        if is_tensors(name, place):
            yield root(argument, own)
    for word in call.keywords:
        if word.arg is not None and is_tensors(name, word.arg):
            yield root(word.value, own)


# Functions that take tensors, one by one in a list.
JOINING = {f"torch.{name}" for name in ("cat", "concat", "concatenate", "stack", "hstack", "vstack", "dstack")}
TAKING_TENSORS = re.compile(r"torch\.((nn\.functional|linalg|special|fft)\.)?[a-z]\w*")


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
    positional = name in WITH_A_SIZE or all(map(is_number, call.args))  # functions take a tensor first
    return positional and len(call.args) <= 1 and any(map(is_axis, call.keywords)) and is_method(name)


# Methods whose first argument is no axis, and no tensor.
WITH_A_SIZE = {"chunk", "split", "tensor_split", "topk", "repeat_interleave", "kthvalue", "unflatten"}


def is_method(name: str) -> bool:
    return (entry(f"torch.Tensor.{name}") or {}).get("kind") == "method"


def is_axis(word: ast.keyword) -> bool:
    """``dim=1``, ``dim=(-2, -1)``, ``keepdim=True``."""
    if word.arg == "keepdim":
        return isinstance(word.value, ast.Constant) and isinstance(word.value.value, bool)
    return word.arg == "dim" and is_axes(word.value)


def sizes_taken(statement: ast.stmt, own: Others) -> ast.expr | None:
    """What ``b, c, h, w = x.size()`` shows to be a tensor."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return None
    call, targets = statement.value, statement.targets
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "size" or call.args or call.keywords:
        return None
    unpacked = all(isinstance(one, SEQUENCES) and len(one.elts) > 1 for one in targets)
    return root(call.func.value, own) if unpacked and not own.take(call, "size") else None
