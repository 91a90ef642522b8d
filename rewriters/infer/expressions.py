"""Expressions, node by node."""

from __future__ import annotations

import ast
from typing import Any, TypeGuard

from rewriters.infer import dtypes
from rewriters.infer.answers import is_open
from rewriters.infer.arithmetic import binary
from rewriters.infer.builtin_names import CONSTANTS
from rewriters.infer.cells import reading
from rewriters.infer.either import with_attribute
from rewriters.infer.filling import ADDING
from rewriters.infer.joining import as_tensor, either_way, element, gives_tensor, join, present
from rewriters.infer.own_operators import UNARY
from rewriters.infer.python_dtypes import named_dtypes
from rewriters.infer.python_types import names_of
from rewriters.infer.scopes import Scope
from rewriters.infer.subscripts import Subscripts
from rewriters.infer.syntax import dicts_of_objects, is_update_of_names, path_of
from rewriters.infer.values import (
    BOOL,
    BOTTOM,
    INT,
    NAME,
    NONE,
    NUMPY,
    OBJECT,
    STR,
    TENSOR,
    TRUTHS_AT_TIMES,
    UNKNOWN,
    Bottom,
    Choice,
    ClassInfo,
    ClassOf,
    Either,
    FunctionInfo,
    FunctionOf,
    Instance,
    Items,
    Mapping,
    ObjectOf,
    Partial,
    Plain,
    Ref,
    Series,
    Tensor,
    Unknown,
    Value,
)
from rewriters.text.slots import ByClass
from rewriters.text.tree import COMPREHENSIONS, called_name, children

SEQUENTIAL = Ref("torch.nn.Sequential")
ARRAY = Plain("ndarray")  # as annotations say it
# Tests that may say what something is.
TELLING = (ast.Call, ast.UnaryOp, ast.BoolOp)


