"""What evaluating an expression may do besides giving a value."""

from __future__ import annotations

import ast
from enum import IntEnum

from rewriters.infer.values import (
    Bottom,
    Choice,
    ClassInfo,
    External,
    FunctionInfo,
    Instance,
    Items,
    Mapping,
    Method,
    ObjectOf,
    Plain,
    Ref,
    Series,
    Tensor,
    Unknown,
    Value,
)
from rewriters.text.tree import children, walk
from rewriters.torch.effects import Schema, effects_of
from rewriters.torch.table import entry


class Effect(IntEnum):
    """How freely an expression may be moved, dropped or repeated.

    LITERAL: always the same value.
    READ:    a name or an attribute: cheap, changes nothing, but sees changes.
    PURE:    changes nothing, yet costs: may be moved among its kind and dropped, not repeated.
    EFFECT:  anything else: exactly once, in its place.
    """

    LITERAL = 0
    READ = 1
    PURE = 2
    EFFECT = 3


MODULE_READERS = {
    "parameters", "named_parameters", "buffers", "named_buffers", "modules", "named_modules", "children",
    "named_children", "state_dict",
}  # fmt: skip
IMMUTABLE = {"int", "float", "bool", "str", "number", "figures", "None"}
PURE_BUILTINS = {
    "len", "int", "float", "bool", "str", "abs", "min", "max", "sum", "tuple", "list", "range", "round", "isinstance",
}  # fmt: skip
ITERATING = {"min", "max", "sum", "tuple", "list"}
TRUTH = ("__bool__", "__len__")
TEXT = ("__format__", "__str__", "__repr__")


def effect_of(node: ast.expr) -> Effect:
    """The effect of evaluating ``node``, its parts included."""
    known: Effect | None = getattr(node, "effect", None)
    if known is None:
        known = node.effect = found_effect(node)  # type: ignore[attr-defined]
    return known


def found_effect(node: ast.expr) -> Effect:
    if isinstance(node, ast.Constant):
        return Effect.LITERAL
    if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
        return Effect.LITERAL
    if isinstance(node, ast.Name):
        return Effect.READ
    if isinstance(node, ast.Attribute):
        return max(effect_of_reading(value_of(node.value), node.attr), effect_of(node.value))
    if isinstance(node, (ast.Tuple, ast.List)):
        inner = max((effect_of(item) for item in node.elts), default=Effect.LITERAL)
        return inner if isinstance(node, ast.Tuple) else max(inner, Effect.READ)
    if isinstance(node, ast.Subscript):
        inner = max(effect_of(node.value), effect_of(node.slice), Effect.READ)
        if own_objects(node.value):
            return Effect.EFFECT
        return inner if is_container(value_of(node.value)) or inner is Effect.EFFECT else Effect.PURE
    if isinstance(node, ast.Slice):
        parts = [part for part in (node.lower, node.upper, node.step) if part is not None]
        return max((effect_of(part) for part in parts), default=Effect.LITERAL)
    if isinstance(node, OPERATIONS):
        return effect_of_operation(node)
    if isinstance(node, ast.Starred):
        return effect_of(node.value) if is_container(value_of(node.value)) else Effect.EFFECT
    if isinstance(node, ast.Call):
        parts = [*node.args, *(word.value for word in node.keywords)]
        if not pure_callee(node) or any(own_objects(part) for part in parts):
            return Effect.EFFECT
        return max([Effect.PURE, *map(effect_of, parts)])
    if isinstance(node, ast.Lambda):
        defaults = [d for d in [*node.args.defaults, *node.args.kw_defaults] if d is not None]
        return max(map(effect_of, defaults), default=Effect.READ)
    return Effect.EFFECT


OPERATIONS = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.IfExp, ast.JoinedStr, ast.FormattedValue)


