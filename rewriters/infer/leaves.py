"""Names of tensors that a program trains by themselves, ``w = torch.zeros(3, requires_grad=True)`` and
``w = nn.Parameter(torch.zeros(3))``: each stands for what holds a parameter, as names of loops over these do.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import lru_cache

from rewriters.infer.values import (
    Choice,
    ClassInfo,
    ClassOf,
    Either,
    FunctionOf,
    Instance,
    ObjectOf,
    Ref,
    Tensor,
    Value,
)
from rewriters.text.tree import FUNCTIONS, Nodes, given_to, is_in_place, is_true, walk
from rewriters.torch.table import mro

BEGINNING = {"requires_grad", "requires_grad_"}
JOINING = {"list", "tuple"}
Key = tuple[ast.AST | None, str]
Held = tuple[ast.AST, str]
"""An attribute of a class's objects."""


def is_leaf(node: ast.AST, nodes: Nodes) -> bool:
    """Whether it is such a name, also in a function that reads it from its file, or such an attribute."""
    if isinstance(node, ast.Attribute):
        return is_leaf_attribute(node)
    return isinstance(node, ast.Name) and is_one_of(node, leaves_in(nodes), nodes)


def is_one_of(node: ast.Name, found: Collection[Key], nodes: Nodes) -> bool:
    """Whether it is one of these names, also in a function that reads it from its file."""
    if not found:
        return False
    home = nodes.around(node, *FUNCTIONS)
    if (home, node.id) in found:
        return True
    return home is not None and (None, node.id) in found and node.id not in own_names(home)


@lru_cache(maxsize=4)
def leaves_in(nodes: Nodes) -> frozenset[Key]:
    """(function, name) of each: made once, told to have gradients, and moved."""
    asked = any(is_parameter(call) or asks_for_gradients(call) for call in nodes.of(ast.Call))
    if not asked and not any(node.attr in BEGINNING for node in nodes.of(ast.Attribute)):
        return frozenset()
    stores: dict[Key, list[ast.Name]] = {}
    for name in nodes.of(ast.Name):
        if not isinstance(name.ctx, ast.Load) and not isinstance(nodes.parents.get(name), ast.AugAssign):
            stores.setdefault(key_of(name, nodes), []).append(name)
    made = {key: value for key, found in stores.items() if len(found) == 1 and (value := made_of(found[0], nodes))}
    lists = {key: [(key[0], name) for name in names] for key, value in made.items() if (names := names_in(value))}
    begun = {key for key, value in made.items() if begins(value)} | set(told(nodes, lists))
    found = begun & made.keys() & set(moved(nodes, lists))
    return frozenset(found - set(kept_elsewhere(nodes, lists)) if found else ())


def is_leaf_attribute(node: ast.AST) -> bool:
    """Whether it is an attribute of an object that is no module, which holds a tensor that is trained by itself."""
    owner = getattr(node.value, "v", None) if isinstance(node, ast.Attribute) else None
    if not isinstance(owner, ObjectOf) or owner.info.is_module:
        return False
    line = (one for one in owner.info.linear() if isinstance(one, ClassInfo))
    return any((one.node, node.attr) in attributes_in(one.module.nodes) for one in line)  # type: ignore[attr-defined]


def attributes_of(node: ast.AST, nodes: Nodes) -> frozenset[str]:
    """Those of a class."""
    return frozenset(name for held, name in attributes_in(nodes) if held is node)


@lru_cache(maxsize=4)
def attributes_in(nodes: Nodes) -> dict[Held, ast.expr]:
    """(class, attribute) of each, with what it is made of: stored once, and handed to an optimizer by the class."""
    found: dict[Held, list[ast.expr | None]] = {}
    for key, place in stores_on_self(nodes):
        if not isinstance(nodes.parents.get(place), ast.AugAssign):
            found.setdefault(key, []).append(made_of(place, nodes))
    once = {key: values[0] for key, values in found.items() if len(values) == 1 and values[0] is not None}
    listed_here = set(told_in_lists(nodes, once))
    begun = {key: value for key, value in once.items() if begins(value) or key in listed_here}
    given: set[tuple[ast.AST | None, str]] = listed_here | set(given_out(nodes, once))
    for call in nodes.of(ast.Call) if begun else ():
        value = getattr(call.func, "v", None)
        if isinstance(value, Ref) and value.name.startswith("torch.optim."):
            holder = nodes.around(call, ast.ClassDef)
            given |= {(holder, part.attr) for part in walk(call) if isinstance(part, ast.Attribute)}
    return {key: value for key, value in begun.items() if key in given and value is not None}


