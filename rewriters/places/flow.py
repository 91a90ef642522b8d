"""Walking one function: what its names hold at each point, and who sees each change in place."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rewriters.infer.syntax import path_of
from rewriters.infer.values import ClassOf, External, FunctionOf, Instance, Method, ObjectOf, Ref, Unknown
from rewriters.places.accesses import Accesses, plain_names
from rewriters.places.calls import (
    ADDING,
    NUMPY_OF,
    SPREADING,
    Effect,
    asks_for_grad,
    drops,
    function_mapped,
    given,
    gives_array,
    is_array,
    is_of_array,
    is_tensor,
    is_weighted,
    may_be_in_place,
    may_be_stored_into,
    may_hold_tensors,
    turns_on,
)
from rewriters.places.kept_copies import attributes_of
from rewriters.places.sites import (
    ANYWHERE,
    NOWHERE,
    Reader,
    Site,
    Sites,
    State,
    above,
    ordered,
    overlap,
    whole,
)
from rewriters.text.tree import children, walk
from rewriters.torch.effects import effects_of

if TYPE_CHECKING:
    from rewriters.places.lookup import Summary

ROUNDS = 3


@dataclass
class Change:
    """A tensor that changes in place.

    seen:   who else sees it; None for nobody.
    sites:  what changes.
    statement: in which it stands.
    broken: who sees it in torch alone, through a result that shares memory there and is a copy in the target.
    copies: the calls that give such results.
    apart:  who holds the base of the view that changes, or a view of it, where gradients may flow: a change of one may
            be missing in the gradient of the other.
    certain: whether it is one for sure.
    spread:  the call that gave what changes in part, with one place in memory for many of its elements in torch.
    """

    seen: Reader | None
    sites: Sites
    statement: ast.stmt
    broken: Reader | None = None
    copies: tuple[ast.Call, ...] = ()
    apart: Reader | None = None
    certain: bool = True
    spread: ast.Call | None = None


@dataclass
class Flow:
    """The walk.

    summary: what is known of a function of the project.
    effect:  what is known of a call.
    copies:  torch's names whose results lie in the memory of what they are given in torch, and not in the target.
    """

    body: Sequence[ast.stmt]
    parameters: Sequence[str]
    summary: Callable[[FunctionOf], Summary]
    effect: Callable[[ast.Call], Effect | FunctionOf]
    copies: frozenset[str] = frozenset()
    changes: dict[ast.AST, Change] = field(default_factory=dict)
    returned: set[Site] = field(default_factory=set)
    state: State = field(default_factory=State)
    sites: dict[tuple[ast.AST, int], Site] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.own = {name: Site(None, name) for name in self.parameters}
        self.state.holds = {name: frozenset({site}) for name, site in self.own.items()}
        self.statement: ast.stmt | None = None
        # Whether gradients are switched off here.
        self.gradless = False
        self.attributes: dict[str, Site] = {}
        # What objects keep, and under which attributes, any of these.
        self.kept: list[tuple[Sites, frozenset[str]]] = []
        # Sites through which something says that a gradient may flow.
        self.grads: set[Site] = set()
        # Of what is a part of something, the call by which that has one place for many elements.
        self.spreads: dict[Site, ast.Call | None] = {}
        # What several sites are parts of, which never changes.
        self.families: dict[Sites, set[Site]] = {}

    def run(self) -> None:
        self.block(self.body)

    @cached_property
    def accesses(self) -> Accesses:
        """Who reads what; asked for where something that a name holds changes."""
        return Accesses.of(self.body)

    # -- statements -------------------------------------------------------------------------------------------------

    def block(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            outer, self.statement = self.statement, statement
            STATEMENTS.get(statement.__class__, Flow.do_other)(self, statement)
            self.statement = outer

    def do_other(self, node: ast.stmt) -> None:
        for child in children(node):
            if isinstance(child, ast.expr):
                self.of(child)

    def do_Return(self, node: ast.Return) -> None:
        if node.value is not None:
            self.returned |= self.of(node.value)

    def do_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            if isinstance(target, (ast.Tuple, ast.List)) and isinstance(node.value, (ast.Tuple, ast.List)):
                self.pairwise(target.elts, node.value.elts)
                continue
            self.assign(target, self.of(node.value), node.value)

    def pairwise(self, targets: list[ast.expr], values: list[ast.expr]) -> None:
        held = [self.of(value) for value in values]
        if len(targets) != len(values) or any(isinstance(part, ast.Starred) for part in [*targets, *values]):
            held = [frozenset().union(*held)] * len(targets)
        for target, sites in zip(targets, held, strict=True):
            self.assign(target, sites, None)

    def do_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(node.target, self.of(node.value), node.value)

    def do_AugAssign(self, node: ast.AugAssign) -> None:
        added = self.of(node.value)
        target = node.target
        if isinstance(target, ast.Name):
            held = self.state.holds.get(target.id, ANYWHERE)
            self.change(node, held, target)
            if self.is_leaf(held) and self.changes[node].seen is None:
                self.changes[node].seen = Reader("who asks for its gradient")
            if is_tensor(target) and self.carries(added):
                self.grads |= held
            if not is_tensor(target):  # a list, or a number: what is added is in it
                self.state.holds[target.id] = held | added
                self.put(held, added, target)
            return
        held = self.of(target)
        self.change(node, held, target)

    def is_leaf(self, held: Sites) -> bool:
        """Whether what is bound anew here would no longer ask for a gradient."""
        return self.gradless and self.carries(held)

    def do_For(self, node: ast.For | ast.AsyncFor) -> None:
        held = self.of(node.iter)
        self.loop(node, lambda: self.assign(node.target, self.elements(node.iter, held), None))

    do_AsyncFor = do_For

    def do_While(self, node: ast.While) -> None:
        self.loop(node, lambda: self.of(node.test))

    def loop(self, node: ast.For | ast.AsyncFor | ast.While, begin: Callable[[], object]) -> None:
        """Rounds, each of which begins so, until one changes nothing."""
        before = self.state.copy()
        for _ in range(ROUNDS):
            start = self.state.copy()
            begin()
            self.block(node.body)
            self.state.join(before)
            if start == self.state:
                break
        self.block(node.orelse)

    def elements(self, node: ast.expr, held: Sites) -> Sites:
        """What a loop binds: rows of a tensor are parts of it."""
        return frozenset({self.site(node, 0, base=held)}) if is_tensor(node) and held else held

    def do_If(self, node: ast.If) -> None:
        self.of(node.test)
        before = self.state.copy()
        self.block(node.body)
        after, self.state = self.state, before
        self.block(node.orelse)
        self.state.join(after)

    def do_With(self, node: ast.With | ast.AsyncWith) -> None:
        outer = gradless = self.gradless
        for item in node.items:
            sites = self.of(item.context_expr)
            gradless |= is_gradless(item.context_expr)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, sites | ANYWHERE, None)
        self.gradless = gradless
        self.block(node.body)
        self.gradless = outer

    do_AsyncWith = do_With

    def do_Try(self, node: ast.Try) -> None:
        before = self.state.copy()
        self.block(node.body)
        self.state.join(before)
        after = self.state.copy()
        for handler in node.handlers:
            self.state = after.copy()
            self.block(handler.body)
            after.join(self.state)
        self.state = after
        self.block(node.orelse)
        self.block(node.finalbody)

    do_TryStar = do_Try

    def do_Match(self, node: ast.Match) -> None:
        held = self.of(node.subject)
        before = self.state.copy()
        for case in node.cases:
            branch, self.state = self.state, before.copy()
            for pattern in ast.walk(case.pattern):
                name = getattr(pattern, "name", None) or getattr(pattern, "rest", None)
                if isinstance(name, str):
                    self.state.holds[name] = held | ANYWHERE
            self.block(case.body)
            self.state.join(branch)

    def do_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        """Names that it uses may be kept by it, whenever it is called."""
        self.captured(node)
        self.state.holds[node.name] = ANYWHERE

    do_AsyncFunctionDef = do_ClassDef = do_FunctionDef

    def captured(self, node: ast.AST) -> None:
        for part in walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and part.id in self.state.holds:
                who = f"the function {getattr(node, 'name', '<lambda>')}"
                self.escape(self.state.holds[part.id], Reader(who, part.lineno))

    def do_Import(self, node: ast.stmt) -> None:
        """Binds what is outside."""

    do_ImportFrom = do_Global = do_Nonlocal = do_Pass = do_Break = do_Continue = do_Import

    # -- what is bound ----------------------------------------------------------------------------------------------

    def assign(self, target: ast.expr, sites: Sites, value: ast.expr | None) -> None:
        if isinstance(target, ast.Name):
            self.state.holds[target.id] = sites
        elif isinstance(target, (ast.Tuple, ast.List)):
            several = value is not None and any(site.base and site.node is value for site in sites)
            for index, part in enumerate(target.elts):
                inner = part.value if isinstance(part, ast.Starred) else part
                own = self.site(value, index + 1, base=frozenset(b for s in sites for b in s.base)) if several else None
                self.assign(inner, frozenset({own}) if own is not None else sites, None)
        elif isinstance(target, ast.Attribute):
            held = self.of(target.value)
            if target.attr == "requires_grad" and getattr(value, "value", True) is not False:
                self.grads |= held
            self.escape(sites, Reader(ast.unparse(target), target.lineno))
            self.keep(sites, target)
        elif isinstance(target, ast.Subscript):
            held = self.of(target.value)
            self.of(target.slice)
            value = getattr(target.value, "v", None)
            if may_be_stored_into(target.value):
                certain = not isinstance(value, Unknown) or gives_array(target.value)
                certain = certain or (
                    bool(held) and all(is_tensor_of(site) or self.made_by_copy(site) for site in held)
                )
                self.change(target, held, target.value, certain=certain)
            if not is_tensor(target.value) and not is_array(value):
                self.put(held, sites, target.value)
                self.keep(sites, target)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, sites, None)

    def put(self, container: Sites, sites: Sites, node: ast.expr) -> None:
        """Something is put into what a name holds; from outside, or gone there, others see it."""
        root = node
        while isinstance(root, (ast.Attribute, ast.Subscript)):
            root = root.value
        if isinstance(root, ast.Name) and root.id in self.state.holds:
            self.state.holds[root.id] |= sites
        self.keep(sites, node)
        seen = next((self.state.escaped[site] for site in container if site in self.state.escaped), None)
        if seen is not None or any(site.outside for site in container):
            self.escape(sites, seen or Reader(ast.unparse(node), node.lineno))

    def keep(self, sites: Sites, node: ast.expr) -> None:
        """An object keeps it under an attribute, itself or in what that holds."""
        key: object = None
        while isinstance(node, ast.Subscript):
            key = getattr(node.slice, "value", None)
            node = node.value
        name = node.attr if isinstance(node, ast.Attribute) else ""
        if name == "__dict__" or is_vars(node):  # vars(x)["name"] = y
            name = key if isinstance(key, str) else ""
        if sites and self.copies and name:
            self.kept.append((sites, frozenset({name})))

    def escape(self, sites: Sites, reader: Reader) -> None:
        for site in sites:
            if not site.outside or site.name:
                self.state.escaped.setdefault(site, reader)

    def carries(self, sites: Sites) -> bool:
        """Whether something says that a gradient may flow through it."""
        return bool(self.grads and above(sites) & self.grads)

    def site(self, node: ast.AST | None, index: int = 0, base: Sites = NOWHERE, view: bool = False) -> Site:
        """The same one each time that the node is met, so that loops come to an end."""
        assert node is not None
        found = self.sites.get((node, index))
        if found is not None:
            # What it is a view of may be what an earlier round of a loop made of it: one level of that is enough.
            base = frozenset(part for part in base if part is not found and found not in part.beyond)
        if found is None or not base <= found.base:
            found = Site(node, "", base | (found.base if found else NOWHERE), view)
            self.sites[node, index] = found
        return found

    # -- expressions ------------------------------------------------------------------------------------------------

    def of(self, node: ast.expr) -> Sites:
        """What the expression's value may be, or hold."""
        handler = EXPRESSIONS.get(node.__class__)
        if handler is not None:
            found: Sites = handler(self, node)
            return found if may_hold_tensors(getattr(node, "v", None)) else NOWHERE
        for child in children(node):
            if isinstance(child, ast.expr):
                self.of(child)
        return NOWHERE

    def of_Name(self, node: ast.Name) -> Sites:
        return self.state.holds.get(node.id, ANYWHERE)

    def of_Attribute(self, node: ast.Attribute) -> Sites:
        if is_of_module(getattr(node, "v", None)):
            return NOWHERE  # torch.float32
        held = self.of(node.value)
        if is_tensor(node.value):
            schema = effects_of(f"torch.Tensor.{node.attr}")
            if schema is not None:
                return held if schema.aliases else NOWHERE
        if node.attr in ("values", "indices") and held and not any(site.outside for site in held):
            return held  # of a named tuple
        return held | ANYWHERE if held - ANYWHERE else held | ANYWHERE | {self.elsewhere(node)}

    def elsewhere(self, node: ast.Attribute) -> Site:
        """What an object that is not known has under that name: the same for the same text."""
        text = path_of(node) or ast.unparse(node)
        return self.attributes.setdefault(text, Site(None, text))

    def of_Subscript(self, node: ast.Subscript) -> Sites:
        held = self.of(node.value)
        self.of(node.slice)
        return self.view(node, held) if is_tensor(node.value) else held

    def view(self, node: ast.expr, held: Sites) -> Sites:
        return frozenset({self.site(node, 0, held, view=True)}) if held else held

    def of_Call(self, node: ast.Call) -> Sites:
        effect = self.effect(node)
        callee = getattr(node.func, "v", None)
        bound = isinstance(node.func, ast.Attribute) and not is_of_module(callee)
        receiver = node.func.value if bound and isinstance(node.func, ast.Attribute) else None
        if receiver is None or isinstance(effect, FunctionOf) or isinstance(callee, Instance):
            self.of(node.func)
            receiver = None if not isinstance(callee, Method) else receiver
        arguments = [(place, self.of(value), value) for place, value in given(node, receiver)]
        if isinstance(effect, FunctionOf):
            if function_mapped(node) is not None:  # what it calls is no argument
                given_each = [part for part in arguments[1:] if isinstance(part[0], int)]
                arguments = [(int(place) - 1, sites, value) for place, sites, value in given_each]
            return self.called(node, effect, arguments)
        held = {place: sites for place, sites, _ in arguments}
        for place, sites, value in arguments:
            if place in effect.writes:
                self.change(node, sites, value)
        self.of_layer(node, arguments)
        adds = isinstance(node.func, ast.Attribute) and node.func.attr in ADDING
        if adds and receiver is not None and not isinstance(getattr(receiver, "v", None), ObjectOf):
            self.put(held.get(0, NOWHERE), frozenset().union(*(s for p, s, _ in arguments if p != 0)), receiver)
        if self.copies and isinstance(callee, ClassOf):
            self.kept.append((frozenset().union(*held.values()), attributes_of(callee.info)))
        if effect.keeps:
            self.escape(frozenset().union(*held.values()), Reader(f"{ast.unparse(node.func)}()", node.lineno))
        return self.result(node, effect, held)

    def result(self, node: ast.Call, effect: Effect, held: dict[int | str, Sites]) -> Sites:
        places = held if effect.aliases is None else effect.aliases
        aliased = frozenset().union(*(held.get(place, NOWHERE) for place in places))
        found = frozenset({self.site(node)}) if effect.new else NOWHERE
        if is_weighted(node) or asks_for_grad(node) or self.carries(frozenset().union(*held.values())):
            self.grads |= found
        if turns_on(node):
            self.grads |= aliased
        if aliased and (effect.parts or effect.name in self.copies):
            found = frozenset({self.site(node, 0, base=aliased)})
        elif aliased and is_tensor(node) and not effect.writes and effect.name not in SAME:
            found |= self.view(node, aliased)
        else:
            found |= aliased
        return found | ANYWHERE if effect.outside else found

    def of_layer(self, node: ast.Call, arguments: list[tuple[int | str, Sites, ast.expr]]) -> None:
        """A layer that may change its input in place: whether somebody sees it is noted at its call."""
        if may_be_in_place(node) and arguments:
            self.change(node, arguments[0][1], arguments[0][2], certain=False, layer=True)

    def called(self, node: ast.Call, function: FunctionOf, arguments: list[tuple[int | str, Sites, ast.expr]]) -> Sites:
        """A function of the project: by what is known of it."""
        summary = self.summary(function)
        names = summary.names
        named = [
            (names[place] if isinstance(place, int) and place < len(names) else place, sites, value)
            for place, sites, value in arguments
        ]
        held: dict[str, Sites] = {}
        rest: Sites = NOWHERE
        for name, sites, _ in named:
            if isinstance(name, str) and name in names:
                held[name] = held.get(name, NOWHERE) | sites
            else:
                rest |= sites
        receiver = receiver_of(node) if summary.receiver in summary.changes | summary.copied else None
        if receiver is not None:
            held[summary.receiver] = self.of(receiver)
            if summary.receiver in summary.changes:
                self.change(node, held[summary.receiver], receiver, inside=True)
        for kept, reader in summary.keeps.items():
            self.escape(held.get(kept, NOWHERE), reader)
        for name, sites, value in named:
            if name in summary.changes and sites:
                self.change(node, sites, value, inside=True)
        found = frozenset({self.site(node)}) if summary.new else NOWHERE
        if rest:
            self.escape(rest, Reader(f"{ast.unparse(node.func)}()", node.lineno))
            found |= rest
        for back in summary.hands_back - summary.copied - {summary.receiver}:
            found |= held.get(back, NOWHERE)
        copied = frozenset().union(*(held.get(back, NOWHERE) for back in summary.copied))
        if copied:
            made = frozenset({self.site(node, 0, base=copied)})
            if summary.only_copies and not rest:
                return made
            found |= made
        return found | ANYWHERE if summary.outside else found

    def of_BinOp(self, node: ast.BinOp) -> Sites:
        left, right = self.of(node.left), self.of(node.right)
        sites = left | right
        made = self.site(node)
        if self.carries(sites):
            self.grads.add(made)
        may_be_items = isinstance(node.op, (ast.Add, ast.Mult, ast.BitOr))  # of a list, twice, or of both
        if is_tensor(node) or not may_be_items:
            return frozenset({made})
        known = (left - ANYWHERE, right - ANYWHERE)
        of_tensor = any(held and all(map(self.is_from_tensor, held)) for held in known)
        return frozenset({made}) if of_tensor else sites | {made}

    def is_from_tensor(self, site: Site) -> bool:
        """Whether it is a tensor, as what made it is a method that tensors alone have: ``x.expand(m, n)``."""
        effect = self.effect(site.node) if isinstance(site.node, ast.Call) else None
        return isinstance(effect, Effect) and not effect.parts and effect.name.startswith("torch.Tensor.")

    def of_UnaryOp(self, node: ast.UnaryOp) -> Sites:
        held = self.of(node.operand)
        return frozenset({self.site(node)}) if is_tensor(node) else held

    def of_Compare(self, node: ast.Compare) -> Sites:
        for part in (node.left, *node.comparators):
            self.of(part)
        return frozenset({self.site(node)})

    def of_BoolOp(self, node: ast.BoolOp) -> Sites:
        return frozenset().union(*map(self.of, node.values))

    def of_IfExp(self, node: ast.IfExp) -> Sites:
        self.of(node.test)
        return self.of(node.body) | self.of(node.orelse)

    def of_Tuple(self, node: ast.Tuple | ast.List | ast.Set) -> Sites:
        return frozenset({self.site(node)}).union(*map(self.of, node.elts))

    of_List = of_Set = of_Tuple

    def of_Dict(self, node: ast.Dict) -> Sites:
        keys = [self.of(key) for key in node.keys if key is not None]
        return frozenset({self.site(node)}).union(*keys, *map(self.of, node.values))

    def of_Starred(self, node: ast.Starred) -> Sites:
        return self.of(node.value)

    def of_NamedExpr(self, node: ast.NamedExpr) -> Sites:
        sites = self.of(node.value)
        self.assign(node.target, sites, node.value)
        return sites

    def of_Lambda(self, node: ast.Lambda) -> Sites:
        self.captured(node)
        return ANYWHERE

    def of_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Sites:
        held = dict(self.state.holds)
        for generator in node.generators:
            self.assign(generator.target, self.elements(generator.iter, self.of(generator.iter)), None)
            for test in generator.ifs:
                self.of(test)
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        found = frozenset({self.site(node)}).union(*map(self.of, parts))
        bound = {name.id for generator in node.generators for name in plain_names(generator.target)}
        for name in bound:
            self.state.holds.pop(name, None)
            if name in held:
                self.state.holds[name] = held[name]
        return found

    of_SetComp = of_GeneratorExp = of_DictComp = of_ListComp

    def of_Yield(self, node: ast.Yield | ast.Await | ast.YieldFrom) -> Sites:
        if node.value is not None:
            self.escape(self.of(node.value), Reader("who goes through what is yielded", node.lineno))
        return ANYWHERE

    of_YieldFrom = of_Await = of_Yield

    # -- changes ----------------------------------------------------------------------------------------------------

    def change(
        self,
        event: ast.AST,
        sites: Sites,
        node: ast.expr,
        certain: bool = True,
        inside: bool = False,
        layer: bool = False,
    ) -> None:
        """Something changes in place, or may, or does so inside of a function that is called: note who else sees it."""
        seen = self.seen(sites, node)
        old = self.changes.get(event)
        looked = self.copies and (certain or layer) and not adds_list(event)
        broken, copies = self.broken(sites, node, seen) if looked else (None, ())
        if old is not None:
            seen, broken, sites = old.seen or seen, old.broken or broken, old.sites | sites
            copies = tuple(dict.fromkeys([*old.copies, *copies]))
        assert self.statement is not None
        apart = (self.apart(event, sites, node) if certain and not inside else None) or (old.apart if old else None)
        spread = self.spread(sites, isinstance(event, ast.Subscript)) if looked else None
        spread = (old.spread if old else None) or spread
        self.changes[event] = Change(seen, sites, self.statement, broken, copies, apart, certain, spread)

    def spread(self, sites: Sites, part: bool) -> ast.Call | None:
        """The call that gave what changes in part, if torch has one place in memory for many of its elements.

        part: whether a part of the sites changes, not all of them: that is refused there.
        """
        for site in ordered(sites):
            call = site.node
            if isinstance(call, ast.Call) and self.is_spread(call):
                if part:
                    return call
            elif site.base and not (isinstance(call, ast.Call) and self.makes_new(call)):
                if site not in self.spreads:
                    self.spreads[site] = self.spread(site.base, True)
                if self.spreads[site] is not None:
                    return self.spreads[site]
        return None

    def is_spread(self, call: ast.Call) -> bool:
        """Whether elements share a place in what torch gives, and have their own in the target; also in a function."""
        effect = self.effect(call)
        if isinstance(effect, FunctionOf):
            return self.summary(effect).spread
        return effect.name in SPREADING and effect.name in self.copies

    def makes_new(self, call: ast.Call) -> bool:
        """Whether a result may be a copy in torch too: ``x.contiguous()``."""
        effect = self.effect(call)
        return isinstance(effect, Effect) and effect.new

    def apart(self, event: ast.AST, sites: Sites, node: ast.expr) -> Reader | None:
        """Who reads the base of a view that changes, or a view of what changes, where a gradient may flow."""
        if self.gradless or keeps_gradient(event) or not self.carries(sites):
            return None

        def others(one: Sites, other: Sites) -> bool:
            if one == other or not any(site.view for site in one | other):
                return False
            pairs = ((a, b) for a in one - ANYWHERE for b in other - ANYWHERE if a is not b and (a.view or b.view))
            return any(overlap({a}, {b}) for a, b in pairs)

        found: Reader | None = next(self.readers(sites, node, others), None)
        return found

    def seen(self, sites: Sites, node: ast.expr) -> Reader | None:
        for site in ordered(above(sites)):
            if site in self.state.escaped:
                return self.state.escaped[site]
            if site.outside:
                return Reader(f"whoever gives {site.name}" if site.name in self.own else "others")
        return next(self.readers(sites, node, overlap), None)

    def readers(self, sites: Sites, node: ast.expr, test: Callable[[Sites, Sites], bool]) -> Any:
        """Names that hold some of it and are read later."""
        statement = self.statement
        assert statement is not None
        own = {part for part in walk(node) if isinstance(part, ast.Name)}
        bound = set()
        if isinstance(statement, ast.Assign):
            bound = {name.id for target in statement.targets for name in plain_names(target)}
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            bound = {statement.target.id}
        family = self.family(sites)
        for name, held in self.state.holds.items():
            if held and not family.isdisjoint(self.family(held)) and name not in bound and test(sites, held):
                read = self.accesses.later_read(name, statement, frozenset(own))
                if read is not None:
                    yield Reader(name, read.lineno)

    def family(self, sites: Sites) -> set[Site]:
        """The sites and all that they are parts of, without what is anything: who has none in common do not overlap."""
        found = self.families.get(sites)
        if found is None:
            found = self.families[sites] = above(sites - ANYWHERE)
        return found

    def broken(self, sites: Sites, node: ast.expr, seen: Reader | None) -> tuple[Reader | None, tuple[ast.Call, ...]]:
        """Who sees the change in torch alone, and the calls whose results are copies in the target."""
        if gives_array(node) and NUMPY_OF in self.copies:  # x.numpy().fill(0)
            return Reader(ast.unparse(node.func).removesuffix(".numpy")), (node,)
        family = above(sites)

        def apart(one: Sites, other: Sites) -> bool:
            return overlap(one - ANYWHERE, other - ANYWHERE) and not whole(one) & whole(other)

        readers: list[Reader] = list(self.readers(sites, node, apart))
        for other in readers:
            family |= above(self.state.holds.get(other.name, NOWHERE))
        made = [site.node for site in ordered(family) if isinstance(site.node, ast.Call) and self.is_copy(site.node)]
        reader = readers[0] if readers else None
        if not readers and may_be_stored_into(node) and (held := self.held_parts(sites)):
            reader, made = self.state.escaped[held[0]], [part.node for part in held if isinstance(part.node, ast.Call)]
        elif not readers and any(is_part_of_others(s, self.state) for s in sites):
            # What is a copy in some cases only is one for those who have a name here.
            reader, made = seen, [call for call in made if self.shares_always(call)]
        return (reader, tuple(made)) if reader is not None and made else (None, ())

    def held_parts(self, sites: Sites) -> list[Site]:
        """Copies of what changes that objects keep: ``self.parts = x.chunk(2); x += 1``."""
        family = above(sites - ANYWHERE)
        escaped = (site for site, reader in self.state.escaped.items() if not reader.name.endswith("()"))
        return ordered(
            s for s in escaped if self.made_by_copy(s) and not self.drops(s) and not s.beyond.isdisjoint(family)
        )

    def copied(self) -> list[Site]:
        """What is returned and lies, in torch alone, in the memory of something else."""
        made = {site for site in self.returned if any(self.made_by_copy(part) for part in above({site}))}
        return ordered(made)

    def made_by_copy(self, site: Site) -> bool:
        return isinstance(site.node, ast.Call) and bool(site.base) and self.is_copy(site.node)

    def drops(self, site: Site) -> bool:
        """Whether it is what dropout gives: shared where nothing is trained."""
        return isinstance(site.node, ast.Call) and drops(self.effect(site.node))

    def is_of_array(self, call: ast.Call) -> bool:
        """Whether it makes a tensor of an array, or an array of a tensor."""
        return is_of_array(self.effect(call))

    def shares_always(self, call: ast.Call) -> bool:
        effect = self.effect(call)
        return isinstance(effect, FunctionOf) or not effect.new

    def is_copy(self, call: ast.Call) -> bool:
        """Whether torch gives what shares memory there, and the target a copy; also inside of a function."""
        effect = self.effect(call)
        if isinstance(effect, FunctionOf):
            return bool(self.summary(effect).copied)
        if effect.name not in self.copies:
            return False
        # Of an array, numpy's own gives that array.
        return not effect.name.startswith("numpy.") or any(is_tensor(value) for value in call.args)


