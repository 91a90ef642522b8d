"""Changes in place of one function: who else sees each."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rewriters.infer.values import Bottom, FunctionOf, Unknown
from rewriters.places.accesses import Accesses, name_of_root, plain_names
from rewriters.places.arrays import AS_ARRAYS
from rewriters.places.augmented import adds_list, keeps_gradient
from rewriters.places.calls import (
    GIVING_ARRAYS,
    NUMPY_OF,
    SPREADING,
    drops,
    gives_array,
    is_array,
    is_flat_already,
    is_of_array,
    is_tensor,
    may_be_stored_into,
)
from rewriters.places.effect import Effect
from rewriters.places.in_part import changes_part
from rewriters.places.memory import Memory
from rewriters.places.named_beside import named_beside
from rewriters.places.read_as_tensors import read_as_tensor
from rewriters.places.sites import (
    ANYWHERE,
    NOWHERE,
    Reader,
    Site,
    Sites,
    above,
    is_cut,
    is_part_of_others,
    ordered,
    overlap,
    whole,
)
from rewriters.places.steps import parameters_of
from rewriters.text.tree import walk

# Methods that tensors alone have, and that hand on their memory.
DETACHING = {"detach", "cpu", "contiguous"}
KEYS = ("str", "int", "bool", "float")  # what a loop over a dict's items gives beside what changes
CONTAINERS = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp)


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
    others:  who else sees it beside the name by which it is changed.
    spread:  the call that gave what changes in part, with one place in memory for many of its elements in torch.
    of_array: whether what changes is an array.
    beside:   of an array, the calls that made a tensor of it, or it of a tensor.
    as_tensor: of an array, who reads its memory later as a tensor, where arrays of the target share none.
    named:     of what an object has, the name that holds it too and is read later, where arrays do not change.
    readers:   all names that hold it and are read later, there.
    """

    seen: Reader | None
    sites: Sites
    statement: ast.stmt
    broken: Reader | None = None
    copies: tuple[ast.Call, ...] = ()
    apart: Reader | None = None
    certain: bool = True
    spread: ast.Call | None = None
    of_array: bool = False
    beside: tuple[ast.Call, ...] = ()
    others: Reader | None = None
    as_tensor: Reader | None = None
    named: Reader | None = None
    readers: tuple[Reader, ...] = ()


