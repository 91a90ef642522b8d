"""Names of loops over a module's parameters or buffers, comprehensions among them: each stands for what holds one, not
for its array."""

from __future__ import annotations

import ast
from functools import lru_cache

from rewriters.infer.held_leaves import gone_through, is_container
from rewriters.infer.leaves import is_leaf, pairs_of, stores_on_self
from rewriters.infer.syntax import path_of
from rewriters.infer.values import ClassInfo, Instance, Method, ObjectOf, Tensor, Unknown
from rewriters.text.tree import COMPREHENSIONS, FUNCTIONS, Nodes, is_in_place, walk

SINGLE, NAMED = {"parameters", "buffers"}, {"named_parameters", "named_buffers"}
SAME = {"list", "tuple", "reversed"}
Lists = frozenset[tuple[ast.AST | None, str]]
LIST, DICT = "torch.nn.ParameterList", "torch.nn.ParameterDict"


def is_item(node: ast.AST, nodes: Nodes) -> bool:
    """Whether it is the name of such a loop around, which nothing in there binds anew; or what one of torch's lists or
    dicts of parameters has at a place: ``self.weights[0]``.
    """
    if isinstance(node, ast.Subscript):
        held = container_of(node.value) in {LIST, DICT} or is_container(node.value, nodes)
        return held and isinstance(getattr(node, "v", None), Tensor)
    if not isinstance(node, ast.Name):
        return False
    if is_leaf(node, nodes):
        return True
    inside: ast.AST = node
    for around in nodes.all_around(node, ast.AST):
        if isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            return False
        if isinstance(around, ast.For) and node.id in bound_by(around.target):
            within = inside in around.body
            found = items_of(around.target, around.iter, nodes) if within else ()
            asked = within and (has_gradient(around, node.id) or node.id in changed_in_state(around))
            found = found if node.id in found else ({node.id} if asked else ())
            return node.id in found and not is_bound_in(around, node.id)
        if isinstance(around, COMPREHENSIONS):
            for one in around.generators:
                if node.id in bound_by(one.target):
                    return node.id in items_of(one.target, one.iter, nodes) and node not in walk(one.iter)
        inside = around
    return False


def has_gradient(loop: ast.For, name: str) -> bool:
    """Whether the loop asks for the gradient of what the name stands for, which holders of parameters alone have."""
    parts = (part for statement in loop.body for part in walk(statement))
    return any(
        isinstance(part, ast.Attribute) and part.attr == "grad" and getattr(part.value, "id", "") == name
        for part in parts
    )


def changed_in_state(loop: ast.For) -> dict[str, ast.Call]:
    """Names of a loop over what ``state_dict()`` gives, each with the call, whose tensors change in it: these are the
    module's own.
    """
    found = {}
    for target, given in pairs_of(loop.target, loop.iter):
        method = given.func if isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute) else None
        call = method.value if method is not None and method.attr in ("items", "values") else None
        if (
            not isinstance(call, ast.Call)
            or getattr(call.func, "attr", "") != "state_dict"
            or call.args
            or call.keywords
        ):
            continue
        pair = target.elts if isinstance(target, ast.Tuple) else []
        name = target if method.attr == "values" else pair[1] if len(pair) == 2 else None  # type: ignore[union-attr]
        owner = getattr(call.func, "v", None)
        of_module = isinstance(owner, Unknown) or (isinstance(owner, Method) and owner.name.startswith("torch.nn."))
        if of_module and isinstance(name, ast.Name) and changes_in(loop, name.id):
            found[name.id] = call
    return found


def changes_in(loop: ast.For, name: str) -> bool:
    """Whether a loop changes what a name stands for in place."""
    for part in (part for statement in loop.body for part in walk(statement)):
        held: ast.expr | None = part.target if isinstance(part, ast.AugAssign) else None
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and is_in_place(part.func.attr):
            held = part.func.value
        if isinstance(part, ast.Subscript) and not isinstance(part.ctx, ast.Load):
            held = part.value
        while isinstance(held, (ast.Attribute, ast.Subscript)) and getattr(held, "attr", "data") == "data":
            held = held.value
        if isinstance(held, ast.Name) and held.id == name:
            return True
    return False


def bound_by(target: ast.expr) -> set[str]:
    return {part.id for part in walk(target) if isinstance(part, ast.Name)}


