"""What is to be done with one file, and doing it to the file's edits."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Protocol

from rewriters.report import MARK, Code, FileReport, Outcome, Site
from rewriters.text.parsing import expression_of
from rewriters.text.source_text import Edit, Source


class Draft(Protocol):
    """A file as it is being rewritten."""

    source: Source
    report: FileReport
    above: dict[int, dict[int | str, str]]

    book: Any

    def spell(self, name: str) -> str:
        """A name of the target as the file writes it."""

    def helper_text(self, rules: list[Any]) -> str:
        """A function of the helper module, by its rules, as the file writes it."""

    def stand_in(self, key: str) -> str:
        """What raises where it is called, with the reason: in the place of a name of torch's."""


@dataclass
class Plan:
    """Of one file.

    marks:   (statement, reason, code): what a comment above it says, that it stays eager.
    edits:   functions of the file's draft, called once everything else is rewritten.
    sites:   for the report.
    uses:    names of the target's graph module that the file needs.
    wraps:   expressions -> (before, after): text around what they become.
    given:   expressions -> the key of a rule whose function is called with them: ``torch.autocast:low``.
    calls:   method calls -> the function that is called instead, the receiver first.
    names:   those that edits have given to what they write.
    parts:   expressions that edits write anew -> what of them is rewritten before.
    written: statements that edits write anew -> what of them is rewritten before.
    fresh:   calls that change what nobody else can hold: they give what becomes of it.
    of:      what the report calls its sites by.
    """

    marks: list[tuple[ast.stmt, str, Code]] = field(default_factory=list)
    edits: list[Callable[[Draft], None]] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    uses: set[str] = field(default_factory=set)
    wraps: dict[ast.expr, tuple[str, str]] = field(default_factory=dict)
    given: dict[ast.expr, str] = field(default_factory=dict)
    calls: dict[ast.Call, str] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    parts: dict[ast.AST, list[ast.expr]] = field(default_factory=dict)
    written: dict[ast.stmt, list[ast.expr]] = field(default_factory=dict)
    fresh: set[ast.AST] = field(default_factory=set)
    of: str = "STATIC"

    def mark(self, statement: ast.stmt, reason: str) -> None:
        """Say why a statement stays eager."""
        self.say(statement, reason, Code.STATIC, Outcome.EAGER)

    def refuse(self, statement: ast.stmt, reason: str) -> None:
        """Say why a statement is not converted."""
        self.say(statement, reason, Code.UNSUPPORTED, Outcome.MARKED)

    def say(self, statement: ast.stmt, reason: str, code: Code, outcome: Outcome) -> None:
        if (statement, reason, code) in self.marks:
            return
        self.marks.append((statement, reason, code))
        self.site(statement, outcome, reason)

    def site(self, node: Any, outcome: Outcome, detail: str) -> None:
        """Put it into the report."""
        self.sites.append(Site(node.lineno, node.col_offset + 1, self.of, outcome, detail))

    def then(self, other: Plan) -> None:
        """What another plan of the same file has to do behind this one's; what it finds while it does so is this
        one's, too."""
        self.edits += other.edits
        self.uses |= other.uses
        self.wraps |= other.wraps
        self.given |= other.given
        self.calls |= other.calls
        self.parts |= other.parts
        self.written |= other.written
        self.fresh |= other.fresh
        self.marks += other.marks
        self.sites += other.sites
        self.names |= other.names
        other.marks, other.sites, other.names = self.marks, self.sites, self.names

    def apply(self, draft: Draft) -> None:
        """Add the plan's edits and comments to the file's."""
        self.comment(self.marks, draft)
        for edit in self.edits:
            known = len(self.marks)
            edit(draft)
            # Before the next one, which may take the lines elsewhere.
            self.comment(self.marks[known:], draft)
        draft.report.sites += self.sites

    def comment(self, marks: list[tuple[ast.stmt, str, Code]], draft: Draft) -> None:
        for statement, reason, code in marks:
            text = code.comment(reason)
            first = (getattr(statement, "decorator_list", None) or [statement])[0]
            draft.above.setdefault(first.lineno, {})[text] = text


def standing_alone(text: str) -> str:
    """An expression outside of the brackets that it stood in, in which it may have several lines."""
    try:
        expression_of(text)
    except SyntaxError:
        plain = not any(sign in text for sign in ("#", "\\", '"""', "'''"))
        return " ".join(map(str.strip, text.splitlines())) if plain else f"({text})"
    return text


def marked_line(draft: Draft, first: int, last: int) -> int | None:
    """The first of these lines above which a comment says that something there has no equivalent."""
    differing = Code.DIFFERS.comment("")
    for line in range(first, last + 1):
        marks = (text.strip() for text in draft.above.get(line, {}).values())
        if any(text.startswith(MARK) and not text.startswith(differing) for text in marks):
            return line
    return None


def whole_lines(source: Source, statement: ast.stmt) -> tuple[int, int] | None:
    """The span of a statement's lines, with the comments directly above it; of one that shares a line its part, which
    becomes a line of its own. None where it cannot.
    """
    start, end = source.start(statement), source.end(statement)
    line, last = statement.lineno, source.line_at(max(start, end - 1))
    stop = source.starts[last] if last < len(source.starts) else len(source.buffer)
    behind = source.original(end, stop).strip().removeprefix(";").strip()
    if source.original(source.line_start(line), start).strip() or (behind and not behind.startswith("#")):
        return own_line(source, statement)
    indent = source.indentation(line)
    while line > 1:
        above = source.original(source.line_start(line - 1), source.line_start(line))
        if not above.startswith(f"{indent}#") or above.startswith(f"{indent}# migrate:"):
            break
        line -= 1
    return source.line_start(line), stop


