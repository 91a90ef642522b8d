"""Copies that objects keep: ``self.parts = self.flat.split(sizes)``, ``Config(x, x.chunk(2)[0])``.

Who changes the one, anywhere in the project, changes the other in torch.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rewriters.infer.other_libraries import NAMESPACES
from rewriters.infer.syntax import is_update_of_names, under_its_name
from rewriters.infer.values import ClassInfo, ClassOf, External, FunctionInfo, FunctionOf, ModuleInfo, ObjectOf, Ref
from rewriters.places.by_text import is_told_to_change
from rewriters.places.calls import attribute_set, drops, is_of_array, may_be_in_place
from rewriters.places.changes import Changes
from rewriters.places.effect import Effect
from rewriters.places.memory import around, gives_what_is_in_it, spelled
from rewriters.places.sites import above
from rewriters.text.tree import Nodes, walk
from rewriters.torch.effects import effects_of

# Attributes of tensors that lie in their memory.
VIEWS = {"data", "T", "mT", "H", "mH", "real", "imag"}


@dataclass(frozen=True)
class Changing:
    """Where something changes in place.

    names: of attributes.
    stored: as they are spelled in messages, those of them into which items are stored.
    given: parameters of functions, where a call gives what its file changes by its name there.
    """

    names: frozenset[str]
    stored: frozenset[str]
    given: dict[ast.AST, frozenset[str]]


def changing(modules: Iterable[ModuleInfo], names: Iterable[str]) -> Changing:
    """Of all files; ``names``: attributes that functions change, which are given them."""
    modules = list(modules)
    attributes = handed_on(modules, changed_attributes(modules) | frozenset(names))
    stored = frozenset(spelled(name) for module in modules for name in changed_in(module, items_stored(module.nodes)))
    return Changing(attributes, stored, changed_by_givers(modules, attributes))


def kept_copies(changes: Changes, changing: Changing, function: ast.AST) -> dict[ast.Call, str]:
    """Calls of a walked function that make such copies, each with what changes: ``.attribute``, or a name."""
    changed, given = changing.names, changing.given.get(function, frozenset())
    memory = changes.memory
    found: dict[ast.Call, str] = {}
    made = [site for site in memory.sites.values() if changes.made_by_copy(site) and not changes.drops(site)]
    kept = [(above(sites), names) for sites, names in memory.kept] if made else []
    for site in made:
        assert isinstance(site.node, ast.Call)
        call, base = site.node, base_of(site.node)
        words = {name for held, names in kept if site in held for name in names}
        of_array = changes.is_of_array(call)
        if not (words or of_array):
            # What it is a copy of is kept, and changes under that name.
            words = {name for held, names in kept if not held.isdisjoint(site.beyond) for name in names} & changed
        if not words:
            continue
        if of_array:
            # Arrays come and go beside tensors; that two objects share one is said where one is an attribute.
            words = words | {base.attr} if isinstance(base, ast.Attribute) else set()
        else:
            words |= {name for held, names in kept if not held.isdisjoint(site.beyond) for name in names}
            root = root_of(base)
            words |= {root.attr} if isinstance(root, ast.Attribute) else set()
            if isinstance(root, ast.Name) and root.id in memory.free:
                words |= {around(root.id)}
            if isinstance(root, ast.Name) and root.id in given:
                found[call] = root.id
        if words & changed:
            names = sorted(map(spelled, words & changed))
            found.setdefault(call, next((name for name in names if name in changing.stored), names[0]))
    return found


def may_be_kept(call: ast.Call, effect: Effect | FunctionOf) -> bool:
    """Whether a call that gives a copy may be one of these: of an array only if that is an attribute."""
    return not drops(effect) and (not is_of_array(effect) or isinstance(base_of(call), ast.Attribute))


def base_of(call: ast.Call) -> ast.expr:
    """What a call makes something of: a method's receiver, or the first argument."""
    if isinstance(call.func, ast.Attribute) and not isinstance(getattr(call.func, "v", None), (Ref, External)):
        return call.func.value
    given = [*call.args, *(word.value for word in call.keywords)]
    return given[0] if given else call.func