class Expressions(Subscripts):
    """Interprets expressions."""

    def ev(self, node: ast.expr) -> Value:
        handler = HANDLERS[node.__class__]
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
        if node.attr == "__dict__":
            return self.dict_of(node, receiver)
        for scope in reversed(self.scopes):
            if scope.dotted:
                path = path_of(node)
                if path and path in scope:
                    return scope[path]
            if not scope.within:
                break
        if isinstance(receiver, Either) and not self.trying:
            receiver = node.value.v = with_attribute(receiver, node.attr, names_of)  # type: ignore[attr-defined]
        elif isinstance(receiver, Unknown) and not self.trying and self.is_bias(node.value):
            receiver = node.value.v = TENSOR  # type: ignore[attr-defined]  # None has no attributes
        if node.value in self.shown:
            receiver = node.value.v = as_tensor(receiver)  # type: ignore[attr-defined]
        found = self.attribute(receiver, node.attr)
        return self.answered(path_of(node), found) if self.project.told.matched and is_open(found) else found

    def ev_Call(self, node: ast.Call) -> Value:
        self.show_by(node)
        positional: list[Value] = []
        spread: list[Value] = []
        starred = waits = False
        for argument in node.args:
            value = self.ev(argument)
            if argument in self.shown:
                value = argument.v = as_tensor(value)  # type: ignore[attr-defined]
            spread.append(Series(element(value)) if isinstance(argument, ast.Starred) else value)
            if starred:
                continue  # where it stands is not known
            if not isinstance(argument, ast.Starred):
                positional.append(value)
            elif isinstance(value, Items):
                positional += value.values
            else:
                starred, waits = True, isinstance(value, Bottom)
        keywords = {word.arg: self.ev(word.value) for word in node.keywords if word.arg}
        for part in (*node.args, *(word.value for word in node.keywords)):
            if isinstance(part, ast.Attribute) and part.attr in ADDING:
                self.filled_by_others(part)
        opened: list[Value] = []
        for word in node.keywords:
            if word.arg is None:
                given = self.ev(word.value)
                opened.append(given)
                if is_known_words(given):
                    keywords |= dict(given.known)
                else:
                    starred = True
        callee = self.ev(node.func)
        if waits:
            return BOTTOM  # nothing has been given to the function around it yet
        positional, keywords = named_dtypes(node, callee, positional, keywords)
        if isinstance(node.func, ast.Attribute) and is_update_of_names(node):
            for name, value in keywords.items():
                self.store_attribute(self.owner_of_dict(node.func.value), name, value)
        self.stored_by_call(node, positional, opened)
        if opened:
            self.given_opened(callee, len(positional), opened, keywords)
        if isinstance(callee, Plain) and callee.kind == "builtin:vars" and positional:
            return self.dict_of(node, positional[0])
        if starred and callee == SEQUENTIAL:
            result: Value = self.sequential(spread)
        else:
            result = self.call(callee, positional, keywords, node, starred)
        if isinstance(callee, Instance) and callee.name.startswith("torch.nn."):
            self.show_by_layer(callee, node)
        if isinstance(callee, UNFORESEEN):
            self.forget()
            if isinstance(callee, Unknown) and any(map(gives_tensor, positional)):
                self.given_to_decorated(called_name(node), positional)
        return result

    def dict_of(self, node: ast.expr, receiver: Value) -> Value:
        """``x.__dict__``, ``vars(x)``: unless it is only read here, anything may be stored through it."""
        if self.module.dicts is None:
            self.module.dicts = dicts_of_objects(self.module.nodes)
        if node in self.module.dicts:
            to = self.module.dicts[node]
            if to is None or isinstance(getattr(to, "v", None), (FunctionOf, ClassOf, Choice)):
                self.store_anywhere(receiver, UNKNOWN)
        return Mapping(self.held_at_times(receiver), key=STR)

    def held_at_times(self, receiver: Value) -> Value:
        """What an object's attributes hold: which of them is not known, but that some are tensors may be."""
        owners = receiver.info.linear() if isinstance(receiver, ObjectOf) else ()
        held: list[Value] = [UNKNOWN]
        reading.cells.add(self.project.rounds)
        for owner in owners:
            if isinstance(owner, ClassInfo):
                reading.cells.update(owner.cells[name] for name in owner.attributes)
                held += owner.attributes.values()
        if not isinstance(receiver, ObjectOf):
            reading.cells.update(map(self.project.stray_cell, self.project.stray))
            held += self.project.stray.values()
        return either_way(*held)

    def ev_BinOp(self, node: ast.BinOp) -> Value:
        left, right = self.ev(node.left), self.ev(node.right)
        if self.project.own_methods and (own := self.operator_of_own(node, left, right)) is not None:
            return own
        if isinstance(node.op, ast.Mod) and isinstance(left, Plain) and left in (STR, NAME):
            return STR
        if isinstance(left, Items) and isinstance(right, Items) and isinstance(node.op, ast.Add):
            return Items(left.values + right.values, left.kind)
        if isinstance(left, (Items, Series)) and isinstance(right, (Items, Series)) and isinstance(node.op, ast.Add):
            return Series(join(element(left), element(right)), left.kind)
        if isinstance(left, (Items, Series)) and isinstance(node.op, ast.Mult) and not isinstance(right, Tensor):
            return Series(element(left), left.kind)
        return binary(left, right, node.op)

    def ev_UnaryOp(self, node: ast.UnaryOp) -> Value:
        value = self.ev(node.operand)
        if isinstance(node.op, ast.Not):
            return BOOL
        own = self.special(value, UNARY[type(node.op)], [], False)
        if own is not None:
            return own
        if value == BOOL:
            return INT
        return value if isinstance(value, (Tensor, Plain, Bottom, Unknown)) else UNKNOWN

    def ev_BoolOp(self, node: ast.BoolOp) -> Value:
        found: Value = BOTTOM
        narrowed: dict[str, Value | None] = {}
        for part in node.values:
            value = self.ev(part)
            goes_on = isinstance(node.op, ast.Or) and part is not node.values[-1]
            found = join(found, present(value) if goes_on else value)
            if not isinstance(part, TELLING):
                continue
            before = dict(self.scope)
            self.narrow(part, isinstance(node.op, ast.And))
            for name in [name for name, value in self.scope.items() if before.get(name) is not value]:
                narrowed.setdefault(name, before.get(name))
        for name, was in narrowed.items():
            if was is not None:
                if name in self.scope:  # else a call since then has made it unknown
                    self.scope[name] = was
            else:
                self.scope.pop(name, None)
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
        if any(isinstance(value, Unknown) for value in values):
            return TRUTHS_AT_TIMES if any(map(gives_tensor, values)) else UNKNOWN
        return NUMPY if NUMPY in values or ARRAY in values else OBJECT if OBJECT in values else BOOL

    def ev_IfExp(self, node: ast.IfExp) -> Value:
        self.ev(node.test)
        held = dict(self.scope)
        self.narrow(node.test, True)
        body = self.ev(node.body)
        after = self.replace_scope(held)
        self.narrow(node.test, False)
        other = self.ev(node.orelse)
        for name in [name for name, value in self.scope.items() if name in held and held[name] is not value]:
            self.scope[name] = held[name]
        for name, value in after.items():
            if "." not in name and name not in held:
                self.scope.setdefault(name, value)
        return join(body, other)

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
        found: Value = BOTTOM
        for item in node.elts:
            value = self.ev(item)
            found = join(found, element(value) if isinstance(item, ast.Starred) else value)
        return Series(found, "set")

    def ev_Dict(self, node: ast.Dict) -> Value:
        found: Value = BOTTOM
        keys: Value = BOTTOM
        known = []
        for key, item in zip(node.keys, node.values, strict=True):
            value = self.ev(item)
            if key is None:
                found = join(found, value.element if isinstance(value, Mapping) else UNKNOWN)
                keys = join(keys, value.key if isinstance(value, Mapping) else UNKNOWN)
                continue
            keys = join(keys, self.ev(key))
            if isinstance(key, ast.Constant):
                known.append((key.value, value))
            found = join(found, value)
        return Mapping(found, tuple(known) if len(known) == len(node.keys) else (), keys)

    def ev_Starred(self, node: ast.Starred) -> Value:
        return self.ev(node.value)

    def ev_NamedExpr(self, node: ast.NamedExpr) -> Value:
        value = self.ev(node.value)
        inner = self.scope
        # In a comprehension it binds in the function around.
        self.scope = next(scope for scope in reversed(self.scopes) if not scope.within)
        self.assign(node.target, value)
        self.scope = inner
        return value

    def ev_Lambda(self, node: ast.Lambda) -> Value:
        info = self.project.functions.get(node)
        if info is None:
            info = self.project.functions[node] = FunctionInfo(node, self.module)
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if default is not None:
                self.ev(default)
        scopes = [scope for scope in self.scopes if not scope.get("__class__")]
        self.body_of(info, scopes, self.owner, {id(s): self.made.get(id(s), s.count) for s in scopes})
        self.later(info, self.owner)
        return FunctionOf(info)

    def ev_comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Value:
        outer = (self.scope, self.scopes)
        self.scope = Scope(within=True)
        self.scopes = [*self.scopes, self.scope]
        for generator in node.generators:
            self.assign(generator.target, self.iterated(self.ev(generator.iter)))
            for test in generator.ifs:
                self.ev(test)
                self.narrow(test, True)
        if isinstance(node, ast.DictComp):
            key = self.ev(node.key)
            result: Value = Mapping(self.ev(node.value), key=key)
        else:
            kind = "list" if isinstance(node, ast.ListComp) else "set" if isinstance(node, ast.SetComp) else "iterator"
            result = Series(self.ev(node.elt), kind)
        self.scope, self.scopes = outer
        return result

    def ev_Slice(self, node: ast.Slice) -> Value:
        for part in (node.lower, node.upper, node.step):
            if part is not None:
                self.ev(part)
        return Plain("slice")

    def ev_JoinedStr(self, node: ast.JoinedStr) -> Value:
        self.children(node)
        return STR

    def ev_Yield(self, node: ast.Yield) -> Value:
        return self.yielded(self.ev(node.value) if node.value is not None else NONE)

    def ev_YieldFrom(self, node: ast.YieldFrom) -> Value:
        return self.yielded(self.iterated(self.ev(node.value)))

    def yielded(self, value: Value) -> Value:
        if self.function is not None:
            new = join(self.function.yields, value)
            if new != self.function.yields:
                self.function.yields = new
                self.project.moved(self.function.answers)
        return UNKNOWN

    def ev_Await(self, node: ast.Await) -> Value:
        self.ev(node.value)
        return UNKNOWN


HANDLERS: ByClass[Any] = ByClass(
    {
        getattr(ast, name[3:]): function
        for name, function in vars(Expressions).items()
        if name.startswith("ev_") and hasattr(ast, name[3:])
    }
    | {ast.List: Expressions.ev_Tuple, ast.Subscript: Expressions.ev_Subscript}
    | dict.fromkeys(COMPREHENSIONS, Expressions.ev_comprehension),
    None,
)


def is_known_words(value: Value) -> TypeGuard[Mapping]:
    """Whether ``**value`` gives keywords of which all are known."""
    return isinstance(value, Mapping) and bool(value.known) and all(isinstance(key, str) for key, _ in value.known)


# What is called may run the project's own code, which may store to any attribute.
UNFORESEEN = (FunctionOf, Partial, ClassOf, ObjectOf, Choice, Unknown, Bottom)