def stores_on_self(nodes: Nodes) -> Iterator[tuple[Held, ast.Attribute]]:
    """Where the methods of a file's classes store, or delete, ``self.name``: which attribute, and the place."""
    for place in nodes.of(ast.Attribute):
        if not isinstance(place.ctx, ast.Load) and getattr(place.value, "id", "") == "self":
            holder = nodes.around(place, ast.ClassDef)
            if holder is not None:
                yield (holder, place.attr), place


def told_in_lists(nodes: Nodes, stored: dict[Held, ast.expr]) -> Iterator[Held]:
    """Attributes that a method of their class gives, where a loop over what such methods give tells each item to have
    gradients: ``for p in model.parameters(): p.requires_grad = True``."""
    methods: set[str] = set()
    for loop in nodes.of(ast.For):
        if isinstance(loop.target, ast.Name) and any(tells(part, loop.target.id) for part in walk(loop)):
            methods |= asked_methods(loop.iter, nodes)
    for (holder, name), value in stored.items() if methods else ():
        held = isinstance(value.v, (Tensor, Either)) or begins(value)  # type: ignore[attr-defined]
        if held and any(mentions(method, name) for method in methods_of(holder) if method.name in methods):
            yield holder, name


def given_out(nodes: Nodes, stored: dict[Held, ast.expr]) -> Iterator[Held]:
    """Attributes told to have gradients that ``parameters()`` of their class gives, or whose gradient is read."""
    read = {node.value.attr for node in nodes.of(ast.Attribute) if node.attr == "grad" and hasattr(node.value, "attr")}
    for holder, name in stored:
        giving = (method for method in methods_of(holder) if "param" in method.name)
        if name in read or any(mentions(method, name) for method in giving):
            yield holder, name


def methods_of(holder: ast.AST) -> list[ast.FunctionDef]:
    return [part for part in getattr(holder, "body", ()) if isinstance(part, ast.FunctionDef)]


def mentions(method: ast.FunctionDef, name: str) -> bool:
    """Whether it reads ``self.name``."""
    parts = (part for part in walk(method) if isinstance(part, ast.Attribute) and part.attr == name)
    return any(getattr(part.value, "id", "") == "self" and isinstance(part.ctx, ast.Load) for part in parts)


def tells(part: ast.AST, name: str) -> bool:
    """``p.requires_grad = True``, ``p.requires_grad_()``"""
    if isinstance(part, ast.Assign):
        place = part.targets[0]
        said = isinstance(place, ast.Attribute) and place.attr == "requires_grad" and is_true(part.value)
        return said and getattr(place.value, "id", "") == name  # type: ignore[attr-defined]
    called = part.func if isinstance(part, ast.Call) and all(map(is_true, part.args)) else None
    said = isinstance(called, ast.Attribute) and called.attr == "requires_grad_"
    return said and getattr(called.value, "id", "") == name  # type: ignore[union-attr]


def asked_methods(given: ast.expr, nodes: Nodes, depth: int = 4) -> set[str]:
    """Names of the methods of plain objects by which a list is made: ``[p for m in ms for p in m.ps()]``."""
    found: set[str] = set()
    for part in walk(given):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
            if not is_module(getattr(part.func.value, "v", None)):
                found.add(part.func.attr)
        elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and depth:
            home = nodes.around(given, *FUNCTIONS)
            for made in nodes.of(ast.Assign):
                named = any(getattr(one, "id", "") == part.id for one in made.targets)
                if named and nodes.around(made, *FUNCTIONS) in (home, None):
                    found |= asked_methods(made.value, nodes, depth - 1)
    return found


def making(nodes: Nodes, every: bool = False) -> Iterator[ast.expr]:
    """What each is made of that is no parameter by itself; every: those that are, too."""
    found = leaves_in(nodes)
    for name in nodes.of(ast.Name) if found else ():
        value = made_of(name, nodes) if isinstance(name.ctx, ast.Store) and key_of(name, nodes) in found else None
        if value is not None and (every or not is_parameter(value)):
            yield value
    yield from (value for value in attributes_in(nodes).values() if every or not is_parameter(value))


def key_of(node: ast.Name, nodes: Nodes) -> Key:
    return nodes.around(node, *FUNCTIONS), node.id


