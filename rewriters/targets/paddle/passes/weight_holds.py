"""What an expression holds of the weights of Linears.

A set of pairs: "one" weight (or its gradient, or what is computed from it element by element) or "many" in a container,
and the call of nn.Linear that made it, or ANY, or FILE for what a checkpoint holds.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from rewriters.infer.joining import torch_class
from rewriters.infer.values import (
    Choice,
    ClassOf,
    FunctionInfo,
    FunctionOf,
    Instance,
    Items,
    Mapping,
    ModuleInfo,
    ObjectOf,
    Plain,
    Ref,
    Series,
    Tensor,
    Value,
)
from rewriters.targets.paddle.passes.weight_makers import (
    ANY,
    LINEAR,
    Makers,
    holds_linears,
    is_unknown,
    may_hold_linear,
    names_of_torch,
    value_of,
    ways,
)
from rewriters.targets.paddle.passes.weight_words import CREATION, ELEMENTWISE, HAND_ON, INPLACE, LIKE, OPTIONS, WEIGHTS
from rewriters.text.tree import walk
from rewriters.torch.table import mro

FILE = "file"
Held = frozenset[tuple[str, Any]]
NOTHING: Held = frozenset()
GIVE_MANY = {"parameters", "named_parameters", "state_dict", "get_parameters"}
HOLD_MANY = {"param_groups", "_parameters"}
LOADS = {"load", "load_file", "load_state_dict_from_url", "load_url", "safe_open"}
GIVING = WEIGHTS | GIVE_MANY | HOLD_MANY | LOADS | {"state", "get_parameter", "getattr", "attrgetter"}
"""Names of what gives weights."""


def as_many(held: Held) -> Held:
    return frozenset(("many", origin) for _, origin in held)


def items_of(held: Held) -> Held:
    """What an item of a container is, as far as nothing else says: a weight, or a container again."""
    return frozenset(pair for kind, origin in held if kind == "many" for pair in (("one", origin), ("many", origin)))


def of_kind(held: Held, kind: str) -> Held:
    return frozenset(pair for pair in held if pair[0] == kind)


def simple(held: Held) -> Held:
    """Without single makers beside ANY."""
    for kind in ("one", "many"):
        if (kind, ANY) in held:
            held = frozenset(pair for pair in held if pair[0] != kind or pair[1] in (ANY, FILE))
    return held


class Holds(Makers):
    """What each expression holds, by what names, attributes and functions do."""

    def __init__(self, modules: Iterable[Any]) -> None:
        super().__init__(modules)
        self.has_values = any(name == LINEAR for module in self.modules for _, name in names_of_torch(module))
        self.derived = any(
            LINEAR in mro(base.name)
            for module in self.modules
            for node in module.nodes.of(ast.ClassDef)
            for part in node.bases
            if isinstance(base := value_of(part), Ref)
        )
        self.names: dict[tuple[Any, str], Held] = {}
        self.known: set[str] = set()  # the names and attributes in ``names``
        self.own: dict[Any, Held] = {}  # what a project's class has as its own weight
        self.lengths: dict[ast.AST, set[int]] = {}  # of the tuples that a function returns
        self.called: set[FunctionInfo] = set()
        self.calls: dict[ast.AST, list[ast.Call]] = {}  # of the project's functions, wherever they stand
        self.calling: dict[Any, set[FunctionInfo]] = {}  # the project's functions that a file calls
        self.callers: dict[ast.AST, list[ModuleInfo]] = {}  # in which files
        self.visiting: set[ast.AST] = set()
        self.memo: dict[ast.AST, Held] = {}
        self.looks_elsewhere = False  # whether what is in the memo depends on what other files' expressions hold
        # The expressions in which a weight may come up, and those that become so when a name is known to hold one.
        self.live: set[ast.AST] = set()
        self.moved = False

    def function_of(self, value: Value) -> tuple[FunctionInfo | None, int]:
        """The project's function that a call runs, and how many of its parameters are filled already."""
        if isinstance(value, FunctionOf):
            return value.info, int(value.receiver is not None)
        name = "__init__" if isinstance(value, ClassOf) else "forward"
        if isinstance(value, (ClassOf, ObjectOf)):
            for owner in value.info.linear():
                if not isinstance(owner, str):
                    found = owner.functions.get(name) or owner.functions.get("__call__")
                    if found is not None:
                        return found, 1
        return None, 0

    def find_sources(self) -> None:
        """What may give a weight by itself: what is asked for one by name or by key."""
        for module in self.modules:
            for node in module.nodes.of(ast.Attribute):
                if node.attr in GIVING:
                    self.enliven(node)
            for node in module.nodes.of(ast.Name):
                if node.id in GIVING:
                    self.enliven(node)
            self.find_calls(module)
            for node in module.nodes.of(ast.Subscript):
                key = text_of(node.slice)
                if key is not None and key.rpartition(".")[2] in WEIGHTS:
                    self.enliven(node)

    @cached_property
    def named(self) -> dict[str, list[ast.AST]]:
        """The expressions of each name or attribute; asked for once one is known to hold a weight."""
        found: dict[str, list[ast.AST]] = {}
        for module in self.modules:
            for node in module.nodes.of(ast.Attribute):
                found.setdefault(node.attr, []).append(node)
            for node in module.nodes.of(ast.Name):
                found.setdefault(node.id, []).append(node)
        return found

    def find_calls(self, module: ModuleInfo) -> None:
        """Calls of the project's functions: a weight comes up in them once the function is known to return one."""
        calling = self.calling[module] = set()
        for node in module.nodes.of(ast.Call):
            called = value_of(node.func)
            if not isinstance(called, (FunctionOf, ObjectOf, Choice, ClassOf)):
                continue
            for function in ways(called):
                info, _ = self.function_of(function)
                if info is not None:
                    if info not in calling:
                        calling.add(info)
                        self.callers.setdefault(info.node, []).append(module)
                    self.calls.setdefault(info.node, []).append(node)

    def enliven(self, node: ast.AST | None) -> None:
        """In the expression, and all that it stands in, a weight may come up."""
        while node is not None and node not in self.live:
            self.live.add(node)
            node = self.parents.get(node)

    def held(self, node: ast.expr) -> Held:
        """What an expression holds."""
        if node not in self.live:
            return NOTHING
        if node in self.memo:
            return self.memo[node]
        if node in self.visiting:
            return NOTHING
        self.visiting.add(node)
        found = refined(self.find(node), node)
        self.visiting.discard(node)
        self.memo[node] = found
        return found

    def find(self, node: ast.expr) -> Held:
        if isinstance(node, ast.Name):
            if node.id not in self.known:
                return NOTHING
            found = NOTHING
            for scope in self.outwards(node):
                found |= self.names.get((scope, node.id), NOTHING)
            return found
        if isinstance(node, ast.Attribute):
            return self.attribute(node)
        if isinstance(node, ast.Call):
            return self.call(node)
        if isinstance(node, ast.Subscript):
            return self.item(node)
        if isinstance(node, ast.BinOp):
            both = self.held(node.left) | self.held(node.right)
            return NOTHING if isinstance(node.op, ast.MatMult) else both
        if isinstance(node, ast.Compare):
            plain = all(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops)
            return NOTHING if plain else of_kind(self.held(node.left) | self.held(node.comparators[0]), "one")
        if isinstance(node, (ast.UnaryOp, ast.Starred, ast.Await, ast.NamedExpr)):
            inner = node.operand if isinstance(node, ast.UnaryOp) else node.value
            return NOTHING if isinstance(getattr(node, "op", None), ast.Not) else self.held(inner)
        if isinstance(node, ast.IfExp):
            return self.held(node.body) | self.held(node.orelse)
        if isinstance(node, ast.BoolOp):
            return self.together(node.values)
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            return as_many(self.together(node.elts))
        if isinstance(node, ast.Dict):
            return as_many(self.together(node.values))
        if isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
            return as_many(self.held(node.elt))
        return as_many(self.held(node.value)) if isinstance(node, ast.DictComp) else NOTHING

    def together(self, nodes: Iterable[ast.expr]) -> Held:
        found = NOTHING
        for node in nodes:
            found |= self.held(node)
        return found

    def attribute(self, node: ast.Attribute) -> Held:
        value = value_of(node.value)
        if node.attr in WEIGHTS:
            return self.weight_of(node.value)
        if node.attr in {"data", "grad", "real"}:
            return of_kind(self.held(node.value), "one")
        if node.attr in HOLD_MANY and not isinstance(value, (Plain, Tensor)):
            return frozenset([("many", ANY)])
        if node.attr == "state" and (torch_class(value) or "").startswith("torch.optim"):
            return frozenset([("many", ANY)])
        if isinstance(value, (Tensor, Ref)):
            return NOTHING
        inner = self.held(node.value)
        if inner and node.attr in {"values", "original", "original0", "original1"}:
            return inner
        found = self.names.get((None, node.attr), NOTHING)
        if isinstance(value, ObjectOf):
            for owner in value.info.linear():
                function = owner.functions.get(node.attr) if not isinstance(owner, str) else None
                if function is not None and function.kind == "property":
                    found |= self.names.get((function.node, "return"), NOTHING)
        return found

    def weight_of(self, layer: ast.expr) -> Held:
        """What ``layer.weight`` holds."""
        value = value_of(layer)
        if isinstance(value, ObjectOf) and "?" not in value.info.linear():
            return self.own.get(value.info, NOTHING)
        if isinstance(value, Instance) and not holds_linears(value.name, LINEAR, "torch.nn.Module"):
            return NOTHING
        if isinstance(value, (Tensor, Plain, Items, Series, Mapping, Ref, ClassOf)):
            return NOTHING
        return frozenset(("one", origin) for origin in self.made_by(layer))

    def call(self, node: ast.Call) -> Held:
        called = value_of(node.func)
        given = [*node.args, *(word.value for word in node.keywords)]
        if isinstance(node.func, ast.Attribute) and not isinstance(called, Ref) and node.func.attr != "reduce":
            return self.method(node, node.func) | self.returns(called)
        name = called.name if isinstance(called, Ref) else getattr(node.func, "id", "")
        last = name.rpartition(".")[2]
        if isinstance(called, Ref) and name.startswith("torch."):
            if last in CREATION:
                shapes = [part.value for part in given if isinstance(part, ast.Attribute) and part.attr == "shape"]
                return of_kind(self.together(shapes), "one")
            if last in LIKE or last in ELEMENTWISE or last == "Parameter" or last in INPLACE:
                return of_kind(self.together(given), "one")
            if name == "torch.load":
                return frozenset([("many", FILE)])
            return as_many(self.together(given)) if name in {"torch.autograd.grad"} else NOTHING
        if name == "getattr" and len(node.args) > 1:
            return self.looked_up(node.args[0], node.args[1])
        if last == "reduce" and len(node.args) == 3 and getattr(node.args[0], "id", "") == "getattr":
            return frozenset([("one", ANY)])  # reduce(getattr, "fc.weight".split("."), model)
        if is_getter(node.func):
            return frozenset([("one", ANY)])
        if name == "next":
            return items_of(self.held(node.args[0])) if node.args else NOTHING
        if last in HAND_ON or name in {"copy.deepcopy", "copy.copy"}:
            held = self.together(given)
            return held if last in {"deepcopy", "copy"} else as_many(held)
        if name == "map" and len(node.args) > 1:
            return as_many(self.held(node.args[0].body)) if isinstance(node.args[0], ast.Lambda) else NOTHING
        return self.returns(called)

    def returns(self, called: Value) -> Held:
        found = NOTHING
        for function in ways(called):
            info, _ = self.function_of(function) if not isinstance(function, ClassOf) else (None, 0)
            if info is not None:
                found |= self.names.get((info.node, "return"), NOTHING)
        return found

    def looked_up(self, owner: ast.expr, name: ast.expr) -> Held:
        """``getattr(layer, "weight")``, and by a name that is computed."""
        if isinstance(name, ast.Constant):
            return self.weight_of(owner) if name.value in WEIGHTS else NOTHING
        value = value_of(owner)
        is_module = isinstance(value, ObjectOf) and value.info.is_module
        is_module |= isinstance(value, Instance) and holds_linears(value.name)
        is_module |= is_unknown(value) and isinstance(name, ast.Name) and goes_along_path(name)
        return frozenset([("one", ANY)]) if is_module else NOTHING

    def method(self, node: ast.Call, func: ast.Attribute) -> Held:
        name, held, value = func.attr, self.held(func.value), value_of(func.value)
        if name in GIVE_MANY and not held and may_hold_linear(value) and not isinstance(value, Tensor):
            of_torch = isinstance(value, Instance) and not value.name.startswith("torch.nn.Transformer")
            inside = self.made_by(func.value) if of_torch else frozenset([ANY])
            return frozenset(("many", origin) for origin in inside)
        if name == "get_parameter" and not held:
            return frozenset([("one", ANY)])
        if name in LOADS and not held and is_unknown(value_of(node)):
            return frozenset([("many", FILE)])
        many, one = of_kind(held, "many"), of_kind(held, "one")
        if name in {"items", "values", "copy", "named_parameters", "from_iterable"}:
            return many
        if name in {"get", "pop", "popitem", "setdefault", "get_tensor"}:
            return items_of(many)
        if name in ELEMENTWISE or (name.endswith("_") and name[:-1] in INPLACE) or name == "numpy":
            return one
        if name.startswith("new_") and any(isinstance(a, ast.Attribute) and a.attr == "shape" for a in node.args):
            return one
        if name in HAND_ON:
            given = self.together([*node.args, *(word.value for word in node.keywords)])
            return given if name in {"deepcopy", "copy"} else as_many(given)
        return NOTHING

    def item(self, node: ast.Subscript) -> Held:
        key = text_of(node.slice)
        if key is not None and (
            key in OPTIONS or key == "bias" or key.endswith((".bias", "running_mean", "running_var"))
        ):
            return NOTHING
        held = self.held(node.value)
        found = items_of(held)
        bound = self.bound.get((None, key)) if found and key is not None and "." not in key else None
        self.looks_elsewhere |= bool(bound)
        if bound and not any(value is None or self.held(value) for value in bound):
            return NOTHING  # what is put under that key, anywhere, is no weight
        if key is not None and key.rpartition(".")[2] in WEIGHTS:
            found = of_kind(found, "one")
        may_be_state = is_unknown(value_of(node.value)) or isinstance(value_of(node.value), Mapping)
        if not held and may_be_state and key is not None and key.rpartition(".")[2] in WEIGHTS and "." in key:
            return frozenset([("one", ANY)])
        return found