def own_line(source: Source, statement: ast.stmt) -> tuple[int, int] | None:
    """The part of a line that a statement has of several, ``a(); b()``; all of them come on lines of their own."""
    around, line = source.nodes.parents.get(statement), statement.lineno
    blocks = [getattr(around, name, None) for name in ("body", "orelse", "finalbody")]
    block = next((one for one in blocks if isinstance(one, list) and statement in one), [])
    mates = [one for one in block if one.lineno == line]
    indent, first = source.indentation(line), source.line_start(line)
    if not mates or any(one.end_lineno != line for one in mates):
        return None
    head = source.original(first + len(indent), source.start(mates[0]))
    begins = first + len(indent) + len(head.rstrip().encode())  # behind ``for x in y:``
    if head and (not head.rstrip().endswith(":") or begins == source.start(mates[0])):
        return None
    stop = source.starts[line] if line < len(source.starts) else len(source.buffer)
    if source.original(source.end(mates[-1]), stop).strip("; \t\r\n") and b"#" not in source.buffer[first:stop]:
        return None
    places = [begins if head else first]
    if head and line not in source.parted:
        source.deepened[line] = indent + source.step
        source.edit(begins - 1, begins, f":{source.newline}")
        source.edit(begins, source.start(mates[0]), indent + source.step)
        indent += source.step
    for one, other in pairwise(mates):
        place = source.buffer.index(b";", source.end(one)) + 1
        if place == source.start(other):
            return None
        places.append(place)
        if line not in source.parted:
            source.edit(source.end(one), place, source.newline)
            source.edit(place, source.start(other), indent)
    source.parted.add(line)
    at = next(number for number, one in enumerate(mates) if one is statement)
    return places[at], [*places, stop][at + 1]


def settle(draft: Draft, span: tuple[int, int]) -> None:
    """Put the comments above lines of a span to their places: its text is about to be taken from there."""
    source = draft.source
    first, last = source.line_at(span[0]), source.line_at(max(span[0], span[1] - 1))
    for line in [line for line in draft.above if first <= line <= last]:
        indent = source.indentation(line)
        at = source.line_start(line)
        texts = draft.above.pop(line).values()
        source.edit(at, at, "".join(f"{indent}{text}{source.newline}" for text in texts))


def lines_of(source: Source, span: tuple[int, int]) -> list[str]:
    """The converted text of whole lines, without their indentation."""
    text = source.segment(*span, [edit for edit in source.edits if not is_behind(source, span, edit)])
    lines = text.splitlines()
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [line[indent:] for line in lines]


def replace(source: Source, span: tuple[int, int], text: str) -> None:
    """Put text in a span's place, whatever was to be done inside it."""
    start, end = span
    source.edits[:] = [
        edit for edit in source.edits if not (start <= edit.start and edit.end <= end) or is_behind(source, span, edit)
    ]
    source.edit(start, end, text)


def is_behind(source: Source, span: tuple[int, int], edit: Edit) -> bool:
    """Whether it puts lines where those of a span end: above what follows them."""
    buffer = source.buffer
    whole = all(
        place == source.line_start(source.line_at(place)) or buffer[place - 1 : place] == b";" for place in span
    )
    return whole and span[0] < span[1] == edit.start == edit.end


def replace_within(source: Source, node: ast.expr, text: str) -> None:
    """Put text in an expression's place, also where it stands in what an operator or a call became as a whole."""
    around = edit_around(source, node)
    if around is None:
        replace(source, (source.start(node), source.end(node)), text)
        return
    source.edits.remove(around)
    source.edit(around.start, around.end, re.sub(as_it_was(source, node), lambda _: text, around.text))


def is_within(source: Source, node: ast.expr) -> bool:
    """Whether an expression can be replaced: it stands as it was where a call around it was written anew."""
    around = edit_around(source, node)
    return around is None or re.search(as_it_was(source, node), around.text) is not None


def edit_around(source: Source, node: ast.expr) -> Edit | None:
    """What an operator or a call became that an expression stands in."""
    start, end = source.start(node), source.end(node)
    return next((e for e in source.edits if e.start <= start and end <= e.end and e.end - e.start > end - start), None)


def as_it_was(source: Source, node: ast.expr) -> str:
    """A pattern for an expression's own text."""
    return rf"(?<![\w.]){re.escape(source.text(node, []))}(?!\w)"


def wrap(source: Source, node: ast.expr, before: str, after: str) -> None:
    """Put text around what an expression became, parts that begin or end with it included."""
    text = source.text(node, source.edits)
    replace(source, (source.start(node), source.end(node)), f"{before}{text}{after}")


def remove(source: Source, spans: list[tuple[int, int]]) -> None:
    """Take whole lines out; of the empty lines around them only those before stay."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and joined[-1][1] == start:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    for start, end in joined:
        before = source.line_at(start) - 1
        empty = before == 0 or not source.original(source.line_start(before), start).strip()
        while empty and end < len(source.buffer):
            line = source.line_at(end)
            stop = source.starts[line] if line < len(source.starts) else len(source.buffer)
            if source.original(end, stop).strip():
                break
            end = stop
        replace(source, (start, end), "")
