"""What a dotted name, a call or an attribute of the source means."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from rewriters.infer.joining import is_dtype, torch_class
from rewriters.infer.python_dtypes import stands_for_dtype
from rewriters.infer.values import (
    DTYPE,
    UNKNOWN,
    Bottom,
    Choice,
    Instance,
    Method,
    ObjectOf,
    Ref,
    Tensor,
    Unknown,
    Value,
)
from rewriters.rewrite import imports
from rewriters.rewrite.draft import Part
from rewriters.rules.rulebook import dotted
from rewriters.torch.table import entry, is_module, mro, of_base

# Attributes that tensors share with builtin containers: an assumed tensor's are left alone.
SHARED = set(dir(list)) | set(dir(dict)) | set(dir(str)) | set(dir(tuple)) | set(dir(set))
# Classes of which a layer is one of several: which one is not known.
SEVERAL = {"torch.nn.Module", "torch.nn.RNNBase"}


@dataclass(eq=False)
class Callee:
    """What a call or reference resolves to.

    key:      canonical torch name.
    receiver: the expression a method is called on.
    style:    the import binding through which the source named the torch object.
    spelling: torch's name as the source has it, where that is not the canonical one (``torch.long``).
    """

    key: str
    receiver: ast.expr | None = None
    style: imports.Binding | None = None
    owner: str = ""
    spelling: str = ""


class Resolving(Part):
    """Resolves names to torch's."""

    def binding_of(self, node: ast.expr) -> imports.Binding | None:
        """The import binding at the root of a dotted name that is torch's."""
        while isinstance(node, ast.Attribute):
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        found = self.draft.table.find(node.id, self.here.functions)
        if found is not None and node.id in self.here.shadowed and found.scope not in self.here.functions:
            return None
        return found

    def is_left(self, binding: imports.Binding) -> bool:
        """Whether uses of the name stay: where it is imported, the program has its own way without it."""
        return (binding.lacking or binding.overtaken) and binding.fallback

    def resolve(self, node: ast.expr) -> Callee | None:
        """The torch object that an expression names directly, or whose method or property it is."""
        value = value_at(node)
        if node in self.draft.keys and not isinstance(node, ast.Call):
            if isinstance(value, Ref) and self.binding_of(node) is None and not self.through_project(node):
                return None  # a variable that holds it, and may hold another
            of = self.draft.keys[node].partition(":")[0].rpartition(".")[0]
            of_object = isinstance(node, ast.Attribute) and (entry(of) or {}).get("kind") == "class"
            receiving = node.value if isinstance(node, ast.Attribute) and of_object else None
            return Callee(self.draft.keys[node], receiving, self.binding_of(node))
        if isinstance(value, Ref) and not is_module(value.name):
            if self.of_class(node):
                return None
            binding = self.binding_of(node)
            if binding is None and stands_for_dtype(node):
                return Callee(value.name)
            if (binding is None and not self.through_project(node)) or (binding is not None and self.is_left(binding)):
                return None
            text = dotted(node) or ""
            spelling = binding.source + text[len(binding.name) :] if binding is not None else ""
            return Callee(value.name, None, binding, spelling=spelling)
        if not isinstance(node, ast.Attribute):
            return None
        receiver = value_at(node.value)
        if isinstance(receiver, Tensor):
            name = f"torch.Tensor.{node.attr}"
            filed = entry(name) is not None or not self.book.rules.keys().isdisjoint({name, f"{name}="})
            return Callee(name, node.value) if filed and not (receiver.assumed and node.attr in SHARED) else None
        if isinstance(value, Method) and value.name.startswith("torch."):
            if value.name.rpartition(".")[2] != node.attr or (
                isinstance(receiver, ObjectOf) and stores(receiver, node)
            ):
                return None  # a method of another thing, kept under this name
            if of_base(self.target.methods, value.name):
                return None  # of another name in the target
            return Callee(value.name, node.value, owner=torch_class(value.receiver) or "")
        if isinstance(receiver, Choice) and all(map(is_dtype, receiver.values)):
            receiver = DTYPE  # one of several by their names
        if isinstance(receiver, (Instance, ObjectOf)) and not isinstance(value, Method):
            owner = torch_class(receiver)
            if (
                owner
                and (self.filed(owner, node.attr) or self.is_set(owner, node))
                and not (isinstance(receiver, ObjectOf) and self.is_own(receiver, owner, node.attr))
            ):
                return Callee(f"{owner}.{node.attr}", node.value, owner=owner)
        return None

    def is_kept_object(self, node: ast.Call, callee: Callee) -> bool:
        """``ddp.module(x)``: what is called is an object that torch's has been given and keeps, no method of it."""
        if callee.receiver is None or node in self.draft.keys or isinstance(value_at(node.func), Method):
            return False
        owner, _, name = self.key_of(callee).rpartition(".")
        given = (entry(owner) or {}).get("parameters", ())
        return any(parameter.partition("=")[0] == name for parameter in given)

    def setting_of_layer(self, node: ast.Attribute) -> Callee | None:
        """An attribute that is stored to, of a layer of torch's own class, where a rule looks whether it is None."""
        receiver = value_at(node.value)
        key = f"{receiver.name}.{node.attr}:removed" if isinstance(receiver, Instance) else ""
        return Callee(key, node.value) if key in self.book.rules else None

    def of_class(self, node: ast.expr) -> bool:
        """Whether it is what every class has: ``nn.Conv2d.__name__``, ``nn.Conv2d.__init__``, ``nn.Conv2d.forward``."""
        owner = value_at(node.value) if isinstance(node, ast.Attribute) else None
        if not isinstance(owner, Ref) or (entry(owner.name) or {}).get("kind") != "class":
            return False
        name = node.attr  # type: ignore[attr-defined]
        return (name.startswith("__") or name == "forward") and not self.book.answers(f"{owner.name}.{name}")

    def through_project(self, node: ast.expr) -> bool:
        """Whether a dotted name reaches torch through another module of the project (``common.nn.Linear``)."""
        return isinstance(node, ast.Attribute) and isinstance(value_at(node.value), Ref)

    def filed(self, owner: str, attribute: str) -> bool:
        return any(self.book.answers(f"{base}.{attribute}") for base in mro(owner))

    def is_own(self, receiver: ObjectOf, owner: str, name: str) -> bool:
        """Whether an attribute is the project's. What its class stores where torch's layer below it keeps a setting is
        that setting: torch's forward reads it; rules say how it is read and stored.
        """
        if not defines(receiver, name):
            return False
        rules = self.book.rules
        is_setting = any(f"{base}.{name}" in rules and f"{base}.{name}=" in rules for base in mro(owner))
        return not is_setting or has_function(receiver, name)

    def is_set(self, owner: str, node: ast.Attribute) -> bool:
        """Whether it is stored to, and a rule answers for that alone."""
        return isinstance(node.ctx, ast.Store) and f"{owner}.{node.attr}=" in self.book.rules

    def key_of(self, callee: Callee) -> str:
        """The name under which the rulebook answers: a method may be filed under a base class."""
        if self.book.answers(callee.key):
            return callee.key
        name = callee.key.rpartition(".")[2]
        owner = callee.owner or callee.key.rpartition(".")[0]
        for base in mro(owner):
            if self.book.answers(f"{base}.{name}"):
                return f"{base}.{name}"
        return callee.key

    def count_load(self, node: ast.expr) -> None:
        binding = self.binding_of(node)
        if binding is not None:
            binding.loads += 1


def value_at(node: ast.AST) -> Value:
    found: Value = getattr(node, "v", UNKNOWN)
    return found


def stores(receiver: ObjectOf, node: ast.Attribute) -> bool:
    """Whether an attribute is kept by the objects of a class of the project's."""
    return any(not isinstance(c, str) and node.attr in c.attributes for c in receiver.info.linear())


def has_function(receiver: ObjectOf, name: str) -> bool:
    return any(not isinstance(c, str) and name in c.functions for c in receiver.info.linear())


def defines(receiver: ObjectOf, name: str) -> bool:
    return any(not isinstance(c, str) and (name in c.functions or name in c.attributes) for c in receiver.info.linear())


def keys_of_module(node: ast.Call) -> tuple[str, ...]:
    """The keys of rules for a call of one of torch's modules; where it is not known whether it is one, and is given
    an object of torch's, that for any module.
    """
    module = value_at(node.func)
    if isinstance(module, Instance) and module.name not in SEVERAL:
        return (f"{module.name}:call",)
    unknown = isinstance(module, (Instance, Unknown, Bottom, Choice))
    given = unknown and bool(node.args) and isinstance(value_at(node.args[0]), Instance)
    return ("torch.nn.Module:call",) if given else ()
