"""Places of a project: each function is walked when it is first asked for."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rewriters.infer.values import FunctionInfo, FunctionOf, ModuleInfo
from rewriters.places.asked_in_place import AskedInPlace
from rewriters.places.called import function_given
from rewriters.places.calls import (
    NUMPY_OF,
    effect_of_call,
    given,
    gives_array,
    may_be_stored_into,
)
from rewriters.places.changes import Change
from rewriters.places.effect import Effect
from rewriters.places.events import Events, counts, within
from rewriters.places.findings import Found
from rewriters.places.flow import Flow
from rewriters.places.given_out import calls_inside, given_out
from rewriters.places.given_pieces import GivenPieces, given_pieces
from rewriters.places.kept_copies import Changing, changing, kept_copies, may_be_kept, root_of
from rewriters.places.lent import lending_calls, lent_out
from rewriters.places.own_given import handed_itself, itself_out
from rewriters.places.parameters import parameters_of
from rewriters.places.reached import reaches
from rewriters.places.sites import Reader, above
from rewriters.places.summary import Summary, keeps_results
from rewriters.text.tree import is_in_place

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


# So many walks of functions are kept while all files are looked at.
WALKS = 1_000


class Places:
    """Who else sees what changes in place, function by function.

    copies:  torch's names whose results share memory in torch and not in the target.
    modules: all that may change what an object keeps.
    found:   what others have found out of them.
    lends:   torch's names whose results lie in the memory of what has no axes, in the target alone.
    itself, its_shape: as of ``Memory``.
    """

    def __init__(
        self,
        copies: frozenset[str] = frozenset(),
        modules: Iterable[ModuleInfo] = (),
        found: Found | None = None,
        lends: frozenset[str] = frozenset(),
        itself: frozenset[str] = frozenset(),
        its_shape: frozenset[str] = frozenset(),
    ) -> None:
        self.copies, self.lends, self.itself, self.its_shape = copies, lends, itself, its_shape
        self.lending: set[ast.Call] = set()
        self.methods = {name.removeprefix("torch.Tensor.") for name in copies if name.startswith("torch.Tensor.")}
        self.known_events: dict[ModuleInfo, Events] = {}
        self.effects: dict[ast.Call, Effect | FunctionOf] = {}
        self.flows: dict[ast.AST, Flow] = {}
        self.started: set[FunctionInfo] = set()
        self.modules = modules
        self.found = Found() if found is None else found.copy()

    def forget(self) -> None:
        """Nothing more is asked: what was found out leads to itself in many ways, and would stay.

        What is in ``found`` leads to no other than trees.
        """
        for found in (self.flows, self.known_events, self.effects):
            found.clear()

    def look_at_all(self) -> None:
        """Find out all that is asked of all files together, so that no piece of them looks for it again."""
        _ = self.changed, self.given_out, self.asked_in_place.stored, self.lent_out, self.itself_out, self.objects
        _ = self.given_pieces

    def thin_out(self) -> None:
        """Walks take much memory, and few are asked for twice."""
        if len(self.flows) > WALKS:
            self.flows.clear()

    @property
    def changed(self) -> Changing:
        """Where something changes in place: in which attributes, also by a function that is given one, and so on."""
        if self.found.changed is None:
            self.found.changed = changing(self.modules, self.changed_by_functions())
        return self.found.changed

    @property
    def given_pieces(self) -> GivenPieces:
        """Attributes that functions give a tensor they are handed, where arrays do not change."""
        if self.found.given_pieces is None:
            self.found.given_pieces = {} if self.copies else given_pieces(self.modules)
        return self.found.given_pieces

    @property
    def given_out(self) -> frozenset[ast.Call]:
        """Torch's own calls whose copies a function of the project gives to one who changes it, or what it is of."""
        if self.found.given_out is None:
            self.found.given_out = given_out(self, self.modules)
        return self.found.given_out

    def given_out_of(self, function: ast.AST | None, module: ModuleInfo) -> list[ast.Call]:
        """Those of a function."""
        node = function or module.tree
        if not within(self.lines(module)[1], node):
            return []
        return [call for call in self.events(module).copies.get(node, ()) if call in self.given_out]

    def made_inside(self, call: ast.Call) -> list[str]:
        """Torch's names of what makes the copies that a function of the project gives; none for torch's own."""
        effect = self.effect(call)
        inside = calls_inside(self, effect.info, set()) if isinstance(effect, FunctionOf) else ()
        return [effect.name for effect in map(self.effect, inside) if isinstance(effect, Effect)]

    @property
    def asked_in_place(self) -> AskedInPlace:
        """Which calls of layers change what they are given."""
        if self.found.asked_in_place is None:
            self.found.asked_in_place = AskedInPlace(self.modules)
        return self.found.asked_in_place

    def changed_by_functions(self) -> Iterator[str]:
        """Names of attributes that are given to a function of the project which changes them."""
        for module in self.modules:
            for call in module.nodes.of(ast.Call):
                called = getattr(call.func, "v", None)
                if not isinstance(called, FunctionOf) or not any(attribute_given(one) for _, one in given(call, None)):
                    continue
                if self.may_change(called.info.node, called.info.module):
                    yield from self.attributes_changed(call, self.summary(called))

    @staticmethod
    def attributes_changed(call: ast.Call, summary: Summary) -> Iterator[str]:
        for place, part in given(call, None):
            if not summary.changes.isdisjoint(summary.parameters.taken_by(place)):
                yield attribute_given(part)

    def is_copy(self, call: ast.Call) -> bool:
        """Whether a call of torch's own gives a copy of what shares memory in torch."""
        by_name = getattr(getattr(call.func, "v", None), "name", "") in self.copies
        if not by_name and getattr(call.func, "attr", "") not in self.methods:
            return False
        effect = self.effect(call)
        return not isinstance(effect, FunctionOf) and effect.name in self.copies

    def change(self, event: ast.AST, function: ast.AST | None, module: ModuleInfo) -> Change | None:
        """What is known of a change: an augmented assignment, a call, an assignment's subscript; None for no such."""
        self.events(module)
        return self.flow(function or module.tree).changes.found.get(event)

    def broken(self, function: ast.AST | None, module: ModuleInfo) -> list[tuple[ast.AST, Change]]:
        """Changes that somebody sees in torch and not in the target, since what it gives there is a copy."""
        node = function or module.tree
        if node in self.found.broken:
            return self.found.broken[node]
        if not within(self.lines(module)[1], node) or node not in self.events(module).copies:
            return []
        if not self.may_change(node, module) or not any(map(self.gives_copy, self.events(module).copies[node])):
            return []
        changes = self.flow(node).changes.found.items()
        found = ((e, one) for e, one in changes if one.broken is not None or one.spread is not None or one.beside)
        return [(event, one) for event, one in found if one.certain or self.asked_in_place.asked(event)]

    def looked_at(self, function: ast.AST | None, module: ModuleInfo) -> list[tuple[ast.AST, Change]]:
        """What is broken in a function; kept, with what else its walk tells, so that it is not walked once more."""
        node = function or module.tree
        self.found.kept[node] = self.kept(function, module)
        self.found.broken[node] = self.broken(function, module)
        return self.found.broken[node]

    def kept(self, function: ast.AST | None, module: ModuleInfo) -> dict[ast.Call, str]:
        """Calls that give copies, in the target, of which objects keep one, and the attribute that changes."""
        node = function or module.tree
        if node in self.found.kept:
            return self.found.kept[node]
        if not within(self.lines(module)[1], node) or node not in self.events(module).copies:
            return {}
        if node not in self.events(module).keeping or not (self.changed.names or node in self.changed.given):
            return {}
        copies = (call for call in self.events(module).copies[node] if may_be_kept(call, self.effect(call)))
        if not any(map(self.gives_copy, copies)):
            return {}
        return kept_copies(self.flow(node).changes, self.changed, node)

    def gives_copy(self, call: ast.Call) -> bool:
        """Whether a call that may give a copy does so by what is known of the function, if it is the project's."""
        effect = self.effect(call)
        if not isinstance(effect, FunctionOf):
            return True
        summary = self.summary(effect)
        return bool(summary.copied) or summary.spread or summary.torn

    def lent(self, function: ast.AST | None, module: ModuleInfo) -> list[ast.Call]:
        """Calls whose results lie in the memory of what they are of, in the target alone, where one of them changes."""
        node = function or module.tree
        calls = self.events(module).lending.get(node)
        if calls is None:
            return []
        own = self.flow(node).changes.lent if self.may_change(node, module) else set()
        return sorted((own | self.lent_out) & calls, key=lambda call: (call.lineno, call.col_offset))

    @property
    def lent_out(self) -> frozenset[ast.Call]:
        """Such calls in functions of the project whose callers change the one and read the other."""
        if self.found.lent_out is None:
            self.found.lent_out = lent_out(self, self.modules) if self.lends else frozenset()
        return self.found.lent_out

    def gave_itself(self, function: ast.AST | None, module: ModuleInfo) -> list[ast.AST]:
        """What gives the very tensor that it is of, in the target alone, where one of the two becomes other."""
        node = function or module.tree
        if not self.itself:
            return []
        found = set(self.itself_out.get(node, ()))
        if self.may_become_other(node, module):
            found |= {one for one in self.flow(node).changes.itself if not self.is_of_project(one)}
        return sorted(found, key=place_of)

    def is_of_project(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and isinstance(self.effect(node), FunctionOf)

    @property
    def itself_out(self) -> dict[ast.AST, set[ast.AST]]:
        """What gives such a thing in functions of the project, where a caller makes one of the two another tensor."""
        if self.found.itself_out is None:
            self.found.itself_out = itself_out(self, self.modules, self.itself | self.its_shape)
        return self.found.itself_out

    @property
    def objects(self) -> bool:
        """Whether a tensor may become other than it was anywhere in the files."""
        if self.found.objects is None:
            self.found.objects = any(self.events(module).with_objects for module in self.modules)
        return self.found.objects

    def rows(self, function: ast.AST | None, module: ModuleInfo) -> set[ast.expr]:
        """What is looped over, row by row, and may be another tensor in torch before the next one is taken."""
        node = function or module.tree
        handing = node in self.events(module).handing_rows and self.objects
        return self.flow(node).expressions.rows.taken if handing or self.may_become_other(node, module) else set()

    def apart(self, function: ast.AST | None, module: ModuleInfo) -> list[tuple[ast.AST, Change]]:
        """Changes of views, or of what views are of, that the other's gradient may miss."""
        node = function or module.tree
        if not within(self.lines(module)[0], node) or node not in self.events(module).with_gradients:
            return []
        return [(event, change) for event, change in self.flow(node).changes.found.items() if change.apart is not None]

    def may_change(self, node: ast.AST, module: ModuleInfo) -> bool:
        """Whether a function has what may change something in place, or calls one that does."""
        return reaches(self, node, module, self.found.changing, lambda events: events.changing)

    def may_become_other(self, node: ast.AST, module: ModuleInfo) -> bool:
        """Whether a tensor may become other than it was in a function, or in one that it calls."""
        return reaches(self, node, module, self.found.becoming, lambda events: events.with_objects)

    def events(self, module: ModuleInfo) -> Events:
        found = self.known_events.get(module)
        if found is None:
            lending = lending_calls(module.nodes, self.lends)
            self.lending.update(lending)
            found = self.known_events[module] = Events(module, self.effect, self.may_copy, lending)
        return found

    def effect(self, call: ast.Call) -> Effect | FunctionOf:
        """As of any call, found once."""
        found = self.effects.get(call)
        if found is None:
            found = self.effects[call] = effect_of_call(call)
        return found

    def lines(self, module: ModuleInfo) -> tuple[list[int], list[int]]:
        """Lines of a file on which something changes in place, and on which a copy may be made; sorted."""
        found = self.found.lines.get(module)
        if found is None:
            attributes, nodes = module.nodes.of(ast.Attribute), module.nodes
            changing = [node.lineno for node in attributes if is_in_place(node.attr)]
            changing += [node.lineno for node in nodes.of(ast.AugAssign) if not counts(node)]
            stores = (node for node in nodes.of(ast.Subscript) if isinstance(node.ctx, ast.Store))
            changing += [node.lineno for node in stores if may_be_stored_into(node.value)]
            changing += [node.lineno for node in nodes.of(ast.keyword) if node.arg in ("inplace", "out")]
            copying = [node.lineno for calls in self.events(module).copies.values() for node in calls]
            found = self.found.lines[module] = (sorted(changing), sorted(copying))
        return found

    def may_copy(self, call: ast.Call) -> bool:
        """Whether a call may give a copy of what shares memory in torch: of torch's, or a function that makes one."""
        called = function_given(call) or getattr(call.func, "v", None)
        if not isinstance(called, FunctionOf):
            return self.is_copy(call) or (NUMPY_OF in self.copies and gives_array(call))
        info = called.info
        if info not in self.found.copying:
            self.found.copying[info] = False  # while it is looked into
            inside = self.events(info.module).calls.get(info.node, ())
            self.found.copying[info] = any(map(self.may_copy, inside))
        return self.found.copying[info]

    def flow(self, node: ast.AST) -> Flow:
        found = self.flows.get(node)
        if found is None:
            found = self.flows[node] = Flow(
                body_of(node),
                parameters_of(node).names,
                self.summary,
                self.effect,
                node,
                self.copies,
                self.lending,
                self.itself,
                self.its_shape,
            )
            found.run()
        return found

    def summary(self, function: FunctionOf) -> Summary:
        """Of a function that calls itself, by whatever way, nothing is known while it is walked."""
        info = function.info
        parameters = parameters_of(info.node, function.receiver is not None or info.kind == "method")
        known = self.found.summaries.get(info)
        if known is not None:
            return known if known.parameters == parameters else replace(known, parameters=parameters)
        names = parameters.names
        anything = Summary(parameters, True, frozenset(names), dict.fromkeys(names, Reader(info.name)), True)
        if info in self.started:
            return anything
        self.started.add(info)
        yields = info.node in self.events(info.module).yielding
        flow = self.flow(info.node)
        memory, changes = flow.memory, flow.changes
        own = {site: name for name, site in memory.own.items()}
        returned, given_back = above(memory.returned), frozenset(memory.returned)
        items = changes.found.items()
        certain = (change for event, change in items if change.certain or self.asked_in_place.asked(event))
        changed = above(site for change in certain for site in change.sites)
        self.found.summaries[info] = Summary(
            parameters,
            any(not site.outside for site in memory.returned),
            frozenset(own[site] for site in returned if site in own),
            {own[part]: by for site, by in memory.state.escaped.items() for part in above({site}) if part in own},
            any((site.outside and site not in own) or site in memory.state.escaped for site in returned),
            frozenset(own[site] for site in changed if site in own),
            frozenset(own[site] for copy in changes.copied() for site in above({copy}) if site in own),
            all(map(changes.made_by_copy, memory.returned)),
            frozenset(own[site] for part in returned for site in above(memory.lent.get(part, ())) if site in own),
            changes.spread(given_back, True) is not None,
            any(map(changes.is_container, memory.returned)) and changes.torn(given_back, given_back),
            frozenset(memory.free),
            frozenset((own[site], by) for site, by in changes.becoming if site in own),
            flow.expressions.rows.others,
            handed_itself(flow, self.itself),
            handed_itself(flow, self.its_shape, shape=True),
            next(iter(memory.apart)) if len(memory.apart) == 1 else 0,
        )
        if yields:  # it goes on when others have done something else
            known = self.found.summaries[info]
            keeps, back = anything.keeps, anything.hands_back
            self.found.summaries[info] = replace(known, new=True, hands_back=back, keeps=keeps, outside=True)
        if keeps_results(info.node):
            self.found.summaries[info] = replace(self.found.summaries[info], outside=True)
        self.started.discard(info)
        return self.summary(function)


def attribute_given(node: ast.expr) -> str:
    """The name of the attribute that something is, or is an item of; "" for none."""
    root = root_of(node)
    return root.attr if isinstance(root, ast.Attribute) else ""


def place_of(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "end_col_offset", None) or 0


def body_of(node: ast.AST) -> list[ast.stmt]:
    if isinstance(node, ast.Lambda):
        returned = ast.Return(node.body)
        ast.copy_location(returned, node.body)
        return [returned]
    body: list[ast.stmt] = getattr(node, "body", [])
    return body
