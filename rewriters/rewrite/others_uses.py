"""Uses that show by themselves that what has the attribute is no tensor: torch's tensors would raise there."""

from __future__ import annotations

import ast
from types import MethodType

from rewriters.infer.syntax import constant_int
from rewriters.infer.values import NAME, NUMPY, STR, Items, Mapping, Method, Ref, Series
from rewriters.rewrite.beside import has_what_tensors_lack, is_parallel, is_refused_later
from rewriters.rewrite.resolving import value_at
from rewriters.text.tree import Nodes, last_name
from rewriters.torch.overloads import KEYWORD, VARIADIC, Parameter, meant, overloads_of
from rewriters.torch.table import entry

# Names that torch takes for others, as numpy has them.
NUMPY_WORDS = {"axis", "keepdims", "a", "x", "x1", "x2"}
# The table has a text among what these take; torch refuses each.
WITHOUT_TEXTS = {"split", "index"}
# What asks its argument for a number, or for what it holds.
ASKING = {"len", "int", "float", "range", "sum", "abs", "round", "sorted", "list", "tuple", "set", "enumerate", "zip"}
# Properties that torch's tensors have, and that are None of every one.
NONE_OF_TENSORS = {"name"}
# Properties of torch's tensors to which nothing can be stored.
READ_ONLY = {
    *("H", "T", "mH", "mT", "device", "dtype", "grad_fn", "itemsize", "layout", "name", "nbytes", "ndim", "output_nr"),
    *("is_cpu", "is_cuda", "is_leaf", "is_meta", "is_nested", "is_quantized", "is_sparse", "retains_grad", "shape"),
}
# What a device has under a name of tensors' methods.
OF_DEVICES = {"type"}
# What torch takes for no tensor, beside arrays.
HOLDING = (Items, Series, Mapping)
# Methods that nobody stores or hands on without calling them, but under a name by which they are called: of others,
# numbers and arrays.
NEVER_HANDED_ON = {"values", "size", "index"}
# Methods that torch has for their errors alone.
REMOVED = {"solve", "symeig", "eig", "lstsq"}
OF_METHODS = frozenset(dir(MethodType))


def is_of_another(node: ast.Attribute, nodes: Nodes) -> bool:
    """Whether a tensor could not be used so.

    A method that is not called is no value: it cannot be counted with, indexed, gone through. That it is compared
    with a literal, or asked whether it is true, gives the same whatever framework a tensor is of.
    """
    if isinstance(node.ctx, ast.Load) and has_what_tensors_lack(node, nodes):
        return True
    if isinstance(node.ctx, ast.Store) and node.attr in READ_ONLY:
        return True
    if node.attr in NONE_OF_TENSORS:
        return isinstance(node.ctx, ast.Load) and is_used_as_text(node, nodes)
    if node.attr in OF_DEVICES and isinstance(node.value, ast.Attribute) and node.value.attr == "device":
        return True
    known = entry(f"torch.Tensor.{node.attr}") or {}
    around = nodes.parents.get(node)
    if isinstance(around, ast.Call) and around.func is node:
        if known.get("kind") == "method" and (node.attr in REMOVED or not is_taken(around, node.attr)):
            return True
        return known.get("result") == "Tensor" and gives_another(around, nodes)
    if known.get("kind") != "method" or not isinstance(node.ctx, ast.Load):
        return False
    if node.attr in NEVER_HANDED_ON and not is_named_and_called(node, nodes):
        return True
    return needs_value(node, nodes) or is_indifferent(node, nodes) or is_named_for_a_value(node, nodes)


def gives_another(call: ast.expr, nodes: Nodes) -> bool:
    """Whether what a tensor would give a tensor is used as none can be: ``x.argsort()[::-1]``, ``x.to(d).eval()``."""
    if nodes.around(call, ast.Try) is not None:
        return False
    around = nodes.parents.get(call)
    if isinstance(around, ast.Call):
        wrapped = around.args[:1] == [call] and is_parallel(value_at(around.func))
        return around.func is call or wrapped
    if isinstance(around, ast.Assign) and len(around.targets) == 1 and isinstance(around.targets[0], ast.Name):
        return is_refused_later(around.targets[0], nodes)
    if isinstance(around, ast.Subscript) and around.value is call:
        index = around.slice
        text = isinstance(index, ast.Constant) and isinstance(index.value, str)
        back = isinstance(index, ast.Slice) and index.step is not None and (constant_int(index.step) or 0) < 0
        return text or back
    if not isinstance(around, ast.Attribute) or around.value is not call or not isinstance(around.ctx, ast.Load):
        return False
    if around.attr.startswith("_"):
        return False
    known = entry(f"torch.Tensor.{around.attr}")
    if known is None:
        return True
    outer = nodes.parents.get(around)
    called = isinstance(outer, ast.Call) and outer.func is around
    return called and known.get("result") == "Tensor" and gives_another(outer, nodes)  # type: ignore[arg-type]


def is_taken(call: ast.Call, name: str) -> bool:
    """Whether an overload of the tensor's method takes such a call."""
    if name == "index" and len(call.args) + len(call.keywords) < 2:
        return False  # it takes two
    overloads = overloads_of(f"torch.Tensor.{name}")
    words = {word.arg for word in call.keywords}
    if not overloads or None in words or any(isinstance(part, ast.Starred) for part in call.args):
        return True
    return any(takes(overload, name, call.args, {str(word) for word in words}) for overload in overloads)


