"""Which Linears a project looks into: those keep torch's (out, in) weight, all others are Paddle's own.

A use of a weight is a look unless it is known to be the same for the transposed matrix: element by element with numbers
or with other weights, over all elements, handed to an optimizer, saved and loaded as a whole. ``migrate weights`` asks
for the same decision.
"""

from __future__ import annotations

import ast
from typing import Any
from weakref import WeakKeyDictionary

from rewriters.paddle.weight_flow import Flow
from rewriters.paddle.weight_holds import FILE, NOTHING, of_kind, text_of
from rewriters.paddle.weight_makers import ANY, LINEAR, is_unknown, may_hold_linear, value_of
from rewriters.paddle.weight_uses import Uses
from rewriters.paddle.weight_words import WEIGHTS
from rewriters.values import Instance, Items, Mapping, Ref, Series

LOOKED, HANDED = f"{LINEAR}:looked", f"{LINEAR}:handed"
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

    def __init__(self, modules: Any) -> None:
        super().__init__(Flow(modules))
        self.origins: set[Any] = set()
        self.at: list[ast.AST] = []
        if not self.flow.sites and not self.flow.has_values:
            return
        self.flow.run()
        for module in filter(self.flow.concerns, self.flow.modules):
            for node in module.nodes.of(*HOLD):
                self.weigh(node)
            for node in module.nodes.of(ast.Call):
                self.weigh_loading(node)
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

    def is_in(self, node: ast.AST, module: Any) -> bool:
        while node in self.flow.parents:
            node = self.flow.parents[node]
        return node is module.tree

    def handed_on(self, module: Any) -> list[ast.expr]:
        """``layer=nn.Linear``: where the class itself is handed on, to be called elsewhere."""
        if ANY not in self.origins:
            return []
        found = []
        for node in module.nodes.of(ast.Name, ast.Attribute):
            parent = self.flow.parents.get(node)
            if value_of(node) != Ref(LINEAR) or not isinstance(node.ctx, ast.Load):
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

    def weigh_loading(self, node: ast.Call) -> None:
        """``load_state_dict`` of a dict that the project makes itself; what is stored in a state_dict."""
        func = node.func
        if isinstance(func, ast.Name) and func.id == "setattr" and len(node.args) > 2:
            held = self.flow.weight_of(node.args[0]) if text_of(node.args[1]) in WEIGHTS else NOTHING
            if held and not self.stored_alike(node.args[0], node.args[2]):
                self.note(node, {origin for _, origin in held})
        if not isinstance(func, ast.Attribute) or func.attr not in {"load_state_dict", "copy_"} or not node.args:
            return
        if func.attr == "load_state_dict":
            value, given = value_of(func.value), node.args[0]
            if isinstance(value, Instance) and value.name.startswith("torch.optim"):
                return
            if self.flow.held(given) or is_unknown(value_of(given)):
                return
            if isinstance(value_of(given), (Mapping, Items, Series)) and may_hold_linear(value):
                self.note(node, set(self.flow.made_by(func.value)) or {ANY})


_of_project: WeakKeyDictionary[Any, Looks] = WeakKeyDictionary()


def looks_of(project: Any) -> Looks:
    """The looks at weights in a project's modules, found once."""
    if project not in _of_project:
        _of_project[project] = Looks(project.modules.values())
    return _of_project[project]