def effect_of_operation(node: ast.expr) -> Effect:
    """Of an operator or the like, which objects of the project's classes may give a meaning of their own."""
    parts = [child for child in children(node) if isinstance(child, ast.expr)]
    inner = max(map(effect_of, parts), default=Effect.LITERAL)
    if isinstance(node, (ast.BoolOp, ast.IfExp)) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
        asked: tuple[str, ...] = TRUTH
    elif isinstance(node, (ast.JoinedStr, ast.FormattedValue)):
        asked = TEXT
    elif isinstance(node, ast.Compare) and all(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
        return inner
    else:
        asked = ()
    for part in parts:
        if any(not asked or any(defines(info, name) for name in asked) for info in own_objects(part)):
            return Effect.EFFECT
    return max(inner, Effect.PURE) if inner is not Effect.LITERAL else inner


def own_objects(node: ast.expr) -> list[ClassInfo]:
    """The project's classes of which the value may be an instance, those of torch's modules left out."""
    value = value_of(node)
    values = value.values if isinstance(value, Choice) else (value,)
    return [one.info for one in values if isinstance(one, ObjectOf) and not one.info.torch_base()]


def defines(info: ClassInfo, name: str) -> bool:
    return any(isinstance(owner, ClassInfo) and name in owner.functions for owner in info.linear())


def is_container(value: Value | None) -> bool:
    """Whether reading an item, or all, changes nothing for sure."""
    if isinstance(value, Series):
        return value.kind != "iterator"
    return isinstance(value, (Tensor, Items, Mapping)) or value == Instance("torch.Size", Plain("int"))


def effect_of_reading(owner: Value | None, name: str) -> Effect:
    """Of ``owner.name``, as far as it is known: a property of the project's does what its body does."""
    if isinstance(owner, Choice):
        return max(effect_of_reading(one, name) for one in owner.values)
    if not isinstance(owner, ObjectOf):
        return Effect.READ
    if defines(owner.info, "__getattribute__"):
        return Effect.EFFECT
    for base in owner.info.linear():
        if isinstance(base, ClassInfo):
            function = base.functions.get(name)
            if function is not None:
                return effect_of_property(function)
            if name in base.attributes:
                return Effect.EFFECT if is_made_in_class(base, name) else Effect.READ
    return Effect.EFFECT if defines(owner.info, "__getattr__") else Effect.READ


def effect_of_property(function: FunctionInfo) -> Effect:
    """What reading a name does under which a class has a function."""
    if function.opaque or function.kind == "setter":
        return Effect.EFFECT
    if function.kind != "property":
        return Effect.READ
    body = function.node.body
    statements = [] if isinstance(body, ast.expr) else [part for part in body if not is_docstring(part)]
    only = statements[0] if len(statements) == 1 else None
    if not isinstance(only, ast.Return) or only.value is None:
        return Effect.EFFECT
    only.value.effect = Effect.EFFECT  # type: ignore[attr-defined]  # where it reads itself
    found = only.value.effect = found_effect(only.value)  # type: ignore[attr-defined]
    return Effect.EFFECT if may_look_up(only.value) else found


def is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def is_made_in_class(info: ClassInfo, name: str) -> bool:
    """Whether the class's body binds the name to what a call gives, which may be a descriptor: ``x = property(f)``."""
    assigned = (part for part in info.node.body if isinstance(part, ast.Assign) and isinstance(part.value, ast.Call))
    for statement in assigned:
        if any(isinstance(target, ast.Name) and target.id == name for target in statement.targets):
            return not isinstance(value_of(statement.value), (Tensor, Items, Series, Mapping, Instance))
    return False


def may_look_up(node: ast.expr) -> bool:
    """Whether something in it reads from an object of which nothing is known: there may be code of its class behind.

    Such reading happens as often as it did, and no two of them change places.
    """
    known: bool | None = getattr(node, "looks_up", None)
    if known is None:
        known = looks_up_here(node) or any(
            may_look_up(child) for child in children(node) if isinstance(child, ast.expr)
        )
        known = node.looks_up = known or any(  # type: ignore[attr-defined]
            may_look_up(word.value) for word in children(node) if isinstance(word, ast.keyword)
        )
    return known


def looks_up_here(node: ast.expr) -> bool:
    if isinstance(node, ast.Attribute):
        owner = value_of(node.value)
        if isinstance(owner, Tensor):
            return owner.assumed and entry(f"torch.Tensor.{node.attr}") is None
        if isinstance(owner, ObjectOf):
            return "?" in owner.info.linear() and not is_found(owner.info, node.attr)
        return is_unknown(owner)
    if isinstance(node, ast.Subscript):
        return is_unknown(value_of(node.value))
    if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare)):
        return any(is_unknown(value_of(child)) for child in children(node) if isinstance(child, ast.expr))
    if isinstance(node, ast.Call):
        return any(is_unknown(value_of(argument)) for argument in node.args)
    return False


def is_found(info: ClassInfo, name: str) -> bool:
    owners = [owner for owner in info.linear() if isinstance(owner, ClassInfo)]
    return any(name in owner.attributes or name in owner.functions for owner in owners)


def is_unknown(value: Value | None) -> bool:
    return value is None or isinstance(value, (Unknown, Bottom, Choice))


def is_fresh(node: ast.expr) -> bool:
    """Whether evaluating it makes an object that others may tell from a second one: a list, a function."""
    return any(isinstance(part, (ast.List, ast.Lambda)) for part in walk(node))


def immutable(node: ast.expr) -> bool:
    """Whether its value depends on numbers and strings only, which no call of a library changes."""
    leaves = [part for part in walk(node) if isinstance(part, (ast.Name, ast.Attribute, ast.Subscript, ast.Call))]
    return all(isinstance(v := value_of(leaf), Plain) and v.kind in IMMUTABLE for leaf in leaves)


def value_of(node: ast.AST) -> Value | None:
    found: Value | None = getattr(node, "v", None)
    return found


def pure_callee(node: ast.Call) -> bool:
    """Whether the callee is known to change nothing.

    Those are torch's functions that neither write nor draw, as its own schemas say, and a few builtins.
    """
    callee = value_of(node.func)
    if isinstance(callee, Ref):
        return is_pure(effects_of(callee.name), callee.name, node)
    if isinstance(callee, Method) and callee.name.startswith("torch.Tensor.") and isinstance(node.func, ast.Attribute):
        pure = is_pure(effects_of(callee.name), callee.name, node)
        return pure and effect_of(node.func.value) < Effect.EFFECT
    if isinstance(callee, Method) and callee.name.startswith("torch.nn.Module."):
        return callee.name.rpartition(".")[2] in MODULE_READERS
    if isinstance(callee, External):
        return callee.name.startswith("math.")
    if not isinstance(callee, Plain) or not callee.kind.startswith("builtin:"):
        return False
    name = callee.kind.removeprefix("builtin:")
    if name in ITERATING and not all(is_container(v) or isinstance(v, Plain) for v in map(value_of, node.args)):
        return False  # what is iterated over may be used up
    return name in PURE_BUILTINS


def is_pure(schema: Schema | None, name: str, node: ast.Call) -> bool:
    """Whether this call of one of torch's functions changes nothing."""
    if schema is None or not schema.pure or any(word.arg in {None, "out", "inplace"} for word in node.keywords):
        return False
    if schema.inplace is None:
        return True
    names = [word.partition("=")[0] for word in (entry(name) or {}).get("parameters", [])]
    return len(node.args) <= names.index("inplace") and not any(isinstance(part, ast.Starred) for part in node.args)
