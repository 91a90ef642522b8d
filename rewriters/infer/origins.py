"""Where what is not known comes from: the one place whose type would decide it, by a name that ``--assume`` takes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from rewriters.infer.syntax import all_arguments, path_of
from rewriters.infer.values import (
    Bottom,
    Choice,
    ClassOf,
    External,
    FunctionInfo,
    FunctionOf,
    Instance,
    Method,
    ModuleInfo,
    ObjectOf,
    Plain,
    Tensor,
    Unknown,
    Value,
)
from rewriters.text.tree import FUNCTIONS, Nodes, walk
from rewriters.torch.table import entry

SCOPES = (*FUNCTIONS, ast.ClassDef)
# So many steps back from what is asked: far more than what people write.
DEEPEST = 30
# Builtins that hand on what they are given, or what it holds.
HANDING = {"next": "tensors", "iter": "", "list": "", "tuple": "", "sorted": "", "reversed": "", "zip": "tensors"}


@dataclass(frozen=True)
class Origin:
    """What decides an unknown.

    name: as ``--assume`` takes it: ``MODULE:FUNCTION.VARIABLE``, ``MODULE:CLASS.ATTRIBUTE``, and "()" after what is
          called.
    kind: what to say of it if what was asked for is a tensor: "tensor", "tensors" (a list or tuple of them) or
          "tensor-dict".
    what: for people: "parameter", "variable", "attribute", "result of a function", "result of a library".
    line: where it is defined, 0 where that is not in the project.
    path: the file of that line, relative as the project has it.
    starred: whether it holds what it is asked about without being asked: ``*args``.
    """

    name: str
    kind: str = "tensor"
    what: str = "variable"
    line: int = 0
    path: str = ""
    starred: bool = False

    @property
    def answer(self) -> str:
        return f"{self.kind}:{self.name}"


def value_of(node: ast.AST) -> Value:
    found: Value = getattr(node, "v", Unknown())
    return found


def is_unknown(value: Value) -> bool:
    return isinstance(value, (Unknown, Bottom)) or (isinstance(value, Tensor) and value.assumed)


def qualified(module: ModuleInfo, node: ast.AST) -> str:
    """``Class.method`` of a definition, or of what stands in one; "" at the file's own level."""
    inside = module.nodes.all_around(node, *SCOPES)
    names = [getattr(one, "name", "") for one in ([node] if isinstance(node, SCOPES) else [])]
    return ".".join(reversed([*names, *(getattr(one, "name", "") for one in inside)]))


