"""What the walk of a function knows where it is: what names hold, what others hold, where gradients may flow."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field
from typing import TypeGuard

from rewriters.infer.syntax import all_arguments, is_dict_of, path_of, under_its_name
from rewriters.infer.values import FLOATING, FunctionOf, Tensor
from rewriters.places.calls import is_tensor
from rewriters.places.effect import Effect
from rewriters.places.parameters import owner_of
from rewriters.places.sites import ANYWHERE, NOWHERE, Reader, Site, Sites, State, above
from rewriters.places.summary import Summary
from rewriters.text.tree import walk

# Methods of dicts and lists that give what is in them.
TAKING = {"values", "items", "get", "pop", "setdefault"}


class MethodCall(ast.Call):
    """A call of an attribute, as types know it."""

    func: ast.Attribute


@dataclass
class Memory:
    """Of one function.

    summary:    what is known of a function of the project.
    effect:     what is known of a call.
    node:       the function, or the file's tree.
    free:       names that it reads from around it; with the parameters, what it is given.
    declared:   names that it binds around it: ``global``, ``nonlocal``.
    copies:     torch's names whose results lie in the memory of what they are given in torch, and not in the target.
    itself:     torch's names whose results may be, in one of the two alone, the very tensor that they are given.
    its_shape:  torch's names whose results are others there, too, yet have their shape in common with it.
    own:        the sites of the parameters.
    state:      what is known at the point of the function that the walk has come to.
    returned:   what the function gives.
    sites:      those that were met, by the node that made them.
    attributes: what an object that is not known has under a name, by the text.
    kept:       what objects keep, and under which attributes, any of these; or under names of what it is given.
    grads:      sites through which something says that a gradient may flow.
    apart:      of how many things that share nothing what it returns is a tuple; 0 for another.
    lending:    calls that may give what lies in the memory of what they are of, in the target alone.
    lent:       the sites of what they gave -> what that is of.
    alike:      calls of the project's functions whose results may be what they are given, as a summary's ``itself`` and
                ``its_shape`` say, with what that is and whether it is about shapes alone.
    pending:    copies that parts of an expression gave, which is read when the parts after them have been evaluated.
    """

    parameters: Sequence[str]
    summary: Callable[[FunctionOf], Summary]
    effect: Callable[[ast.Call], Effect | FunctionOf]
    node: ast.AST
    free: set[str]
    copies: frozenset[str] = frozenset()
    lending: Set[ast.Call] = frozenset()
    itself: frozenset[str] = frozenset()
    its_shape: frozenset[str] = frozenset()
    own: dict[str, Site] = field(init=False)
    state: State = field(init=False)
    returned: set[Site] = field(default_factory=set)
    sites: dict[tuple[ast.AST, int], Site] = field(default_factory=dict)
    attributes: dict[str, Site] = field(default_factory=dict)
    kept: list[tuple[Sites, frozenset[str]]] = field(default_factory=list)
    declared: set[str] = field(default_factory=set)
    grads: set[Site] = field(default_factory=set)
    apart: set[int] = field(default_factory=set)
    lent: dict[Site, Sites] = field(default_factory=dict)
    alike: set[tuple[ast.Call, Sites, bool]] = field(default_factory=set)
    pending: list[Site] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.own = {name: Site(None, name) for name in (*self.parameters, *sorted(self.free))}
        for name, other in getattr(self.node, "alike", {}).items():  # some call gives both the same
            if name in self.own and other in self.own:
                self.own[name] = Site(None, name, frozenset({self.own[other]}))
        self.state = State({name: frozenset({site}) for name, site in self.own.items()})
        self.grads |= {self.own[name] for name in inputs_of(self.node) if name in self.own}

    def around(self, name: str, function: ast.AST) -> Sites:
        """What a name holds here that a function of the project reads from around it; nothing where it is another's."""
        owner = owner_of(name, function)
        if owner is self.node or name in self.free:
            return self.state.holds.get(name, NOWHERE)
        if not isinstance(owner, ast.Module) or name in self.state.holds or owner is not owner_of("", self.node):
            return NOWHERE
        self.free.add(name)  # it comes through here
        site = self.own[name] = Site(None, name)
        self.state.holds[name] = frozenset({site})
        return self.state.holds[name]

    def bind(self, name: str, sites: Sites) -> None:
        self.state.holds[name] = sites
        for path in [path for path in self.state.stored if path.startswith(f"{name}.")]:
            del self.state.stored[path]

    def elements(self, node: ast.expr, held: Sites) -> Sites:
        """What a loop binds: rows of a tensor are parts of it."""
        return frozenset({self.site(node, 0, base=held)}) if is_tensor(node) and held else held

    def view(self, node: ast.expr, held: Sites) -> Sites:
        return frozenset({self.site(node, 0, held, view=True)}) if held else held

    def cut(self, node: ast.expr, held: Sites) -> Sites:
        """The same, cut off from gradients; what is anything stays so."""
        known = held - ANYWHERE
        return (held & ANYWHERE) | {self.site(node, 0, known, view=True, cut=True)} if known else held

    def elsewhere(self, node: ast.Attribute) -> Site:
        """What an object that is not known has under that name: the same for the same text."""
        text = path_of(node) or ast.unparse(node)
        return self.attributes.setdefault(text, Site(None, text))

    def captured(self, node: ast.AST) -> None:
        for part in walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and part.id in self.state.holds:
                who = f"the function {getattr(node, 'name', '<lambda>')}"
                self.escape(self.state.holds[part.id], Reader(who, part.lineno))

    def lie_in(self, held: Sites, sites: Sites) -> None:
        """``x.data = y``: who holds x holds what lies in the memory of y."""
        for name, others in self.state.holds.items():
            if not others.isdisjoint(held):
                self.state.holds[name] = others | sites

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
            if seen is None:
                self.escape_by(sites, node, node.lineno)
            else:
                self.escape(sites, seen)

    def keep(self, sites: Sites, node: ast.expr) -> None:
        """An object keeps it under an attribute, itself or in what that holds; or what the function was given does."""
        while isinstance(node, ast.Subscript) or gives_what_is_in_it(node):
            held = node.value if isinstance(node, ast.Subscript) else node.func.value
            node = under_its_name(node) or held
        name = node.attr if isinstance(node, ast.Attribute) and not is_dict_of(node) else ""
        if isinstance(node, ast.Name) and (node.id in self.own or node.id in self.declared):
            name = around(node.id)
        if sites and self.copies and name:
            self.kept.append((sites, frozenset({name})))

    def escape(self, sites: Sites, reader: Reader) -> None:
        for site in sites:
            if not site.outside or site.name:
                self.state.escaped.setdefault(site, reader)

    def escape_by(self, sites: Sites, node: ast.expr, line: int, end: str = "") -> None:
        """Who sees it is named by a text of the source, which is made where it says something new."""
        if any((not site.outside or site.name) and site not in self.state.escaped for site in sites):
            self.escape(sites, Reader(f"{ast.unparse(node)}{end}", line))

    def carries(self, sites: Sites) -> bool:
        """Whether something says that a gradient may flow through it."""
        return bool(self.grads and above(sites) & self.grads)

    def site(
        self, node: ast.AST | None, index: int = 0, base: Sites = NOWHERE, view: bool = False, cut: bool = False
    ) -> Site:
        """The same one each time that the node is met, so that loops come to an end."""
        assert node is not None
        found = self.sites.get((node, index))
        if found is not None:
            # What it is a view of may be what an earlier round of a loop made of it: one level of that is enough.
            base = frozenset(part for part in base if part is not found and found not in part.beyond)
        if found is None or not base <= found.base:
            found = Site(node, "", base | (found.base if found else NOWHERE), view, cut, index)
            self.sites[node, index] = found
        return found