def is_bound_in(loop: ast.For, name: str) -> bool:
    """Whether a statement in the loop makes the name stand for something else."""
    parts = [part for statement in loop.body for part in walk(statement)]
    augmented = {part.target for part in parts if isinstance(part, ast.AugAssign)}
    named = (part for part in parts if isinstance(part, ast.Name) and part.id == name)
    return any(isinstance(part.ctx, ast.Store) and part not in augmented for part in named)


def items_of(target: ast.expr, given: ast.expr, nodes: Nodes, lists: Lists | None = None) -> set[str]:
    """The names in the target of a loop that stand for parameters or buffers.

    lists: as of ``lists_in``, which finds them by this.
    """
    if container_of(given) == LIST and isinstance(target, ast.Name):
        return {target.id}
    if (name := gone_through(given)) is not None and is_container(name, nodes):
        pair = isinstance(given, ast.Call) and given.func.attr == "items"  # type: ignore[attr-defined]
        return bound_by(target.elts[1] if pair and isinstance(target, ast.Tuple) else target)
    if isinstance(given, (ast.Name, ast.Attribute)) and isinstance(target, ast.Name):
        lists = lists_in(nodes) if lists is None else lists
        known = isinstance(given, ast.Name) and (home_of(given, nodes), given.id) in lists
        known |= isinstance(given, ast.Attribute) and is_kept_list(given)
        return {target.id} if known or key_of(given, nodes) in asked_lists(nodes) else set()
    if isinstance(given, ast.Subscript) and isinstance(given.slice, ast.Constant) and given.slice.value == "params":
        return {target.id} if isinstance(target, ast.Name) else set()  # those of an optimizer's group
    if isinstance(given, ast.Subscript) and isinstance(given.slice, ast.Slice):
        return items_of(target, given.value, nodes, lists) if isinstance(target, ast.Name) else set()
    if together := joined_in(given):
        return set.intersection(*(items_of(target, one, nodes, lists) for one in together))
    if isinstance(given, (ast.GeneratorExp, ast.ListComp)) and isinstance(target, ast.Name):
        return {target.id} if gives_items(given, nodes, lists) else set()
    if not isinstance(given, ast.Call):
        return set()
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
    if isinstance(given.func, ast.Attribute):
        if given.func.attr in SINGLE:
            return {target.id} if isinstance(target, ast.Name) else set()
        if given.func.attr in NAMED and len(parts) == 2:
            return bound_by(parts[1])
        if container_of(given.func.value) == DICT:
            if given.func.attr == "values" and isinstance(target, ast.Name):
                return {target.id}
            return bound_by(parts[1]) if given.func.attr == "items" and len(parts) == 2 else set()
        return set()
    called = given.func.id if isinstance(given.func, ast.Name) else ""
    if called in SAME and given.args:
        return items_of(target, given.args[0], nodes, lists)
    if called == "filter" and len(given.args) == 2:
        return items_of(target, given.args[1], nodes, lists)
    pairs = pairs_of(target, given)
    return set() if pairs == [(target, given)] else set().union(*(items_of(*pair, nodes, lists) for pair in pairs))


def container_of(node: ast.expr) -> str:
    """Torch's class of the container that an expression is; "" where it is none."""
    value = getattr(node, "v", None)
    return value.name if isinstance(value, Instance) else ""


def joined_in(given: ast.expr) -> list[ast.expr]:
    """The lists that one is made of: ``list(a) + list(b)``, ``[*a, *b]``, ``itertools.chain(a, b)``."""
    if isinstance(given, ast.BinOp) and isinstance(given.op, ast.Add):
        return [given.left, given.right]
    if isinstance(given, (ast.List, ast.Tuple)) and all(isinstance(one, ast.Starred) for one in given.elts):
        return [one.value for one in given.elts]  # type: ignore[attr-defined]
    chains = isinstance(given, ast.Call) and path_of(given.func) in ("itertools.chain", "chain") and not given.keywords
    return given.args if chains else []  # type: ignore[attr-defined]


def key_of(given: ast.expr, nodes: Nodes) -> tuple[ast.AST | None, str]:
    """Where a list is known by its name, and this: an attribute of self in the whole class."""
    path = path_of(given) or ""
    return nodes.around(given, ast.ClassDef) if path.startswith("self.") else home_of(given, nodes), path