def handlers(prefix: str) -> dict[type, Any]:
    """The methods for classes of nodes."""
    named = ((name.removeprefix(prefix), method) for name, method in vars(Flow).items() if name.startswith(prefix))
    return {getattr(ast, name): method for name, method in named if hasattr(ast, name)}


STATEMENTS, EXPRESSIONS = handlers("do_"), handlers("of_")


# What they give is cut off from gradients, or the very same thing.
SAME = {"torch.Tensor.detach", "torch.detach", "torch.Tensor.requires_grad_", "torch.Tensor.data"}
GRADLESS = {"torch.no_grad", "torch.inference_mode", "torch.autograd.no_grad", "torch.autograd.grad_mode.no_grad"}


def is_of_module(value: object) -> bool:
    """Whether it is what a module of torch's or numpy's has: no tensor."""
    return isinstance(value, Ref) or (isinstance(value, External) and value.name.startswith("numpy."))


def receiver_of(call: ast.Call) -> ast.expr | None:
    """Of a method of the project's, or of an object of its that is called."""
    if isinstance(getattr(call.func, "v", None), ObjectOf):
        return call.func
    return call.func.value if isinstance(call.func, ast.Attribute) else None


def is_vars(node: ast.expr) -> bool:
    """``vars(x)``"""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "vars"


def is_gradless(node: ast.expr) -> bool:
    """``with torch.no_grad():``"""
    value = getattr(node.func if isinstance(node, ast.Call) else node, "v", None)
    return isinstance(value, Ref) and value.name in GRADLESS


def keeps_gradient(event: ast.AST) -> bool:
    """``x += 1``: what flows back stays as it is."""
    if not isinstance(event, ast.AugAssign) or not isinstance(event.op, (ast.Add, ast.Sub)):
        return False
    return not may_hold_tensors(getattr(event.value, "v", None))


def adds_list(event: ast.AST) -> bool:
    """``x += [y]``: x is a list."""
    return isinstance(event, ast.AugAssign) and isinstance(event.value, (ast.List, ast.ListComp))


def is_tensor_of(site: Site) -> bool:
    """Whether what made it is known to be a tensor."""
    return site.node is not None and is_tensor(site.node)


def is_part_of_others(site: Site, state: State) -> bool:
    """Whether it is a part of what came from outside, or went there."""
    return any(base.outside or base in state.escaped for base in above(site.base))