def is_forward(node: ast.AST) -> TypeGuard[ast.FunctionDef]:
    return isinstance(node, ast.FunctionDef) and node.name == "forward"


def inputs_of(node: ast.AST) -> set[str]:
    """The parameters of a ``forward`` that may be tensors of floating-point numbers: gradients flow through those."""
    if not is_forward(node):
        return set()
    given = {one.arg for one in all_arguments(node.args)}
    places = (part.slice for part in walk(node) if isinstance(part, ast.Subscript))
    given -= {one.id for place in places for one in walk(place) if isinstance(one, ast.Name)}
    names = ((part.id, getattr(part, "v", None)) for part in walk(node) if isinstance(part, ast.Name))
    return {name for name, value in names if name in given and isinstance(value, Tensor) and is_floating(value)}


def is_floating(value: Tensor) -> bool:
    return not value.kinds or bool(value.kinds & FLOATING)


def around(name: str) -> str:
    """How a name of what a function is given is told from an attribute."""
    return f"{name} around"


def spelled(kept: str) -> str:
    """What is kept under, as a reader is told: ``.attribute``, or the name."""
    return kept.removesuffix(" around") if kept.endswith(" around") else f".{kept}"


def gives_what_is_in_it(node: ast.AST) -> TypeGuard[MethodCall]:
    """``kept.values()``, ``kept.get("a")``"""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in TAKING


def is_tensor_of(site: Site) -> bool:
    """Whether what made it is known to be a tensor."""
    return site.node is not None and is_tensor(site.node)
