"""A file as it is being rewritten: its edits, its report, comments above statements, what it asks of the helper."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Any, Protocol

from rewriters.report import RUNS, Code, FileReport, Outcome, Risk, Site, Status
from rewriters.rewrite import imports
from rewriters.rewrite.helper_module import HELPER, HelperModule
from rewriters.rewrite.import_edits import ImportEditor
from rewriters.rewrite.known import Context, Known
from rewriters.rules.render import Printer
from rewriters.rules.rulebook import Rule
from rewriters.text.precedence import is_closed
from rewriters.text.removal import Removal
from rewriters.text.source_text import Edit, comment_rows, comments
from rewriters.torch.table import entry, is_module

OPERATORS = (ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.UnaryOp)


class Draft:
    """What becomes of one file.

    here:   where the rewriter is.
    keys:   uses for which a special rule answers, with its key.
    above:  comments to be put above the statement of a line: those of the source by their own line, ours by their text.
    tested: expressions of which only the truth or the identity matters.
    """

    def __init__(self, known: Known, helper: HelperModule) -> None:
        self.known, self.helper = known, helper
        self.source, self.book, self.target = known.source, known.shared.book, known.shared.target
        self.here = Context()
        self.keys = dict(known.keys)
        self.table = imports.collect(self.source, self.target, known.module.scope, known.module.own)
        for binding in self.table.bindings:
            star = "*" in known.handed_on and not binding.name.startswith("_")
            if binding.scope is None and (star or binding.name in known.handed_on):
                binding.kept = True
        self.removal = Removal(self.source)
        self.report = FileReport(str(known.module.path))
        self.above: dict[int, dict[int | str, str]] = {}
        self.tested = set(known.tested)
        self.helper_used = False
        self.printer = Printer({*self.target.packages, HELPER}, self.spell, known.quote)

    def within(self, **changes: Any) -> Within:
        """Another context for what is done meanwhile: fields of ``Context`` and their values."""
        return Within(self, self.here._replace(**changes))

    def helper_text(self, rules: list[Rule]) -> str:
        self.helper_used = True
        return f"{self.known.helper}.{self.helper.use(rules)}"

    def handed_on_text(self, key: str) -> str:
        """A function that takes what torch's does."""
        self.helper_used = True
        return f"{self.known.helper}.{self.helper.use_handed_on(key)}"

    def stand_in(self, key: str) -> str:
        self.helper_used = True
        self.helper.stand_in = True
        return f"{self.known.helper}.{key.partition(':')[0]}"

    def is_loading(self, node: ast.expr) -> bool:
        """Whether an expression is evaluated when others import the file, and only held then: an error would end that.

        A script's own statements are its work: there the error is raised.
        """
        statement = self.here.statement
        held = isinstance(statement, (ast.Assign, ast.AnnAssign, ast.Expr)) and node in only_held(statement.value)
        default = isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef))
        imported = self.known.imported or self.known.helper_import.startswith("from .")
        if not imported or self.here.functions or not (held or default):
            return False
        around = self.source.nodes.all_around(node, ast.If)
        return not any("__name__" in self.source.text(one.test) for one in around if isinstance(one, ast.If))

    def left_alone(self, node: ast.Attribute, hint: str, risk: Risk, answer: str) -> None:
        """A use whose receiver is not known stays as it stands."""
        place = (node.lineno, node.col_offset + 1)
        self.report.sites.append(Site(*place, f".{node.attr}", Outcome.UNKNOWN, hint, risk, answer))

    def lacks(self, key: str) -> bool:
        """Whether torch has a name, or a module, for which there is nothing here."""
        if is_module(key) and entry(key) is None:
            return self.table.mapped(key) is None and not self.book.answers_below(key)
        return entry(key) is not None and (not self.book.answers(key) or key in self.book.refusals)

    def no_rule(self, key: str) -> str:
        return f"{key} has no rule for {self.target.title} yet"

    def mark(self, node: ast.expr | ast.stmt, key: str, reason: str, code: Code | None = None) -> None:
        self.record(node, key, Outcome.MARKED, reason)
        if code is None:
            known = Code.UNSUPPORTED if self.book.answers(key) else Code.NO_RULE
            code = Code.REFUSED if key in self.book.refusals else known
        text = code.comment(reason)
        self.above_statement()[text] = text

    def differs(self, node: ast.expr | ast.stmt, key: str, reason: str) -> None:
        """What is converted and gives something else than torch: it runs, and a comment says so."""
        self.record(node, key, Outcome.DIFFERS, reason)
        text = Code.DIFFERS.comment(reason)
        self.above_statement()[text] = text

    def above_statement(self) -> dict[int | str, str]:
        """The comments to be put above the statement that is being rewritten."""
        anchor = self.here.anchor or self.here.statement
        assert anchor is not None
        first = anchor.decorator_list[0] if getattr(anchor, "decorator_list", None) else anchor  # type: ignore[attr-defined]
        return self.above.setdefault(first.lineno, {})

    def keep_comments(self, start: int, end: int, new: str) -> None:
        """Put above the statement what comments of a span its new text does not have, or not as often."""
        old = self.source.original(start, end)
        if "#" not in old:
            return
        noted = self.above_statement()
        left = Counter(comments(new))
        for row, text in comment_rows(old):
            line = self.source.line_at(start) + row
            if line in noted:
                continue
            if left[text]:
                left[text] -= 1
            else:
                noted[line] = text

    def replace(self, node: ast.AST, text: str) -> None:
        """The node's text anew; comments in it go above the statement."""
        start, end = self.source.start(node), self.source.end(node)
        self.keep_comments(start, end, text)
        self.source.edit(start, end, text, closed=isinstance(node, OPERATORS) and is_closed(text))

    def drop_idle(self, statement: ast.AST) -> None:
        """``x, y = x.to(device), y.to(device)`` of which no more is left than ``x, y = x, y`` goes."""
        if not isinstance(statement, ast.Assign) or len(statement.targets) > 1:
            return
        names, value, source = statement.targets[0], statement.value, self.source
        if not (isinstance(names, ast.Tuple) and isinstance(value, ast.Tuple)):
            return
        start, end = source.start(statement), source.end(statement)
        changed = [edit for edit in source.edits if start <= edit.start and edit.end <= end]
        plain = all(isinstance(name, ast.Name) for name in names.elts)
        if not changed or not plain or source.text(value, changed).strip("()") != source.text(names, []).strip("()"):
            return
        if statement.lineno not in self.above:
            source.edits = [edit for edit in source.edits if edit not in changed]
            self.removal.remove(statement)

    def record(self, node: ast.expr | ast.stmt, key: str, outcome: Outcome, detail: str = "") -> None:
        self.report.sites.append(Site(node.lineno, node.col_offset + 1, key, outcome, detail))
        if key in self.book.notes and outcome in RUNS:
            self.report.sites.append(Site(node.lineno, node.col_offset + 1, key, Outcome.NOTED, self.book.notes[key]))

    def result(self) -> bytes:
        """The new bytes: what was noted goes to its place."""
        if self.helper_used:
            self.table.extra.append(self.known.helper_import)
        elif self.target.setting[0] and self.table.framework:
            self.table.extra.append(f"{self.known.helper_import}  # noqa: F401  {self.target.setting[1]}")
        self.helper.makes_setting |= bool(self.target.setting[0] and (self.helper_used or self.table.framework))
        written = len(self.source.edits)
        ImportEditor(self.table, self.known.helper_import, self.known.helper, self.removal).rewrite()
        above = []
        for line, texts in self.above.items():
            indent = self.source.indentation(line)
            at = self.source.line_start(line)
            text = "".join(f"{indent}{text}{self.source.newline}" for text in texts.values())
            above.append(Edit(at, at, text))
        # Where several begin at one place: imports, comments, what the statement itself begins with.
        edits = self.source.edits
        self.source.edits = [*edits[written:], *above, *edits[:written]]
        result = self.source.result()
        self.report.status = Status.CONVERTED if self.source.edits else Status.UNCHANGED
        self.report.sites.sort(key=lambda site: (site.line, site.column))
        return result

    def spell(self, name: str) -> str:
        here = self.here
        if name.startswith(f"{HELPER}."):
            self.helper_used = True
            text = name.partition(".")[2]
            self.helper.use_ambient(text.partition(".")[0])
            return f"{self.known.helper}.{text}"
        place = here.anchor or here.statement
        line = place.lineno if place is not None else 0
        return self.table.spell(name, here.functions, here.shadowed, here.style, line)