class Origins:
    """Finds origins in one project; what has been asked before is remembered."""

    def __init__(self) -> None:
        self.found: dict[ast.AST, Origin | None] = {}
        self.of_functions: dict[tuple[FunctionInfo, int], Origin | None] = {}
        self.traced: dict[tuple[ast.AST, int], Origin | None] = {}

    def of(self, node: ast.expr, module: ModuleInfo) -> Origin | None:
        """What decides this expression; None where nothing has a name."""
        if node not in self.found:
            self.found[node] = self.trace(node, module, DEEPEST)
        return self.found[node]

    def trace(self, node: ast.expr, module: ModuleInfo, depth: int) -> Origin | None:
        """As ``of``, along that many steps; each node once: ``y = (y != y * 2) == y`` leads to itself thrice."""
        if depth == 0:
            return None
        key = (node, depth)
        if key not in self.traced:
            self.traced[key] = self.followed(node, module, depth)
        return self.traced[key]

    def followed(self, node: ast.expr, module: ModuleInfo, depth: int) -> Origin | None:
        if isinstance(node, ast.Name):
            return self.of_name(node, module, depth)
        if isinstance(node, ast.Attribute):
            return self.of_attribute(node, module, depth)
        if isinstance(node, ast.Call):
            return self.of_call(node, module, depth)
        if isinstance(node, ast.Subscript):
            inner = self.trace(node.value, module, depth - 1)
            if inner is None or isinstance(value_of(node.value), Tensor):
                return inner
            is_text = isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)
            is_slice = isinstance(node.slice, (ast.Slice, ast.Tuple))
            return inner if is_slice else holding(inner, "tensor-dict" if is_text else "tensors")
        parts = [part for part in parts_of(node) if is_unknown(value_of(part))]
        found = (self.trace(part, module, depth - 1) for part in parts)
        return next((one for one in found if one is not None), None)

    def of_name(self, node: ast.Name, module: ModuleInfo, depth: int) -> Origin | None:
        """The last assignment before it in its function, else the parameter, else the file's own name."""
        for function in module.nodes.all_around(node, *FUNCTIONS, ast.Lambda):
            assert isinstance(function, (*FUNCTIONS, ast.Lambda))
            given = bindings(module, function, node)
            if given is not None:
                return self.of_binding(node, *given, module, depth)
            for argument in all_arguments(function.args):
                if argument.arg == node.id:
                    return self.of_parameter(function, argument, module)
        given = bindings(module, module.tree, node)
        if given is not None:
            return self.of_binding(node, *given, module, depth)
        value = value_of(node)
        if isinstance(value, External):
            return Origin(value.name, what="library")
        defined = (one for one in module.nodes.of(*FUNCTIONS) if one.name == node.id)
        made = next((one for one in defined if not isinstance(module.nodes.parents.get(one), ast.ClassDef)), None)
        if made is None:
            return None
        return Origin(f"{module.name}:{qualified(module, made)}", "tensor", "variable", made.lineno, str(module.path))

    def of_parameter(
        self, function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, argument: ast.arg, module: ModuleInfo
    ) -> Origin | None:
        if isinstance(function, ast.Lambda):
            return None
        name = f"{module.name}:{qualified(module, function)}.{argument.arg}"
        starred = argument in (function.args.vararg, function.args.kwarg)
        kind = "tensor" if not starred else "tensors" if argument is function.args.vararg else "tensor-dict"
        return Origin(name, kind, "parameter", argument.lineno, str(module.path), starred)

    def of_binding(
        self, node: ast.Name, value: ast.expr | None, kind: str, module: ModuleInfo, depth: int
    ) -> Origin | None:
        """A name that an assignment, a loop or a ``with`` binds: what it is bound to, or the name itself."""
        if (value is not None and is_unknown(value_of(value))) or kind:
            found = self.trace(value, module, depth - 1) if value is not None else None
            if found is not None and found.what != "library":
                return holding(found, kind) if kind else found
        around = qualified(module, node)
        name = f"{module.name}:{around}.{node.id}" if around else f"{module.name}:{node.id}"
        return Origin(name, "tensor", "variable", node.lineno, str(module.path))

    def of_attribute(self, node: ast.Attribute, module: ModuleInfo, depth: int) -> Origin | None:
        owner = value_of(node.value)
        if isinstance(owner, Choice):
            owner = next((one for one in owner.values if isinstance(one, ObjectOf)), owner)
        if isinstance(owner, (ObjectOf, ClassOf)):
            info = owner.info
            name = f"{info.module.name}:{qualified(info.module, info.node)}.{node.attr}"
            return Origin(name, "tensor", "attribute", info.node.lineno, str(info.module.path))
        if isinstance(owner, External):
            return Origin(f"{owner.name}.{node.attr}", what="library")
        if is_unknown(owner) and entry(f"torch.Tensor.{node.attr}") is not None:
            return self.trace(node.value, module, depth - 1)
        path = path_of(node)
        if path is None:
            return None
        around = qualified(module, node)
        name = f"{module.name}:{around}.{path}" if around else f"{module.name}:{path}"
        return Origin(name, "tensor", "variable", node.lineno, str(module.path))

    def of_call(self, node: ast.Call, module: ModuleInfo, depth: int) -> Origin | None:
        callee = value_of(node.func)
        if isinstance(callee, Choice):
            callee = next((one for one in callee.values if isinstance(one, FunctionOf)), callee)
        if isinstance(callee, FunctionOf):
            return self.of_function(callee.info, depth)
        if isinstance(callee, ObjectOf):
            forward = callee.info.functions.get("forward") or callee.info.functions.get("__call__")
            return self.of_function(forward, depth) if forward is not None else None
        if isinstance(callee, External):
            return Origin(f"{callee.name}()", what="result of a library")
        if isinstance(callee, Plain) and callee.kind.startswith("builtin:"):
            kind = HANDING.get(callee.kind[8:])
            found = self.trace(node.args[0], module, depth - 1) if kind is not None and node.args else None
            return holding(found, kind) if found is not None and kind else found
        if isinstance(callee, Method) or callee == Plain("opaque"):
            receiver = node.func.value if isinstance(node.func, ast.Attribute) else None
            return self.trace(receiver, module, depth - 1) if receiver is not None else None
        is_method = isinstance(node.func, ast.Attribute) and entry(f"torch.Tensor.{node.func.attr}") is not None
        if is_method and isinstance(node.func, ast.Attribute) and is_unknown(value_of(node.func.value)):
            return self.trace(node.func.value, module, depth - 1)
        inner = self.trace(node.func, module, depth - 1) if isinstance(callee, (Unknown, Bottom, Instance)) else None
        return called(inner) if inner is not None else None

    def of_function(self, info: FunctionInfo, depth: int) -> Origin | None:
        """What makes what a function gives unknown, where that is one thing; else the function."""
        if (info, depth) not in self.of_functions:
            self.of_functions[info, depth] = self.looked_into(info, depth)
        return self.of_functions[info, depth]

    def looked_into(self, info: FunctionInfo, depth: int) -> Origin | None:
        if isinstance(info.node, ast.Lambda):
            return None
        given = [one.value for one in returns(info.node) if one.value is not None and is_unknown(value_of(one.value))]
        found = {self.trace(value, info.module, depth - 8) for value in given} if depth > 8 else set()
        if len(found) == 1 and (only := found.pop()) is not None and only.what != "library":
            return only
        name = f"{info.module.name}:{qualified(info.module, info.node)}()"
        return Origin(name, "tensor", "result of a function", info.node.lineno, str(info.module.path))


