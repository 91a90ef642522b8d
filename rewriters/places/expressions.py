"""Walking expressions: what each may be, or hold; what calls change, keep and hand back."""

from __future__ import annotations

import ast
from typing import Any

from rewriters.infer.syntax import path_of, under_its_name
from rewriters.infer.values import ClassOf, FunctionOf, Instance, Method, ObjectOf, Partial
from rewriters.places.accesses import plain_names
from rewriters.places.arrays import VIEWS_OF_ARRAYS
from rewriters.places.called import choices, function_given, gives_new_ones, is_of_module, receiver_of, with_bound
from rewriters.places.calls import (
    adds_to_container,
    asks_for_grad,
    attribute_set,
    given,
    is_array,
    is_tensor,
    is_weighted,
    may_be_in_place,
    may_be_stored_into,
    may_hold_tensors,
    may_write_array,
    picks,
    receiver_of_method,
    turns_on,
)
from rewriters.places.changes import Changes
from rewriters.places.effect import Effect
from rewriters.places.hidden_calls import hidden_call
from rewriters.places.in_part import is_store_to_tensor
from rewriters.places.kept_copies import attributes_of
from rewriters.places.memory import Memory
from rewriters.places.own_objects import CALLED, STORED, become_other, may_be_tensor
from rewriters.places.rows import Rows
from rewriters.places.sites import ANYWHERE, NOWHERE, Reader, Site, Sites
from rewriters.places.steps import steps, trains
from rewriters.places.unpacked import gives_apart
from rewriters.text.slots import ByClass
from rewriters.text.tree import children
from rewriters.torch.effects import effects_of