def attributes_of(info: ClassInfo) -> frozenset[str]:
    """All that objects of a class may keep something under."""
    owners = (one for one in info.linear() if isinstance(one, ClassInfo))
    return frozenset(name for one in owners for name in (*one.attributes, *one.fields()))


def changed_attributes(modules: Iterable[ModuleInfo]) -> frozenset[str]:
    """Names of attributes in which something changes in place, also under the name of a loop or an assignment."""
    return frozenset(name for module in modules for name in changed_in(module, roots_changed(module.nodes)))


def changed_by_givers(modules: Iterable[ModuleInfo], attributes: frozenset[str]) -> dict[ast.AST, frozenset[str]]:
    """Parameters of the project's functions that a call gives what its file changes in place, by its name there, or by
    an attribute that it is stored under."""
    found: dict[ast.AST, frozenset[str]] = {}
    for module in modules:
        stored = [root_of(value) for name, value in stores(module) if name in attributes] if attributes else []
        names = {root.id for root in (*roots_changed(module.nodes), *stored) if isinstance(root, ast.Name)}
        for call in module.nodes.of(ast.Call) if names else ():
            function, skipped = called_by(call)
            if function is None:
                continue
            given = [*zip([one.arg for one in function.args.args[skipped:]], call.args, strict=False)]
            given += [(word.arg, word.value) for word in call.keywords if word.arg]
            roots = [(name, root_of(value)) for name, value in given]
            changing = {name for name, root in roots if isinstance(root, ast.Name) and root.id in names}
            found[function] = found.get(function, frozenset()) | changing
    return found


def method_of(info: ClassInfo, name: str) -> FunctionInfo | None:
    """The function of the project that an object's method is; None for none, and for torch's."""
    owners = (one for one in info.linear() if isinstance(one, ClassInfo))
    return next((one.functions[name] for one in owners if name in one.functions), None)


def called_by(call: ast.Call) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef | None, int]:
    """The project's function that a call is of, and how many of its parameters the call does not fill."""
    made = getattr(call.func, "v", None)
    if isinstance(made, ClassOf):
        info = method_of(made.info, "__init__")
    else:
        info = made.info if isinstance(made, FunctionOf) else None
    if info is None or isinstance(info.node, ast.Lambda):
        return None, 0
    return info.node, int(isinstance(made, ClassOf) or (isinstance(made, FunctionOf) and made.receiver is not None))


def handed_on(modules: Iterable[ModuleInfo], changed: frozenset[str]) -> frozenset[str]:
    """With the attributes that these are given from: ``state.x = m.mean``, where x changes."""
    given: dict[str, set[str]] = {}
    for module in modules if changed else ():
        for name, value in stores(module):
            root = root_of(value)
            if isinstance(root, ast.Attribute) and root.attr != name:
                given.setdefault(name, set()).add(root.attr)
    found, left = set(changed), list(changed)
    while left:
        new = given.get(left.pop(), set()) - found
        found |= new
        left += new
    return frozenset(found)


def stores(module: ModuleInfo) -> Iterator[tuple[str, ast.expr]]:
    """What is stored under which attributes, by assignments, ``setattr``, constructors, and what methods give."""
    yield from ((name, value) for name, value, _ in stored_by_name(module.nodes))
    for call in module.nodes.of(ast.Call):
        made = getattr(call.func, "v", None)
        if isinstance(made, ClassOf):
            names = made.info.fields() or parameters_of(made.info)
            yield from zip(names, call.args, strict=False)
            yield from ((word.arg, word.value) for word in call.keywords if word.arg)
    for function in module.nodes.of(ast.FunctionDef):
        if isinstance(function.body[-1], ast.Return) and function.body[-1].value is not None:
            yield function.name, function.body[-1].value


def stored_by_name(nodes: Nodes) -> Iterator[tuple[str, ast.expr, ast.Assign | ast.Call]]:
    """Attributes that are stored to, what they are given, and what does so: ``x.a = y``, ``vars(x)["a"] = y``,
    ``setattr(x, "a", y)``, ``x.__dict__.update(a=y)``, ``types.SimpleNamespace(a=y)``."""
    for node in nodes.of(ast.Assign):
        for target in node.targets:
            target = under_its_name(target) or target
            if isinstance(target, ast.Attribute):
                yield target.attr, node.value, node
    for call in nodes.of(ast.Call):
        if (attribute := attribute_set(call)) is not None:
            yield attribute.attr, call.args[2], call
        elif is_update_of_names(call) or makes_namespace(call):
            yield from ((word.arg, word.value, call) for word in call.keywords if word.arg)


