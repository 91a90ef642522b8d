"""Calls changed in place: the argument list gets the result's arguments and keeps its layout and comments."""

from __future__ import annotations

import ast

from rewriters.rules.binding import Argument
from rewriters.rules.holes import Hole
from rewriters.rules.render import Printer, enclosed
from rewriters.text.source_text import Edit, Source
from rewriters.text.tree import walk

Entry = tuple[str | None, ast.expr]


def rewrite_arguments(
    source: Source,
    node: ast.Call,
    opening: int,
    edits: list[Edit],
    arguments: list[Argument],
    result: ast.Call,
    printer: Printer,
) -> str | None:
    """``(a, b=c)`` of a call with the result's arguments; None where the shape does not allow it.

    opening:   offset of the opening parenthesis.
    edits:     those inside the arguments.
    arguments: those of the call in source order, the receiver left out.
    """
    entries: list[Entry] = [(None, a) for a in result.args] + [(w.arg, w.value) for w in result.keywords]
    if not arguments or not same_order(entries, arguments):
        return None
    places = paired(entries, arguments)
    text = splice(source, node, opening, edits, arguments, entries, places, printer)
    if text is not None:
        return text
    from rewriters.rules.comment_layout import rewrite_with_comments

    old = source.segment(opening, source.end(node), edits)
    return rewrite_with_comments(old, entries, places, len(arguments), printer)


def splice(
    source: Source,
    node: ast.Call,
    opening: int,
    edits: list[Edit],
    arguments: list[Argument],
    entries: list[Entry],
    places: list[int | None],
    printer: Printer,
) -> str | None:
    """The new argument list between the old separators; None where those hold comments or parentheses."""
    words = {id(word.value): word for word in node.keywords}
    starts = [source.start(words[id(a.node)] if a.keyword else a.node) for a in arguments]
    ends = [source.end(a.node) for a in arguments]
    edits = [e for e in edits if not any(a <= e.start and e.end <= b for a, b in zip(starts, ends, strict=True))]
    lead = source.segment(opening + 1, starts[0], edits)
    between = [source.segment(end, start, edits) for end, start in zip(ends, starts[1:], strict=False)]
    tail = source.segment(ends[-1], source.end(node) - 1, edits)
    if any(mark in text for text in (lead, *between, tail) for mark in "()#\\"):
        return None
    usual = between[-1] if between else "," + lead if lead.strip(" \t") else ", "
    pieces = ["(", lead]
    for number, ((keyword, value), place) in enumerate(zip(entries, places, strict=True)):
        old = arguments[place] if place is not None else None
        equal = "="
        if old is not None and old.keyword and keyword:
            name_end = starts[place or 0] + len(old.keyword.encode())
            equal = source.original(name_end, source.start(old.node))
            if equal.strip() != "=":
                return None
        shown = enclosed(old, 0) if old is not None and isinstance(value, Hole) else printer.text(value)
        pieces.append(f"{keyword}{equal}{shown}" if keyword else shown)
        if number < len(entries) - 1:
            pieces.append(between[place] if place is not None and place < len(between) else usual)
    if not entries:
        return "()"
    return "".join([*pieces, tail, ")"])


def holes_in(value: ast.expr) -> list[float]:
    return [part.argument.order for part in walk(value) if isinstance(part, Hole)]


def same_order(entries: list[Entry], arguments: list[Argument]) -> bool:
    """The call's own arguments reappear in their order, whole or inside an expression; each at most once."""
    seen = [order for _, value in entries for order in holes_in(value)]
    own = {argument.order for argument in arguments}
    kept = [order for order in seen if order in own]
    return kept == sorted(set(kept)) and len(kept) == len(seen)


def paired(entries: list[Entry], arguments: list[Argument]) -> list[int | None]:
    """Per entry the argument whose place it takes: its own, or a dropped one that stood between its neighbours."""
    index = {argument.order: number for number, argument in enumerate(arguments)}
    used = {index[order] for _, value in entries for order in holes_in(value)}
    places: list[int | None] = []
    previous = -1
    for number, (_, value) in enumerate(entries):
        inside = holes_in(value)
        if inside:
            places.append(index[inside[0]])
            previous = index[inside[-1]]
            continue
        decided = index.get(entries[number][1].__dict__.get("origin", -1))
        if decided is not None and decided not in used and decided > previous:
            places.append(decided)
            previous = decided
            continue
        after = [index[order] for _, later in entries[number:] for order in holes_in(later)]
        free = [n for n in range(previous + 1, min(after, default=len(arguments))) if n not in used]
        places.append(free[0] if free else None)
        previous = free[0] if free else previous
    return places