def goes_along_path(name: ast.Name) -> bool:
    """Whether a loop binds the name to the parts of a path: ``for name in path.split("."): x = getattr(x, name)``."""
    node: ast.AST | None = name
    while node is not None and not isinstance(node, (ast.FunctionDef, ast.Module)):
        if isinstance(node, ast.For) and getattr(node.target, "id", "") == name.id:
            return any(isinstance(part, ast.Attribute) and part.attr == "split" for part in walk(node.iter))
        node = getattr(node, "parent", None)
    return False


def is_getter(node: ast.expr) -> bool:
    """``operator.attrgetter("fc.weight")``, of a name that is computed or a weight's."""
    called = node.func if isinstance(node, ast.Call) else None
    name = getattr(called, "attr", getattr(called, "id", ""))
    if name != "attrgetter" or not isinstance(node, ast.Call) or len(node.args) != 1:
        return False
    text = text_of(node.args[0])
    return text is None or text.rpartition(".")[2] in WEIGHTS


def text_of(node: ast.expr) -> str | None:
    """The end of a key that is text: of a constant, of an f-string, of a sum."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr) and node.values:
        end = text_of(node.values[-1])
        return None if end is None else f"?{end}"
    if isinstance(node, ast.BinOp):
        end = text_of(node.right)
        return None if end is None else f"?{end}"
    return None


def refined(held: Held, node: ast.AST) -> Held:
    """Without what the inference knows the expression not to be."""
    if not held:
        return held
    value = value_of(node)
    if isinstance(value, Tensor) and not value.assumed:
        return of_kind(held, "one")
    if isinstance(value, (Items, Series, Mapping)):
        return of_kind(held, "many")
    is_stored = isinstance(getattr(node, "ctx", None), ast.Store)
    if isinstance(value, Plain) and value.kind in {"int", "float", "bool", "str", "bytes", "number"} and not is_stored:
        return NOTHING
    return held
