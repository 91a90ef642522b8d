"""Bodies of functions: what parameters hold, what comes back."""

from __future__ import annotations

import ast
from dataclasses import replace

from rewriters.infer.calls import Calls
from rewriters.infer.cells import reading
from rewriters.infer.joining import as_tensor, either_way, element, join
from rewriters.infer.ranks import hint_of_rank
from rewriters.infer.scopes import Scope
from rewriters.infer.syntax import has_return, is_derivative, is_forward, is_public, shared_names
from rewriters.infer.torch_members import CONTEXT
from rewriters.infer.values import (
    ASSUMED,
    BOOL,
    BOTTOM,
    FIGURES,
    FLOATING,
    HOLDERS,
    INTEGRAL,
    NAME,
    NONE,
    NUMBER,
    NUMERIC,
    OBJECT,
    STR,
    TENSOR,
    UNKNOWN,
    Bottom,
    Choice,
    ClassInfo,
    ClassOf,
    FunctionInfo,
    Instance,
    Items,
    Mapping,
    ObjectOf,
    Plain,
    Series,
    Tensor,
    Unknown,
    Value,
)
from rewriters.infer.words import (
    contradicts,
    hinted,
    is_callable,
    is_maybe,
    names_of_others,
    refined,
    value_of_annotation,
)