def takes(overload: tuple[Parameter, ...], name: str, given: list[ast.expr], words: set[str]) -> bool:
    if any(one.kind == VARIADIC for one in overload):
        return True
    places = [one for one in overload if one.kind != KEYWORD]
    # Several sizes are one argument, or as many.
    several = bool(places) and "sequence" in places[0].types
    if len(given) > len(places) and not several:
        return False
    if not words <= {one.name for one in overload} | NUMPY_WORDS:
        return False
    if not words & NUMPY_WORDS:
        missing = [one for one in places[len(given) :] if one.default is None and one.name not in words]
        if missing and not (several and given):
            return False
    return not any(
        value_at(part) in (STR, NAME) and one.types and ("str" not in one.types or name in WITHOUT_TEXTS)
        # A device is named by a text.
        and not one.types & {"device", "dtype"}
        for part, one in zip(given, places, strict=False)
    ) and not any(
        one.types == {"Tensor"} and (value_at(part) == NUMPY or isinstance(value_at(part), HOLDING))
        for part, one in zip(given, places, strict=False)
    )  # fmt: skip


def needs_value(node: ast.expr, nodes: Nodes) -> bool:
    """Whether it is used as no method can be."""
    around = nodes.parents.get(node)
    if isinstance(around, (ast.BinOp, ast.AugAssign)):
        return True
    if isinstance(around, ast.UnaryOp):
        return not isinstance(around.op, ast.Not)
    if isinstance(around, (ast.For, ast.comprehension)):
        return around.iter is node
    if isinstance(around, ast.Subscript):
        return around.value is node or isinstance(around.slice, ast.Slice)
    if isinstance(around, ast.Attribute):
        return around.attr not in OF_METHODS
    if isinstance(around, (ast.Starred, ast.Slice)):
        return True
    if isinstance(around, ast.Assign):
        return all(isinstance(target, (ast.Tuple, ast.List)) for target in around.targets)
    if isinstance(around, ast.Compare):
        return all(isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for op in around.ops)
    return isinstance(around, ast.Call) and node in around.args and is_asked(around, node)


def is_asked(call: ast.Call, node: ast.expr) -> bool:
    """Whether what is called takes a number, a tensor or what holds some there, and no method."""
    callee = value_at(call.func)
    if isinstance(call.func, ast.Name) and call.func.id in ASKING:
        return getattr(callee, "kind", "") == f"builtin:{call.func.id}"
    if not isinstance(callee, (Ref, Method)) or any(isinstance(part, ast.Starred) for part in call.args):
        return False
    found = meant(callee.name, call.args.index(node))
    return bool(found) and all(one.types and one.types <= VALUES for one in found)


VALUES = frozenset({"int", "float", "number", "bool", "Tensor", "None", "sequence", "dtype"})


def is_indifferent(node: ast.expr, nodes: Nodes) -> bool:
    """Whether only its truth is asked, or whether it is what a literal says."""
    around = nodes.parents.get(node)
    if isinstance(around, (ast.If, ast.IfExp, ast.While, ast.Assert)):
        return around.test is node
    if isinstance(around, ast.UnaryOp):
        return isinstance(around.op, ast.Not)
    if isinstance(around, ast.Compare):
        others = [part for part in (around.left, *around.comparators) if part is not node]
        literal = all(isinstance(part, (ast.Constant, ast.List, ast.Tuple, ast.Set)) for part in others)
        # A method is equal to nothing but itself.
        return literal or all(isinstance(op, (ast.Eq, ast.NotEq)) for op in around.ops)
    return False


# What asks for the text itself, where a None that is always the same would tell nothing; tests may ask for that None.
TAKING = (ast.Attribute, ast.Call, ast.keyword, ast.FormattedValue, ast.Dict, ast.List, ast.Set, ast.Tuple,
          ast.comprehension, ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)  # fmt: skip


def is_used_as_text(node: ast.Attribute, nodes: Nodes) -> bool:
    """Whether None, which every tensor has under the name, could not be used so, or would tell nothing."""
    around = nodes.parents.get(node)
    if isinstance(around, ast.BinOp):
        return not isinstance(around.op, ast.Mod)  # "%s" % None
    if isinstance(around, ast.Subscript):
        return True  # of it, or under it
    if isinstance(around, ast.Compare):
        others = [part for part in (around.left, *around.comparators) if part is not node]
        return all(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in others)
    return isinstance(around, TAKING)


def is_named_and_called(node: ast.Attribute, nodes: Nodes) -> bool:
    """``size = x.size``, where the file calls what has the last name of one that it is stored under."""
    around = nodes.parents.get(node)
    if not isinstance(around, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
        return False
    targets = around.targets if isinstance(around, ast.Assign) else [around.target]
    names = {last_name(target) for target in targets}
    return any(last_name(call.func) in names for call in nodes.of(ast.Call))


def is_named_for_a_value(node: ast.Attribute, nodes: Nodes) -> bool:
    """``mean = dist.mean``, where a later line of the function uses the name as no method can be, and none calls it."""
    around = nodes.parents.get(node)
    target = around.targets[0] if isinstance(around, ast.Assign) and len(around.targets) == 1 else None
    function = nodes.around(node, ast.FunctionDef, ast.AsyncFunctionDef)
    if not isinstance(target, ast.Name) or function is None:
        return False
    named = [one for one in nodes.of(ast.Name) if one.id == target.id and nodes.around(one, type(function)) is function]
    if any(isinstance(one.ctx, ast.Store) and one is not target for one in named):
        return False
    return any(one is not target and needs_value(one, nodes) for one in named) and not any(
        isinstance(call := nodes.parents.get(one), ast.Call) and call.func is one for one in named
    )
