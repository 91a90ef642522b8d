"""Writes gradients in a target's words: each event in its place, each loss where its last statement stood."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable

from rewriters.infer.values import ModuleInfo
from rewriters.regions.emit import Member
from rewriters.regions.gradients.changed import changed_text, prepare_change
from rewriters.regions.gradients.compiled import Compiled, compiled
from rewriters.regions.gradients.events import CLIPS, Event, Kind, is_class_method
from rewriters.regions.gradients.find import Group, Region
from rewriters.regions.gradients.hidden import HELD, is_stateless
from rewriters.regions.gradients.laid import at_parameters, keyword_text, lines_at_parameters
from rewriters.regions.gradients.layout import above, final_text, kept
from rewriters.regions.gradients.losses import Early, Loss
from rewriters.regions.gradients.overtaken import must_wait, overtakes
from rewriters.regions.gradients.shared import carried
from rewriters.regions.gradients.stopped import stopped
from rewriters.regions.gradients.words import Computation, Words
from rewriters.regions.plan import Draft, Plan, lines_of, remove, replace, replace_within, settle, whole_lines
from rewriters.regions.renaming import free, rename, renamed
from rewriters.regions.step import Parents, position
from rewriters.regions.tracing import value_of
from rewriters.report import Outcome
from rewriters.text.source_text import Source


class Writer:
    """Of one function."""

    def __init__(
        self, region: Region, module: ModuleInfo, plan: Plan, words: Words, held: Collection[ast.AST] = ()
    ) -> None:
        self.region, self.module, self.plan, self.words, self.held = region, module, plan, words, held
        self.parents = Parents(module)
        self.gone: set[ast.stmt] = set()
        self.removed: list[tuple[int, int]] = []
        self.before: set[Event] = set()
        self.names = {node.id for node in module.nodes.of(ast.Name)} | set(module.scope)
        named: set[str] = set()
        for group in region.groups:
            group.name = free(group.name, self.names | named)
            named.add(group.name)
        asked = [name for loss in region.losses.values() for name in loss.asked]
        self.tangents = {name: self.free(f"{name}_grad", local=True) for name in asked}

    def prepare(self) -> None:
        """Keep the walk from what is written here."""
        for event in self.region.events:
            node = event.node
            if isinstance(event.statement, ast.For):  # the loop as a whole
                self.plan.written[event.statement] = node.args[1:] if event.kind is Kind.CLIP else []  # type: ignore[union-attr]
                continue
            if event.kind is Kind.CHANGE:
                prepare_change(event, self.plan)
            elif event.kind is Kind.CLIP:
                assert isinstance(node, ast.Call)
                given = node.args if self.region.laid else node.args[1:]
                self.plan.parts[node] = [*given, *(word.value for word in node.keywords)]
            elif event.kind is Kind.READ or event.kind is Kind.ADD:
                loss = self.region.losses.get(event)
                self.plan.parts[node] = [event.subject, *([loss.by] if loss is not None and loss.by else [])]
            elif self.region.laid and is_class_method(value_of(node.func)):  # type: ignore[union-attr]
                continue  # the optimizer is one of the project's
            else:
                self.plan.parts[node] = []
        told = "gradients that lie at parameters" if self.region.laid else "gradients of a training step"
        self.plan.site(self.first().statement, Outcome.INLINED, told)
        self.plan.edits.append(self.edit)

    # -- the edits of one file --------------------------------------------------------------------------------------

    def prepare_within(self, blocks: Collection[ast.AST]) -> None:
        """Have what touches gradients in blocks that are taken apart be written before these are."""
        self.before = {
            event
            for event in self.region.events
            if event.kind is not Kind.ADD and any(node in blocks for node in self.parents.around(event.statement))
        }
        if self.before:
            self.plan.edits.insert(0, self.edit_within)

    def edit_within(self, draft: Draft) -> None:
        spans = {event.statement: whole_lines(draft.source, event.statement) for event in self.before}
        if None in spans.values():
            self.before = set()  # and ``edit`` says so
            return
        self.write([event for event in self.region.events if event in self.before], spans, draft)  # type: ignore[arg-type]
        remove(draft.source, self.removed)
        self.removed.clear()

    def write(self, events: Iterable[Event], spans: dict[ast.stmt, tuple[int, int]], draft: Draft) -> None:
        """What reads, changes, clears and uses gradients."""
        events = list(events)
        for event in events:
            if event.kind is Kind.READ:
                self.read(event, draft)
        for event in events:
            if event.kind is not Kind.READ and not (self.region.laid and at_parameters(event, self.words, draft)):
                lines = kept(draft.source, spans[event.statement], self.lines(event, draft))
                self.put(draft.source, spans, event.statement, lines)

    def edit(self, draft: Draft) -> None:
        source = draft.source
        touched: set[ast.stmt] = {event.statement for event in self.region.events}
        for loss in self.region.losses.values():
            touched |= {*loss.inside, *loss.after, *(loss.early.inside if loss.early is not None else ())}
        spans = {statement: whole_lines(source, statement) for statement in touched}
        reason = stopped(self.region, draft, spans)
        if reason:
            self.plan.refuse(self.first().statement, f"the training step: {reason}")
            return
        for span in spans.values():
            settle(draft, span)  # type: ignore[arg-type]
        whole = {statement: span for statement, span in spans.items() if span is not None}
        later = [event for event in self.region.events if event not in self.before]
        for event in later:
            if event.kind is Kind.READ:
                self.read(event, draft)
        fused: dict[Event, Compiled] = {}
        for event, loss in self.region.losses.items():
            found = compiled(self.region, loss, self.parents, self.module, self.held)
            if found.reason:
                self.plan.site(event.statement, Outcome.EAGER, f"not compiled: {found.reason}")
            fused[event] = found
        for early in {id(loss.early): loss.early for loss in self.region.losses.values() if loss.early}.values():
            self.early(early, whole, draft)
        gone = {event for found in fused.values() for event in found.update}
        for event in later:
            if event.kind is Kind.ADD:
                self.loss(self.region.losses[event], fused[event], whole, draft)
            elif event in gone:
                self.put(source, whole, event.statement, [])
            elif event.kind is not Kind.READ:
                self.write([event], whole, draft)
        remove(source, self.removed)
        self.begin(draft)

    def first(self) -> Event:
        events = self.region.events
        return next((event for event in events if event.kind is Kind.ADD), events[0])

    def begin(self, draft: Draft) -> None:
        """``grads = None`` before the statement of the function that has the first event."""
        for group in self.region.groups:
            if not group.explicit:
                continue
            events = [event for event in self.region.events if group in self.region.about[event]]
            first = events[0]
            top = first.statement
            body = self.region.home.body
            while top not in body:
                top = self.parents.of[top]  # type: ignore[assignment]
            if first.kind in (Kind.CLEAR, Kind.ADD) and first.statement is top:
                continue  # it binds the name, a loss where its first statement stands
            at = draft.source.line_start(top.lineno)
            text = (
                f"{draft.source.indentation(top.lineno)}{self.words.cleared(group.name, draft)}{draft.source.newline}"
            )
            draft.source.edit(at, at, text)

    # -- one event ----------------------------------------------------------------------------------------------------

    def lines(self, event: Event, draft: Draft) -> list[str]:
        if self.region.laid:
            return lines_at_parameters(event, self.words, draft)
        groups = self.region.about[event]
        if event.kind is Kind.CLEAR:
            cleared = groups if self.lines_of_clear(event) else []
            return [self.words.cleared(group.name, draft) for group in cleared if group.explicit]
        group = groups[0]
        if event.kind is Kind.CONSUME:
            return [self.words.updated(event.path, group.modules, group.name, event.scaler, draft)]
        if event.kind is Kind.CHANGE:
            return [changed_text(event, group.modules, group.name, self.words, draft)]
        return [self.clip(event, group, draft)]

    def clip(self, event: Event, group: Group, draft: Draft, names: Iterable[Member] = ()) -> str:
        call, statement = event.node, event.statement
        assert isinstance(call, ast.Call)
        if event.scaler:
            return self.words.unscaled(event.scaler, event.path, group.name, draft)
        given = [draft.source.text(node, draft.source.edits) for node in call.args[1:]]
        given += [keyword_text(word, draft.source) for word in call.keywords]
        arguments = rename(", ".join(given), list(names)) if names and given else ", ".join(given)
        name = statement.targets[0].id if isinstance(statement, ast.Assign) else ""  # type: ignore[attr-defined]
        each = isinstance(statement, ast.For)
        kind = "value" if each else CLIPS[value_of(call.func).name]  # type: ignore[union-attr]
        return self.words.clipped(group.name, kind, name, arguments, draft)

    def read(self, event: Event, draft: Draft) -> None:
        source = draft.source
        if event in self.region.inputs:
            replace_within(source, event.node, self.tangents[event.path])
            return
        parameter = source.text(event.subject, source.edits)
        group = None if self.region.laid else self.region.about[event][0]
        modules, gradients = ("", "") if group is None else (group.modules, group.name)
        replace_within(source, event.node, self.words.read(parameter, modules, gradients, draft))

    # -- a loss -------------------------------------------------------------------------------------------------------

    def loss(self, loss: Loss, found: Compiled, spans: dict[ast.stmt, tuple[int, int]], draft: Draft) -> None:
        source, event = draft.source, loss.event
        groups = self.region.about[event]
        if not groups and not loss.asked:  # nobody reads these gradients
            self.put(source, spans, event.statement, [])
            return
        trained = [path for group in groups for path in group.paths if path in loss.modules]
        back = carried(loss) if loss.early is not None and self.behind(loss.early, groups) else []
        frozen = [path for path, node in loss.modules.items() if path not in trained and not is_stateless(node)]
        members = [Member(path, self.parameter(path, loss)) for path in [*trained, *frozen]]
        back += [name for name in loss.asked if name not in back]
        members[len(trained) : len(trained)] = [Member(name, name) for name in back]
        count = len(members)
        members += [Member(path, name) for path, name in found.members.items()]
        body: list[str] = []
        for statement in loss.inside:
            body += renamed(lines_of(source, spans[statement]), members)
        final = rename(final_text(loss, self.words, draft), members)
        block = self.parents.block(event.statement)
        apart = not (loss.inside and block is self.parents.block(loss.place))
        later = any(one.explicit for one in groups) and (apart or must_wait(self.region, loss))
        explicit = later or any(event not in group.fresh for group in groups)
        prefix = "new_" if explicit else ""
        new, joining = self.joined(loss, groups, trained, back, prefix, draft)
        step = self.free("train_step" if found.update else "loss_and_grads") if not found.reason else ""
        (update, left), name = self.updates(found, members, draft), loss.event.path
        what = Computation(
            function=self.free("loss_fn", local=True),
            step=step,
            modules={member.name: member.path for member in members[:count]},
            trained=len(trained) + len(back),
            given=loss.given,
            body=body,
            final=final,
            name=name if name in loss.names.binds and not (loss.unread or loss.by) else "",
            outputs=loss.outputs,
            gradients=new,
            notes=self.notes(found, loss, spans, source),
            inputs=found.inputs,
            fixed=found.fixed,
            update=update,
            left=left,
            ordered=found.ordered,
            hidden=loss.hidden,
        )
        function, lines = self.words.computed(what, draft)
        lines += joining
        after = [line for statement in loss.after for line in lines_of(source, spans[statement])]
        adding = [
            f"{group.name} = new_{group.name}"
            if event in group.fresh
            else self.words.added(group.name, f"new_{group.name}", draft)
            for group in groups
            if explicit
        ]
        if self.region.laid:
            adding = [self.words.laid(group.modules, group.name, draft) for group in groups]
        place = loss.place
        for statement in [*loss.inside, *loss.after]:
            if statement is not place:
                self.put(source, spans, statement, [])
        if place is event.statement:
            self.put(source, spans, place, [*lines, *after, *adding])
        else:
            self.put(source, spans, place, [*lines, *after])
            self.put(source, spans, event.statement, adding)
        if function:
            above(function, loss.place, spans[loss.place], source, self.parents)

    def updates(self, found: Compiled, members: list[Member], draft: Draft) -> tuple[list[str], list[str]]:
        lines, left = [], []
        for event in found.update:
            group = self.region.about[event][0]
            if event.kind is Kind.CLIP:
                lines.append(self.clip(event, group, draft, members))
                if isinstance(event.statement, ast.Assign):
                    left.append(event.statement.targets[0].id)  # type: ignore[attr-defined]
            elif event.kind is Kind.CONSUME:
                optimizer = rename(event.path, members)
                modules = rename(group.modules, members)
                lines.append(self.words.updated(optimizer, modules, group.name, "", draft))
        return lines, left

    def joined(
        self, loss: Loss, groups: list[Group], trained: list[str], back: list[str], prefix: str, draft: Draft
    ) -> tuple[str, list[str]]:
        """What the gradients of the trained modules and of what came before are bound to, in this order, and the lines
        that make each group's of them."""
        if not back and len(groups) == 1 and set(groups[0].paths) <= set(trained):
            return prefix + groups[0].name, []
        names = {path: self.free(f"{path.rpartition('.')[2]}_grads", local=True) for path in trained}
        tangents = {name: self.tangents.get(name) or self.free(f"{name}_grad", local=True) for name in back}
        parts = [*names.values(), *tangents.values()]
        pattern = parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
        lines: list[str] = []
        carried_back: dict[str, str] = {}
        if loss.early is not None and set(back) - set(loss.asked):
            given = [tangents.get(name, "None") for name in loss.early.outputs]
            call = f"{loss.early.name}({given[0] if len(given) == 1 else '(' + ', '.join(given) + ')'})"
            behind = [path for path, node in loss.early.modules.items() if not is_stateless(node)]
            own = {group.paths[0]: prefix + group.name for group in groups if len(group.paths) == 1}
            carried_back = {
                path: own[path]
                if path in own and path not in names
                else self.free(f"{path.rpartition('.')[2]}_back", local=True)
                for path in behind
            }
            found = ", ".join(carried_back.values())
            lines.append(f"{found} = {call}")
        for group in groups:
            each: list[str] = []
            for path in group.paths:
                ways = [ways[path] for ways in (names, carried_back) if path in ways]
                if len(ways) == 2:
                    lines.append(self.words.added(ways[0], ways[1], draft))
                each.append(ways[0] if ways else "None")
            text = each[0] if len(each) == 1 else f"({', '.join(each)})"
            if text != prefix + group.name:
                lines.append(f"{prefix}{group.name} = {text}")
        return pattern, lines

    def behind(self, early: Early, groups: list[Group]) -> bool:
        return any(path in early.modules for group in groups for path in group.paths)

    def early(self, early: Early, spans: dict[ast.stmt, tuple[int, int]], draft: Draft) -> None:
        """What several losses begin with, and the function that carries gradients back."""
        source = draft.source
        modules = [path for path, node in early.modules.items() if not is_stateless(node)]
        members = [Member(path, path.rpartition(".")[2]) for path in modules]
        body: list[str] = []
        for statement in early.inside:
            body += renamed(lines_of(source, spans[statement]), members)
        early.name = self.free("_".join([*(member.name for member in members), "backward"]), local=True)
        function = self.free("forward", local=True)
        lines = self.words.begun(function, {m.name: m.path for m in members}, body, early.outputs, early.name, draft)
        for statement in early.inside:
            self.put(source, spans, statement, lines if statement is early.place else [])

    def parameter(self, path: str, loss: Loss) -> str:
        name = path.removeprefix(HELD).rpartition(".")[2].rstrip("()")
        while name != path and name in loss.names.reads | loss.names.binds:
            name += "_"
        return name

    def put(
        self, source: Source, spans: dict[ast.stmt, tuple[int, int]], statement: ast.stmt, lines: list[str]
    ) -> None:
        """Lines in place of a statement's; a block that would be left empty is given ``pass``."""
        span = spans[statement]
        block = self.parents.block(statement)
        if not lines:
            self.gone.add(statement)
            if self.gone >= set(block):
                lines = ["pass"]
            else:
                self.removed.append(span)
                return
        indent = source.indentation_of(statement)
        text = "".join(f"{indent}{line}{source.newline}" if line else source.newline for line in lines)
        replace(source, span, text)

    def notes(self, found: Compiled, loss: Loss, spans: dict[ast.stmt, tuple[int, int]], source: Source) -> list[str]:
        """Comments above what is taken away."""
        events = [loss.event, *found.update]
        block = self.parents.block(loss.event.statement)
        order = self.region.events
        adds = [event for event in order if event.kind is Kind.ADD]
        for event in order:
            if event.kind is Kind.CLEAR and event.statement in block and not self.lines_of_clear(event):
                following = [add for add in adds if order.index(add) > order.index(event)]
                if (following or adds[-1:])[0] is loss.event:
                    events.append(event)
        texts = [source.original(*spans[event.statement]) for event in sorted(events, key=lambda e: position(e.node))]
        lines = [line.strip() for text in texts for line in text.splitlines()]
        return [line for line in lines if line.startswith("#")]

    def lines_of_clear(self, event: Event) -> bool:
        if self.region.laid:
            return True
        overtaken = any(event in overtakes(self.region, loss) for loss in self.region.losses.values())
        return any(group.explicit for group in self.region.about[event]) and not overtaken

    def free(self, name: str, local: bool = False) -> str:
        found = free(name, self.names if local else self.names | self.plan.names)
        if not local:
            self.plan.names.add(found)
        return found
