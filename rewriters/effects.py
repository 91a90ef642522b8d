"""What evaluating an expression may do besides giving a value."""

from __future__ import annotations

import ast
from enum import IntEnum

from rewriters.source.table import entry
from rewriters.tree import children, walk
from rewriters.values import External, Instance, Items, Mapping, Method, Plain, Ref, Series, Tensor, Value


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


RANDOM_OR_STATEFUL = {
    "rand", "randn", "randint", "randperm", "rand_like", "randn_like", "randint_like", "normal", "bernoulli",
    "multinomial",
    "poisson", "dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout",
    "gumbel_softmax",
    "rrelu", "manual_seed", "seed", "set_rng_state", "save", "load", "backward", "step", "zero_grad", "register_hook",
    "set_default_dtype", "set_grad_enabled", "set_num_threads", "empty", "empty_like", "requires_grad_", "compile",
}  # fmt: skip
MODULE_READERS = {
    "parameters", "named_parameters", "buffers", "named_buffers", "modules", "named_modules", "children",
    "named_children", "state_dict",
}  # fmt: skip
IMMUTABLE = {"int", "float", "bool", "str", "number", "None"}
PURE_BUILTINS = {
    "len",
    "int",
    "float",
    "bool",
    "str",
    "abs",
    "min",
    "max",
    "sum",
    "tuple",
    "list",
    "range",
    "round",
    "isinstance",
}


def effect_of(node: ast.expr) -> Effect:
    """The effect of evaluating ``node``, its parts included."""
    if isinstance(node, ast.Constant):
        return Effect.LITERAL
    if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
        return Effect.LITERAL
    if isinstance(node, ast.Name):
        return Effect.READ
    if isinstance(node, ast.Attribute):
        return max(Effect.READ, effect_of(node.value))
    if isinstance(node, (ast.Tuple, ast.List)):
        inner = max((effect_of(item) for item in node.elts), default=Effect.LITERAL)
        return inner if isinstance(node, ast.Tuple) else max(inner, Effect.READ)
    if isinstance(node, ast.Subscript):
        container = value_of(node.value)
        known = isinstance(container, (Tensor, Items, Series, Mapping)) or container == Instance(
            "torch.Size", Plain("int")
        )
        inner = max(effect_of(node.value), effect_of(node.slice), Effect.READ)
        return inner if known or inner is Effect.EFFECT else Effect.PURE
    if isinstance(node, ast.Slice):
        parts = [part for part in (node.lower, node.upper, node.step) if part is not None]
        return max((effect_of(part) for part in parts), default=Effect.LITERAL)
    if isinstance(
        node, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.IfExp, ast.JoinedStr, ast.FormattedValue)
    ):
        inner = max(
            (effect_of(child) for child in children(node) if isinstance(child, ast.expr)),
            default=Effect.LITERAL,
        )
        return max(inner, Effect.PURE) if inner is not Effect.LITERAL else inner
    if isinstance(node, ast.Starred):
        return effect_of(node.value)
    if isinstance(node, ast.Call):
        if not pure_callee(node):
            return Effect.EFFECT
        parts = [*node.args, *(word.value for word in node.keywords)]
        return max([Effect.PURE, *map(effect_of, parts)])
    if isinstance(node, ast.Lambda):
        defaults = [d for d in [*node.args.defaults, *node.args.kw_defaults] if d is not None]
        return max(map(effect_of, defaults), default=Effect.READ)
    return Effect.EFFECT


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

    Those are torch's functions that neither write, draw nor load, and a few builtins.
    """
    callee = value_of(node.func)
    if isinstance(callee, Ref):
        name = callee.name.rpartition(".")[2]
        known = entry(callee.name)
        return (
            known is not None
            and name not in RANDOM_OR_STATEFUL
            and not name.endswith("_")
            and known["kind"] == "function"
            and not any(w.arg == "out" for w in node.keywords)
        )
    if isinstance(callee, Method) and callee.name.startswith("torch.Tensor.") and isinstance(node.func, ast.Attribute):
        name = callee.name.rpartition(".")[2]
        return not name.endswith("_") and name not in RANDOM_OR_STATEFUL and effect_of(node.func.value) < Effect.EFFECT
    if isinstance(callee, Method) and callee.name.startswith("torch.nn.Module."):
        return callee.name.rpartition(".")[2] in MODULE_READERS
    if isinstance(callee, External):
        return callee.name.startswith("math.")
    return (
        isinstance(callee, Plain)
        and callee.kind.removeprefix("builtin:") in PURE_BUILTINS
        and callee.kind.startswith("builtin:")
    )
