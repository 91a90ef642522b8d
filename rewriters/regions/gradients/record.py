"""Writes results that another function's loss is computed from: recorded where they are computed."""

from __future__ import annotations

import ast

from rewriters.infer.syntax import path_of
from rewriters.regions.emit import Member
from rewriters.regions.gradients.compiled import Compiled
from rewriters.regions.gradients.find import Region
from rewriters.regions.gradients.hidden import is_stateless
from rewriters.regions.gradients.losses import Loss
from rewriters.regions.gradients.recorded import Bundle, Site
from rewriters.regions.gradients.trained import Home
from rewriters.regions.gradients.words import Recording, Words
from rewriters.regions.gradients.write import Writer
from rewriters.regions.plan import (
    Draft,
    Plan,
    lines_of,
    marked_line,
    replace_within,
    settle,
    standing_alone,
    whole_lines,
)
from rewriters.regions.plan import remove as remove_lines
from rewriters.regions.renaming import rename, renamed
from rewriters.report import Outcome
from rewriters.text.tree import walk


class Recorder(Writer):
    """Of what one function keeps."""

    def __init__(self, bundle: Bundle, plan: Plan, words: Words) -> None:
        home = bundle.home if isinstance(bundle.home, (ast.FunctionDef, ast.AsyncFunctionDef)) else None
        super().__init__(Region(Home(home, bundle.module, None, None), []), bundle.module, plan, words)
        self.bundle = bundle
        self.called: dict[Site, str] = {}
        self.names = {node.id for node in walk(bundle.home) if isinstance(node, ast.Name)}

    def prepare(self) -> None:
        first = self.bundle.sites[0].statement
        self.plan.site(first, Outcome.INLINED, "recorded for a loss that another function computes")
        self.plan.edits.append(self.edit)

    def edit(self, draft: Draft) -> None:
        source, loss = draft.source, self.bundle.loss
        kept = [site.statement for site in self.bundle.sites]
        spans = {statement: whole_lines(source, statement) for statement in [*loss.inside, *loss.after]}
        marked = next((one for one in [*loss.inside, *kept] if self.is_marked(one, draft)), None)
        if None in spans.values() or marked is not None:
            why = f"line {marked.lineno} has no equivalent" if marked is not None else "several statements share a line"
            self.plan.refuse(kept[0], f"what a loss is computed from is kept here: {why}")
            return
        for span in spans.values():
            settle(draft, span)  # type: ignore[arg-type]
        whole = {statement: span for statement, span in spans.items() if span is not None}
        members = members_of(loss, self)
        results: dict[str, str] = {}
        for site in self.bundle.sites:
            text = rename(standing_alone(source.text(site.value, source.edits)), members)
            results.setdefault(self.name_of(site), text)
        names, others = list(results), [name for name in loss.outputs if name not in results]
        body = [line for one in loss.inside for line in renamed(lines_of(source, whole[one]), members)]
        direct = self.stored_at_once(loss, others)
        what = Recording(
            function=self.free(f"{names[0]}_of", local=True),
            inputs={member.name: member.path for member in members},
            given=loss.given,
            body=body,
            results=[*results.values(), *others],
            bound=[] if direct else [*names, *others],
        )
        lines = self.words.recorded(what, draft)
        if direct:
            replace_within(source, self.bundle.sites[0].value, lines[-1])
            lines = lines[:-1]
        for site in [] if direct else self.bundle.sites:
            if not isinstance(site.value, ast.Name):
                replace_within(source, site.value, self.name_of(site))
        after = [line for one in loss.after for line in lines_of(source, whole[one])]
        for statement in [*loss.inside, *loss.after]:
            self.put(source, whole, statement, [*lines, *after] if statement is loss.place else [])
        remove_lines(source, self.removed)

    def stored_at_once(self, loss: Loss, others: list[str]) -> bool:
        """Whether the one result is kept right behind what computes it."""
        site = self.bundle.sites[0]
        if len(self.bundle.sites) > 1 or others or loss.after or isinstance(site.value, ast.Name):
            return False
        block = self.parents.block(site.statement)
        return not loss.inside or block[block.index(site.statement) - 1] is loss.place

    def name_of(self, site: Site) -> str:
        """``log_prob`` of ``m.log_prob(action)``, ``fake`` of what ``self.fake`` holds."""
        if isinstance(site.value, ast.Name):
            return site.value.id
        if site not in self.called:
            called = site.value.func if isinstance(site.value, ast.Call) else site.value
            stored = site.statement.targets[0] if isinstance(site.statement, ast.Assign) else called
            name = stored.attr if isinstance(stored, ast.Attribute) else getattr(stored, "id", "")
            plain = name.isidentifier() and name not in ("cat", "stack", "forward", "append")
            self.called[site] = self.free(name if plain else "result", local=True)
            self.names.add(self.called[site])
        return self.called[site]

    def is_marked(self, statement: ast.stmt, draft: Draft) -> bool:
        return marked_line(draft, statement.lineno, statement.end_lineno or statement.lineno) is not None


def members_of(loss: Loss, writer: Writer) -> list[Member]:
    """The modules and what was kept that a computation is given."""
    modules = [path for path, node in loss.modules.items() if not is_stateless(node)]
    return [Member(path, writer.parameter(path, loss)) for path in [*modules, *loss.kept]]


class RecordedLosses(Writer):
    """Of a function whose losses are computed from what others have kept."""

    def loss(self, loss: Loss, found: Compiled, spans: dict[ast.stmt, tuple[int, int]], draft: Draft) -> None:
        source, event = draft.source, loss.event
        members = members_of(loss, self)
        final = rename(standing_alone(source.text(loss.final, source.edits)), members)
        if path_of(loss.final) in loss.kept and not loss.inside:  # as it was given
            given = standing_alone(source.text(loss.final, source.edits))
            self.put(source, spans, event.statement, [self.words.backward(given, draft)])
            return
        name = event.path if event.path in loss.names.binds else self.free("loss", local=True)
        body = [line for one in loss.inside for line in renamed(lines_of(source, spans[one]), members)]
        others = [one for one in loss.outputs if one != name]
        what = Recording(
            function=self.free("loss_fn", local=True),
            inputs={member.name: member.path for member in members},
            given=loss.given,
            body=body,
            results=[final, *others],
            bound=[name, *others],
        )
        lines = self.words.recorded(what, draft)
        after = [line for one in loss.after for line in lines_of(source, spans[one])]
        for statement in [*loss.inside, *loss.after]:
            if statement is not loss.place:
                self.put(source, spans, statement, [])
        back = [self.words.backward(name, draft)]
        if loss.place is event.statement:
            self.put(source, spans, loss.place, [*lines, *after, *back])
        else:
            self.put(source, spans, loss.place, [*lines, *after])
            self.put(source, spans, event.statement, back)