class Changes:
    """Those of one function, noted as the walk comes to them.

    found:     the changes, by the nodes that make them.
    statement: the one that the walk is at.
    gradless:  whether gradients are switched off there.
    lent:      calls whose results are seen to lie in the memory of what they are of, in the target alone.
    itself:    what is seen to give what it is of, in torch or the target alone.
    becoming:  what becomes another tensor than it was, and by what.
    """

    def __init__(self, body: Sequence[ast.stmt], memory: Memory) -> None:
        self.body, self.memory = body, memory
        self.found: dict[ast.AST, Change] = {}
        self.statement: ast.stmt | None = None
        self.gradless = False
        self.lent: set[ast.Call] = set()
        self.itself: set[ast.AST] = set()
        self.becoming: set[tuple[Site, str]] = set()
        # Of what is a part of something, the call by which that has one place for many elements.
        self.spreads: dict[Site, ast.Call | None] = {}
        # What several sites are parts of, which never changes.
        self.families: dict[Sites, set[Site]] = {}

    @cached_property
    def accesses(self) -> Accesses:
        """Who reads what; asked for where something that a name holds changes."""
        return Accesses.of(self.body)

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
        others = seen if seen is None or seen.name != name_of_root(node) else self.seen_besides(sites, node, seen.name)
        self.note_lent(sites, node)
        old = self.found.get(event)
        looked = self.memory.copies and (certain or layer) and not adds_list(event)
        broken, copies = self.broken(sites, node, seen) if looked else (None, ())
        if old is not None:
            seen, broken, sites = old.seen or seen, old.broken or broken, old.sites | sites
            others = old.others or others
            copies = tuple(dict.fromkeys([*old.copies, *copies]))
        assert self.statement is not None
        apart = (self.apart(event, sites, node) if certain and not inside else None) or (old.apart if old else None)
        # What torch changes inside of a function is a part: all of it at once is refused.
        spread = self.spread(sites, inside or changes_part(event)) if looked else None
        spread = (old.spread if old else None) or spread
        of_array = bool(looked) and self.is_array(sites, node)
        beside = self.beside(sites) if of_array else ()
        found = Change(seen, sites, self.statement, broken, copies, apart, certain, spread, of_array, beside, others)
        if not self.memory.copies:
            if self.is_array(sites, node):
                found.as_tensor = (old.as_tensor if old else None) or read_as_tensor(self, sites, node)
            found.readers = tuple(self.readers(sites, node, lambda _, held: overlap(sites, held)))
        if not self.memory.copies and above(sites) & ANYWHERE:
            named = named_beside(self.memory.state, self.accesses, event, self.statement, sites - ANYWHERE, node)
            found.named = (old.named if old else None) or named
        self.found[event] = found

    def is_array(self, sites: Sites, node: ast.expr) -> bool:
        """Whether what changes is an array, not a tensor."""
        if is_array(getattr(node, "v", None)) or gives_array(node):
            return True
        return any(self.is_array_of(site) for site in sites) and not any(
            site.node and is_tensor(site.node) for site in sites
        )

    def is_array_of(self, site: Site) -> bool:
        """``x.numpy()``"""
        effect = self.memory.effect(site.node) if isinstance(site.node, ast.Call) else None
        return isinstance(effect, Effect) and effect.name in GIVING_ARRAYS

    def beside(self, sites: Sites) -> tuple[ast.Call, ...]:
        """The calls that made a tensor of an array in this memory, or such an array of a tensor."""
        made = (site for site in self.memory.sites.values() if self.made_by_copy(site))
        of_arrays = (site for site in made if isinstance(site.node, ast.Call) and self.is_of_array(site.node))
        changed = sites - ANYWHERE
        shared = (site.node for site in of_arrays if overlap(changed, {site}))
        return tuple(dict.fromkeys(call for call in shared if isinstance(call, ast.Call)))

    def step(self, node: ast.Call) -> None:
        """An optimizer changes parameters: those that something is a copy of here."""
        copies = [site for site in self.memory.sites.values() if self.made_by_copy(site)] if self.memory.copies else []
        changed = frozenset().union(*map(parameters_of, copies))
        if changed:
            self.change(node, changed, node.func, inside=True)

    def note_lent(self, sites: Sites, node: ast.expr) -> None:
        """Note the calls that gave what is read later in the memory of what changes, or the other way round."""
        for site, of in self.memory.lent.items():
            made, changed = frozenset({site}), sites - ANYWHERE
            if overlap(changed, of - ANYWHERE):
                seen = site in self.memory.state.escaped or site in self.memory.pending or self.is_read(made, node)
            else:
                outside = any(one.outside or one in self.memory.state.escaped for one in above(of))
                seen = site in above(changed) and (outside or self.is_read(frozenset(above(of)), node))
            if seen and isinstance(site.node, ast.Call):
                self.lent.add(site.node)

    def is_read(self, sites: Sites, node: ast.expr) -> bool:
        """Whether a name that holds one of these is read later."""
        assert self.statement is not None
        own = frozenset(part for part in walk(node) if isinstance(part, ast.Name))
        holders = [
            name for name, held in self.memory.state.holds.items() if not above(held).isdisjoint(sites - ANYWHERE)
        ]
        return any(self.accesses.later_read(name, self.statement, own) is not None for name in holders)

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
        effect = self.memory.effect(call)
        if isinstance(effect, FunctionOf):
            return self.memory.summary(effect).spread
        return effect.name in SPREADING and effect.name in self.memory.copies

    def makes_new(self, call: ast.Call) -> bool:
        """Whether a result may be a copy in torch too, of what is expanded: ``x.contiguous()``."""
        effect = self.memory.effect(call)
        return isinstance(effect, Effect) and effect.new and not is_flat_already(call, effect.name)

    def is_leaf(self, held: Sites) -> bool:
        """Whether what is bound anew here would no longer ask for a gradient."""
        return self.gradless and self.memory.carries(held)

    def apart(self, event: ast.AST, sites: Sites, node: ast.expr) -> Reader | None:
        """Who reads the base of a view that changes, or a view of what changes, where a gradient may flow."""
        if self.gradless or keeps_gradient(event) or not self.memory.carries(sites):
            return None
        if all(map(is_cut, sites - ANYWHERE)):
            return None  # torch's gradients miss it too

        def others(_: str, other: Sites, one: Sites = sites) -> bool:
            if one == other or not any(site.view for site in one | other):
                return False
            pairs = ((a, b) for a in one - ANYWHERE for b in other - ANYWHERE if a is not b and (a.view or b.view))
            return any(overlap({a}, {b}) for a, b in pairs)

        return next(self.readers(sites, node, others), None)

    def seen(self, sites: Sites, node: ast.expr) -> Reader | None:
        for site in ordered(above(sites)):
            if site in self.memory.state.escaped:
                return self.memory.state.escaped[site]
            if site.outside:
                given = site.name in self.memory.parameters
                known = site.name if site.name in self.memory.free else "others"
                return Reader(f"whoever gives {site.name}" if given else known)
        return next(self.readers(sites, node, lambda _, held: overlap(sites, held)), None)

    def seen_besides(self, sites: Sites, node: ast.expr, own: str) -> Reader | None:
        """Who sees a change, other than by the name that it is made through."""
        readers = self.readers(sites, node, lambda name, held: name != own and overlap(sites, held))
        return next(readers, None)

    def readers(self, sites: Sites, node: ast.expr, test: Callable[[str, Sites], bool]) -> Iterator[Reader]:
        """Names that hold some of it and are read later, as far as a test of the name and what it holds says."""
        statement = self.statement
        assert statement is not None
        own = {part for part in walk(node) if isinstance(part, ast.Name)}
        bound = set()
        if isinstance(statement, ast.Assign):
            bound = {name.id for target in statement.targets for name in plain_names(target)}
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            bound = {statement.target.id}
        family = self.family(sites)
        for name, held in self.memory.state.holds.items():
            if held and not family.isdisjoint(self.family(held)) and name not in bound and test(name, held):
                read = self.accesses.later_read(name, statement, frozenset(own))
                if read is not None and getattr(getattr(read, "v", None), "kind", "") not in KEYS:
                    yield Reader(name, read.lineno)

    def family(self, sites: Sites) -> set[Site]:
        """The sites and all that they are parts of, without what is anything: who has none in common do not overlap."""
        found = self.families.get(sites)
        if found is None:
            found = self.families[sites] = above(sites - ANYWHERE) - ANYWHERE
        return found

    def broken(self, sites: Sites, node: ast.expr, seen: Reader | None) -> tuple[Reader | None, tuple[ast.Call, ...]]:
        """Who sees the change in torch alone, and the calls whose results are copies in the target."""
        if gives_array(node) and NUMPY_OF in self.memory.copies:  # x.numpy().fill(0)
            return Reader(ast.unparse(node.func).removesuffix(".numpy")), (node,)
        family = above(sites)
        of_name = getattr(node, "id", "")
        changed = sites - ANYWHERE

        def apart(name: str, held: Sites) -> bool:
            held -= ANYWHERE
            if not overlap(changed, held):
                return False
            several = name != of_name or any(map(self.is_container, changed | held))
            return not whole(changed) & whole(held) or (several and self.torn(changed, held))

        readers: list[Reader] = list(self.readers(sites, node, apart))
        for other in readers:
            family |= above(self.memory.state.holds.get(other.name, NOWHERE))
        for site in self.memory.pending:
            if apart("", frozenset({site})):
                readers.append(Reader("what the same line reads", getattr(site.node, "lineno", 0)))
                family |= above({site})
        made = [site.node for site in ordered(family) if isinstance(site.node, ast.Call) and self.is_copy(site.node)]
        reader = readers[0] if readers else None
        if not readers and may_be_stored_into(node) and (held := self.held_parts(sites)):
            reader = self.memory.state.escaped[held[0]]
            made += [part.node for part in held if isinstance(part.node, ast.Call) and part.node not in made]
        elif not readers and any(is_part_of_others(s, self.memory.state) for s in sites):
            # What is a copy in some cases only is one for those who have a name here.
            reader, made = seen, [call for call in made if self.shares_always(call)]
        return (reader, tuple(made)) if reader is not None and made else (None, ())

    def torn(self, one: Sites, other: Sites) -> bool:
        """Whether there is, in the two, a copy beside what it is a copy of: ``[x, x.chunk(2)[0]]``."""
        if any(map(self.is_torn, one & other)):
            return True
        copied = {site for site in one | other if any(map(self.made_by_copy, above({site})))}  # of most there is none
        return bool(copied) and any(
            overlap({a}, {b}) and whole({a}).isdisjoint(whole({b}))
            for a in one
            for b in (other if a in copied else other & copied)
            if a is not b
        )

    def is_container(self, site: Site) -> bool:
        """Whether it holds several things at a time."""
        return (isinstance(site.node, CONTAINERS) and not site.base) or self.is_torn(site)

    def is_torn(self, site: Site) -> bool:
        """Whether a function of the project gave it that gives a copy beside what it is a copy of."""
        effect = self.memory.effect(site.node) if isinstance(site.node, ast.Call) else None
        return isinstance(effect, FunctionOf) and self.memory.summary(effect).torn

    def held_parts(self, sites: Sites) -> list[Site]:
        """Copies of what changes that objects keep: ``self.parts = x.chunk(2); x += 1``."""
        family = above(sites - ANYWHERE)
        escaped = (site for site, reader in self.memory.state.escaped.items() if not reader.name.endswith("()"))
        return ordered(
            s for s in escaped if self.made_by_copy(s) and not self.drops(s) and not s.beyond.isdisjoint(family)
        )

    def copied(self) -> list[Site]:
        """What is returned and lies, in torch alone, in the memory of something else."""
        made = {site for site in self.memory.returned if any(self.made_by_copy(part) for part in above({site}))}
        return ordered(made)

    def made_by_copy(self, site: Site) -> bool:
        return isinstance(site.node, ast.Call) and bool(site.base) and self.is_copy(site.node)

    def drops(self, site: Site) -> bool:
        """Whether it is what dropout gives: shared where nothing is trained."""
        return isinstance(site.node, ast.Call) and drops(self.memory.effect(site.node))

    def is_of_array(self, call: ast.Call) -> bool:
        """Whether it makes a tensor of an array, or an array of a tensor."""
        return is_of_array(self.memory.effect(call))

    def shares_always(self, call: ast.Call) -> bool:
        effect = self.memory.effect(call)
        return isinstance(effect, FunctionOf) or not effect.new or effect.name in AS_ARRAYS

    def is_copy(self, call: ast.Call) -> bool:
        """Whether torch gives what shares memory there, and the target a copy; also inside of a function."""
        effect = self.memory.effect(call)
        if isinstance(effect, FunctionOf):
            summary = self.memory.summary(effect)
            return bool(summary.copied) or summary.torn
        if effect.name not in self.memory.copies:
            return False
        # Of an array, numpy's own gives that array.
        return not effect.name.startswith("numpy.") or any(map(is_tensor, call.args)) or self.is_of_tensor(call)

    def is_of_tensor(self, call: ast.Call) -> bool:
        """Whether what a call is given was made as a tensor, or may have been: what an object keeps, ``x.detach()``."""
        site = self.memory.sites.get((call, 0))
        given = getattr(self.memory.node, "tensors", ())  # parameters that some call gives one
        for part in () if site is None else site.base:
            if part.name in given if part.node is None else is_tensor(part.node):
                return True
        return bool(call.args) and may_be_kept_tensor(call.args[0])


def may_be_kept_tensor(node: ast.expr) -> bool:
    """Whether it is an attribute of which nothing is known, or what a method of tensors alone gives."""
    if not isinstance(getattr(node, "v", None), (Unknown, Bottom)):
        return False
    if isinstance(node, ast.Attribute):
        return True
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in DETACHING
