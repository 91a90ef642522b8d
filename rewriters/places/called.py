"""Which function of the project a call comes to: one of several, an object's, or one that another function calls."""

from __future__ import annotations

import ast

from rewriters.infer.syntax import CALLING
from rewriters.infer.values import Choice, External, FunctionOf, Method, ObjectOf, Partial, Ref
from rewriters.places.sites import Sites

# What a call is given: by position or keyword, with what it may lie in.
Arguments = list[tuple[int | str, Sites, ast.expr]]


def choices(call: ast.Call) -> list[FunctionOf]:
    """The project's functions of which it calls one or the other."""
    callee = getattr(call.func, "v", None)
    return [one for one in callee.values if isinstance(one, FunctionOf)] if isinstance(callee, Choice) else []


def function_given(call: ast.Call) -> FunctionOf | None:
    """``map(f, xs)``, ``checkpoint(f, x)``: the project's function that is called with the rest."""
    callee = getattr(call.func, "v", None)
    maps = isinstance(call.func, ast.Name) and call.func.id == "map"
    if not call.args or not (maps or (isinstance(callee, Ref) and callee.name in CALLING)):
        return None
    value = getattr(call.args[0], "v", None)
    found = function_of(value) if isinstance(value, ObjectOf) else value
    return found if isinstance(found, FunctionOf) else None


def function_of(called: ObjectOf) -> FunctionOf | None:
    """What calling an object of the project's calls; None where that is not the project's."""
    name = "forward" if called.info.is_module else "__call__"
    for owner in called.info.linear():
        if isinstance(owner, str):
            return None
        if name in owner.functions:
            return FunctionOf(owner.functions[name], called)
    return None


def with_bound(callee: Partial, sites: Sites, node: ast.expr, arguments: Arguments) -> Arguments:
    """What a function is called with, together with what ``functools.partial`` gave it, which lies in those sites."""
    before = len(callee.positional)
    bound: list[int | str] = [*range(before), *(name for name, _ in callee.keywords)]
    shifted = [(place + before if isinstance(place, int) else place, held, part) for place, held, part in arguments]
    return [*((place, sites, node) for place in bound), *shifted]


def receiver_of(call: ast.Call) -> ast.expr | None:
    """Of a method of the project's, or of an object of its that is called."""
    called = call.func if function_given(call) is None else call.args[0]
    if isinstance(getattr(called, "v", None), ObjectOf):
        return called
    return called.value if isinstance(called, ast.Attribute) else None


def gives_new_ones(value: ast.expr | None, sites: Sites) -> bool:
    """Whether a function of torch's gives several new tensors: ``torch.topk(x, k)``."""
    called = getattr(value.func, "v", None) if isinstance(value, ast.Call) else None
    of_torch = isinstance(called, (Ref, Method)) and called.name.startswith("torch.")
    return of_torch and bool(sites) and all(site.node is value and not site.base for site in sites)


def is_of_module(value: object) -> bool:
    """Whether it is what a module of torch's or numpy's has: no tensor."""
    return isinstance(value, Ref) or (isinstance(value, External) and value.name.startswith("numpy."))
