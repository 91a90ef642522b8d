"""Expressions, node by node."""

from __future__ import annotations

import ast
from typing import Any

from rewriters.infer import dtypes
from rewriters.infer.builtin_names import CONSTANTS
from rewriters.infer.own_operators import UNARY, OwnOperators
from rewriters.infer.syntax import constant_int, path_of
from rewriters.tree import children
from rewriters.values import (
    BOOL,
    BOTTOM,
    FLOAT,
    NONE,
    NUMPY,
    OBJECT,
    SIZE,
    STR,
    TENSOR,
    UNKNOWN,
    Bottom,
    FunctionInfo,
    FunctionOf,
    Instance,
    Items,
    Mapping,
    ObjectOf,
    Plain,
    Series,
    Tensor,
    Unknown,
    Value,
    element,
    join,
)


class Expressions(OwnOperators):
    """Interprets expressions."""

    def ev(self, node: ast.expr) -> Value:
        handler = HANDLERS.get(node.__class__)
        value = handler(self, node) if handler else self.children(node)
        node.v = value  # type: ignore[attr-defined]
        return value

    def children(self, node: ast.AST) -> Value:
        for child in children(node):
            if isinstance(child, ast.expr):
                self.ev(child)
            else:
                self.children(child)
        return UNKNOWN

    def ev_Constant(self, node: ast.Constant) -> Value:
        return CONSTANTS.get(node.value.__class__, OBJECT)

    def ev_Name(self, node: ast.Name) -> Value:
        return self.look_up(node.id)

    def ev_Attribute(self, node: ast.Attribute) -> Value:
        receiver = self.ev(node.value)
        path = path_of(node)
        if path:
            for scope in reversed(self.scopes):
                if path in scope:
                    return scope[path]
        return self.attribute(receiver, node.attr)

    def ev_Call(self, node: ast.Call) -> Value:
        positional: list[Value] = []
        starred = False
        for argument in node.args:
            value = self.ev(argument)
            if isinstance(argument, ast.Starred):
                starred = True
                if isinstance(value, Items):
                    positional += value.values
            elif not starred:
                positional.append(value)
        keywords = {word.arg: self.ev(word.value) for word in node.keywords if word.arg}
        for word in node.keywords:
            if word.arg is None:
                starred = True
                self.ev(word.value)
        callee = self.ev(node.func)
        return self.call(callee, positional, keywords, node, starred)

    def ev_BinOp(self, node: ast.BinOp) -> Value:
        left, right = self.ev(node.left), self.ev(node.right)
        if self.project.own_methods and (own := self.operator_of_own(node, left, right)) is not None:
            return own
        if isinstance(node.op, ast.Mod) and isinstance(left, Plain) and left.kind == "str":
            return STR
        if isinstance(left, Items) and isinstance(right, Items) and isinstance(node.op, ast.Add):
            return Items(left.values + right.values, left.kind)
        if isinstance(left, (Items, Series)) and isinstance(right, (Items, Series)) and isinstance(node.op, ast.Add):
            return Series(join(element(left), element(right)), left.kind)
        if isinstance(left, (Items, Series)) and isinstance(node.op, ast.Mult):
            return Series(element(left))
        return binary(left, right, node.op)

    def ev_UnaryOp(self, node: ast.UnaryOp) -> Value:
        value = self.ev(node.operand)
        if isinstance(node.op, ast.Not):
            return BOOL
        own = self.special(value, UNARY[type(node.op)], [], False)
        return value if own is None else own

    def ev_BoolOp(self, node: ast.BoolOp) -> Value:
        found: Value = BOTTOM
        held = dict(self.scope)
        for part in node.values:
            found = join(found, self.ev(part))
            self.narrow(part, isinstance(node.op, ast.And))
        self.replace_scope({**held, **{n: v for n, v in self.scope.items() if n not in held and "." not in n}})
        return found

    def ev_Compare(self, node: ast.Compare) -> Value:
        values = [self.ev(node.left), *map(self.ev, node.comparators)]
        if all(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops):
            return BOOL
        if len(values) == 2 and self.project.own_methods:
            own = self.operator_of_own(node, values[0], values[1])
            if own is not None:
                return own
        if len(values) == 2 and isinstance(node.ops[0], (ast.Eq, ast.NotEq)) and NONE in values:
            return BOOL
        if any(isinstance(value, Tensor) for value in values):
            return dtypes.compared(values[0], values[1]) if len(values) == 2 else TENSOR
        if any(isinstance(value, Bottom) for value in values):
            return BOTTOM
        return UNKNOWN if any(isinstance(value, Unknown) for value in values) else BOOL

    def ev_IfExp(self, node: ast.IfExp) -> Value:
        self.ev(node.test)
        held = dict(self.scope)
        self.narrow(node.test, True)
        body = self.ev(node.body)
        self.replace_scope(held)
        return join(body, self.ev(node.orelse))

    def ev_Tuple(self, node: ast.Tuple | ast.List) -> Value:
        kind = "tuple" if isinstance(node, ast.Tuple) else "list"
        values = [self.ev(item) for item in node.elts]
        if any(isinstance(item, ast.Starred) for item in node.elts):
            found: Value = BOTTOM
            for item, value in zip(node.elts, values, strict=True):
                found = join(found, element(value) if isinstance(item, ast.Starred) else value)
            return Series(found, kind)
        return Items(tuple(values), kind)

    def ev_Set(self, node: ast.Set) -> Value:
        for item in node.elts:
            self.ev(item)
        return Series(UNKNOWN, "set")

    def ev_Dict(self, node: ast.Dict) -> Value:
        found: Value = BOTTOM
        known = []
        for key, item in zip(node.keys, node.values, strict=True):
            value = self.ev(item)
            if key is None:
                found = join(found, value.element if isinstance(value, Mapping) else UNKNOWN)
                continue
            self.ev(key)
            if isinstance(key, ast.Constant):
                known.append((key.value, value))
            found = join(found, value)
        return Mapping(found, tuple(known) if len(known) == len(node.keys) else ())

    def ev_Starred(self, node: ast.Starred) -> Value:
        return self.ev(node.value)

    def ev_NamedExpr(self, node: ast.NamedExpr) -> Value:
        value = self.ev(node.value)
        self.assign(node.target, value)
        return value

    def ev_Lambda(self, node: ast.Lambda) -> Value:
        info = self.project.functions.get(node)
        if info is None:
            info = self.project.functions[node] = FunctionInfo(node, self.module)
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if default is not None:
                self.ev(default)
        self.body_of(info, list(self.scopes), self.owner)
        return FunctionOf(info)

    def ev_comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Value:
        outer = (self.scope, self.scopes)
        self.scope = {}
        self.scopes = [*self.scopes, self.scope]
        for generator in node.generators:
            self.assign(generator.target, element(self.ev(generator.iter)))
            for test in generator.ifs:
                self.ev(test)
                self.narrow(test, True)
        if isinstance(node, ast.DictComp):
            self.ev(node.key)
            inner = self.ev(node.value)
            result: Value = Mapping(inner)
        else:
            result = Series(self.ev(node.elt), {ast.ListComp: "list", ast.SetComp: "set"}.get(type(node), "iterator"))
        self.scope, self.scopes = outer
        return result

    def ev_Subscript(self, node: ast.Subscript) -> Value:
        container = self.ev(node.value)
        within = self.ev(node.slice)
        index = node.slice
        if isinstance(container, Bottom):
            return BOTTOM
        if isinstance(container, Tensor):
            return dtypes.item(container, within.values if isinstance(within, Items) else [within])
        if isinstance(container, Items):
            number = constant_int(index)
            if number is not None and -len(container.values) <= number < len(container.values):
                return container.values[number]
            if isinstance(index, ast.Slice):
                return Series(element(container), container.kind)
        if isinstance(container, Mapping):
            if isinstance(index, ast.Constant):
                for key, value in container.known:
                    if key == index.value:
                        return value
            return container.element
        if isinstance(container, Instance) and container.name == "torch.Size" and isinstance(index, ast.Slice):
            return SIZE
        if isinstance(container, (Series, Items)):
            return container if isinstance(index, ast.Slice) else element(container)
        if isinstance(container, Instance) and container.members is not None:
            container = container.members
            for key, value in container.known:
                if isinstance(index, ast.Constant) and key == index.value:
                    return value
            return container.element
        if (
            isinstance(container, Instance)
            and container.element is not None
            and container.name != "torch.nn.ModuleDict"
        ):
            return container if isinstance(index, ast.Slice) else container.element
        if isinstance(container, ObjectOf):
            return self.item_of(container)
        if isinstance(container, Plain):
            return container if container == NUMPY else STR if container.kind == "str" else OBJECT
        return UNKNOWN

    def ev_Slice(self, node: ast.Slice) -> Value:
        for part in (node.lower, node.upper, node.step):
            if part is not None:
                self.ev(part)
        return Plain("slice")

    def ev_JoinedStr(self, node: ast.JoinedStr) -> Value:
        self.children(node)
        return STR

    def ev_Yield(self, node: ast.Yield) -> Value:
        value = self.ev(node.value) if node.value is not None else NONE
        if self.function is not None:
            new = join(self.function.yields, value)
            if new != self.function.yields:
                self.function.yields = new
                self.project.changed = True
        return UNKNOWN

    def ev_YieldFrom(self, node: ast.YieldFrom) -> Value:
        value = element(self.ev(node.value))
        if self.function is not None:
            self.function.yields = join(self.function.yields, value)
        return UNKNOWN

    def ev_Await(self, node: ast.Await) -> Value:
        self.ev(node.value)
        return UNKNOWN


HANDLERS: dict[type, Any] = {
    getattr(ast, name[3:]): function
    for name, function in vars(Expressions).items()
    if name.startswith("ev_") and hasattr(ast, name[3:])
}
HANDLERS[ast.List] = Expressions.ev_Tuple
for _kind in (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp):
    HANDLERS[_kind] = Expressions.ev_comprehension


def binary(left: Value, right: Value, op: ast.operator) -> Value:
    """``left op right``: a tensor absorbs whatever stands on the other side."""
    if isinstance(left, Tensor) or isinstance(right, Tensor):
        return dtypes.operated(left, right, op)
    if isinstance(left, Bottom) or isinstance(right, Bottom):
        return BOTTOM
    if isinstance(left, Plain) and isinstance(right, Plain):
        return (
            left
            if left == right
            else FLOAT
            if {left.kind, right.kind} <= {"int", "float", "bool", "number"}
            else NUMPY
            if NUMPY in (left, right)
            else OBJECT
        )
    return UNKNOWN
