"""Which Linears a project looks into: those keep torch's (out, in) weight, all others are Paddle's own.

A use of a weight is a look unless it is known to be the same for the transposed matrix: element by element with numbers
or with other weights, over all elements, handed to an optimizer, saved and loaded as a whole. ``migrate weights`` asks
for the same decision.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from rewriters.infer import Project
from rewriters.infer.joining import torch_class
from rewriters.infer.values import Instance, Items, Mapping, ModuleInfo, Ref, Series
from rewriters.targets.paddle.passes.views import Views
from rewriters.targets.paddle.passes.weight_flow import Flow
from rewriters.targets.paddle.passes.weight_holds import FILE, NOTHING, of_kind, text_of
from rewriters.targets.paddle.passes.weight_makers import (
    ANY,
    LINEAR,
    is_unknown,
    may_hold_linear,
    names_of_torch,
    value_of,
)
from rewriters.targets.paddle.passes.weight_uses import Uses
from rewriters.targets.paddle.passes.weight_words import WEIGHTS

LOOKED, HANDED = f"{LINEAR}:looked", f"{LINEAR}:handed"
TRANSFORMERS = tuple(f"torch.nn.Transformer{name}" for name in ("EncoderLayer", "DecoderLayer", ""))
VISION = "torchvision.models"
LIBRARY = ("torch.nn.Transformer", VISION)
IN_LIBRARY = {"linear1", "linear2", "fc", "classifier", "head", "heads"}
STATES = {"state_dict", "load_state_dict"}
FOREIGN = f"{LINEAR}.weight:foreign"
HOLD = (
    *(ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.BinOp, ast.UnaryOp, ast.Compare, ast.IfExp, ast.BoolOp),
    *(ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp),
    *(ast.Starred, ast.NamedExpr, ast.Await),
)
"""Expressions that may hold a weight."""


class Looks(Uses):
    """The looks of a project's code at weights.

    origins: calls of nn.Linear whose weights are looked at; ANY for all.
    at:      expressions that look.
    """

    def __init__(self, modules: Iterable[ModuleInfo]) -> None:
        super().__init__(Flow(modules))
        self.views = Views(self.flow)
        self.origins: set[Any] = set()
        self.at: list[ast.AST] = []
        named = (name for one in self.flow.modules for _, name in names_of_torch(one))
        library = {name for name in named if name.startswith(LIBRARY)}
        self.has_library, self.has_vision = bool(library), any(name.startswith(VISION) for name in library)
        if not (self.flow.sites or self.flow.has_values or self.has_library):
            return
        self.flow.run()
        for module in filter(self.flow.concerns, self.flow.modules):
            for node in module.nodes.of(*HOLD):
                if node in self.flow.live:
                    self.weigh(node)
            for node in module.nodes.of(ast.Call):
                self.weigh_loading(node)
        if self.origins and not self.at_all:
            self.alike.update(self.travelling())
        before = -1
        while before != len(self.origins):
            before = len(self.origins)
            for group in self.alike:
                mixed = ANY in group and self.origins and (len(group) > 1 or group in self.unsure)
                if group & self.origins or mixed:
                    self.origins |= group

    @property
    def at_all(self) -> bool:
        """Whether all Linears are looked at."""
        return ANY in self.origins

    def kind_of(self, layer: ast.expr) -> str:
        """Whether the Linear that an expression is keeps torch's weight: "looked", "" for not, "either"."""
        made = self.flow.made_by(layer)
        if not self.origins and not self.flow.derived:
            return ""
        if ANY in made:
            return "either"
        looked = made & self.origins if ANY not in self.origins else made
        return "looked" if looked and looked == made else "either" if looked else ""

    def elsewhere(self, module: ModuleInfo) -> list[ast.Attribute]:
        """``layer.linear1.weight``, looked at: Linears that the target's own layers make, or another project's code."""
        at = set(self.at)
        found: list[ast.Attribute] = []
        if self.at_all and self.has_library and not self.has_vision and not self.derive_transformers:
            return found  # Transformers are made with torch's weights then
        for node in module.nodes.of(ast.Attribute) if at else ():
            if node.attr != "weight" or not isinstance(node.ctx, ast.Load):
                continue
            layer = node.value
            while isinstance(layer, ast.Subscript):
                layer = layer.value
            by_owner = isinstance(layer, ast.Attribute) and layer.attr in IN_LIBRARY
            by_owner = by_owner and (torch_class(value_of(layer.value)) or "").startswith(LIBRARY)
            is_linear = value_of(node.value) == Instance(LINEAR) or by_owner
            if not is_linear:
                continue
            around = self.flow.parents.get(node)
            if node not in at and not (isinstance(around, ast.Attribute) and around in at):
                continue
            is_foreign = isinstance(layer, ast.Attribute) and (None, layer.attr) not in self.flow.bound
            if is_foreign or (ANY in self.flow.made_by(layer) and (self.has_library or not self.flow.sites)):
                found.append(node)
        return found

    @cached_property
    def derive_transformers(self) -> bool:
        """Whether classes of the project derive from Transformers, which keep Paddle's weights."""
        bases = (base for module in self.flow.modules for one in module.nodes.of(ast.ClassDef) for base in one.bases)
        return any(getattr(getattr(base, "v", None), "name", "") in TRANSFORMERS for base in bases)

    def transformers_in(self, module: ModuleInfo) -> dict[ast.AST, str]:
        """The calls of a file that make Transformers, where all Linears are looked at."""
        if not (self.at_all and self.has_library):
            return {}
        made = ((node, value_of(node.func)) for node in module.nodes.of(ast.Call))
        named = ((node, called.name) for node, called in made if isinstance(called, Ref))
        return {node: f"{name}:looked" for node, name in named if name in TRANSFORMERS}

    def sites_in(self, module: ModuleInfo) -> list[ast.Call]:
        """The ``sites`` of a file."""
        return self.by_file.get(module.tree, [])

    @cached_property
    def by_file(self) -> dict[ast.AST, list[ast.Call]]:
        found: dict[ast.AST, list[ast.Call]] = {}
        for site in self.sites:
            node: ast.AST = site
            while node in self.flow.parents:
                node = self.flow.parents[node]
            found.setdefault(node, []).append(site)
        return found

    def handed_on(self, module: ModuleInfo) -> list[ast.expr]:
        """``layer=nn.Linear``: where the class itself is handed on, to be called elsewhere."""
        if ANY not in self.origins:
            return []
        found = []
        for node, name_of_class in names_of_torch(module):
            if name_of_class != LINEAR or not isinstance(node.ctx, ast.Load):
                continue
            parent = self.flow.parents.get(node)
            if isinstance(parent, ast.Dict) and node in parent.values:
                found.append(node)
                continue
            while isinstance(parent, (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Starred)):
                parent = self.flow.parents.get(parent)
            if isinstance(parent, ast.Call):
                name = getattr(parent.func, "id", "")
                is_value = parent.func is not node and name not in {"isinstance", "issubclass"}
            else:
                others = (ast.Compare, ast.Attribute, ast.ClassDef, ast.MatchClass, ast.arg, ast.FunctionDef)
                annotates = isinstance(parent, ast.AnnAssign) and parent.annotation is node
                is_value = not isinstance(parent, others) and not annotates
            if is_value:
                found.append(node)
        return found

    @property
    def sites(self) -> list[ast.Call]:
        """The calls of nn.Linear that are to make layers with torch's weight."""
        return [site for site in self.flow.sites if site in self.origins or ANY in self.origins]

    def weigh(self, node: ast.expr) -> None:
        held = self.flow.held(node)
        is_stored = isinstance(getattr(node, "ctx", None), ast.Store)
        if not held or (is_stored and not isinstance(node, (ast.Subscript, ast.Attribute))):
            return
        parent = self.flow.parents.get(node)
        one, many = of_kind(held, "one"), of_kind(held, "many")
        look = ""
        if one and not (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)):
            look = self.look_at_one(node, parent, bool(many))
        if not look and many and not one:
            look = self.look_at_many(node, parent)
        if look:
            origins = {origin for _, origin in (held if many else one)}
            if look != "surely":
                origins.discard(FILE)
            if origins:
                self.note(node, {ANY if origin == FILE else origin for origin in origins})

    def note(self, node: ast.AST, origins: set[Any]) -> None:
        self.origins |= origins
        self.at.append(node)

    def is_made_by_hand(self, state: ast.expr) -> bool:
        """Whether a state_dict is, or may be, one that the project fills with tensors of its own."""
        if isinstance(state, ast.Name):
            scope = next((scope for scope in self.flow.outwards(state) if (scope, state.id) in self.flow.bound), None)
            values = [value for value in self.flow.bound.get((scope, state.id), []) if value is not None]
            made = [value for value in values if isinstance(value, (ast.Dict, ast.DictComp))]
            if any(not self.flow.held(value) and (len(made) > 1 or not self.flow.held(state)) for value in made):
                return True
        if self.flow.held(state) or is_unknown(value_of(state)):
            return False
        return isinstance(value_of(state), (Mapping, Items, Series))

    def weigh_loading(self, node: ast.Call) -> None:
        """``load_state_dict`` of a dict that the project makes itself; what is stored in a state_dict."""
        func = node.func
        if isinstance(func, ast.Name) and func.id == "setattr" and len(node.args) > 2:
            held = self.flow.weight_of(node.args[0]) if text_of(node.args[1]) in WEIGHTS else NOTHING
            if held and not self.stored_alike(node.args[0], node.args[2]):
                self.note(node, {origin for _, origin in held})
        called = value_of(func)
        is_given = isinstance(called, Ref) and called.name.endswith("functional_call") and len(node.args) > 1
        if is_given and self.is_made_by_hand(node.args[1]):
            self.note(node, set(self.flow.made_by(node.args[0])) or {ANY})
        if not isinstance(func, ast.Attribute) or func.attr not in {"load_state_dict", "copy_"} or not node.args:
            return
        if func.attr == "load_state_dict":
            value, given = value_of(func.value), node.args[0]
            if isinstance(value, Instance) and value.name.startswith("torch.optim"):
                return
            if self.is_made_by_hand(given) and may_hold_linear(value):
                self.note(node, set(self.flow.made_by(func.value)) or {ANY})

    def travelling(self) -> Iterable[frozenset[Any]]:
        """Linears between which weights may go, also by a file or a container: those of one name, in models whose state
        is given out and in models that are given one.
        """
        ends: dict[str, set[Any]] = {name: set() for name in STATES}
        for module in filter(self.flow.concerns, self.flow.modules):
            for node in module.nodes.of(ast.Call):
                func = node.func
                if isinstance(func, ast.Attribute) and func.attr in ends and may_hold_linear(value_of(func.value)):
                    ends[func.attr] |= self.flow.made_by(func.value)
        by_name: dict[str, set[Any]] = {}
        for site in set().union(*ends.values()) - {ANY} if all(ends.values()) else ():
            by_name.setdefault(name_of_site(site, self.flow.parents), set()).add(site)
        return [frozenset(sites) for sites in by_name.values() if len(sites) > 1]


def name_of_site(site: ast.AST, parents: Any) -> str:
    """The attribute that a layer is made for, by itself or in something, by which a state names it; "" for none."""
    around = parents.get(site)
    while around is not None and not isinstance(around, ast.stmt):
        around = parents.get(around)
    targets = around.targets if isinstance(around, ast.Assign) else [getattr(around, "target", None)]
    return next((one.attr for one in targets if isinstance(one, ast.Attribute)), "")


_of_project: WeakKeyDictionary[Any, Looks] = WeakKeyDictionary()


def looks_of(project: Project) -> Looks:
    """The looks at weights in a project's modules, found once."""
    if project not in _of_project:
        _of_project[project] = Looks(project.modules.values())
    return _of_project[project]
