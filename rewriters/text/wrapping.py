"""Lines that edits made longer than a file's own are broken, as formatters do: inside the brackets that hold most."""

from __future__ import annotations

import ast
import io
import keyword
import re
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rewriters.text.outline import blocks_of
from rewriters.text.parsing import module_of

# Columns: what stands on one line in the source may grow to the second; what was on several lines is kept to the width
# of the file's longest, which is taken to be between the two.
NARROWEST, WIDEST = 88, 120
# A list of so few columns is broken where there is nothing else to break.
SHORT = 40
# What may stand without brackets around it, and holds operands or elements that it may be broken between.
BARE = (ast.Tuple, ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Subscript)
SUMS = {ast.Add, ast.Sub}
OPENING, CLOSING = {"(", "[", "{"}, {")", "]", "}"}
# Tokens of formatted strings, which are one token before Python 3.12.
FORMATTED = (getattr(tokenize, "FSTRING_START", -1), getattr(tokenize, "FSTRING_END", -1))
FORMATTED_TEXT = re.compile(r"""[fFtT][rR]?(?:\"{3}|'{3})""")
# Comments and strings; each is passed whole, so that none begins inside another. No repeat stands right inside another:
# a quote that nothing closes would be tried in as many ways as there are to divide what follows.
STRINGS = re.compile(
    r"""#[^\n]*"""
    r"""|\"{3}[^\\"]*(?:(?:\\.|"(?!""))[^\\"]*)*\"{3}|'{3}[^\\']*(?:(?:\\.|'(?!''))[^\\']*)*'{3}"""
    r"""|"[^\\"\n]*(?:\\.[^\\"\n]*)*"|'[^\\'\n]*(?:\\.[^\\'\n]*)*'""",
    re.DOTALL,
)


@dataclass(frozen=True)
class Pair:
    """Brackets that open and close within a line: their columns, those of commas directly in them, and of ``for``;
    whether they list a little and are no call's: ``[1, 2]``.
    """

    start: int
    end: int
    commas: Sequence[int]
    loops: Sequence[int]
    short: bool


def wrapped(text: str, limits: dict[int, int], step: str) -> str:
    """The text of a file with the lines broken that became too long.

    limits: the lines of the text that edits made, counted from 1, with how wide each may be.
    step:   by how much the file indents a block.
    """
    lines = text.split("\n")
    long = [at for at, limit in limits.items() if len(lines[at - 1].rstrip("\r")) > limit]
    if not long:
        return text
    alone: dict[int, ast.stmt] | None = None
    for at in sorted(set(long) - in_strings(text), reverse=True):
        line, limit = lines[at - 1], limits[at]
        pieces: list[str] = []
        if starts_statement(line) and written(line) > limit:
            alone = statements_of_one_line(text) if alone is None else alone
            pieces = bracketed(line, alone.get(at), limit, step)
        lines[at - 1 : at] = pieces or broken(line, limit, step)
    return "\n".join(lines)


def fit(lines: Sequence[str], limit: int) -> bool:
    """Whether the code of each line does; a comment may stand out."""
    return all(len(line.rstrip("\r")) <= limit or written(line) <= limit for line in lines)


def written(line: str) -> int:
    """How wide the code of a line is, with what it is indented by."""
    code = line.rstrip("\r")
    return len(code) - len(code.lstrip()) + end_of(tokens_of(code.strip()))


def end_of(tokens: Iterable[tokenize.TokenInfo]) -> int:
    """The column behind the last one that is no comment."""
    return max((token.end[1] for token in tokens if token.type != tokenize.COMMENT), default=0)


def starts_statement(line: str) -> bool:
    """Whether a line by itself returns or assigns what has no brackets around all of it."""
    return any(isinstance(getattr(node, "value", None), BARE) for node in parsed(line.strip()))


def statements_of_one_line(text: str) -> dict[int, ast.stmt]:
    """What is returned or assigned on a line that holds nothing else, by the line."""
    nodes = list(statements_in(parsed(text)))
    beside = Counter(node.lineno for node in nodes)
    ends = (node.end_lineno or 0 for node in nodes if node.lineno != node.end_lineno and not hasattr(node, "body"))
    beside.update(ends)
    return {
        node.lineno: node
        for node in nodes
        if isinstance(node, (ast.Return, ast.Assign, ast.AnnAssign, ast.AugAssign))
        and beside[node.lineno] == 1
        and node.lineno == node.end_lineno
    }


