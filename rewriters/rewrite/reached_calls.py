"""The calls that a class or function reaches which is handed on: through parameters, variables, attributes, dicts."""

from __future__ import annotations

import ast
from collections.abc import Callable

from rewriters.infer.values import (
    Choice,
    ClassInfo,
    ClassOf,
    External,
    FunctionInfo,
    FunctionOf,
    ModuleInfo,
    ObjectOf,
    Value,
)
from rewriters.rewrite.class_uses import Travel
from rewriters.rules.given_values import is_none
from rewriters.text.tree import called_name, walk

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
TESTS = (ast.If, ast.While, ast.Assert, ast.Expr)
# What reads variables by names that are computed: some without arguments alone.
LOOKING_AROUND = {"locals", "vars", "globals"}
RUNNING_TEXT = {"eval", "exec"}
KEYS_ALONE = {"list", "tuple", "set", "sorted", "len"}


class Lost(Exception):
    """It arrives where its calls are not known."""


def reached_calls(
    node: ast.expr, module: ModuleInfo, travel: Travel, elsewhere: Callable[[set[str]], set[str]]
) -> list[ast.Call] | None:
    """All calls of what an expression gives; None where something else may call it.

    elsewhere: those of some names of the file that others read.
    """
    following = Following(travel, elsewhere)
    try:
        following.value(node, module)
    except Lost:
        return None
    return following.calls


def partial_of(node: ast.expr, module: ModuleInfo) -> ast.Call | None:
    """``functools.partial(node, eps=1e-6)`` around a node: what that gives is called with its keywords besides."""
    parent = module.nodes.parents[node]
    if not isinstance(parent, ast.Call) or parent.func is node or parent.args != [node]:
        return None
    asked = getattr(parent.func, "v", None)
    if not isinstance(asked, External) or asked.name != "functools.partial":
        return None
    return parent if all(word.arg is not None for word in parent.keywords) else None


class Following:
    """Follows a value forward.

    calls: of it, so far.
    """

    def __init__(self, travel: Travel, elsewhere: Callable[[set[str]], set[str]]) -> None:
        self.travel, self.elsewhere = travel, elsewhere
        self.calls: list[ast.Call] = []
        self.seen: set[object] = set()

    def value(self, node: ast.expr, module: ModuleInfo) -> None:
        """An expression that gives it. Raises Lost."""
        if node in self.seen:
            return
        self.seen.add(node)
        parent = module.nodes.parents[node]
        if isinstance(parent, ast.Call) and parent.func is node:
            self.calls.append(parent)
        elif isinstance(parent, ast.Call):
            self.given(parent, node, None)
        elif isinstance(parent, ast.keyword):
            call = module.nodes.parents[parent]
            if not isinstance(call, ast.Call) or parent.arg is None:
                raise Lost
            self.given(call, node, parent.arg)
        elif isinstance(parent, ast.arguments):
            self.default(parent, node, module)
        elif isinstance(parent, ast.IfExp) and parent.test is node:
            return
        elif isinstance(parent, (ast.BoolOp, ast.IfExp)):
            self.value(parent, module)
        elif isinstance(parent, (ast.Assign, ast.AnnAssign)):
            for target in parent.targets if isinstance(parent, ast.Assign) else [parent.target]:
                self.stored(target, module)
        elif isinstance(parent, ast.Dict) and node in parent.values:
            self.dictionary(parent, module)
        elif isinstance(parent, ast.Return):
            self.returned(parent, module)
        elif not is_asked(parent, node):
            raise Lost

    def stored(self, target: ast.expr, module: ModuleInfo) -> None:
        if isinstance(target, ast.Name):
            self.variable(self.home(target, module), target.id, module)
        elif isinstance(target, ast.Attribute) and isinstance(getattr(target.value, "v", None), ObjectOf):
            self.attribute(target.attr)
        else:
            raise Lost

    def home(self, node: ast.Name, module: ModuleInfo) -> ast.AST:
        """The function whose variable it is, or the file, where no other reads it. Of a class, any may read it."""
        around = module.nodes.around(node, *FUNCTIONS, ast.ClassDef)
        if isinstance(around, ast.ClassDef):
            raise Lost
        if around is not None:
            return around
        if self.elsewhere({node.id}) or node.id in self.travel.looked_up:  # ``__all__``, ``getattr`` of the module
            raise Lost
        return module.tree

    def variable(self, function: ast.AST, name: str, module: ModuleInfo, as_dict: bool = False) -> None:
        """A parameter or a variable, wherever it is read, also by functions inside."""
        if (function, name, as_dict) in self.seen:
            return
        self.seen.add((function, name, as_dict))
        for node in walk(function):
            if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
                raise Lost
            if isinstance(node, ast.Call) and called_name(node) in (RUNNING_TEXT if node.args else LOOKING_AROUND):
                raise Lost
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                (self.dictionary if as_dict else self.value)(node, module)

    def attribute(self, name: str) -> None:
        """An attribute of the program's objects, wherever the name is read; by no computed one."""
        if name in self.seen:
            return
        self.seen.add(name)
        if name in self.travel.looked_up:
            raise Lost
        for reader in self.travel.reads.readers.get(name, ()):
            for node in reader.nodes.of(ast.Attribute):
                if node.attr == name and isinstance(node.ctx, ast.Load):
                    self.value(node, reader)

    def dictionary(self, node: ast.expr, module: ModuleInfo) -> None:
        """A dict that holds it: only looked into."""
        parent = module.nodes.parents[node]
        if isinstance(parent, ast.Subscript) and parent.value is node and isinstance(parent.ctx, ast.Load):
            self.value(parent, module)
        elif isinstance(parent, ast.Attribute) and parent.attr in {"get", "keys"}:
            call = module.nodes.parents[parent]
            if not isinstance(call, ast.Call) or call.func is not parent:
                raise Lost
            if parent.attr == "get":
                self.value(call, module)
        elif isinstance(parent, ast.Assign) and all(isinstance(target, ast.Name) for target in parent.targets):
            for target in parent.targets:
                assert isinstance(target, ast.Name)
                self.variable(self.home(target, module), target.id, module, as_dict=True)
        elif is_by_keys(parent, node):
            return
        elif not (isinstance(parent, ast.Compare) and all(isinstance(op, (ast.In, ast.NotIn)) for op in parent.ops)):
            raise Lost

    def returned(self, statement: ast.Return, module: ModuleInfo) -> None:
        """What a private function of this file gives to those who call it here."""
        function = module.nodes.around(statement, *FUNCTIONS)
        if not isinstance(function, ast.FunctionDef) or function.decorator_list or not is_private(function.name):
            raise Lost
        if module.nodes.parents[function] is not module.tree or self.elsewhere({function.name}):
            raise Lost
        if function.name in self.travel.looked_up:
            raise Lost
        for node in module.nodes.of(ast.Name):
            if node.id != function.name or not isinstance(node.ctx, ast.Load):
                continue
            call, callee = module.nodes.parents[node], getattr(node, "v", None)
            if not isinstance(call, ast.Call) or call.func is not node:
                raise Lost
            if not isinstance(callee, FunctionOf) or callee.info.node is not function:
                raise Lost
            self.value(call, module)

    def default(self, parameters: ast.arguments, node: ast.expr, module: ModuleInfo) -> None:
        """The default of a parameter."""
        named = [*parameters.posonlyargs, *parameters.args]
        pairs = [*zip(reversed(named), reversed(parameters.defaults), strict=False)]
        pairs += [
            (one, value) for one, value in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True) if value
        ]
        (name,) = [one.arg for one, value in pairs if value is node]
        self.variable(module.nodes.parents[parameters], name, module)

    def given(self, call: ast.Call, node: ast.expr, keyword: str | None) -> None:
        """An argument of the project's own functions and classes."""
        callees = getattr(call.func, "v", None)
        for callee in callees.values if isinstance(callees, Choice) else [callees]:
            self.given_to(callee, call, node, keyword)

    def given_to(self, callee: Value | None, call: ast.Call, node: ast.expr, keyword: str | None) -> None:
        if isinstance(callee, ClassOf):
            exactly = isinstance(call.func, ast.Name) and call.func.id == callee.info.node.name
            for made in [callee.info, *([] if exactly else callee.info.below())]:
                self.parameter(constructor_of(made), 1, call, node, keyword)
        elif isinstance(callee, FunctionOf):
            bound = callee.receiver is not None and callee.info.kind in {"method", "classmethod"}
            for info in [callee.info, *overrides(callee)]:
                self.parameter(info, int(bound), call, node, keyword)
        else:
            raise Lost

    def parameter(
        self, info: FunctionInfo | None, behind: int, call: ast.Call, node: ast.expr, keyword: str | None
    ) -> None:
        if info is None or info.opaque:
            raise Lost
        spec = info.node.args
        names = [one.arg for one in [*spec.posonlyargs, *spec.args]]
        if keyword is not None:
            if keyword not in names and keyword not in {one.arg for one in spec.kwonlyargs}:
                raise Lost
            name = keyword
        else:
            place = call.args.index(node)
            if any(isinstance(one, ast.Starred) for one in call.args[:place]) or place + behind >= len(names):
                raise Lost
            name = names[place + behind]
        self.variable(info.node, name, info.module)


