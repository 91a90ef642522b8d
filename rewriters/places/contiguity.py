"""Whether a tensor surely lies in memory one element after the other, by what a file says of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rewriters.infer.values import (
    HOLDERS,
    Bottom,
    ClassInfo,
    Instance,
    Method,
    ModuleInfo,
    ObjectOf,
    Plain,
    Ref,
    Tensor,
    Unknown,
)
from rewriters.places.calls import effect_of_call, given, is_array, receiver_of_method
from rewriters.places.effect import Effect
from rewriters.text.tree import is_in_place, walk

# Methods whose result lies as their receiver does.
KEEPING = {
    "view", "view_as", "reshape", "flatten", "ravel", "squeeze", "unsqueeze", "detach", "cpu", "cuda", "to", "float",
    "double", "half", "int", "long", "bool", "type", "type_as", "unflatten", "requires_grad_",
}  # fmt: skip
STRIDING = {
    "t", "T", "mT", "H", "mH", "transpose", "permute", "swapaxes", "swapdims", "movedim", "moveaxis", "adjoint",
    "diagonal", "select", "narrow", "unbind", "split", "split_with_sizes", "chunk", "tensor_split", "hsplit", "vsplit",
    "dsplit", "expand", "expand_as", "broadcast_to", "broadcast_tensors", "as_strided", "unfold", "einsum", "real",
    "imag", "from_numpy", "as_tensor", "asarray", "repeat", "tile", "rearrange", "rot90", "vander",
}  # fmt: skip
# What hands out parameters and buffers, and what passes them on one by one.
STORES = {"parameters", "named_parameters", "buffers", "named_buffers"}
PASSING = {"enumerate", "zip", "list", "tuple", "reversed", "filter", "sorted"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Layouts:
    """Whether a tensor lies in one piece, by what a file says of it."""

    def __init__(self, module: ModuleInfo) -> None:
        self.module = module
        self.open: set[tuple[ast.AST, str]] = set()

    def around(self, node: ast.AST) -> ast.AST:
        """The function that a node stands in, or the file."""
        found: ast.AST = self.module.nodes.around(node, *FUNCTIONS) or self.module.tree
        return found

    def plain(self, node: ast.expr) -> bool:
        """Whether that is sure of an expression."""
        if isinstance(node, ast.Name):
            return self.name(node)
        if isinstance(node, ast.Attribute):
            return self.attribute(node)
        if isinstance(node, ast.Call):
            return self.call(node)
        if isinstance(node, ast.Subscript):
            return self.item(node)
        if isinstance(node, ast.IfExp):
            return self.plain(node.body) and self.plain(node.orelse)
        return isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare))

    def attribute(self, node: ast.Attribute) -> bool:
        if node.attr in {"data", "grad"}:
            return node.attr == "grad" or self.data(node.value)
        owner = getattr(node.value, "v", None)
        if node.attr in STRIDING or not isinstance(owner, (Instance, ObjectOf, Unknown)):
            return False
        if isinstance(owner, ObjectOf) and node.attr in owner.info.declared():
            return False  # what calls of the class give
        given = list(self.given_to(node.attr))
        known = bool(given) or isinstance(owner, Instance)
        known = known or (isinstance(owner, ObjectOf) and not is_hidden(owner.info, node.attr, self.module))
        key = (self.module.tree, node.attr)
        if key in self.open:
            return True
        self.open.add(key)
        answer = all(value is not None and self.plain(value) for value in given)
        self.open.discard(key)
        return answer and (known or node.attr in {"weight", "bias"})

    def data(self, node: ast.expr) -> bool:
        """``x.data``, by x."""
        return self.plain(node)

    def given_to(self, attribute: str) -> Iterator[ast.expr | None]:
        """What the file stores under an attribute's name."""
        for node in self.module.nodes.of(ast.Assign, ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Attribute) and target.attr == attribute and node.value is not None:
                    yield node.value
                elif isinstance(target, (ast.Tuple, ast.List)) and any(
                    isinstance(part, ast.Attribute) and part.attr == attribute for part in target.elts
                ):
                    yield None
        for node in self.module.nodes.of(ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr in {"register_buffer", "register_parameter"}:
                name = node.args[0] if node.args else None
                if isinstance(name, ast.Constant) and name.value == attribute and len(node.args) > 1:
                    yield node.args[1]

    def call(self, node: ast.Call) -> bool:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        called = getattr(node.func, "v", None)
        method = isinstance(node.func, ast.Attribute) and not isinstance(called, Ref)
        if isinstance(called, Ref) and called.name == "torch.nn.Parameter":
            return bool(node.args) and self.plain(node.args[0])
        if name in STRIDING or not isinstance(getattr(node, "v", None), Tensor):
            return False
        if isinstance(called, Ref) and name.endswith("Tensor") and any(map(may_be_array, node.args)):
            return False
        if isinstance(called, (Ref, Method)) and name not in KEEPING and not self.of_its_own(node, called):
            return False
        if method and isinstance(node.func, ast.Attribute):
            if name in KEEPING or is_in_place(name):
                return self.plain(node.func.value)
            return isinstance(getattr(node.func.value, "v", None), Tensor)
        return isinstance(called, Ref) and (name not in KEEPING or (bool(node.args) and self.plain(node.args[0])))

    def of_its_own(self, node: ast.Call, called: Ref | Method) -> bool:
        """Whether what a function or method gives has memory of its own, or that of what surely lies so."""
        effect = effect_of_call(node)
        receiver = receiver_of_method(node) if isinstance(called, Method) else None
        return isinstance(effect, Effect) and all(
            self.plain(part)
            for place, part in given(node, receiver)
            if (effect.aliases is None or place in effect.aliases) and might_be_tensor(part)
        )

    def item(self, node: ast.Subscript) -> bool:
        """Numbers, then one range without a step, then all of the rest."""
        if not isinstance(getattr(node.value, "v", None), Tensor) or not self.plain(node.value):
            return False
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        ranged = False
        for part in parts:
            dots = isinstance(part, ast.Constant) and part.value is ...
            whole = dots or (isinstance(part, ast.Slice) and part.lower is part.upper is part.step is None)
            if ranged and not whole:
                return False
            if isinstance(part, ast.Slice) or dots:
                ranged = True
                if isinstance(part, ast.Slice) and part.step is not None:
                    return False
            elif not is_number(part) and (len(parts) > 1 or not isinstance(getattr(part, "v", None), Tensor)):
                return False
        return True

    def name(self, node: ast.Name) -> bool:
        scope = self.around(node)
        while not (found := list(bindings(scope, node.id))) and scope is not self.module.tree:
            scope = self.around(scope)
        if (scope, node.id) in self.open:
            return True
        self.open.add((scope, node.id))
        answer = bool(found) and all(value is not None and self.gives(value, each) for value, each in found)
        self.open.discard((scope, node.id))
        return answer

    def gives(self, value: ast.expr, each: bool) -> bool:
        """Whether what a name is bound to lies so; ``each``: it is what iterating gives, or a part of that."""
        if not each:
            return self.plain(value)
        if isinstance(value, ast.Call):
            if isinstance(value.func, ast.Attribute) and value.func.attr in STORES:
                return True
            if isinstance(value.func, ast.Name) and value.func.id in PASSING:
                return all(self.gives(part, True) or not might_be_tensor(part) for part in value.args)
        if isinstance(value, (ast.List, ast.Tuple)):
            return all(self.plain(part) for part in value.elts)
        return isinstance(getattr(value, "v", None), Tensor) and self.plain(value)


def is_hidden(info: ClassInfo, attribute: str, module: ModuleInfo) -> bool:
    """Whether no statement of the class's file need say what its objects hold there: ``box.__dict__.update(x=y)``."""
    owners = [one for one in info.linear() if isinstance(one, ClassInfo)]
    return any(attribute in one.attributes and one.module is module for one in owners)


def is_number(node: ast.expr) -> bool:
    value = getattr(node, "v", None)
    return (isinstance(value, Plain) and value.kind == "int") or isinstance(node, ast.Constant)


def may_be_array(node: ast.expr) -> bool:
    """Whether ``torch.Tensor(x)`` may lie in the memory of numpy's x."""
    value = getattr(node, "v", None)
    return isinstance(value, (Unknown, Bottom)) or is_array(value)


def might_be_tensor(node: ast.expr) -> bool:
    """Of what is iterated over; numbers and texts beside parameters do not matter."""
    value = getattr(node, "v", None)
    return not isinstance(value, Plain) or value.kind in HOLDERS


def bindings(scope: ast.AST, name: str) -> Iterator[tuple[ast.expr | None, bool]]:
    """What binds a name in a function or file, and whether by iterating; None where that is not looked into."""
    if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        spec = scope.args
        if any(
            arg and arg.arg == name
            for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg)
        ):
            yield None, False
    for node in walk(scope):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from bound(target, node.value, name)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            yield from bound(node.target, node.value, name)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            if any(isinstance(part, ast.Name) and part.id == name for part in walk(node.target)):
                yield node.iter, True
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            if any(isinstance(part, ast.Name) and part.id == name for part in walk(node.optional_vars)):
                yield None, False
        elif isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
            yield None, False


def bound(target: ast.expr, value: ast.expr, name: str) -> Iterator[tuple[ast.expr | None, bool]]:
    if isinstance(target, ast.Name) and target.id == name:
        yield value, False
    elif isinstance(target, (ast.Tuple, ast.List)):
        if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
            for left, right in zip(target.elts, value.elts, strict=True):
                yield from bound(left, right, name)
        elif any(isinstance(part, ast.Name) and part.id == name for part in walk(target)):
            yield None, False