def statements_in(block: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Its statements, and those that stand in them."""
    for statement in block:
        yield statement
        for _, _, inner in blocks_of(statement):
            yield from statements_in(inner)


def parsed(text: str) -> list[ast.stmt]:
    """Its statements; none where it is a piece of one."""
    try:
        return module_of(text).body
    except SyntaxError:
        return []


def bracketed(line: str, statement: ast.stmt | None, limit: int, step: str) -> list[str]:
    """A statement's value in brackets: on one line, else broken at commas or operators; [] where that doesn't fit."""
    value = getattr(statement, "value", None)
    if not isinstance(value, BARE):
        return []
    end, code = "\r" if line.endswith("\r") else "", line.rstrip("\r")
    indent = code[: len(code) - len(code.lstrip())]
    data = code.encode()
    cut = [value.col_offset, *parts_of(value, data), value.end_col_offset]
    texts = [data[a:b].decode().strip() for a, b in pairwise(cut)]
    head, tail = data[: cut[0]].decode(), data[cut[-1] :].decode()
    own = data[cut[0] : cut[-1]].decode()
    if head.rstrip().endswith("(") or (own[0] == "(" and isinstance(value, ast.Tuple) and parsed(own[1:-1])):
        return []  # it has some
    inner = indent + step
    whole = [inner + own + end]
    comma = "," if isinstance(value, ast.Tuple) else ""
    if not fit(whole, limit):
        whole = [piece for text in texts for piece in broken(inner + text.rstrip(",") + comma + end, limit, step)]
    return [f"{head}({end}", *whole, f"{indent}){tail}{end}"] if fit(whole, limit) else []


def parts_of(value: ast.expr, data: bytes) -> Iterator[int]:
    """Where a value may be broken: behind the commas of a tuple, before the operators that bind least."""
    if isinstance(value, ast.Tuple):
        yield from (behind(part, data) + 1 for part in value.elts[:-1])
    elif isinstance(value, ast.BoolOp):
        yield from (behind(part, data) for part in value.values[:-1])
    elif isinstance(value, ast.BinOp):
        left = value.left
        plain = left.col_offset == value.col_offset
        if isinstance(left, ast.BinOp) and plain and type(left.op) in SUMS and type(value.op) in SUMS:
            yield from parts_of(left, data)
        yield behind(left, data)


def behind(part: ast.expr, data: bytes) -> int:
    """Where an operand and its own brackets end."""
    end = part.end_col_offset or 0
    return end + len(data[end:]) - len(data[end:].lstrip(b" \t)"))


def in_strings(text: str) -> set[int]:
    """Lines that a string of several lines reaches into; all, if the text can't be read."""
    if FORMATTED[0] >= 0 and FORMATTED_TEXT.search(text):
        return in_tokens(text)  # strings in its braces may look as if they ended it
    found: set[int] = set()
    line, position = 1, 0
    for match in STRINGS.finditer(text):
        rows = match[0].count("\n")
        if rows:
            line += text.count("\n", position, match.start())
            found.update(range(line, line + rows + 1))
            line, position = line + rows, match.end()
    return found


def in_tokens(text: str) -> set[int]:
    """As ``in_strings``, ten times as slow."""
    found: set[int] = set()
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.start[0] != token.end[0]:
                found.update(range(token.start[0], token.end[0] + 1))
    except (tokenize.TokenError, SyntaxError):
        return set(range(1, text.count("\n") + 2))
    return found


def broken(line: str, limit: int, step: str) -> list[str]:
    """The lines that a line becomes: itself, where breaking it makes none that fits."""
    end = "\r" if line.endswith("\r") else ""
    code = line.rstrip("\r")
    indent = code[: len(code) - len(code.lstrip())]
    tokens = list(tokens_of(code.strip()))
    width = len(indent) + end_of(tokens)
    if width <= limit:
        return [line]  # a comment makes it long
    if len(own := own_parts(tokens, code, len(indent))) > 1:
        return [piece for part in own for piece in broken(indent + part + end, limit, step)]
    inner = indent + step
    for pair in pairs_of(tokens, len(indent), items=False) + pairs_of(tokens, len(indent), items=True):
        head, content, tail = code[: pair.start + 1], code[pair.start + 1 : pair.end], indent + code[pair.end :]
        if not content.strip() or max(len(head), len(indent) + width - pair.end) > limit:
            continue
        if len(inner) + len(content.strip()) <= limit:
            return [head + end, inner + content.strip() + end, tail + end]
        cuts = [] if pair.loops else pair.commas
        starts = sorted([pair.start + 1, *(at + 1 for at in cuts), *pair.loops])
        parts = [code[a:b].strip() for a, b in pairwise([*starts, pair.end])]
        parts = [part for part in parts if part]
        if cuts and not parts[-1].endswith(","):
            parts[-1] += ","
        inside = [piece for part in parts for piece in broken(inner + part + end, limit, step)]
        return [head + end, *inside, tail + end]
    return [line]


def own_parts(tokens: Sequence[tokenize.TokenInfo], code: str, shift: int) -> list[str]:
    """What a line lists that is a piece of a call or a list: ``x, kernel_size=(3, 3), bias=False,``."""
    if not tokens or tokens[-1].string != "," or keyword.iskeyword(tokens[0].string):
        return []
    cuts = [shift]
    depth = 0
    for token in tokens:
        depth += (token.string in OPENING) - (token.string in CLOSING)
        if depth < 0 or token.string == "lambda" or token.type == tokenize.COMMENT:
            return []  # it closes what other lines open
        if token.string == "," and not depth:
            cuts.append(token.end[1] + shift)
    return [code[a:b].strip() for a, b in pairwise(cuts)] if not depth else []


def tokens_of(code: str) -> Iterator[tokenize.TokenInfo]:
    """The tokens of a line, which may be a piece of a statement; of texts that are formatted the ends alone."""
    inside = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            inside -= token.type == FORMATTED[1]
            if token.string.strip() and not inside:
                yield token
            inside += token.type == FORMATTED[0]
    except (tokenize.TokenError, SyntaxError):
        return  # what it opens or closes stands on other lines


def pairs_of(tokens: Sequence[tokenize.TokenInfo], shift: int, items: bool) -> list[Pair]:
    """The outermost brackets that a line both opens and closes, those that hold most first: of what is called and
    listed, short lists last; or those that ``items`` are taken by.
    """
    found: list[Pair] = []
    open_: list[tuple[tokenize.TokenInfo, bool, list[int], list[int]]] = []
    headers = 0  # of lambdas whose parameters are not over
    before: tokenize.TokenInfo | None = None
    for token in tokens:
        column = token.start[1] + shift
        if token.string in OPENING and token.type == tokenize.OP:
            item = token.string == "[" and before is not None and is_name(before)
            open_.append((token, item, [], []))
        elif token.string in CLOSING and token.type == tokenize.OP:
            if open_:
                start, item, commas, loops = open_.pop()
                listed = not item and start.string != "(" and token.end[1] - start.start[1] < SHORT
                pair = Pair(start.start[1] + shift, column, commas, loops, listed)
                found = found if item and not items else [*(one for one in found if one.start < pair.start), pair]
        elif open_ and token.string == "," and not headers:
            open_[-1][2].append(column)
        elif open_ and token.type == tokenize.NAME and token.string in {"for", "async"}:
            open_[-1][3].extend([] if before is not None and before.string == "async" else [column])
        elif token.string == "lambda":
            headers += 1
        elif token.string == ":" and headers:
            headers -= 1
        before = token
    return sorted(found, key=lambda one: (one.short, one.start - one.end))


def is_name(token: tokenize.TokenInfo) -> bool:
    """Whether a bracket behind it takes an item of it."""
    named = token.type == tokenize.NAME and not keyword.iskeyword(token.string)
    return named or token.type == tokenize.STRING or token.string in CLOSING