def makes_namespace(call: ast.Call) -> bool:
    """``types.SimpleNamespace(a=y)``"""
    made = getattr(call.func, "v", None)
    return bool(call.keywords) and isinstance(made, External) and made.name in NAMESPACES


def parameters_of(info: ClassInfo) -> list[str]:
    """Of the constructor, without its receiver."""
    made = info.functions.get("__init__")
    return [one.arg for one in made.node.args.args[1:]] if made is not None else []


def roots_changed(nodes: Nodes) -> list[ast.expr]:
    """What changes in place in a file, or what that is a part of."""
    changed: list[ast.expr] = [node.target for node in nodes.of(ast.AugAssign)]
    changed += [node.value for node in nodes.of(ast.Subscript) if isinstance(node.ctx, ast.Store)]
    for node in nodes.of(ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr.endswith("_"):
            of_module = isinstance(getattr(node.func, "v", None), Ref)  # F.relu_(x)
            changed += node.args[:1] if of_module else [receiver_of(node.func.value)]
        elif is_told_to_change(node):
            changed += node.args[:1]
        elif may_be_in_place(node):
            changed += [part for part in node.args[:1] if isinstance(part, ast.Attribute)]  # self.act(self.x)
    for word in nodes.of(ast.keyword):
        if word.arg == "out":
            changed += word.value.elts if isinstance(word.value, (ast.Tuple, ast.List)) else [word.value]
    return [root_of(node) for node in changed]


def items_stored(nodes: Nodes) -> list[ast.expr]:
    """What items are stored into in a file, or what that is a part of."""
    return [root_of(node.value) for node in nodes.of(ast.Subscript) if isinstance(node.ctx, ast.Store)]


def changed_in(module: ModuleInfo, roots: list[ast.expr]) -> Iterator[str]:
    """Names of attributes that these of a file are, or are made of."""
    nodes = module.nodes
    names = {root.id for root in roots if isinstance(root, ast.Name)}
    bound = [(loop.target, loop.iter) for loop in nodes.of(ast.For, ast.comprehension)]
    bound += [(target, node.value) for node in nodes.of(ast.Assign) for target in node.targets]
    for target, value in bound if names else ():
        if any(isinstance(part, ast.Name) and part.id in names for part in walk(target)):
            parts = value.args if isinstance(value, ast.Call) else getattr(value, "elts", getattr(value, "values", ()))
            held = [receiver_of(value), *([value.func.value] if gives_what_is_in_it(value) else [])]
            roots += [root_of(node) for node in (value, *parts, *held)]
    yield from (root.attr for root in roots if isinstance(root, ast.Attribute))
    yield from (around(root.id) for root in roots if isinstance(root, ast.Name))


def receiver_of(node: ast.expr) -> ast.expr:
    """What a method is called on; of ``m.get().add_(1)``, what gives it: ``m.get``."""
    of_own = isinstance(node, ast.Call) and isinstance(getattr(node.func, "v", None), FunctionOf)
    return node.func if of_own else node  # type: ignore[attr-defined]


def is_object(node: ast.expr) -> bool:
    """Whether it is an object of the project's: what it has under the name of a view is its own."""
    return isinstance(getattr(node, "v", None), (ObjectOf, ClassOf))


def root_of(node: ast.expr) -> ast.expr:
    """What items and views are of."""
    while True:
        if (named := under_its_name(node)) is not None:
            return named
        if isinstance(node, (ast.Subscript, ast.Starred)):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_view(node.func.attr):
            node = node.func.value
        elif isinstance(node, ast.Attribute) and node.attr in VIEWS and not is_object(node.value):
            node = node.value
        else:
            return node


def is_view(name: str) -> bool:
    schema = effects_of(f"torch.Tensor.{name}")
    return schema is not None and bool(schema.aliases)
