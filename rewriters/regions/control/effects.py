"""That code gives values and does nothing else: only then may it run for a trace alone, or be left out."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterable, Iterator

from rewriters.infer.syntax import all_arguments
from rewriters.infer.values import External, FunctionInfo, FunctionOf, Method, Ref, Tensor
from rewriters.regions import hazards
from rewriters.regions.gradients.names import CHANGING
from rewriters.regions.hazards import root_of, short
from rewriters.regions.step import NotUnderstood
from rewriters.regions.tracing import classes_in, functions_in, is_module, traced, value_of
from rewriters.text.tree import children, is_in_place, walk
from rewriters.torch.effects import effects_of

WITHOUT = {
    "abs", "all", "any", "bool", "dict", "divmod", "enumerate", "float", "getattr", "hasattr", "int", "isinstance",
    "len", "list", "max", "min", "pow", "range", "reversed", "round", "slice", "sorted", "str", "sum", "super", "tuple",
    "type", "zip",
}  # fmt: skip
"""Built-ins that do nothing else than give a value."""

READING = {"items", "keys", "values", "get", "index", "count", "split", "join", "format", "startswith", "endswith"}
SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Pass, ast.If, ast.For, ast.Return)
ELSEWHERE = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr, ast.Lambda)


class Effects:
    """Of the code of one branch or loop.

    held: branches and loops that are written as functions themselves.
    """

    def __init__(self, held: Collection[ast.AST] = ()) -> None:
        self.held = held
        self.seen: set[int] = set()

    def of_block(self, statements: Iterable[ast.stmt], local: Collection[str] = ()) -> None:
        """Raises NotUnderstood.

        local: names that are bound here: lists of these may grow.
        """
        for statement in statements:
            for hazard in hazards.in_statement(statement, "self", self.held):
                raise NotUnderstood(f"line {hazard.statement.lineno}: {hazard.reason}")
            self.of_statement(statement, local)

    def of_statement(self, node: ast.stmt, local: Collection[str]) -> None:
        if not isinstance(node, SIMPLE):
            raise NotUnderstood(f"line {node.lineno}: `{first_line(node)}` does more than give a value")
        for target in targets_of(node):
            self.of_target(target, local)
        if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant):
            call = node.value
            method = call.func if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else None
            changed = method is not None and (is_change(method, value_of(method)) or method.attr in CHANGING)
            if not changed:
                raise NotUnderstood(f"line {node.lineno}: `{short(node)}` is called for what it does")
        for child in children(node):
            if isinstance(child, ast.stmt):
                self.of_statement(child, local)
            elif isinstance(child, ast.expr):
                self.of_expression(child, local)

    def of_target(self, target: ast.expr, local: Collection[str]) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                self.of_target(part, local)
        elif isinstance(target, ast.Subscript):
            root = root_of(target)
            known = isinstance(root, ast.Name) and (isinstance(value_of(root), Tensor) or root.id in local)
            if not known:
                raise NotUnderstood(f"line {target.lineno}: `{short(target)}` is stored to")
        elif not isinstance(target, ast.Name):
            raise NotUnderstood(f"line {target.lineno}: `{short(target)}` is stored to")

    def of_expression(self, node: ast.AST, local: Collection[str] = ()) -> None:
        """Raises NotUnderstood."""
        for part in walk(node):
            if isinstance(part, ELSEWHERE):
                raise NotUnderstood(f"line {part.lineno}: `{short(part)}` does more than give a value")
            if isinstance(part, ast.Call):
                self.of_call(part, local)
            elif isinstance(part, ast.Attribute):
                for info in functions_in(value_of(part)):
                    if info.kind == "property":
                        self.of_function(info)

    def of_call(self, node: ast.Call, local: Collection[str]) -> None:
        value = value_of(node.func)
        why = f"line {node.lineno}: `{short(node)}` "
        if is_module(value):
            self.of_module(value)
        elif isinstance(value, FunctionOf):
            self.of_function(value.info)
        elif isinstance(value, Method):
            self.of_method(node, value, why)
        elif isinstance(value, Ref):
            self.of_torch(node, value.name, why)
        elif is_plain(node.func):
            return
        elif isinstance(node.func, ast.Attribute) and isinstance(node.func.value, (ast.Name, ast.Constant)):
            owner = node.func.value
            grows = isinstance(owner, ast.Name) and owner.id in local and node.func.attr in CHANGING
            if not grows and node.func.attr not in READING:
                raise NotUnderstood(f"{why}may do more than give a value")
        else:
            raise NotUnderstood(f"{why}may do more than give a value")

    def of_method(self, node: ast.Call, value: Method, why: str) -> None:
        assert isinstance(node.func, ast.Attribute)
        said = effects_of(value.name)
        if said is not None and said.draws:
            raise NotUnderstood(f"{why}draws random numbers")
        if is_change(node.func, value):
            if not isinstance(root_of(node.func.value), ast.Name) or root_of(node.func.value).id == "self":  # type: ignore[attr-defined]
                raise NotUnderstood(f"{why}changes what is not a variable of this function")
        elif said is None or said.writes:
            raise NotUnderstood(f"{why}may do more than give a value")

    def of_torch(self, node: ast.Call, name: str, why: str) -> None:
        said = effects_of(name)
        if said is None or not said.pure or draws(name):
            what = "draws random numbers" if draws(name) or (said and said.draws) else "may do more than give a value"
            raise NotUnderstood(f"{why}{what}")
        given = any(word.arg in ("out", "inplace") or word.arg is None for word in node.keywords)
        if given or (said.inplace is not None and len(node.args) > 1):
            raise NotUnderstood(f"{why}may change what it is given")

    def of_module(self, value: object) -> None:
        for info in classes_in(value):  # type: ignore[arg-type]
            for function in traced(info):
                self.of_function(function)

    def of_function(self, info: FunctionInfo) -> None:
        """A function of the project that a branch calls."""
        if id(info) in self.seen or isinstance(info.node, ast.Lambda):
            return
        self.seen.add(id(info))
        where = f"{info.module.path.name}, "
        for statement in info.node.body:
            for hazard in hazards.in_statement(statement, hazards.owner_in(info), self.held):
                raise NotUnderstood(f"{where}line {hazard.statement.lineno}: {hazard.reason}")
        own = {argument.arg for argument in all_arguments(info.node.args)}
        bound = {part.id for part in walk(info.node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        for part in inside(info.node):
            place = f"{where}line {getattr(part, 'lineno', 0)}: "
            if isinstance(part, (ast.Global, ast.Nonlocal, ast.Delete, ast.Try, ast.Yield, ast.YieldFrom, ast.Await)):
                raise NotUnderstood(f"{place}`{first_line(part)}` does more than give a value")
            if isinstance(part, (ast.Attribute, ast.Subscript)) and not isinstance(part.ctx, ast.Load):
                root = root_of(part)
                mine = isinstance(part, ast.Subscript) and isinstance(root, ast.Name) and root.id in bound - own
                if not mine:
                    raise NotUnderstood(f"{place}`{short(part)}` is stored to")
            if isinstance(part, ast.Call):
                try:
                    self.of_call(part, bound - own)
                except NotUnderstood as reason:
                    raise NotUnderstood(f"{where}{reason}") from None
                method = part.func if isinstance(part.func, ast.Attribute) else None
                if method is not None and is_change(method, value_of(method)):
                    root = root_of(method.value)
                    if not isinstance(root, ast.Name) or root.id not in bound - own:
                        raise NotUnderstood(f"{place}`{short(part)}` changes what the function was given")


def is_change(node: ast.Attribute, value: object) -> bool:
    """A tensor's method that changes it."""
    known = isinstance(value, Method) and value.name.startswith("torch.Tensor.")
    return known and is_in_place(node.attr)


def is_plain(node: ast.expr) -> bool:
    """A function of Python's that does nothing else than give a value."""
    value = value_of(node)
    if isinstance(value, External):
        return value.name.startswith("math.")
    return isinstance(node, ast.Name) and node.id in WITHOUT and hasattr(builtins, node.id)


def draws(name: str) -> bool:
    """Whether one of torch's functions draws from the generator of the whole program."""
    return name.startswith("torch.nn.init.") or (name.startswith("torch.nn.functional.") and "dropout" in name)


def targets_of(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.For)) else []


def inside(function: ast.AST) -> Iterator[ast.AST]:
    """What is in a function's body, functions and classes within it included."""
    for statement in function.body:  # type: ignore[attr-defined]
        yield from walk(statement)


def first_line(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0][:60]
