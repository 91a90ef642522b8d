"""Lines that go on below a bracket, as ``f(a,`` and then ``b)`` do: they follow it where an edit moved it."""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass

from rewriters.text.wrapping import CLOSING, OPENING, WIDEST

# A bracket that something follows on its line.
BEHIND = re.compile(r"[(\[{] *(?=[^ #])")


@dataclass(frozen=True)
class Row:
    """A line that begins inside brackets.

    indent: columns of white space before it.
    column: where the first item of the innermost bracket stands, None where that is on a line of its own.
    opened: the line of that bracket.
    """

    indent: int
    column: int | None
    opened: int


def aligned(before: str, after: str) -> str:
    """A statement as edits left it, its lines moved below the brackets that they stood below before."""
    if "\t" in before or before == after or not may_stand_below(before):
        return after
    rows = rows_of(before).values()
    below = {row.indent for row in rows if row.column == row.indent} - {r.indent for r in rows if r.column != r.indent}
    if not below:
        return after
    lines = after.split("\n")
    shifts: dict[int, int] = {}
    for at, row in sorted(rows_of(after).items()):
        follows = row.column - row.indent if row.indent in below and row.column is not None else 0
        # A line that stands left of where its bracket does has less white space than that may have moved by.
        shifts[at] = max(shifts.get(row.opened, 0) + follows, -row.indent)
    for at, shift in shifts.items():
        line = lines[at - 1]
        if shift > 0 and len(line) + shift > WIDEST:
            return after
        lines[at - 1] = " " * shift + line if shift > 0 else line[-shift:]
    return "\n".join(lines)


def may_stand_below(text: str) -> bool:
    """Whether a line begins in a column in which something follows a bracket on a line before; as text alone says."""
    columns: set[int] = set()
    for line in text.split("\n"):
        if len(line) - len(line.lstrip(" ")) in columns:
            return True
        columns.update(found.end() for found in BEHIND.finditer(line))
    return False


def rows_of(text: str) -> dict[int, Row]:
    """The lines of a statement that begin inside brackets, by number; none of a text that can't be read."""
    found: dict[int, Row] = {}
    open_: list[tuple[int, int | None]] = []
    opening: tokenize.TokenInfo | None = None
    row = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            written = token.type not in {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
            at, column = token.start
            if opening is not None:
                stands = written and token.type != tokenize.COMMENT and at == opening.start[0]
                open_.append((opening.start[0], column if stands else None))
                opening = None
            if open_ and written and at > row:
                found[at] = Row(column, open_[-1][1], open_[-1][0])
            row = max(row, token.end[0] if written else at)
            if token.type == tokenize.OP and token.string in OPENING:
                opening = token
            elif token.type == tokenize.OP and token.string in CLOSING and open_:
                open_.pop()
    except (tokenize.TokenError, SyntaxError):
        return {}
    return found