def parts_of(node: ast.expr) -> Iterator[ast.expr]:
    """The parts of an expression of which one decides what it is."""
    for name in ("left", "right", "operand", "body", "orelse", "value", "elt"):
        part = getattr(node, name, None)
        if isinstance(part, ast.expr):
            yield part
    if isinstance(node, ast.Compare):
        yield from (node.left, *node.comparators)
    if isinstance(node, ast.BoolOp):
        yield from node.values
    if isinstance(node, (ast.Tuple, ast.List)):
        yield from node.elts


def returns(node: ast.AST) -> list[ast.Return]:
    return [part for part in walk(node) if isinstance(part, ast.Return)]


def holding(origin: Origin, kind: str) -> Origin | None:
    """What holds it: deeper than one step no kind is known for."""
    if origin.starred:
        return replace(origin, starred=False) if origin.kind == kind else None
    return replace(origin, kind=kind) if origin.kind == "tensor" else None


def called(origin: Origin) -> Origin | None:
    """What calling it gives."""
    if origin.kind != "tensor" or origin.name.endswith("()"):
        return None
    return replace(origin, name=f"{origin.name}()")


def bindings(module: ModuleInfo, around: ast.AST, node: ast.Name) -> tuple[ast.expr | None, str] | None:
    """What the name was bound to last before its line, in a function or file: the expression, and how it holds it."""
    best: tuple[int, ast.expr | None, str] | None = None
    for line, value, kind in bound_in(module, around, node.id):
        if line <= node.lineno and value is not node and (best is None or line >= best[0]):
            best = (line, value, kind)
    if best is None:
        first = next(iter(bound_in(module, around, node.id)), None)
        return None if first is None or not isinstance(around, ast.Module) else (first[1], first[2])
    return best[1], best[2]


Bound = tuple[int, ast.expr | None, str]
_stores: WeakKeyDictionary[Nodes, dict[tuple[ast.AST, str], list[Bound]]] = WeakKeyDictionary()


def bound_in(module: ModuleInfo, around: ast.AST, name: str) -> Sequence[Bound]:
    """Each binding of a name directly in a function or a file: line, what it is bound to, how that holds it."""
    stores = _stores.get(module.nodes)
    if stores is None:
        stores = _stores[module.nodes] = {}
        for part in module.nodes.of(ast.Name):
            if isinstance(part.ctx, ast.Store):
                holder = module.nodes.around(part, *FUNCTIONS, ast.Lambda) or module.tree
                stores.setdefault((holder, part.id), []).append(binding_of(module, part))
    return stores.get((around, name), ())


def binding_of(module: ModuleInfo, name: ast.Name) -> Bound:
    inner: ast.AST = name
    kind = ""
    outer = module.nodes.parents.get(inner)
    while isinstance(outer, (ast.Tuple, ast.List, ast.Starred)):
        kind = "tensors"
        inner, outer = outer, module.nodes.parents.get(outer)
    if isinstance(outer, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)):
        value = outer.value
        if kind and isinstance(inner, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
            place = next((i for i, one in enumerate(inner.elts) if one is name), None)
            if place is not None and len(value.elts) == len(inner.elts):
                return name.lineno, value.elts[place], ""
        return name.lineno, value, kind
    if isinstance(outer, (ast.For, ast.AsyncFor, ast.comprehension)):
        return name.lineno, outer.iter if not kind else None, "tensors"
    if isinstance(outer, ast.withitem):
        return name.lineno, None, ""
    return name.lineno, None, ""
