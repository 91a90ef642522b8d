"""Writes branches and loops that values decide in a target's words, the innermost first."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from rewriters.regions.control.conditions import read_of, reads_in, text_of
from rewriters.regions.control.find import Branch
from rewriters.regions.control.turns import Turns
from rewriters.regions.control.words import Chosen, Repeated, Way, Words
from rewriters.regions.emit import Member
from rewriters.regions.plan import Draft, Plan, lines_of, marked_line, replace, settle, standing_alone, whole_lines
from rewriters.regions.renaming import rename, renamed
from rewriters.text.source_text import Source
from rewriters.text.tree import walk


class Writer:
    """Of one file."""

    def __init__(self, plan: Plan, words: Words, names: set[str]) -> None:
        self.plan, self.words, self.names = plan, words, names
        self.edits: dict[ast.AST, Callable[[Draft], None]] = {}

    def prepare(self, found: Branch | Turns, note: str = "") -> None:
        """Keep the walk from what is written here. ``note``: a comment to stand above it."""
        node = found.node
        if isinstance(found, Branch):
            tests = [found.node.test]
        else:
            tests = [test for test in (getattr(node, "test", None), found.stop) if test is not None]
            for bound in found.bounds:
                inner = read_of(bound)
                if inner is not None:
                    self.plan.parts[bound] = [inner]
        for test in tests:
            for read, tensor in reads_in(test):
                self.plan.parts[read] = [tensor]
        self.edits[node] = lambda draft: self.edit(found, note, draft)
        self.plan.edits.append(self.edits[node])

    def forget(self, node: ast.If) -> None:
        """Leave it as it stands, after all."""
        self.plan.edits.remove(self.edits.pop(node))
        for read, _ in reads_in(node.test):
            del self.plan.parts[read]
        self.plan.sites[:] = [
            site for site in self.plan.sites if (site.line, site.column) != (node.lineno, node.col_offset + 1)
        ]

    def edit(self, found: Branch | Turns, note: str, draft: Draft) -> None:
        if isinstance(found.node, ast.IfExp):
            assert isinstance(found, Branch)
            self.choice(found, draft)
            return
        reason = self.stopped(found, draft)
        if reason:
            self.plan.mark(found.node, reason)
            return
        source = draft.source
        span = self.span(found, source)
        notes = list(draft.above.pop(found.node.lineno, {}).values())
        if note and note not in notes:
            notes.append(note)
        settle(draft, span)
        lines = [*notes, *(self.branch(found, draft) if isinstance(found, Branch) else self.loop(found, draft))]
        indent = source.indentation(found.node.lineno)
        before = source.original(source.line_start(found.node.lineno - 1), span[0]).strip()
        if lines[0].startswith("def ") and before and not before.startswith("#") and not before.endswith(":"):
            lines = ["", *lines]
        if is_elif(found.node, source):
            lines = ["else:", *(f"    {line}" if line else "" for line in lines)]
        text = "".join(f"{indent}{line}{source.newline}" if line else source.newline for line in lines)
        replace(source, span, text)

    def span(self, found: Branch | Turns, source: Source) -> tuple[int, int]:
        """Whole lines, to the end of what is returned."""
        last = found.rest[-1] if isinstance(found, Branch) and found.rest else found.node
        line = source.line_at(source.end(last) - 1)
        stop = source.starts[line] if line < len(source.starts) else len(source.buffer)
        return source.line_start(found.node.lineno), stop

    def stopped(self, found: Branch | Turns, draft: Draft) -> str:
        """Why nothing can be written, after all."""
        source = draft.source
        start, stop = self.span(found, source)
        line = marked_line(draft, source.line_at(start), source.line_at(stop - 1))
        if line is not None:
            return f"line {line} has no equivalent, and both ways would be run for a trace"
        return ""

    # -- branches ---------------------------------------------------------------------------------------------------

    def choice(self, found: Branch, draft: Draft) -> None:
        source, node = draft.source, found.node
        assert isinstance(node, ast.IfExp)
        members = self.members(found.modules, node)
        one, other = (
            Way([], rename(standing_alone(source.text(part, source.edits)), members))
            for part in (node.body, node.orelse)
        )
        test = text_of(node.test, self.words, draft)
        what = Chosen(test, one, other, ("", ""), {m.name: m.path for m in members}, [], "")
        replace(source, (source.start(node), source.end(node)), self.words.chosen(what, draft)[0])

    def branch(self, found: Branch, draft: Draft) -> list[str]:
        node = found.node
        members = self.members(found.modules, node)
        ways = [self.way(way, found.results, found.returns, members, draft) for way in (found.one, found.other)]
        return self.words.chosen(
            Chosen(
                test=text_of(node.test, self.words, draft),
                one=ways[0],
                other=ways[1],
                names=("true_fn", "false_fn"),
                modules={member.name: member.path for member in members},
                operands=found.operands,
                results="return" if found.returns else ", ".join(found.results),
            ),
            draft,
        )

    def way(
        self, statements: Sequence[ast.stmt], results: list[str], returns: bool, members: list[Member], draft: Draft
    ) -> Way:
        source = draft.source
        final = ", ".join(results)
        if not statements:
            return Way([], final)
        last = statements[-1]
        value = last.value if isinstance(last, (ast.Return, ast.Assign)) else None
        assigns = (
            isinstance(last, ast.Assign)
            and len(last.targets) == 1
            and isinstance(last.targets[0], ast.Name)
            and [last.targets[0].id] == results
            and not any(
                edit.start < source.start(last.value) and edit.end > source.start(last) for edit in source.edits
            )
        )
        if value is not None and (assigns or isinstance(last, ast.Return)):
            text = source.text(value, source.edits)
            if len(text.splitlines()) == 1:
                lines = self.lines(statements[:-1], source)
                lines += [line.strip() for line in above(last, source)]
                return Way(renamed(lines, members), rename(text, members))
        lines = renamed(self.lines(statements, source), members)
        if lines and lines[-1].startswith(f"{final} = ") and len(results) == 1:  # what was written for its last branch
            return Way(lines[:-1], lines[-1].partition(" = ")[2])
        return Way(lines, "" if returns else final)

    def lines(self, statements: Sequence[ast.stmt], source: Source) -> list[str]:
        """The converted text of statements of one block, with what stands between them."""
        if not statements:
            return []
        first, last = whole_lines(source, statements[0]), whole_lines(source, statements[-1])
        if first is None or last is None:  # behind the colon
            span = source.start(statements[0]), source.end(statements[-1])
            return source.segment(*span, source.edits).splitlines()
        lines = lines_of(source, (first[0], last[1]))
        if is_elif(statements[0], source) and lines and lines[0] == "else:":
            return [line[4:] for line in lines[1:]]
        return lines

    def members(self, paths: list[str], node: ast.AST) -> list[Member]:
        """A parameter for each module: by the last part of its path, if nothing else is called so."""
        used = {part.id for part in walk(node) if isinstance(part, ast.Name)}
        found: list[Member] = []
        for path in paths:
            name = path.rpartition(".")[2]
            while name != path and (name in used or any(name == member.name for member in found)):
                name += "_"
            found.append(Member(path, name))
        return found

    # -- loops --------------------------------------------------------------------------------------------------------

    def loop(self, found: Turns, draft: Draft) -> list[str]:
        source, node = draft.source, found.node
        members = self.members(found.modules, node)
        carried = list(found.carried)
        way = self.way(found.body, carried, False, members, draft)
        test, start, bound = "", list(carried), list(carried)
        if isinstance(node, ast.While):
            endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
            test = "" if endless else text_of(node.test, self.words, draft)
            if found.stop is not None:
                done = self.free("done")
                goes_on = self.words.negated(done, draft)
                test = self.words.both([goes_on, test], draft) if test else goes_on
                text = text_of(found.stop, self.words, draft)
                lines = self.lines(found.body, source)
                way = Way([*renamed(lines, members), f"{done} = {rename(text, members)}"], ", ".join([*carried, done]))
                carried.append(done)
                start.append("False")
                bound.append("_")
        bounds = []
        for end in found.bounds:
            inner = read_of(end)
            bounds.append(source.text(inner if inner is not None else end, source.edits))
        what = Repeated(
            test=test,
            turn=way,
            names=("going_on", "turn"),
            modules={member.name: member.path for member in members},
            carried=carried,
            start=start,
            bound=bound,
            counter=found.counter,
            bounds=bounds if len(bounds) != 1 else ["0", *bounds],
        )
        return self.words.repeated(what, draft)

    def free(self, name: str) -> str:
        while name in self.names:
            name += "_"
        return name


def is_elif(node: ast.AST, source: Source) -> bool:
    return isinstance(node, ast.If) and source.buffer[source.start(node) :].startswith(b"elif")


def above(statement: ast.stmt, source: Source) -> list[str]:
    """The comments directly above a statement."""
    span = whole_lines(source, statement)
    if span is None:
        return []
    return source.original(span[0], source.line_start(statement.lineno)).splitlines()


def site_of(found: Branch | Turns) -> str:
    """What the report says."""
    return "a branch of values is a function" if isinstance(found, Branch) else "a loop of values is a function"