class Functions(Calls):
    """Interprets the bodies of the project's functions."""

    def body_of(self, info: FunctionInfo, scopes: list[Scope], owner: ClassInfo | None, made: dict[int, int]) -> None:
        node = info.node
        reading.cells.add(info.asked)
        outer = (self.scope, self.scopes, self.function, self.owner, self.globals, self.shared)
        if info.shared is None:
            info.shared = shared_names(node) if self.module.nodes.of(ast.Nonlocal) else frozenset()
        self.globals, self.shared = set(), info.shared
        self.scope = Scope(function=info)
        self.scopes = [*scopes, self.scope]
        self.function, self.owner = info, owner
        leaving = (self.breaks, self.continues, self.trying, self.made, self.aliases)
        self.made, self.aliases = made, {}
        self.breaks, self.continues, self.trying = [], [], []
        arguments = node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults)) + list(
            arguments.defaults
        )
        for index, (argument, default) in enumerate(
            [*zip(positional, defaults, strict=True), *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
        ):
            self.bind(argument.arg, self.parameter(info, argument, default, first=index == 0))
        if arguments.vararg:
            promised = value_of_annotation(arguments.vararg.annotation, self.quiet)
            name = "*" + arguments.vararg.arg
            given = info.arguments.get(name, BOTTOM)
            if promised is not None and name not in info.doubted and not is_maybe(promised):
                given = Series(promised, "tuple")
            elif isinstance(element(given), Bottom):
                of_any = TENSOR if is_derivative(info) else promised or UNKNOWN
                given = BOTTOM if self.project.is_open() else Series(of_any, "tuple")
            self.promise(info, name, promised or UNKNOWN)
            self.bind(arguments.vararg.arg, given)
        if arguments.kwarg:
            name = "**" + arguments.kwarg.arg
            promised = value_of_annotation(arguments.kwarg.annotation, self.quiet)
            self.promise(info, name, promised or UNKNOWN)
            given = either_way(UNKNOWN, info.arguments.get(name, BOTTOM))  # others may give what is not like it
            doubted = is_maybe(promised) or name in info.doubted
            held = hinted(promised, given) if promised is None or doubted else promised
            self.bind(arguments.kwarg.arg, Mapping(held, key=STR))
        if isinstance(node, ast.Lambda):
            self.returned(self.ev(node.body))
        else:
            ends = self.block(node.body)
            if not ends or not self.gives(info, node):
                self.returned(NONE)
        self.scope, self.scopes, self.function, self.owner, self.globals, self.shared = outer
        self.breaks, self.continues, self.trying, self.made, self.aliases = leaving

    @staticmethod
    def gives(info: FunctionInfo, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        """Whether the function returns a value somewhere; found when it is first asked for."""
        if info.gives is None:
            info.gives = has_return(node)
        return info.gives

    def promise(self, info: FunctionInfo, name: str, value: Value) -> None:
        """What a parameter's annotation says."""
        if info.promises.get(name) != value:
            info.promises[name] = value
            self.project.touch(info.answers)

    def parameter(self, info: FunctionInfo, argument: ast.arg, default: ast.expr | None, first: bool) -> Value:
        """What a parameter holds, where the body begins."""
        value = self.handed(info, argument, default, first)
        if not (value.assumed if isinstance(value, Tensor) else isinstance(value, Unknown)):
            return value
        if info.shown is None:
            info.shown = frozenset()
            if not isinstance(info.node, ast.Lambda) and self.is_telling():
                info.shown = self.project.showing.before(info.node.body, self.torchs)
        return as_tensor(value) if argument.arg in info.shown else value

    def handed(self, info: FunctionInfo, argument: ast.arg, default: ast.expr | None, first: bool) -> Value:
        if first and info.kind in {"method", "property", "setter"} and info.owner:
            return ObjectOf(info.owner)
        if first and info.kind == "classmethod" and info.owner:
            return ClassOf(info.owner)
        if info.compiled:
            return OBJECT
        promised = value_of_annotation(argument.annotation, self.quiet)
        value = info.arguments.get(argument.arg, BOTTOM)
        # Which class it is, a call says, and which number, where it has no default that somebody may pass by.
        if argument.arg in info.unclear and isinstance(value, (Plain, Instance, Items, Series)) and value != NONE:
            value = UNKNOWN
        witnessed = not isinstance(value, (Unknown, Bottom)) and (
            value not in (NONE, OBJECT) and getattr(value, "kind", "") not in HOLDERS
        )
        own = not is_public(info) and not isinstance(value, Unknown)
        sure = own or (witnessed and default is None)
        doubted = argument.arg in info.doubted
        if default is not None:
            given = self.ev(default)
            if isinstance(given, (Items, Series, Mapping)) and not isinstance(default, ast.Tuple):
                reading.cells.add(info.answers)  # one list for all calls: what a call puts in, the next one has
                given = join(given, info.changes.get(argument.arg, BOTTOM))
            doubted = doubted or contradicts(promised or UNKNOWN, given)
            believed = not (promised is None or isinstance(promised, Unknown) or doubted)
            if not sure and not (believed and not contradicts(promised or UNKNOWN, value)):
                value = weakened(value) if isinstance(value, (Plain, Items, Series)) else value
                given = given if witnessed and is_callable(given) else weakened(given)
            if isinstance(given, Items) and given.kind == "tuple":
                given = Series(element(given), "sequence")  # whoever calls it may give more or fewer
                if isinstance(value, Items) and value.kind == "tuple":
                    value = Series(element(value), "sequence")
            value = join(value, given)
        if promised is not None and not isinstance(promised, Unknown):
            self.promise(info, argument.arg, promised)
            if not doubted and not contradicts(promised, value):
                return from_outside(info, refined(promised if sure else weakened(promised), value), promised)
        if isinstance(value, Bottom) or value == NONE:
            if self.project.is_open():
                return BOTTOM
            if isinstance(value, Bottom) and is_derivative(info):
                return Instance(CONTEXT) if first else TENSOR
            others = promised is None and names_of_others(argument.annotation, self.quiet)
            return ASSUMED if is_forward(info) and not others else hinted(promised, UNKNOWN)
        return from_outside(info, hinted(promised, value), promised)

    def returned(self, value: Value) -> None:
        assert self.function is not None
        new = self.project.joined(self.function.returns, value)
        if new != self.function.returns:
            self.function.returns = new
            self.project.moved(self.function.answers)


def from_outside(info: FunctionInfo, value: Value, promised: Value | None) -> Value:
    """What a Module's parameter may hold when others call it: where the project gives integers, also floats, and
    tensors of other numbers of axes, unless its annotation promises how many.
    """
    if not isinstance(value, Tensor) or not is_forward(info) or not is_public(info):
        return value
    kinds = INTEGRAL | FLOATING if value.kinds == INTEGRAL else value.kinds
    if isinstance(promised, Tensor) and promised.ndim is not None:
        return replace(value, kinds=kinds)
    return replace(value, kinds=kinds, ndim=None, hints=value.hints | hint_of_rank(value.ndim))


def weakened(value: Value) -> Value:
    """What a parameter may hold where only its default or its annotation says so.

    For a number also a pair, for a truth value a number, for a text also a class or a path.
    """
    if isinstance(value, Plain):
        if value == STR:
            return NAME
        if value == BOOL:
            return NUMBER
        return FIGURES if value.kind in NUMERIC else value
    if isinstance(value, Items):
        return Items(tuple(weakened(part) for part in value.values), value.kind)
    if isinstance(value, Series):
        return Series(weakened(value.element), value.kind)
    return UNKNOWN if is_callable(value) or isinstance(value, Choice) else value
