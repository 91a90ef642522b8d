"""What a function does with gradients: where they are cleared, added to, read and consumed."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from enum import Enum

from rewriters.infer.syntax import path_of
from rewriters.infer.values import (
    NONE,
    Choice,
    ClassOf,
    External,
    FunctionOf,
    Instance,
    Method,
    ObjectOf,
    Plain,
    Ref,
    Tensor,
    Value,
)
from rewriters.regions.tracing import is_module, value_of
from rewriters.text.tree import children, is_in_place
from rewriters.torch.table import mro

CLIPS = {
    "torch.nn.utils.clip_grad_norm_": "norm",
    "torch.nn.utils.clip_grad.clip_grad_norm_": "norm",
    "torch.nn.utils.clip_grad_value_": "value",
    "torch.nn.utils.clip_grad.clip_grad_value_": "value",
}
SCALER, BACKWARD = "torch.GradScaler", "torch.autograd.backward"
NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class Kind(Enum):
    """Of an event."""

    CLEAR = "clear"
    ADD = "add"
    CLIP = "clip"
    CHANGE = "change"
    READ = "read"
    CONSUME = "consume"


@dataclass(eq=False)
class Event:
    """One place at which gradients are touched.

    node:      the call, or ``p.grad``; statement: the innermost one around it.
    subject:   whose gradients: the optimizer or module of a method, the first argument of clipping, ``p`` of
               ``p.grad``, the loss of ``backward``.
    CHANGE is of one parameter's gradient, in a statement of its own: ``p.grad.mul_(2)``, ``p.grad = g``. A loop over
    parameters that does nothing but clear or clip each is one event, its node the first call in it.

    scaler:    of ``scaler.step(optimizer)`` and ``scaler.unscale_(optimizer)``, which clips in as far as it changes
               gradients that are there.
    """

    kind: Kind
    node: ast.Call | ast.Attribute
    statement: ast.stmt
    subject: ast.expr
    scaler: str = ""
    path: str = field(init=False)

    def __post_init__(self) -> None:
        self.path = path_of(self.subject) or ""


def events_of(body: list[ast.stmt]) -> list[Event]:
    """Those of statements, in the order of the text; functions and classes inside are others' bodies."""
    steppers = {path for path, names in called_methods(body).items() if {"step", "zero_grad"} <= names}
    found: list[Event] = []
    for statement in body:
        in_statement(statement, steppers, found)
    return found


def called_methods(body: list[ast.stmt]) -> dict[str, set[str]]:
    """Names of methods that are called on each path: ``optimizer`` -> step, zero_grad; ``scaler.step(optimizer)`` is
    one of both."""
    found: dict[str, set[str]] = {}
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            path = path_of(node.func.value)
            if path:
                found.setdefault(path, set()).add(node.func.attr)
            if node.func.attr == "step" and len(node.args) == 1:
                found.setdefault(path_of(node.args[0]) or "", set()).add("step")
        stack += children(node)
    return found


def in_statement(statement: ast.stmt, steppers: set[str], found: list[Event]) -> None:
    if isinstance(statement, NESTED):
        return
    whole = event_of_loop(statement) if isinstance(statement, ast.For) else None
    if whole is not None:
        found.append(whole)
        return
    inner: list[ast.AST] = children(statement)
    while inner:
        node = inner.pop(0)
        if isinstance(node, ast.stmt):
            in_statement(node, steppers, found)
            continue
        if isinstance(node, NESTED):
            continue
        event = event_at(node, statement, steppers)
        if event is not None:
            found.append(event)
        inner = children(node) + inner


def event_at(node: ast.AST, statement: ast.stmt, steppers: set[str]) -> Event | None:
    if isinstance(node, ast.Attribute) and node.attr == "grad" and may_be_gradient(node):
        kind = Kind.CHANGE if node is changed_gradient(statement) else Kind.READ
        return Event(kind, node, statement, node.value)
    if not isinstance(node, ast.Call):
        return None
    value = value_of(node.func)
    if isinstance(value, Ref) and value.name in CLIPS and node.args:
        return Event(Kind.CLIP, node, statement, node.args[0])
    if isinstance(value, Ref) and value.name == BACKWARD and node.args:
        return Event(Kind.ADD, node, statement, node.args[0])
    if not isinstance(node.func, ast.Attribute):
        return None
    owner, name = node.func.value, node.func.attr
    if is_scaling(node, name, value, steppers):
        kind = Kind.CONSUME if name == "step" else Kind.CLIP
        return Event(kind, node, statement, node.args[0], path_of(owner) or "")
    known = value.name if isinstance(value, Method) else ""
    if name == "backward" and (known in ("", "torch.Tensor.backward")) and not is_class_method(value):
        return Event(Kind.ADD, node, statement, owner)
    steps = is_optimizer(value_of(owner)) or path_of(owner) in steppers
    if name == "step" and steps and not is_module(value_of(owner)):
        return Event(Kind.CONSUME, node, statement, owner)
    if name == "zero_grad" and (steps or is_module(value_of(owner))):
        return Event(Kind.CLEAR, node, statement, owner)
    return None