def own_names(function: ast.AST) -> set[str]:
    stored = {node.id for node in walk(function) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    return stored | {node.arg for node in walk(function) if isinstance(node, ast.arg)}


def made_of(name: ast.Name | ast.Attribute, nodes: Nodes) -> ast.expr | None:
    """What the assignment that binds a name gives it."""
    around = nodes.parents.get(name)
    made = nodes.parents.get(around) if isinstance(around, (ast.Tuple, ast.List)) else around
    return given_to(name, made) if isinstance(made, ast.Assign) else None


def names_in(value: ast.expr) -> list[str]:
    """The names in a list, or in one that several are joined to: ``[w, b]``, ``list(net.parameters()) + [w]``; also
    in an optimizer's groups, ``[{"params": [w]}]``. None where objects of which nothing is known give some."""
    return [] if any(map(gives_plain, walk(value))) else listed(value)


def gives_plain(node: ast.AST) -> bool:
    """``layer.parameters()`` of an object that is no module, and keeps tensors by itself."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "parameters":
        return False
    value = getattr(node.func.value, "v", None)
    parts = value.values if isinstance(value, Choice) else [value]
    plain = [part.info for part in parts if isinstance(part, ObjectOf) and not part.info.is_module]
    return any(not attributes_in(info.module.nodes) for info in plain)


def listed(value: ast.expr) -> list[str]:
    if isinstance(value, (ast.List, ast.Tuple, ast.Dict)):
        parts = value.values if isinstance(value, ast.Dict) else value.elts
        return [name for part in parts for name in ([part.id] if isinstance(part, ast.Name) else listed(part))]
    if isinstance(value, ast.BinOp):
        return listed(value.left) + listed(value.right)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in JOINING:
        return [name for part in value.args for name in listed(part)]
    if isinstance(value, ast.Call) and getattr(value.func, "attr", "") == "chain":
        return [name for part in value.args for name in listed(part)]
    return listed(value.value) if isinstance(value, ast.Starred) else []


def is_parameter(value: ast.AST) -> bool:
    """``nn.Parameter(torch.zeros(3))``, of which gradients are taken."""
    made = isinstance(value, ast.Call) and getattr(value.func, "v", None) == Ref("torch.nn.Parameter")
    return made and all(word.arg != "requires_grad" or is_true(word.value) for word in value.keywords)  # type: ignore[attr-defined]


def asks_for_gradients(call: ast.Call) -> bool:
    return any(word.arg == "requires_grad" for word in call.keywords)


def begins(value: ast.expr) -> bool:
    """``torch.zeros(3, requires_grad=True)``, ``x.requires_grad_()``, ``nn.Parameter(x)``"""
    if not isinstance(value, ast.Call):
        return False
    if is_parameter(value):
        return True
    if any(word.arg == "requires_grad" and is_true(word.value) for word in value.keywords):
        name = getattr(value.func, "v", None)
        return isinstance(name, Ref) and name.name != "torch.nn.Parameter"
    return (
        isinstance(value.func, ast.Attribute) and value.func.attr == "requires_grad_" and all(map(is_true, value.args))
    )


def told(nodes: Nodes, lists: dict[Key, list[Key]]) -> Iterator[Key]:
    """Names of which a statement says that they have gradients, or a loop over a list of them."""
    for place in nodes.of(ast.Attribute):
        if place.attr not in BEGINNING or not isinstance(place.value, ast.Name):
            continue
        around = nodes.parents.get(place)
        if isinstance(around, ast.Assign) and not (is_true(around.value) and place in around.targets):
            continue
        if isinstance(around, ast.Call) and not (around.func is place and all(map(is_true, around.args))):
            continue
        if isinstance(around, (ast.Assign, ast.Call)):
            yield from these(place.value, nodes, lists)


def these(name: ast.Name, nodes: Nodes, lists: dict[Key, list[Key]]) -> list[Key]:
    """What a name stands for: of a loop over a list of names, each of them."""
    for loop in nodes.all_around(name, ast.For):
        assert isinstance(loop, ast.For)
        for target, given in pairs_of(loop.target, loop.iter):
            if isinstance(target, ast.Name) and target.id == name.id:
                home = nodes.around(loop, *FUNCTIONS)
                inline = [(home, one) for one in names_in(given)]
                return inline or (lists.get(key_of(given, nodes), []) if isinstance(given, ast.Name) else [])
    return [key_of(name, nodes)]


def pairs_of(target: ast.expr, given: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """What is bound to the items of which list, through ``enumerate`` and ``zip``."""
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
    if not isinstance(given, ast.Call) or not isinstance(given.func, ast.Name):
        return [(target, given)]
    if given.func.id == "enumerate" and len(parts) == 2 and given.args:
        return pairs_of(parts[1], given.args[0])
    if given.func.id == "zip" and len(parts) == len(given.args):
        return [pair for part, one in zip(parts, given.args, strict=True) for pair in pairs_of(part, one)]
    return [(target, given)]


def moved(nodes: Nodes, lists: dict[Key, list[Key]]) -> Iterator[Key]:
    """Names of tensors whose gradients are read, and those that an optimizer or a function of the project is given."""
    calls = module_calls(nodes)  # then gradients of what goes in are taken beside those of parameters
    for place in nodes.of(ast.Attribute):
        read = place.attr == "grad" and isinstance(place.value, ast.Name)
        if read and (
            changes(place.value, nodes) if is_beside(place, calls, nodes) else isinstance(place.ctx, ast.Load)
        ):
            yield from these(place.value, nodes, lists)
    for call in nodes.of(ast.Call):
        value = getattr(call.func, "v", None)
        trains = isinstance(value, Ref) and value.name.startswith("torch.optim.")
        if trains or (isinstance(value, FunctionOf) and asks(value.info.node)):
            for part in [*call.args, *(word.value for word in call.keywords)]:
                home = nodes.around(call, *FUNCTIONS)
                yield from ((home, name) for name in names_in(part))
                if isinstance(part, ast.Name):
                    yield from lists.get(key_of(part, nodes), [])


def module_calls(nodes: Nodes) -> list[ast.Call]:
    """The calls of modules in a file."""
    return [call for call in nodes.of(ast.Call) if is_module(getattr(call.func, "v", None))]


def is_module(value: Value | None) -> bool:
    if isinstance(value, ObjectOf):
        return value.info.is_module
    return isinstance(value, Instance) and "torch.nn.Module" in mro(value.name)


def is_beside(read: ast.Attribute, calls: list[ast.Call], nodes: Nodes) -> bool:
    """Whether modules are called between where a tensor is made and where its gradient is read, or in functions."""
    if not calls:
        return False
    home = nodes.around(read, *FUNCTIONS)
    name = read.value.id  # type: ignore[attr-defined]
    own = [one for one in nodes.of(ast.Name) if one.id == name and nodes.around(one, *FUNCTIONS) is home]
    made = min((one.lineno for one in own if isinstance(one.ctx, ast.Store)), default=0)
    if any(nodes.around(call, *FUNCTIONS) is not home for call in calls) or not made:
        return True
    return any(made <= call.lineno <= read.lineno for call in calls)


def kept_elsewhere(nodes: Nodes, lists: dict[Key, list[Key]]) -> Iterator[Key]:
    """Names of tensors that an object keeps, or whose gradients are taken one by one."""
    for made in nodes.of(ast.Assign):
        if isinstance(made.value, ast.Name) and any(isinstance(one, ast.Attribute) for one in made.targets):
            yield key_of(made.value, nodes)
    for call in nodes.of(ast.Call):
        value = getattr(call.func, "v", None)
        if isinstance(value, ClassOf) or value == Ref("torch.autograd.grad"):
            home = nodes.around(call, *FUNCTIONS)
            for part in [*call.args, *(word.value for word in call.keywords)]:
                yield from ((home, name) for name in names_in(part))
                if isinstance(part, ast.Name):
                    yield from lists.get(key_of(part, nodes), [key_of(part, nodes)])


def gathered(node: ast.AST, nodes: Nodes) -> bool:
    """Whether it is the name of a list, a tuple or a dict of such tensors."""
    found = leaves_in(nodes)
    if not isinstance(node, ast.Name) or not found:
        return False
    home = nodes.around(node, *FUNCTIONS)
    for made in nodes.of(ast.Assign):
        named = any(isinstance(one, ast.Name) and one.id == node.id for one in made.targets)
        seen = named and nodes.around(made, *FUNCTIONS) in (home, None)
        if seen and isinstance(made.value, (ast.List, ast.Tuple, ast.Dict)):
            return any(is_leaf(one, nodes) for one in walk(made.value))
    return False


def asks(function: ast.AST) -> bool:
    return any(isinstance(part, ast.Attribute) and part.attr == "grad" for part in walk(function))


def changes(name: ast.Name, nodes: Nodes) -> bool:
    """Whether what a name stands for changes in the function: ``w -= n``, ``w.data = v``, ``w.sub_(n)``."""
    home = nodes.around(name, *FUNCTIONS)
    for other in nodes.of(ast.Name):
        if other.id != name.id or nodes.around(other, *FUNCTIONS) is not home:
            continue
        around = nodes.parents.get(other)
        if isinstance(around, ast.AugAssign) and around.target is other:
            return True
        if isinstance(around, ast.Attribute):
            over = nodes.parents.get(around)
            if around.attr == "data" and (not isinstance(around.ctx, ast.Load) or isinstance(over, ast.Attribute)):
                return True
            in_place = is_in_place(around.attr) and around.attr not in BEGINNING
            if in_place and isinstance(over, ast.Call):
                return True
    return False
