"""The text of a source file, addressed by syntax-tree nodes, and edits of it."""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate, pairwise, zip_longest
from keyword import iskeyword

from rewriters.text.aligning import aligned
from rewriters.text.outline import outline
from rewriters.text.parsing import module_of
from rewriters.text.slots import slotted
from rewriters.text.tree import Nodes
from rewriters.text.wrapping import NARROWEST, WIDEST, wrapped

NEWLINE = re.compile(rb"\r\n|\n|\r")
BLOCK = re.compile(rb"^(?:class|def|async|if|for|while|with|try|else)\b[^\r\n]*:[ \t]*(?:\r\n|\n|\r)([ \t]+)\S", re.M)
LAST_WORD = re.compile(rb"(\w+)[ \t]*$", re.ASCII)
STATEMENTS = ast.stmt.__subclasses__()
BOM = b"\xef\xbb\xbf"


class UnreadableSource(ValueError):
    """A file that is not Python: bad encoding or bad syntax. ``line`` is 1-based, 0 when unknown."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the bytes [start, end) of the UTF-8 text.

    closed: whether the brackets around it, which what stood there may have needed, go with it.
    """

    start: int
    end: int
    text: str
    closed: bool = False


class Source:
    """One file: its syntax tree, and its bytes as UTF-8, which is what node offsets count.

    outlined: whether the tree has only what ``outline`` leaves.
    """

    def __init__(self, data: bytes, outlined: bool = False) -> None:
        try:
            # The declaration is in the first two lines, however these end.
            head = b"\n".join(NEWLINE.split(data, maxsplit=2)[:2]) + b"\n"
            self.encoding, _ = tokenize.detect_encoding(io.BytesIO(head).readline)
            text = data.decode(self.encoding)
        except (SyntaxError, UnicodeDecodeError, LookupError) as error:
            raise UnreadableSource(f"cannot be decoded: {error}") from error
        self.buffer = data if self.encoding == "utf-8" else text.encode("utf-8")
        try:
            self.starts = array("I", accumulate(map(len, self.buffer.splitlines(keepends=True)), initial=0))
            if len(self.starts) > 1 and self.buffer[-1:] not in b"\r\n":
                self.starts.pop()  # the last line goes on to the end
            tree = module_of(text)
            if outlined:
                outline(tree, self.buffer, self.starts)
            self.tree, found = slotted(tree, len(self.starts))
            self.nodes = Nodes(found)
        except SyntaxError as error:
            raise UnreadableSource(error.msg, error.lineno or 0) from error
        except (ValueError, RecursionError, MemoryError) as error:
            raise UnreadableSource(str(error) or type(error).__name__) from error
        first = NEWLINE.search(self.buffer)
        self.newline = first.group().decode() if first else "\n"
        self.edits: list[Edit] = []
        self.parted: set[int] = set()  # lines whose statements come on lines of their own
        self.deepened: dict[int, str] = {}  # ... behind what begins their block there: their white space

    # -- positions ----------------------------------------------------------------------------------------------

    def start(self, node: ast.AST) -> int:
        at: int = self.starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        return at

    def end(self, node: ast.AST) -> int:
        at: int = self.starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        return at

    def line_at(self, offset: int) -> int:
        """The 1-based line of a byte."""
        return bisect_right(self.starts, offset)

    def line_start(self, line: int) -> int:
        """Offset of the first byte of a 1-based line."""
        return self.starts[line - 1]

    def indentation(self, line: int) -> str:
        """White space at the start of a line."""
        end = start = self.starts[line - 1]
        while end < len(self.buffer) and self.buffer[end : end + 1] in b" \t\f":
            end += 1
        return self.buffer[start:end].decode()

    def indentation_of(self, statement: ast.stmt) -> str:
        """White space in front of a statement, which may stand behind ``if x:`` and come on a line of its own."""
        own = self.indentation(statement.lineno)
        return self.deepened.get(statement.lineno, own) if statement.col_offset > len(own) else own

    @property
    def step(self) -> str:
        """By how much the file indents a block: as it does its first."""
        found = BLOCK.search(self.buffer)
        return found[1].decode() if found else "    "

    def original(self, start: int, end: int) -> str:
        return self.buffer[start:end].decode()

    # -- edits --------------------------------------------------------------------------------------------------

    def edit(self, start: int, end: int, text: str, *, closed: bool = False) -> None:
        """closed: whether the text needs no brackets, as what stands there may. Its lines end as the file's."""
        if self.newline != "\n" and "\n" in text:
            text = text.replace("\r\n", "\n").replace("\n", self.newline)
        if self.buffer[start:end] != text.encode():
            self.edits.append(Edit(start, end, text, closed and self.is_tightly_enclosed(start, end)))

    def is_enclosed(self, start: int, end: int) -> bool:
        """Whether a span stands in parentheses of its own."""
        before = self.buffer[:start].rstrip()
        after = self.buffer[end:].lstrip()
        if not (before.endswith(b"(") and after.startswith(b")")):
            return False
        word = LAST_WORD.search(before, max(0, len(before) - 40), len(before) - 1)
        if word and iskeyword(word.group(1).decode()):
            return True  # `return (x)`
        called = before[:-1].rstrip(b" \t")[-1:]
        return not (called.isalnum() or called in b"_)]}\"'" or called >= b"\x80") if called else True

    def is_tightly_enclosed(self, start: int, end: int) -> bool:
        """The same where nothing stands between them and the span, nor a word right before them: they may go."""
        if self.buffer[start - 1 : start] != b"(" or self.buffer[end : end + 1] != b")":
            return False
        return not self.buffer[max(0, start - 2) : start - 1].isalnum() and self.is_enclosed(start, end)

    @contextmanager
    def collect(self) -> Iterator[list[Edit]]:
        """Edits made inside go to the list that is handed out, not to the file."""
        outer, self.edits = self.edits, []
        inner = self.edits
        try:
            yield inner
        finally:
            self.edits = outer

    def segment(self, start: int, end: int, edits: Iterable[Edit] = ()) -> str:
        """The text of a span with the edits inside it applied."""
        pieces = []
        position = start
        inside = [
            edit for edit in sorted(edits, key=lambda e: (e.start, e.end)) if start <= edit.start and edit.end <= end
        ]
        for edit, following in zip_longest(inside, inside[1:]):
            bare = edit.closed and position < edit.start and edit.end < (following.start if following else end)
            pieces += [self.buffer[position : edit.start - bare].decode(), edit.text]
            position = edit.end + bare
        pieces.append(self.buffer[position:end].decode())
        return "".join(pieces)

    def text(self, node: ast.AST, edits: Iterable[Edit] = ()) -> str:
        return self.segment(self.start(node), self.end(node), edits)

    def result(self) -> bytes:
        """The whole file with its edits, in its own encoding."""
        if not self.edits:
            return self.buffer.decode().encode(self.encoding)
        text = self.segment(0, len(self.buffer), self.edits) if self.newline == "\r" else self.realigned()
        if self.newline != "\r" and any(len(line) > NARROWEST for line in text.split("\n")):
            text = wrapped(text, self.limits(), self.step)
        return text.encode(self.encoding)

    def realigned(self) -> str:
        """The text with its edits, where statements of several lines go on below the brackets that they did."""
        edits = sorted(self.edits, key=lambda one: (one.start, one.end))
        pieces, last, at = list[str](), 0, 0
        for start, end in self.statements():
            first = bisect_right(edits, (start, start), lo=at, key=lambda one: (one.start, one.end))
            behind = bisect_left(edits, end, lo=first, key=lambda one: one.start)
            inside = edits[first:behind]
            if not inside or inside[-1].end > end or (first and edits[first - 1].end > start):
                continue
            pieces += [
                self.segment(last, start, edits[at:first]),
                aligned(self.original(start, end), self.segment(start, end, inside)),
            ]
            last, at = end, behind
        return "".join([*pieces, self.segment(last, len(self.buffer), edits[at:])])

    def statements(self) -> list[tuple[int, int]]:
        """Where statements of several lines, and heads of those that hold others, begin and end."""
        found = []
        for node in self.nodes.of(*STATEMENTS):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno
            if last > node.lineno:
                end = self.starts[last] if last < len(self.starts) else len(self.buffer)
                found.append((self.starts[node.lineno - 1], end))
        return sorted(found)

    def limits(self) -> dict[int, int]:
        """How wide the lines of the result may be that edits made: as the file's own where they were several lines, and
        anything where they were wider before."""
        found: dict[int, int] = {}
        ending = len(self.newline)
        own = min(max([NARROWEST, *(b - a - ending for a, b in pairwise(self.starts))]), WIDEST)
        line, position = 1, 0
        for edit in sorted(self.edits, key=lambda one: (one.start, one.end)):
            line += self.buffer.count(b"\n", position, edit.start)
            first, last = self.line_at(edit.start), self.line_at(edit.end)
            ends = [*self.starts[first : last + 1], len(self.buffer)]
            was = max(end - start for start, end in zip(self.starts[first - 1 : last], ends, strict=False)) - ending
            limit = WIDEST if first == last else own
            end = line + edit.text.count("\n")
            found |= {at: max(limit if was <= limit else sys.maxsize, found.get(at, 0)) for at in range(line, end + 1)}
            line, position = end, edit.end
        return found


def comments(text: str) -> list[str]:
    """The comments in a piece of code, in order; text that does not tokenize has none."""
    return [comment for _, comment in comment_rows(text)]


def comment_rows(text: str) -> list[tuple[int, str]]:
    """The comments in a piece of code, each with its line, counted from 0."""
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO("(" + text + "\n)").readline):
            if token.type == tokenize.COMMENT:
                found.append((token.start[0] - 1, token.string))
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return found
    return found
