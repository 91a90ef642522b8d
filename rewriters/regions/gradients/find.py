"""A function's events taken together: which gradients each of them is about, or why they are not understood."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass, field

from rewriters.infer.leaves import is_leaf
from rewriters.infer.values import ModuleInfo
from rewriters.regions.gradients.events import Event, Kind
from rewriters.regions.gradients.far import Far
from rewriters.regions.gradients.flow import EMPTY, ENTRY, Flow
from rewriters.regions.gradients.hidden import HELD, is_stateless
from rewriters.regions.gradients.inputs import find_inputs
from rewriters.regions.gradients.leaves import ALL
from rewriters.regions.gradients.losses import Loss, all_modules, complete, find_loss, find_outputs
from rewriters.regions.gradients.names import names_of
from rewriters.regions.gradients.reads import kept_parameters
from rewriters.regions.gradients.recorded import Recorded
from rewriters.regions.gradients.shared import carried, find_early
from rewriters.regions.gradients.trained import Home, Scopes
from rewriters.regions.hazards import short
from rewriters.regions.step import NotUnderstood, Parents
from rewriters.text.tree import LOOPS, walk

READING = (Kind.CONSUME, Kind.CLIP, Kind.CHANGE, Kind.READ)


@dataclass(eq=False)
class Group:
    """Modules whose gradients are one value.

    paths:    as the function writes them.
    name:     of the variable.
    fresh:    events that add to nothing.
    explicit: it may be nothing when it is read or added to: so it is before the first event, and when cleared.
    """

    paths: tuple[str, ...]
    name: str = "grads"
    explicit: bool = False
    fresh: set[Event] = field(default_factory=set)
    flow: Flow | None = None

    @property
    def modules(self) -> str:
        """The modules as one expression."""
        return self.paths[0] if len(self.paths) == 1 else f"({', '.join(self.paths)})"


@dataclass(eq=False)
class Region:
    """What one function does with gradients, understood.

    home:   the function, or the file's statements.
    losses: of each event that adds.
    about:  event -> the groups that it touches; of one that adds, those whose gradients are read.
    inputs: events that read the gradient of a tensor that goes into a loss.
    laid:   gradients lie at the parameters, where others find them; reason: why they are no value of the function.
    recorded: losses are computed from results that other functions have kept.
    """

    home: Home
    events: list[Event]
    losses: dict[Event, Loss] = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)
    about: dict[Event, list[Group]] = field(default_factory=dict)
    inputs: set[Event] = field(default_factory=set)
    laid: bool = False
    reason: str = ""
    recorded: bool = False


def regions_of(
    module: ModuleInfo, scopes: Scopes, far: Far, kept: Recorded, takes: Callable[[ast.AST], bool]
) -> Iterable[tuple[Region | None, ast.stmt, str]]:
    """(region, statement of its first event, reason) of each function of a file that touches gradients; a region is
    None where it is not understood.
    """
    parents = Parents(module)
    for node in [module.tree, *module.nodes.of(ast.FunctionDef, ast.AsyncFunctionDef)]:
        events = far.events.get(node, [])
        if not events:
            continue
        at_file = node is module.tree
        home = Home(None, module, None, None) if at_file else Home.around(node.body[0], module, scopes)
        first = next((event for event in events if event.kind in (Kind.ADD, Kind.CONSUME)), events[0])
        try:
            yield Finder(home, events, scopes, parents, far.is_laid(node), kept, takes).find(), first.statement, ""
        except NotUnderstood as reason:
            if any(event.kind in (Kind.ADD, Kind.CONSUME) for event in events):
                yield None, first.statement, str(reason)


class Finder:
    """Of one function."""

    def __init__(
        self,
        home: Home,
        events: list[Event],
        scopes: Scopes,
        parents: Parents,
        laid: bool,
        kept: Recorded,
        takes: Callable[[ast.AST], bool],
    ) -> None:
        self.home, self.scopes, self.parents, self.kept, self.takes = home, scopes, parents, kept, takes
        self.region = Region(home, events, laid=laid)

    def find(self) -> Region:
        """Raises NotUnderstood."""
        region = self.region
        adds = [event for event in region.events if event.kind is Kind.ADD]
        for event in region.events:
            if event.kind is Kind.CONSUME and (one := self.scopes.alone(event.subject, self.home)):
                raise NotUnderstood(
                    f"`{event.path}` trains `{one}`, which no module holds: make it an nn.Parameter of a Module, or "
                    "of a name in the function that computes the loss"
                )
            if event.kind is Kind.READ:
                self.check_read(event)
        if not adds:
            region.laid = True
            region.reason = "the optimizer steps in another function than backward: write both in one"
            self.check_laid()
            return region
        for event in adds:
            region.losses[event] = find_loss(event, self.parents, self.kept.reading(self.home.node), self.takes)
        self.check_kept(region.losses.values())
        find_early(region.losses.values(), region.events, self.parents)
        for loss in region.losses.values():
            around = self.parents.around(loss.event.statement)
            loss.kept = self.kept.of_loss([*loss.inside, loss.final], self.home.node, around)
            region.recorded |= bool(loss.kept)
        for loss in region.losses.values():
            complete(loss, self.parents)
        region.inputs = find_inputs(region.losses, region.events, self.parents)
        region.laid = (
            region.laid
            or region.recorded
            or any(
                path == ALL or path.startswith(HELD) or is_leaf(node, self.parents.nodes)
                for loss in region.losses.values()
                for path, node in all_modules(loss).items()
            )
            or any(is_leaf(event.subject, self.parents.nodes) for event in region.events)
        )
        if not region.laid:
            try:
                self.find_flow(adds)
            except NotUnderstood as reason:
                region.laid, region.reason = True, str(reason)
        if region.laid:
            self.lay(adds)
        self.check_overlaps()
        if len(region.groups) > 1 and not region.laid:
            for group in region.groups:
                group.name = f"{group.paths[0].rpartition('.')[2]}_grads"
        return region

    def find_flow(self, adds: list[Event]) -> None:
        """Which gradients each event is about, where they are values of the function. Raises NotUnderstood."""
        region = self.region
        for event in region.events:
            self.check(event)
        self.find_groups()
        for event in region.events:
            region.about[event] = [] if event in region.inputs else self.groups_of(event)
        for group in region.groups:
            self.follow(group)
        for event in adds:
            region.about[event] = [group for group in region.about[event] if self.is_read(event, group)]
            find_outputs(region.losses[event], self.home.node or self.home.module.tree)

    def lay(self, adds: list[Event]) -> None:
        """Have each loss lay its gradients at the parameters. Raises NotUnderstood."""
        region = self.region
        self.check_laid()
        region.groups, region.about = [], {event: [] for event in region.events}
        if region.recorded:
            for loss in region.losses.values():
                if loss.early is not None or loss.asked or loss.by is not None:
                    raise NotUnderstood("what another function has kept goes into several losses here")
                find_outputs(loss, self.home.node or self.home.module.tree)
            return
        for number, event in enumerate(adds):
            loss = region.losses[event]
            paths = tuple(path for path, node in all_modules(loss).items() if not is_stateless(node))
            if not paths:
                raise NotUnderstood(
                    region.reason or "no Module with parameters is known to be called between the inputs and the loss"
                )
            group = Group(paths, "grads" if not number else f"grads{number + 1}", fresh={event})
            region.groups.append(group)
            region.about[event] = [group]
            find_outputs(loss, self.home.node or self.home.module.tree)

    def check_laid(self) -> None:
        """That what touches gradients does so where they lie. Raises NotUnderstood."""
        for event in self.region.events:
            if event.kind is Kind.CHANGE and any(isinstance(part, ast.Call) for part in walk(event.subject)):
                raise NotUnderstood(f"`{short(event.statement)}`: give `{short(event.subject)}` a name")

    def check_kept(self, losses: Iterable[Loss]) -> None:
        """That what was read of the parameters before is no part of a loss. Raises NotUnderstood."""
        home = self.home.node or self.home.module.tree
        for loss in losses:
            parts = [*loss.inside, loss.final]
            read = names_of(*parts).reads
            for name, value in kept_parameters(read, home, {id(part) for part in loss.inside}):
                raise NotUnderstood(
                    f"`{name}` is `{short(value)}`, made before: read the parameters where the loss is computed, so "
                    "that gradients are taken with respect to them"
                )

    def check(self, event: Event) -> None:
        call = event.node
        if isinstance(event.statement, ast.For):  # it is the whole loop
            return
        alone = isinstance(event.statement, ast.Expr) and event.statement.value is call
        if event.kind in (Kind.CLEAR, Kind.CONSUME) and not alone:
            raise NotUnderstood(f"`{short(event.statement)}`: write `{short(call)}` as a statement of its own")
        if event.kind is Kind.CONSUME and not event.scaler and (call.args or call.keywords):  # type: ignore[union-attr]
            raise NotUnderstood(
                f"`{short(call)}` runs a closure several times: write the steps out, or use another optimizer"
            )
        if event.kind is Kind.CLIP and not alone:
            statement = event.statement
            named = isinstance(statement, ast.Assign) and statement.value is call and len(statement.targets) == 1
            if not named or not isinstance(statement.targets[0], ast.Name):  # type: ignore[attr-defined]
                raise NotUnderstood(f"`{short(event.statement)}`: give the norm a name of its own")
        if event.kind is Kind.CHANGE and not event.path:
            raise NotUnderstood(f"`{short(event.statement)}`: give `{short(event.subject)}` a name")

    def check_read(self, event: Event) -> None:
        node = event.node
        around = self.parents.of[node]
        chain = around
        while isinstance(chain, (ast.Attribute, ast.Subscript)):
            last = chain
            chain = self.parents.of[chain]
            if isinstance(last, ast.Attribute) and isinstance(chain, ast.Call) and last.attr.endswith("_"):
                raise NotUnderstood(f"`{short(chain)}` changes a gradient in place")
        if not isinstance(node.ctx, ast.Load) or getattr(around, "target", None) is node:  # type: ignore[union-attr]
            raise NotUnderstood(f"`{short(event.statement)}` stores a gradient")

    def find_groups(self) -> None:
        region = self.region
        roots: dict[str, None] = {}
        for loss in region.losses.values():
            roots |= {path: None for path, node in all_modules(loss).items() if not is_stateless(node)}
        if not roots:
            raise NotUnderstood("no Module with parameters is known to be called between the inputs and the loss")
        consumers = [event for event in region.events if event.kind is Kind.CONSUME]
        found: list[tuple[str, ...]] = []
        for event in consumers:
            trained = self.scopes.modules_of(event.subject, self.home)
            paths = tuple(root for root in roots if any(related(root, path) for path in trained))
            if not trained and len(roots) == 1:
                paths = tuple(roots)
            if not paths:
                what = (
                    f"trains {', '.join(sorted(trained))}, which no loss here calls"
                    if trained
                    else (f"trains one of {', '.join(roots)}, and it is not known which")
                )
                raise NotUnderstood(f"`{event.path}` {what}")
            if paths not in found:
                found.append(paths)
        if not consumers:
            if not any(event.kind is Kind.READ for event in region.events):
                raise NotUnderstood("no optimizer steps in the same function: write backward and step in one")
            found += together(roots, [all_modules(loss).keys() & roots.keys() for loss in region.losses.values()])
        elif left := [root for root in roots if not any(root in paths for paths in found)]:
            readers = [event for event in region.events if event.kind in (Kind.READ, Kind.CHANGE, Kind.CLIP)]
            about = {path for event in readers for path in self.scopes.modules_of(event.subject, self.home)}
            found += [(root,) for root in left if any(related(root, path) for path in about)]  # moved by hand
        for number, paths in enumerate(found):
            if any(set(paths) & set(other) for other in found[:number]):
                raise NotUnderstood("two optimizers train some modules together and others alone")
        region.groups = [Group(paths) for paths in found]

    def groups_of(self, event: Event) -> list[Group]:
        groups = self.region.groups
        if event.kind is Kind.ADD:
            return [group for group in groups if set(group.paths) & self.reached(self.region.losses[event])]
        about = self.scopes.modules_of(event.subject, self.home)
        found = [group for group in groups if any(related(root, path) for root in group.paths for path in about)]
        if not about and len(groups) == 1:
            found = groups
        left = any(root not in about for group in found for root in group.paths)
        if event.kind is Kind.CLEAR and isinstance(event.statement, ast.For) and left:
            raise NotUnderstood(f"line {event.statement.lineno} clears a part of what is trained together")
        if event.kind is Kind.CLEAR:
            return found
        if len(found) != 1:
            raise NotUnderstood(
                f"line {event.node.lineno}: whose gradients `{short(event.node)}` is about is not known"
            )
        whole = all(root in about for root in found[0].paths)
        if event.kind is Kind.CLIP and about and not whole and not about & set(self.optimizers()):
            raise NotUnderstood(f"`{short(event.node)}` clips a part of what is trained together")
        return found

    def reached(self, loss: Loss) -> set[str]:
        """The modules that a loss's gradients go back to."""
        early = loss.early if carried(loss) else None
        return {*loss.modules, *(early.modules if early is not None else ())}

    def optimizers(self) -> list[str]:
        return [event.path for event in self.region.events if event.kind is Kind.CONSUME]

    def follow(self, group: Group) -> None:
        region = self.region
        group.flow = flow = Flow(lambda event: group in region.about[event], group.paths)
        flow.follow(self.home.body, region.events)
        adds = [event for event in flow.before if event.kind is Kind.ADD]
        readers = [event for event in flow.before if event.kind in READING]
        left = {event for event in flow.left if isinstance(event, Event)}
        entered = any(ENTRY in flow.before[event] for event in [*adds, *readers])
        if entered and left and self.comes_again():
            raise NotUnderstood(
                "gradients are left when the function returns and added to when it is called again: clear them at its "
                "beginning or end"
            )
        for event in readers:
            if event.kind is Kind.CONSUME and not any(isinstance(one, Event) for one in flow.before[event]):
                raise NotUnderstood(f"line {event.node.lineno}: no backward of this function comes before the step")
        empty = {EMPTY, ENTRY}
        group.fresh = {event for event in adds if not flow.before[event] - empty}
        if flow.renewed and len(group.fresh) < len(adds):
            raise NotUnderstood(
                f"`{short(flow.renewed[0])}`: the model becomes another while gradients of the one before are left, "
                "and some are added to others: clear them first"
            )
        group.explicit = any(flow.before[event] & empty for event in {*adds, *readers} - group.fresh)

    def comes_again(self) -> bool:
        """Whether the function may be called more than once."""
        home = self.home
        if home.node is None or home.node.name == "main":
            return False
        calls = self.scopes.calls.get(home.info, []) if home.info is not None else []
        if len(calls) != 1:
            return True
        call, module = calls[0]
        around = list(Parents(module).around(call))
        return any(isinstance(node, LOOPS) for node in around)

    def is_read(self, event: Event, group: Group) -> bool:
        assert group.flow is not None
        return any(event in before for reader, before in group.flow.before.items() if reader.kind in READING)

    def check_overlaps(self) -> None:
        """That no statement has part in two losses, and none that must wait in another's."""
        seen = {s for loss in self.region.losses.values() for s in loss.inside}
        seen |= {s for loss in self.region.losses.values() if loss.early is not None for s in loss.early.inside}
        touched = {event.statement for event in self.region.events}
        for loss in self.region.losses.values():
            for statement in loss.inside:
                inner = touched & {node for node in walk(statement) if isinstance(node, ast.stmt)}
                if inner:
                    raise NotUnderstood(f"line {statement.lineno} clears or uses gradients while a loss is computed")
        for loss in self.region.losses.values():
            for statement in loss.after:
                parts = {node for node in walk(statement) if isinstance(node, ast.stmt)}
                if parts & (seen | touched):
                    raise NotUnderstood(
                        f"line {statement.lineno} trains with what a module returned whose own loss comes later: "
                        "compute it anew for that loss"
                    )


def together(roots: Iterable[str], losses: Iterable[Set[str]]) -> list[tuple[str, ...]]:
    """The modules that some loss has in common, taken together."""
    found = [{root} for root in roots]
    for loss in losses:
        joined = [one for one in found if one & loss]
        found = [one for one in found if not one & loss] + ([set().union(*joined)] if joined else [])
    return [tuple(root for root in roots if root in one) for one in found]


def related(one: str, other: str) -> bool:
    """Whether a module is another, or a part of it."""
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")