class Expressions:
    """Walks those of one function."""

    def __init__(self, memory: Memory, changes: Changes) -> None:
        self.memory, self.changes, self.rows = memory, changes, Rows(changes)

    def of(self, node: ast.expr) -> Sites:
        """What the expression's value may be, or hold."""
        handler = HANDLERS[node.__class__]
        if handler is not None:
            found: Sites = handler(self, node)
            return found if may_hold_tensors(getattr(node, "v", None)) else NOWHERE
        for child in children(node):
            if isinstance(child, ast.expr):
                self.of(child)
        return NOWHERE

    def several(self, nodes: list[ast.expr]) -> list[Sites]:
        """What each is, evaluated one after the other: a copy that one gives may be read after the others."""
        found: list[Sites] = []
        before = len(self.memory.pending)
        for node in nodes:
            found.append(self.of(node))
            self.memory.pending += filter(self.waits, found[-1])
        del self.memory.pending[before:]
        return found

    def waits(self, site: Site) -> bool:
        """Whether what changes before it is read is seen in it in one of torch and the target alone."""
        return self.changes.made_by_copy(site) or site in self.memory.lent

    def of_Name(self, node: ast.Name) -> Sites:
        return self.memory.state.holds.get(node.id, ANYWHERE)

    def of_Attribute(self, node: ast.Attribute) -> Sites:
        if is_of_module(getattr(node, "v", None)):
            return NOWHERE  # torch.float32
        hidden = hidden_call(node)
        held = self.of(node.value) | (NOWHERE if hidden is None else self.of_Call(hidden))
        if is_tensor(node.value):
            schema = effects_of(f"torch.Tensor.{node.attr}")
            if schema is not None:
                held = self.memory.cut(node, held) if node.attr == "data" else held
                if f"torch.Tensor.{node.attr}" in self.memory.itself:
                    held = self.memory.view(node, held)
                return held if schema.aliases else NOWHERE
        if is_array(getattr(node.value, "v", None)):
            return held if node.attr in VIEWS_OF_ARRAYS else NOWHERE
        if node.attr in ("values", "indices") and held and not any(site.outside for site in held):
            return held  # of a named tuple
        if self.memory.state.stored:
            held |= self.memory.state.stored.get(path_of(node) or "", NOWHERE)
        held = held | ANYWHERE if held - ANYWHERE else held | ANYWHERE | {self.memory.elsewhere(node)}
        return self.memory.cut(node, held) if node.attr == "data" else held

    def of_Subscript(self, node: ast.Subscript) -> Sites:
        if (named := under_its_name(node)) is not None:
            return self.of_Attribute(named)
        hidden = hidden_call(node)
        held = self.of(node.value) | (NOWHERE if hidden is None else self.of_Call(hidden))
        self.of(node.slice)
        if hidden is None and picks(node) and not isinstance(getattr(node, "parent", None), ast.AugAssign):
            return frozenset({self.memory.site(node)})
        return self.memory.view(node, held) if is_tensor(node.value) else held

    def of_Call(self, node: ast.Call) -> Sites:
        effect = self.memory.effect(node)
        self.rows.called(node, effect, self.of)
        callee = getattr(node.func, "v", None)
        bound = isinstance(node.func, ast.Attribute) and not is_of_module(callee)
        receiver = node.func.value if bound and isinstance(node.func, ast.Attribute) else None
        if receiver is None or isinstance(effect, FunctionOf) or isinstance(callee, Instance):
            self.of(node.func)
            receiver = None if not isinstance(callee, Method) else receiver
        if isinstance(callee, Method):
            receiver = receiver_of_method(node)
        parts = given(node, receiver)
        held_by = self.several([value for _, value in parts])
        arguments = [(place, sites, value) for (place, value), sites in zip(parts, held_by, strict=True)]
        if isinstance(effect, FunctionOf):
            if function_given(node) is not None:  # what it calls is no argument
                arguments = [(p - 1 if isinstance(p, int) else p, sites, part) for p, sites, part in arguments[1:]]
            elif isinstance(callee, Partial):
                arguments = with_bound(callee, self.of(node.func), node.func, arguments)
            return self.called(node, effect, arguments)
        held = {place: sites for place, sites, _ in arguments}
        writes = effect.writes | ({0} if self.writes_array(node, held.get(0, NOWHERE)) else set())
        for place, sites, value in arguments:
            if place in writes:
                self.changes.change(node, sites, value)
        self.of_layer(node, arguments)
        if steps(node):
            self.changes.step(node)
        if receiver is not None and (by := effect.name.rpartition(".")[2]) in CALLED:
            self.becomes(by, held[0], receiver)
        if (stored := attribute_set(node)) is not None:
            self.assign(stored, held[2], node.args[2])
        if adds_to_container(node) and receiver is not None and not isinstance(getattr(receiver, "v", None), ObjectOf):
            self.memory.put(held.get(0, NOWHERE), frozenset().union(*(s for p, s, _ in arguments if p != 0)), receiver)
        if self.memory.copies and isinstance(callee, ClassOf):
            self.memory.kept.append((frozenset().union(*held.values()), attributes_of(callee.info)))
        if effect.keeps:
            self.memory.escape_by(frozenset().union(*held.values()), node.func, node.lineno, "()")
        found = self.result(node, effect, held) | self.lent(node, held.get(0, NOWHERE))
        return found.union(*(self.called(node, one, arguments) for one in choices(node)))

    def becomes(self, by: str, sites: Sites, node: ast.expr) -> None:
        """Something becomes another tensor than it was, by that attribute or method."""
        become_other(self.changes, by, sites, node)
        self.rows.other(sites, node)

    def writes_array(self, node: ast.Call, held: Sites) -> bool:
        """``a.sort()`` of what ``a = x.numpy()`` made an array of, x being not known."""
        return may_write_array(node) and any(map(self.changes.is_array_of, held))

    def lent(self, node: ast.Call, of: Sites) -> Sites:
        """What the call gives if that lies in the memory of what it is of."""
        return self.lies_in(node, of) if node in self.memory.lending else NOWHERE

    def lies_in(self, node: ast.Call, of: Sites) -> Sites:
        site = self.memory.site(node)
        self.memory.lent[site] = self.memory.lent.get(site, NOWHERE) | of
        return frozenset({site})

    def result(self, node: ast.Call, effect: Effect, held: dict[int | str, Sites]) -> Sites:
        places = held if effect.aliases is None else effect.aliases
        aliased = frozenset().union(*(held.get(place, NOWHERE) for place in places))
        found = frozenset({self.memory.site(node)}) if effect.new else NOWHERE
        if is_weighted(node) or asks_for_grad(node) or self.memory.carries(frozenset().union(*held.values())):
            self.memory.grads |= found
        if turns_on(node):
            self.memory.grads |= aliased
        if aliased and (effect.parts or effect.name in self.memory.copies):
            found = frozenset({self.memory.site(node, 0, base=aliased)})
        elif aliased and is_tensor(node) and not effect.writes and effect.name not in SAME:
            found |= self.memory.view(node, aliased)
        else:
            found |= self.memory.cut(node, aliased) if effect.name in DETACHING else aliased
        # whatever it is, it is one thing
        return found | ANYWHERE | {self.memory.site(node)} if effect.outside else found

    def of_layer(self, node: ast.Call, arguments: list[tuple[int | str, Sites, ast.expr]]) -> None:
        """A layer that may change its input in place: whether somebody sees it is noted at its call."""
        if may_be_in_place(node) and arguments:
            self.changes.change(node, arguments[0][1], arguments[0][2], certain=False, layer=True)

    def called(self, node: ast.Call, function: FunctionOf, arguments: list[tuple[int | str, Sites, ast.expr]]) -> Sites:
        """A function of the project: by what is known of it."""
        summary = self.memory.summary(function)
        own = summary.parameters.receiver
        starred = next((part.value for part in node.args if isinstance(part, ast.Starred)), None)
        held: dict[str, Sites] = {}
        rest: Sites = NOWHERE
        changing: list[tuple[Sites, ast.expr]] = []
        unpacked = False
        for place, sites, value in arguments:
            unpacked = unpacked or value is starred
            names = summary.parameters.taken_by(place, unpacked)
            for name in names:
                held[name] = held.get(name, NOWHERE) | sites
            rest |= NOWHERE if names else sites
            if sites and not summary.changes.isdisjoint(names):
                changing.append((sites, value))
            for by in {by for name, by in summary.becoming if sites and name in names}:
                self.becomes(by, sites, value)
        for name in summary.free:
            held[name] = self.memory.around(name, function.info.node)
            for by in {by for one, by in summary.becoming if held[name] and one == name}:
                self.becomes(by, held[name], node.func)
            if held[name] and name in summary.changes:
                changing.append((held[name], node.func))
        receiver = receiver_of(node) if own in summary.changes | summary.copied else None
        if receiver is not None:
            held[own] = self.of(receiver)
            if own in summary.changes:
                self.changes.change(node, held[own], receiver, inside=True)
        if summary.becomes:
            self.rows.others_change()
        for kept, reader in summary.keeps.items():
            self.memory.escape(held.get(kept, NOWHERE), reader)
        before = len(self.memory.pending)
        self.memory.pending += [site for _, sites, _ in arguments for site in sites if self.waits(site)]
        for sites, value in changing:
            self.changes.change(node, sites, value, inside=True)
        if trains(function):
            self.changes.step(node)
        del self.memory.pending[before:]
        found = frozenset({self.memory.site(node)}) if summary.new else NOWHERE
        if of := frozenset().union(*(held.get(name, NOWHERE) for name in summary.lent)):
            found |= self.lies_in(node, of)
        for same, shape in ((summary.itself, False), (summary.its_shape, True)):
            if same:
                of = frozenset().union(*(held.get(name, NOWHERE) for name in same))
                self.memory.alike.add((node, of | ANYWHERE | {self.memory.site(node)} if "" in same else of, shape))
        if rest:
            self.memory.escape_by(rest, node.func, node.lineno, "()")
            found |= rest
        for back in summary.hands_back - (frozenset() if summary.torn else summary.copied) - {own}:
            found |= held.get(back, NOWHERE)
        copied = frozenset().union(*(held.get(back, NOWHERE) for back in summary.copied))
        if copied:
            made = frozenset({self.memory.site(node, 0, base=copied)})
            if summary.only_copies and not rest:
                return made
            found |= made
        return found | ANYWHERE | {self.memory.site(node)} if summary.outside else found

    def of_BinOp(self, node: ast.BinOp) -> Sites:
        if hasattr(node, "own"):
            return self.of_Call(node.own)
        left, right = self.several([node.left, node.right])
        sites = left | right
        made = self.memory.site(node)
        if self.memory.carries(sites):
            self.memory.grads.add(made)
        may_be_items = isinstance(node.op, (ast.Add, ast.Mult, ast.BitOr))  # of a list, twice, or of both
        if is_tensor(node) or not may_be_items:
            return frozenset({made})
        known = (left - ANYWHERE, right - ANYWHERE)
        of_tensor = any(held and all(map(self.is_from_tensor, held)) for held in known)
        return frozenset({made}) if of_tensor else sites | {made}

    def is_from_tensor(self, site: Site) -> bool:
        """Whether it is a tensor, as what made it is a method that tensors alone have: ``x.expand(m, n)``."""
        effect = self.memory.effect(site.node) if isinstance(site.node, ast.Call) else None
        return isinstance(effect, Effect) and not effect.parts and effect.name.startswith("torch.Tensor.")

    def of_UnaryOp(self, node: ast.UnaryOp) -> Sites:
        held = self.of(node.operand)
        return frozenset({self.memory.site(node)}) if is_tensor(node) else held

    def of_Compare(self, node: ast.Compare) -> Sites:
        if hasattr(node, "own"):
            return self.of_Call(node.own)
        self.several([node.left, *node.comparators])
        return frozenset({self.memory.site(node)})

    def of_BoolOp(self, node: ast.BoolOp) -> Sites:
        return frozenset().union(*map(self.of, node.values))

    def of_IfExp(self, node: ast.IfExp) -> Sites:
        self.of(node.test)
        return self.of(node.body) | self.of(node.orelse)

    def of_Tuple(self, node: ast.Tuple | ast.List | ast.Set) -> Sites:
        return frozenset({self.memory.site(node)}).union(*self.several(node.elts))

    of_List = of_Set = of_Tuple

    def of_Dict(self, node: ast.Dict) -> Sites:
        keys = [self.of(key) for key in node.keys if key is not None]
        return frozenset({self.memory.site(node)}).union(*keys, *self.several(node.values))

    def of_Starred(self, node: ast.Starred) -> Sites:
        return self.of(node.value)

    def of_NamedExpr(self, node: ast.NamedExpr) -> Sites:
        sites = self.of(node.value)
        self.assign(node.target, sites, node.value)
        return sites

    def of_Lambda(self, node: ast.Lambda) -> Sites:
        self.memory.captured(node)
        return ANYWHERE

    def of_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Sites:
        held = dict(self.memory.state.holds)
        for generator in node.generators:
            self.assign(generator.target, self.memory.elements(generator.iter, self.of(generator.iter)), None)
            self.rows.enter(generator.iter, self.of)
            for test in generator.ifs:
                self.of(test)
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        found = frozenset({self.memory.site(node)}).union(*map(self.of, parts))
        self.rows.leave(node, self.of)
        bound = {name.id for generator in node.generators for name in plain_names(generator.target)}
        for name in bound:
            self.memory.state.holds.pop(name, None)
            if name in held:
                self.memory.state.holds[name] = held[name]
        return found

    of_SetComp = of_GeneratorExp = of_DictComp = of_ListComp

    def of_Yield(self, node: ast.Yield | ast.Await | ast.YieldFrom) -> Sites:
        if node.value is not None:
            sites = self.of(node.value)
            self.rows.hand_on(node, self.of)
            self.memory.returned |= sites
            self.memory.escape(sites, Reader("who goes through what is yielded", node.lineno))
        return ANYWHERE

    of_YieldFrom = of_Await = of_Yield

    # -- what is bound ----------------------------------------------------------------------------------------------

    def assign(self, target: ast.expr, sites: Sites, value: ast.expr | None) -> None:
        if isinstance(target, ast.Name):
            self.memory.bind(target.id, sites)
            if target.id in self.memory.declared:
                self.memory.escape_by(sites, target, target.lineno)
                self.memory.keep(sites, target)
        elif isinstance(target, (ast.Tuple, ast.List)):
            made = [site for site in sites if site.base and value is not None and site.node is value]
            several = bool(made) and not any(map(self.changes.is_torn, made))
            several |= gives_new_ones(value, sites) or gives_apart(self.memory, value, sites, target.elts)
            carries = several and self.memory.carries(sites)
            bases = frozenset(base for site in sites for base in site.base)
            for index, part in enumerate(target.elts):
                inner = part.value if isinstance(part, ast.Starred) else part
                own = frozenset({self.memory.site(value, index + 1, bases)}) if several else sites
                self.memory.grads |= own if carries else NOWHERE
                self.assign(inner, own, None)
        elif isinstance(target, ast.Attribute):
            held = self.of(target.value)
            if target.attr in STORED and may_be_tensor(target.value):
                self.becomes(target.attr, held, target.value)
            if target.attr == "requires_grad" and getattr(value, "value", True) is not False:
                self.memory.grads |= held
            if target.attr == "data" and may_be_tensor(target.value):
                self.memory.lie_in(held, sites)
            if target.attr != "data" or any(site.outside for site in held) or not may_be_tensor(target.value):
                self.memory.escape_by(sites, target, target.lineno)
            self.memory.keep(sites, target)
            if (path := path_of(target)) and not is_tensor(target.value):
                self.memory.state.stored[path] = sites
        elif (named := under_its_name(target)) is not None:
            self.assign(named, sites, value)
        elif isinstance(target, ast.Subscript):
            held = self.of(target.value)
            self.of(target.slice)
            value = getattr(target.value, "v", None)
            if may_be_stored_into(target.value):
                certain = is_store_to_tensor(target, held, self.changes.made_by_copy)
                self.changes.change(target, held, target.value, certain=certain)
            if not is_tensor(target.value) and not is_array(value):
                self.memory.put(held, sites, target.value)
                self.memory.keep(sites, target)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, sites, None)


HANDLERS: ByClass[Any] = ByClass(
    {
        getattr(ast, name.removeprefix("of_")): method
        for name, method in vars(Expressions).items()
        if name.startswith("of_") and hasattr(ast, name.removeprefix("of_"))
    },
    None,
)


DETACHING = {"torch.Tensor.detach", "torch.detach"}
# What they give is cut off from gradients, or the very same thing.
SAME = {"torch.Tensor.detach", "torch.detach", "torch.Tensor.requires_grad_", "torch.Tensor.data"}
