"""The state of one file's rewriting, its report, comments above statements, and the helper module."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections import Counter

from rewriters.infer.values import ModuleInfo
from rewriters.report import RUNS, Code, FileReport, Outcome, Site
from rewriters.rewrite import imports
from rewriters.rewrite.class_names import asks
from rewriters.rewrite.class_uses import Travel, class_names, hashed, uses_of_classes
from rewriters.rewrite.helper_module import HelperModule
from rewriters.rules.render import Printer
from rewriters.rules.rulebook import Rule, Rulebook
from rewriters.rules.tidy import Signatures
from rewriters.target import Target
from rewriters.text.precedence import PLACING, places
from rewriters.text.removal import Removal
from rewriters.text.source_text import Source, comment_rows, comments
from rewriters.text.tree import Nodes


class Marks(ABC):
    """What the parts of the rewriter share."""

    def __init__(
        self,
        source: Source,
        module: ModuleInfo,
        target: Target,
        book: Rulebook,
        signatures: Signatures,
        helper: HelperModule,
        helper_import: str,
        helper_call: str,
        keys: dict[ast.AST, str],
        handed_on: set[str],
        variants: frozenset[str],
        travel: Travel,
    ) -> None:
        self.source = source
        self.module = module
        self.target = target
        self.book = book
        self.signatures = signatures
        self.helper = helper
        self.helper_import = helper_import
        self.helper_call = helper_call
        self.keys = keys
        # Keys of special rules that answer somewhere in the project.
        self.variants = variants
        self.table = imports.collect(source, target, module.scope)
        for binding in self.table.bindings:
            star = "*" in handed_on and not binding.name.startswith("_")
            if binding.scope is None and (star or binding.name in handed_on):
                binding.kept = True
        self.removal = Removal(source)
        self.report = FileReport(str(module.path))
        self.functions: list[ast.AST] = []
        self.shadowed: set[str] = set()
        self.anchor: ast.stmt | None = None
        self.statement: ast.stmt | None = None
        # Comments to be put above the statement of a line: those of the source by their own line, ours by their text.
        self.above: dict[int, dict[int | str, str]] = {}
        self.helper_used = False
        self.needed = places(source.nodes.of(*PLACING))
        self.tested = tested(source.nodes)
        self.taken_apart = taken_apart(source.nodes)
        self.class_names = class_names(source.nodes) - handed_on - travel.read_elsewhere[module]
        self.displays, self.dicts = uses_of_classes(source.nodes, handed_on | travel.read_elsewhere[module])
        self.classes_travel = travel.classes
        self.keywords = travel.keywords
        self.resetting = travel.resetting
        self.given_tensors = travel.tensors
        self.words = travel.words
        self.hashed = hashed(source.nodes)
        self.names_asked = asks(source.nodes)
        # Quotes of the f-strings around the node that is being rewritten.
        self.quotes: set[str] = set()
        # Whether the node is in the classes of an isinstance.
        self.in_class_test = False
        self.in_pattern = False
        self.in_bases = False
        # Calls of a base's constructor that become calls of the target's, and torch's name of the base.
        self.constructions: dict[ast.Call, str] = {}
        self.rebindable = {name for node in source.nodes.of(ast.Global, ast.Nonlocal) for name in node.names}
        self.style: imports.Binding | None = None
        quote = "'" if source.buffer.count(b"'") > source.buffer.count(b'"') else '"'
        self.printer = Printer(target.packages, self.spell, quote)

    @abstractmethod
    def visit(self, node: ast.expr, as_class: bool = False) -> None:
        """Rewrite an expression and what is in it."""

    @abstractmethod
    def visit_parts(self, node: ast.AST) -> None:
        """Rewrite what is in a node, not the node itself."""

    def helper_text(self, rules: list[Rule]) -> str:
        self.helper_used = True
        return f"{self.helper_call}.{self.helper.use(rules)}"

    def stand_in(self, key: str) -> str:
        self.helper_used = True
        self.helper.stand_in = True
        return f"{self.helper_call}.{key.partition(':')[0]}"

    def no_rule(self, key: str) -> str:
        return f"{key} has no rule for {self.target.title} yet"

    def mark(self, node: ast.expr, key: str, reason: str, code: Code | None = None) -> None:
        self.record(node, key, Outcome.MARKED, reason)
        if code is None:
            known = Code.UNSUPPORTED if self.book.answers(key) else Code.NO_RULE
            code = Code.REFUSED if key in self.book.refusals else known
        text = code.comment(reason)
        self.above_statement()[text] = text

    def differs(self, node: ast.expr, key: str, reason: str) -> None:
        """What is converted and gives something else than torch: it runs, and a comment says so."""
        self.record(node, key, Outcome.DIFFERS, reason)
        text = Code.DIFFERS.comment(reason)
        self.above_statement()[text] = text

    def above_statement(self) -> dict[int | str, str]:
        """The comments to be put above the statement that is being rewritten."""
        anchor = self.anchor or self.statement
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

    def record(self, node: ast.expr, key: str, outcome: Outcome, detail: str = "") -> None:
        self.report.sites.append(Site(node.lineno, node.col_offset + 1, key, outcome, detail))
        if key in self.book.notes and outcome in RUNS:
            self.report.sites.append(Site(node.lineno, node.col_offset + 1, key, Outcome.NOTED, self.book.notes[key]))

    def spell(self, name: str) -> str:
        place = self.anchor or self.statement
        line = place.lineno if place is not None else 0
        return self.table.spell(name, self.functions, self.shadowed, self.style, line)


def shorten(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:37] + "..."


PARTS = {"values": 0, "indices": 1}


def taken_apart(nodes: Nodes) -> dict[ast.AST, tuple[ast.expr, int] | None]:
    """Calls of whose pair of results nothing is left: unpacked (None), or (the expression that takes one, which)."""
    found: dict[ast.AST, tuple[ast.expr, int] | None] = {}
    for node in nodes.of(ast.Assign):
        if len(node.targets) == 1 and isinstance(node.targets[0], (ast.Tuple, ast.List)):
            parts = node.targets[0].elts
            if len(parts) == 2 and not any(isinstance(part, ast.Starred) for part in parts):
                found[node.value] = None
    for node in nodes.of(ast.Subscript):
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if index in (0, 1) and type(index) is int and isinstance(node.ctx, ast.Load):
            found[node.value] = (node, index)
    for node in nodes.of(ast.Attribute):
        if node.attr in PARTS and isinstance(node.ctx, ast.Load):
            found[node.value] = (node, PARTS[node.attr])
    return found


def tested(nodes: Nodes) -> set[ast.AST]:
    """Expressions of which only the truth or the identity matters."""
    found: set[ast.AST] = {node.test for node in nodes.of(ast.If, ast.While, ast.IfExp, ast.Assert)}
    found |= {node.operand for node in nodes.of(ast.UnaryOp) if isinstance(node.op, ast.Not)}
    for node in nodes.of(ast.Compare):
        if all(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
            found |= {node.left, *node.comparators}
    return found.union(*(node.values for node in nodes.of(ast.BoolOp)))