class Within:
    """Another context of a draft for as long as the block lasts. A class: each statement is such a block."""

    __slots__ = ("draft", "here", "outer")

    def __init__(self, draft: Draft, here: Context) -> None:
        self.draft, self.here, self.outer = draft, here, draft.here

    def __enter__(self) -> None:
        self.draft.here = self.here

    def __exit__(self, *raised: object) -> None:
        self.draft.here = self.outer


class Part:
    """A piece of a file's rewriter."""

    def __init__(self, draft: Draft) -> None:
        self.draft, self.known, self.shared = draft, draft.known, draft.known.shared
        self.source, self.book, self.target = draft.source, draft.book, draft.target

    @property
    def here(self) -> Context:
        return self.draft.here


class Walk(Protocol):
    """The walk over the file, which every piece asks to rewrite what is in what it rewrites."""

    def visit(self, node: ast.expr, as_class: bool = False) -> None:
        """Rewrite an expression and what is in it."""

    def visit_parts(self, node: ast.AST) -> None:
        """Rewrite what is in a node, not the node itself."""


def shorten(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:37] + "..."


def only_held(node: ast.expr | None) -> Iterator[ast.expr | None]:
    """The parts of an expression that it holds and does not look at: itself, items of displays, what ``|`` joins."""
    parts: list[ast.expr | None] = []
    if isinstance(node, (ast.List, ast.Tuple)):
        parts += node.elts
    elif isinstance(node, ast.Dict):
        parts += node.values
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        parts += [node.left, node.right]
    yield of_chain(node)
    for part in parts:
        yield from only_held(part)


def of_chain(node: ast.expr | None) -> ast.expr | None:
    """The call in ``f(x).a.b``; else the expression itself."""
    inner = node
    while isinstance(inner, ast.Attribute):
        inner = inner.value
    return inner if isinstance(inner, ast.Call) else node