@lru_cache(maxsize=4)
def asked_lists(nodes: Nodes) -> frozenset[tuple[ast.AST | None, str]]:
    """Lists of a file of whose items a loop asks the gradients."""
    if not any(node.attr == "grad" for node in nodes.of(ast.Attribute)):
        return frozenset()
    return frozenset(
        key_of(given, nodes)
        for loop in nodes.of(ast.For)
        for target, given in pairs_of(loop.target, loop.iter)
        if isinstance(target, ast.Name) and path_of(given) and has_gradient(loop, target.id)
    )


def is_kept_list(given: ast.Attribute) -> bool:
    """``self.params`` of an object whose class makes it ``list(net.parameters())``."""
    owner = getattr(given.value, "v", None)
    line = owner.info.linear() if isinstance(owner, ObjectOf) else ()
    classes = (one for one in line if isinstance(one, ClassInfo))
    return any((one.node, given.attr) in kept_lists(one.module.nodes) for one in classes)


@lru_cache(maxsize=16)
def kept_lists(nodes: Nodes) -> frozenset[tuple[ast.AST, str]]:
    """(class, attribute) of the lists of parameters that classes of a file make once."""
    stores: dict[tuple[ast.AST, str], list[ast.expr | None]] = {}
    for key, place in stores_on_self(nodes):
        around = nodes.parents.get(place)
        plain = isinstance(around, ast.Assign) and around.targets == [place]
        stores.setdefault(key, []).append(around.value if plain else None)  # type: ignore[union-attr]
    once = {key: values[0] for key, values in stores.items() if len(values) == 1 and values[0] is not None}
    return frozenset(key for key, value in once.items() if is_list_of_items(value, nodes, frozenset()))


def home_of(node: ast.AST, nodes: Nodes) -> ast.AST | None:
    return nodes.around(node, *FUNCTIONS)


@lru_cache(maxsize=4)
def lists_in(nodes: Nodes) -> Lists:
    """Names of a file, each with the function that it is in, that stand for a list of parameters and for nothing else:
    ``params = list(net.parameters())``, also ``[p for p, g in zip(params, grads)]``."""
    made = [one for one in nodes.of(ast.Assign) if len(one.targets) == 1 and isinstance(one.targets[0], ast.Name)]
    found: Lists = frozenset()
    while True:
        named = {(home_of(one, nodes), one.targets[0].id) for one in made if is_list_of_items(one.value, nodes, found)}
        if (alone := standing_for_one(named, nodes)) == found:
            return found
        found = alone


def standing_for_one(names: Lists | set[tuple[ast.AST | None, str]], nodes: Nodes) -> Lists:
    """Those of the names that are bound once, and that others cannot come into."""
    if not names:
        return frozenset()
    named = [node for node in nodes.of(ast.Name) if any(node.id == name for _, name in names)]
    stored = [(home_of(node, nodes), node.id) for node in named if not isinstance(node.ctx, ast.Load)]
    asked = [(home_of(node, nodes), node.id) for node in named if is_asked_by_method(node, nodes)]
    return frozenset(one for one in names if stored.count(one) == 1 and one not in asked)


def is_list_of_items(value: ast.expr, nodes: Nodes, lists: Lists) -> bool:
    if isinstance(value, ast.ListComp):
        return isinstance(value.generators[0].iter, ast.Call) and gives_items(value, nodes, lists)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in SAME and value.args:
        value = value.args[0]
    if together := joined_in(value):
        return all(is_list_of_items(one, nodes, lists) for one in together)
    method = value.func if isinstance(value, ast.Call) else None
    return isinstance(method, ast.Attribute) and method.attr in SINGLE


def gives_items(value: ast.ListComp | ast.GeneratorExp, nodes: Nodes, lists: Lists | None) -> bool:
    """``(p for p in net.parameters() if p.requires_grad)``"""
    if len(value.generators) != 1 or not isinstance(value.elt, ast.Name):
        return False
    one = value.generators[0]
    return value.elt.id in items_of(one.target, one.iter, nodes, lists)


def is_asked_by_method(node: ast.Name, nodes: Nodes) -> bool:
    """``params.append(x)``: others may come into it."""
    around = nodes.parents.get(node)
    return isinstance(around, ast.Attribute) and isinstance(node.ctx, ast.Load)
