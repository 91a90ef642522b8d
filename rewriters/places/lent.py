"""What lies in the memory of what it was made of in the target alone: sums and means of what has no axes, and
what is joined of one tensor or repeated once.

A call that gives such a thing is noted where the one changes in place and the other is read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from rewriters.infer.values import Bottom, FunctionInfo, FunctionOf, Items, Method, ModuleInfo, Ref, Tensor, Unknown
from rewriters.places.given_out import Known
from rewriters.places.sites import above
from rewriters.text.tree import Nodes
from rewriters.torch.effects import effects_of

# What is a view of one tensor in the target, where it is given no other, or repeats it once.
JOINING = {"torch.stack"}
REPEATING = {"torch.Tensor.repeat"}
NUMBERS = {"item", "tolist", "__float__", "__int__"}


def lending_calls(nodes: Nodes, names: frozenset[str]) -> list[ast.Call]:
    """The calls of a file that may give such a thing.

    names: torch's, of functions and methods that do, called with nothing else.
    """
    if not names:
        return []
    return [node for node in nodes.of(ast.Call) if lender(node, names) is not None and not is_number(node, nodes)]


def lender(call: ast.Call, names: Iterable[str]) -> ast.expr | None:
    """What a call may give the memory of: a name, an attribute, an item, or what another call hands on of one."""
    if not isinstance(call.func, (ast.Attribute, ast.Name)):
        return None
    called = getattr(call.func, "v", None)
    if isinstance(called, Ref) and called.name in JOINING & set(names):
        return joined_alone(call)
    if isinstance(called, Method) and called.name in REPEATING & set(names) and isinstance(call.func, ast.Attribute):
        return call.func.value if may_be_once(call) else None
    if call.keywords:
        return None
    if isinstance(called, Ref):
        of = call.args[0] if len(call.args) == 1 and called.name in names else None
    else:
        method = isinstance(call.func, ast.Attribute) and f"torch.Tensor.{call.func.attr}" in names
        of = call.func.value if method and not call.args and isinstance(call.func, ast.Attribute) else None
    if not isinstance(of, (ast.Name, ast.Attribute, ast.Subscript)) and not hands_on(of):
        return None
    value = getattr(of, "v", None)
    open_ = isinstance(value, (Unknown, Bottom)) or (isinstance(value, Tensor) and value.ndim in {None, 0})
    return of if open_ else None


def joined_alone(call: ast.Call) -> ast.expr | None:
    """``torch.stack(items)``: what may hold one tensor alone."""
    held = call.args[0] if call.args else None
    value = getattr(held, "v", None)
    several = isinstance(value, Items) and len(value.values) != 1
    return None if several or isinstance(held, ast.Starred) else held


def may_be_once(call: ast.Call) -> bool:
    """``x.repeat(n, 1)``: whether all of the numbers may be 1, not all of them written out."""
    sizes = call.args[0].elts if call.args and isinstance(call.args[0], (ast.List, ast.Tuple)) else call.args
    written = [size.value for size in sizes if isinstance(size, ast.Constant)]
    return all(value == 1 for value in written) and len(written) < len(sizes)


def hands_on(node: ast.expr | None) -> bool:
    """``x.view_as(x)``, ``held.get("x")``: a view, or what something holds."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Attribute, ast.Name)):
        return False
    called = getattr(node.func, "v", None)
    if isinstance(called, (Ref, Method)) and called.name.startswith("torch."):
        schema = effects_of(called.name)
        return schema is not None and bool(schema.aliases)
    return isinstance(node.func, ast.Attribute) and node.func.attr in {"get", "pop", "popitem", "setdefault"}


def is_number(call: ast.Call, nodes: Nodes) -> bool:
    """Whether only a number is made of it."""
    around = nodes.parents.get(call)
    if isinstance(around, ast.Call):
        return isinstance(around.func, ast.Name) and around.func.id in {"float", "int"}
    return isinstance(around, ast.Attribute) and around.attr in NUMBERS


def lent_out(places: Known, modules: Iterable[ModuleInfo]) -> frozenset[ast.Call]:
    """Calls that give such a thing in functions of the project, where a caller changes the one and reads the other."""
    found: set[ast.Call] = set()
    for module in modules:
        for function, called in places.events(module).called.items():
            lends = any(places.events(info.module).lending.get(info.node) for info in called)
            if lends and places.may_change(function, module):
                found.update(made_inside(places, places.flow(function).changes.lent, set()))
    return frozenset(found)


def made_inside(places: Known, calls: Iterable[ast.Call], seen: set[FunctionInfo]) -> Iterator[ast.Call]:
    """Those by which functions that are called give what their callers see, also in functions that they call."""
    for call in calls:
        effect = places.effect(call)
        if isinstance(effect, FunctionOf) and effect.info not in seen:
            seen.add(effect.info)
            memory = places.flow(effect.info.node).memory
            inside = [site.node for site in above(memory.returned) if site in memory.lent]
            inner = [node for node in inside if isinstance(node, ast.Call)]
            yield from (node for node in inner if not isinstance(places.effect(node), FunctionOf))
            yield from made_inside(places, inner, seen)
