"""Which calls of nn.Linear made the layer that an expression is.

Names and attributes are followed without regard to the order of statements; what cannot be followed is ANY.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from rewriters.infer.values import (
    UNKNOWN,
    Bottom,
    Choice,
    External,
    Instance,
    Items,
    Mapping,
    ModuleInfo,
    ObjectOf,
    Ref,
    Series,
    Unknown,
    Value,
)
from rewriters.targets.paddle.passes.weight_words import HAND_ON, HOLDS_LINEARS
from rewriters.text.tree import Nodes, Parents
from rewriters.torch.table import entry, mro

ANY = "any"
PUT = "put into what is given"
TUPLES = {"typing.NamedTuple", "collections.OrderedDict", "collections.UserDict", "collections.UserList"}
CONTAINERS = (ast.List, ast.Dict, ast.Call)
LINEAR = "torch.nn.Linear"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
SCOPES = (*FUNCTIONS, ast.ClassDef, ast.Module)
BINDING = (
    *(ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.For, ast.AsyncFor, ast.comprehension, ast.withitem, ast.arg),
    *(ast.AugAssign, ast.Dict, ast.Call),
)
"""What binds names, attributes or keys."""


def value_of(node: ast.AST) -> Value:
    found: Value = getattr(node, "v", UNKNOWN)
    return found


def names_of_torch(module: ModuleInfo) -> list[tuple[Any, str]]:
    """A file's names and attributes that are something of torch's, and what; once inferred, they stay so."""
    found = _names_of_torch.get(module.nodes)
    if found is None:
        nodes = module.nodes.of(ast.Name, ast.Attribute)
        found = [(node, value.name) for node in nodes if isinstance(value := getattr(node, "v", None), Ref)]
        _names_of_torch[module.nodes] = found
    return found


_names_of_torch: WeakKeyDictionary[Nodes, list[tuple[Any, str]]] = WeakKeyDictionary()


def ways(value: Value) -> tuple[Value, ...]:
    """What it may be, one by one."""
    return value.values if isinstance(value, Choice) else (value,)


def is_unknown(value: Value) -> bool:
    return isinstance(value, (Unknown, Bottom))


def holds_linears(name: str, *classes: str) -> bool:
    """Whether an instance of the torch class may be one of these, or hold Linears."""
    if classes:
        return name in classes or LINEAR in mro(name)
    known = entry(name) or {}
    return not known.get("module") or name in HOLDS_LINEARS or LINEAR in mro(name)


def may_hold_linear(value: Value) -> bool:
    """Whether what is known of a value admits a module with a Linear in it."""
    if isinstance(value, Instance):
        return holds_linears(value.name)
    if isinstance(value, ObjectOf):
        tuples = any(isinstance(base, External) and base.name in TUPLES for base in value.info.bases)
        return value.info.is_module or "?" in value.info.linear() or tuples
    if isinstance(value, Choice):
        return any(may_hold_linear(one) for one in value.values)
    if isinstance(value, Items):
        return any(may_hold_linear(one) for one in value.values)
    if isinstance(value, (Series, Mapping)):
        return may_hold_linear(value.element)
    return is_unknown(value)


class Makers:
    """Which calls of nn.Linear made a layer, by what each name and attribute is bound to.

    parents: of all nodes. bound: (scope, name), or (None, attribute) -> what it is bound to; None is anything.
    """

    def __init__(self, modules: Iterable[Any]) -> None:
        self.modules = list(modules)
        self.parents = Parents()
        self.found: dict[tuple[Any, str], list[ast.expr | None]] = {}
        self.puts: list[tuple[tuple[Any, str], ast.expr]] = []
        self.tracing: set[ast.AST] | None = None
        self.put_inside: frozenset[Any] | None = None
        self.traced: dict[ast.AST, frozenset[Any]] = {}
        self.sites = [node for module in self.modules for node in module.nodes.of(ast.Call) if self.is_site(node)]

    def scope_of(self, node: ast.AST | None) -> ast.AST | None:
        """The function, class or file that a node stands in."""
        found = None if node is None else self.parents.get(node)
        while found is not None and not isinstance(found, SCOPES):
            found = self.parents.get(found)
        return found

    @cached_property
    def bound(self) -> dict[tuple[Any, str], list[ast.expr | None]]:
        """What each name and attribute is bound to; many a project never asks."""
        for module in self.modules:
            for node in module.nodes.of(*BINDING):
                self.bind(node)
        parts = {part for _, part in self.puts}
        for (scope, name), part in self.puts:
            self.put_outside(scope, name, part, parts)
        return self.found

    def put_outside(self, scope: ast.AST, name: str, part: ast.expr, parts: set[ast.expr]) -> None:
        """What is put into a container that a function is given, or that a name around it holds."""
        values = self.found[scope, name]
        if None in values:  # a parameter: what any container holds that a function is given
            self.found.setdefault((None, PUT), []).append(part)
        elif all(value in parts for value in values):
            around = next((one for one in self.outwards(scope) if one is not scope and (one, name) in self.found), None)
            if around is not None:
                self.found[around, name].append(part)

    def bind(self, node: ast.AST) -> None:
        pairs: list[tuple[ast.AST | str, ast.expr | None]] = []
        if isinstance(node, ast.Assign):
            pairs = [(target, node.value) for target in node.targets]
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr, ast.AugAssign)) and node.value is not None:
            pairs = [(node.target, node.value)]
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            pairs = [(node.target, None)]
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            pairs = [(node.optional_vars, None)]
        elif isinstance(node, ast.arg):
            self.found.setdefault((self.scope_of(node), node.arg), []).append(None)
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    self.found.setdefault((None, key.value), []).append(value)
        elif isinstance(node, ast.Call):
            self.bind_call(node)
        for target, bound in pairs:
            self.bind_target(target, bound, self.scope_of(node))

    def bind_target(self, target: Any, value: ast.expr | None, scope: ast.AST | None) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            values = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
            same = len(values) == len(target.elts)
            for index, part in enumerate(target.elts):
                self.bind_target(part, values[index] if same else None, scope)
        elif isinstance(target, ast.Starred):
            self.bind_target(target.value, None, scope)
        elif isinstance(target, ast.Name):
            self.found.setdefault((scope, target.id), []).append(value)
        elif isinstance(target, ast.Attribute):
            self.found.setdefault((None, target.attr), []).append(value)
            self.bind_part(target.value, value, scope)
        elif isinstance(target, ast.Subscript):
            key = getattr(target.slice, "value", None)
            if isinstance(key, str):
                self.found.setdefault((None, key), []).append(value)
            place = self.place(target.value, scope)
            if place is not None:
                self.found.setdefault(place, []).append(value)

    def bind_part(self, owner: ast.expr, part: ast.expr | None, scope: ast.AST | None) -> None:
        """``net.head = layer`` of a module that is torch's own: it is in what the name holds."""
        known = UNKNOWN if part is None else value_of(part)
        if is_unknown(known) or not may_hold_linear(known):
            return
        owners = [owner]
        while isinstance(owners[-1], ast.Attribute):
            owners.append(owners[-1].value)
        for one in owners:
            place = self.place(one, scope) if isinstance(value_of(one), Instance) else None
            if place is not None:
                self.found.setdefault(place, []).append(part)

    def bind_call(self, node: ast.Call) -> None:
        """``add_module("head", ...)``, ``setattr(self, "head", ...)``, ``dict(head=...)``, ``layers.append(...)``."""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        given = node.args[1:] if name == "setattr" else node.args
        if name in {"add_module", "register_module", "setattr", "add_sublayer"} and len(given) > 1:
            key = getattr(given[0], "value", None)
            self.found.setdefault((None, key if isinstance(key, str) else "?"), []).append(given[1])
            if name == "setattr":
                self.bind_part(node.args[0], given[1], self.scope_of(node))
        if name in {"append", "extend", "insert", "update", "add_module"} and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            while isinstance(owner, ast.Call) and getattr(owner.func, "attr", "") == name:  # x.append(a).append(b)
                owner = owner.func.value  # type: ignore[attr-defined]
            place = self.place(owner, self.scope_of(node))
            if place is not None and node.args:
                self.found.setdefault(place, []).append(node.args[-1])
                if place[0] is not None:
                    self.puts.append((place, node.args[-1]))
        for word in node.keywords:
            if word.arg and name in {"dict", "ModuleDict", "OrderedDict"}:
                self.found.setdefault((None, word.arg), []).append(word.value)

    def place(self, node: ast.expr, scope: ast.AST | None) -> tuple[Any, str] | None:
        """Under which key of ``bound`` the things in a container are."""
        while isinstance(node, ast.Subscript):
            node = node.value
        if isinstance(node, ast.Attribute):
            return (None, node.attr)
        return (scope, node.id) if isinstance(node, ast.Name) else None

    # Which calls of nn.Linear made a layer.

    def is_site(self, node: ast.Call) -> bool:
        """Whether a call names nn.Linear itself, not by a variable that holds the class."""
        called = value_of(node.func)
        if not isinstance(called, Ref) or called.name != LINEAR:
            return False
        if isinstance(node.func, ast.Attribute):
            return isinstance(value_of(node.func.value), Ref)
        name = getattr(node.func, "id", "")
        return bool(name) and not any((scope, name) in self.bound for scope in self.outwards(node.func))

    def made_by(self, node: ast.expr) -> frozenset[Any]:
        """The calls of nn.Linear of which the layer that the expression is, or the layers in it, may be; or ANY."""
        if self.tracing is None:
            if node not in self.traced:
                self.traced[node] = self.traced_from([node])
            return self.traced[node]
        if node in self.tracing:  # what another expression may be: each is looked at once, however many ways lead there
            return frozenset()
        self.tracing.add(node)
        return self.makers(node)

    def traced_from(self, nodes: Iterable[ast.expr]) -> frozenset[Any]:
        """As ``made_by``, of them together, whatever is being traced already."""
        tracing, self.tracing = self.tracing, set()
        try:
            return self.all_makers(nodes)
        finally:
            self.tracing = tracing

    def makers(self, node: ast.expr) -> frozenset[Any]:
        value = value_of(node)
        if not may_hold_linear(value):
            return frozenset()
        if isinstance(node, ast.Call):
            called = value_of(node.func)
            if called == Ref(LINEAR):
                return frozenset([node if self.is_site(node) else ANY])
            name = called.name if isinstance(called, Ref) else getattr(node.func, "id", "")
            if name.startswith("torch.nn.") or name in HAND_ON:
                return self.all_makers([*node.args, *(word.value for word in node.keywords)])
            if isinstance(node.func, ast.Attribute) and node.func.attr in {"to", "cuda", "eval", "train", "double"}:
                return self.made_by(node.func.value)
            return frozenset([ANY])
        if isinstance(node, (ast.List, ast.Tuple)):
            return self.all_makers(node.elts)
        if isinstance(node, ast.Dict):
            return self.all_makers(node.values)
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            return self.made_by(node.elt)
        if isinstance(node, ast.DictComp):
            return self.made_by(node.value)
        if isinstance(node, ast.IfExp):
            return self.all_makers([node.body, node.orelse])
        if isinstance(node, (ast.Subscript, ast.Starred)):
            return self.made_by(node.value)
        if isinstance(node, ast.Attribute):
            return self.bound_makers((None, node.attr)) if node.attr != "module" else self.made_by(node.value)
        if isinstance(node, ast.Name):
            for scope in self.outwards(node):
                if (scope, node.id) in self.bound:
                    return self.bound_makers((scope, node.id))
        if isinstance(node, ast.Constant):
            return frozenset()
        return frozenset([ANY])

    def all_makers(self, nodes: Iterable[ast.expr]) -> frozenset[Any]:
        found: frozenset[Any] = frozenset()
        for node in nodes:
            found |= self.made_by(node)
        return found

    def bound_makers(self, key: tuple[Any, str]) -> frozenset[Any]:
        values = self.bound.get(key)
        if not values or None in values:
            return frozenset([ANY])
        found = self.all_makers(value for value in values if value is not None)
        if (None, PUT) in self.bound and any(isinstance(value, CONTAINERS) for value in values):
            found |= self.put_into()
        return found

    def put_into(self) -> frozenset[Any]:
        """What is put into containers that functions are given: found once, as very many ways lead to it."""
        if self.put_inside is None:
            self.put_inside = frozenset()  # what leads there from there
            self.put_inside = self.traced_from(part for part in self.bound[None, PUT] if part is not None)
        return self.put_inside

    def outwards(self, node: ast.AST) -> Iterable[ast.AST]:
        """The scopes around a node, the innermost first."""
        scope = self.scope_of(node)
        while scope is not None:
            yield scope
            scope = self.scope_of(scope)