def is_by_keys(parent: ast.AST, node: ast.expr) -> bool:
    """Whether only the keys of a dict are asked for."""
    if isinstance(parent, (ast.For, ast.AsyncFor, ast.comprehension)):
        return parent.iter is node
    return isinstance(parent, ast.Call) and called_name(parent) in KEYS_ALONE and parent.args == [node]


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def is_asked(parent: ast.AST, node: ast.expr) -> bool:
    """Whether only its truth is asked, whether it is None, or one of some texts."""
    if isinstance(parent, TESTS):
        return True
    if isinstance(parent, ast.UnaryOp):
        return isinstance(parent.op, ast.Not)
    if not isinstance(parent, ast.Compare):
        return False
    others = [one for one in (parent.left, *parent.comparators) if one is not node]
    by_identity = all(isinstance(op, (ast.Is, ast.IsNot)) for op in parent.ops)
    return (by_identity and all(map(is_none, others))) or (len(others) == 1 and all(map(is_text, others)))


def is_text(node: ast.expr) -> bool:
    """A text, or several in a display: equal to no class or function of either framework."""
    parts = node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else [node]
    return all(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in parts)


def constructor_of(info: ClassInfo) -> FunctionInfo | None:
    """The ``__init__`` of the project that a class is made with; None where it does not follow."""
    for one in info.linear():
        if isinstance(one, str) or one.node.decorator_list or one.node.keywords or "__new__" in one.functions:
            return None
        if "__init__" in one.functions:
            return one.functions["__init__"]
    return None


def overrides(callee: FunctionOf) -> list[FunctionInfo]:
    """What may be called in a method's place: that of a class derived from the receiver's, or beside it."""
    receiver, owner = callee.receiver, callee.info.owner
    if owner is None or not isinstance(receiver, ObjectOf):
        return []
    below = owner.below()
    if receiver.exact:  # of ``super()`` too, where a class with several bases may put another between
        if any(len(one.bases) > 1 for one in below):
            raise Lost
        return []
    return [one.functions[callee.info.name] for one in below if callee.info.name in one.functions]