def may_be_gradient(node: ast.Attribute) -> bool:
    """Whether ``x.grad`` may be of a tensor: nothing says what it is, nor that x is an object of the project's."""
    told = value_of(node)
    # ``x.grad = None`` above, and ``backward`` since.
    cleared = told == NONE and isinstance(value_of(node.value), Tensor)
    known = isinstance(told, (Ref, Plain)) and not cleared
    return not known and not isinstance(value_of(node.value), (ObjectOf, ClassOf))


def is_scaling(node: ast.Call, name: str, value: Value | None, steppers: set[str]) -> bool:
    """``scaler.step(optimizer)`` or ``scaler.unscale_(optimizer)``."""
    if name not in ("step", "unscale_") or len(node.args) != 1 or node.keywords:
        return False
    if isinstance(value, Method):
        return value.name == f"{SCALER}.{name}"
    known = is_optimizer(value_of(node.args[0])) or path_of(node.args[0]) in steppers
    return known and not is_class_method(value) and path_of(node.func.value) is not None  # type: ignore[attr-defined]


def is_scaler(value: Value | None) -> bool:
    return isinstance(value, Instance) and SCALER in mro(value.name)


def is_class_method(value: Value | None) -> bool:
    """Whether it is something of the project's or of another library: no tensor's method."""
    return isinstance(value, (FunctionOf, External, Plain, Choice, Ref))


def is_optimizer(value: Value | None) -> bool:
    return isinstance(value, Instance) and "torch.optim.Optimizer" in mro(value.name)


def changed_gradient(statement: ast.stmt) -> ast.Attribute | None:
    """``p.grad`` of statements: ``p.grad.data.mul_(2)``, ``p.grad /= n``, ``p.grad[0] = 1`` and ``p.grad = g``."""
    place: ast.AST | None = None
    if isinstance(statement, ast.Expr):
        place = statement.value
        while isinstance(place, ast.Call) and isinstance(place.func, ast.Attribute) and is_of_change(place.func.attr):
            place = place.func.value
        place = None if place is statement.value else place
    elif isinstance(statement, ast.AugAssign):
        place = statement.target
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        place = statement.targets[0]
    if isinstance(place, ast.Subscript):
        place = place.value
    if isinstance(place, ast.Attribute) and place.attr == "data":
        place = place.value
    return place if isinstance(place, ast.Attribute) and place.attr == "grad" else None


def is_of_change(method: str) -> bool:
    return is_in_place(method)


def event_of_loop(loop: ast.For) -> Event | None:
    """``for p in net.parameters(): p.grad = None``, or what keeps each between two numbers; None for other loops."""
    over, body = loop.iter, loop.body
    if not isinstance(over, ast.Call) or not isinstance(over.func, ast.Attribute) or over.func.attr != "parameters":
        return None
    if over.args or over.keywords or path_of(over.func.value) is None or loop.orelse:
        return None
    if not isinstance(loop.target, ast.Name):
        return None
    if len(body) == 1 and isinstance(body[0], ast.If) and not body[0].orelse and asks_for_grad(body[0].test):
        body = body[0].body
    changed = [changed_gradient(one) for one in body]
    if not all(one is not None and getattr(one.value, "id", "") == loop.target.id for one in changed):
        return None
    if all(map(clears, body)):
        return Event(Kind.CLEAR, over, loop, over.func.value)
    clip = body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr) else None
    if isinstance(clip, ast.Call) and is_even_clamp(clip):
        return Event(Kind.CLIP, clip, loop, over.func.value)
    return None


def asks_for_grad(test: ast.expr) -> bool:
    """``p.grad is not None``"""
    asked = test.left if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.IsNot) else test
    return isinstance(asked, ast.Attribute) and asked.attr == "grad"


def clears(statement: ast.stmt) -> bool:
    """``p.grad = None``, ``p.grad.zero_()``, ``p.grad.detach_()``"""
    if isinstance(statement, ast.Assign):
        return isinstance(statement.value, ast.Constant) and statement.value.value is None
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and getattr(call.func, "attr", "") in ("zero_", "detach_")


def is_even_clamp(call: ast.Call) -> bool:
    """``p.grad.clamp_(-1, 1)``, which is what clipping by a value does."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("clamp_", "clip_") or len(call.args) != 2:
        return False
    low, high = call.args
    even = isinstance(high, (ast.Constant, ast.Name)) and ast.unparse(low) == f"-{ast.unparse(high)}"
    return even and not call.keywords
