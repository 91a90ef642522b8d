"""Rule files read as text: what each torch name becomes in a target.

Nothing is imported: neither torch nor the target need be installed.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from rewriters.layout import WORDS as LAYOUTS
from rewriters.layout import Layout
from rewriters.source.table import canonical


class RuleError(ValueError):
    """A rule file that cannot be read; the message begins with file:line."""


@dataclass(frozen=True, eq=False)
class Rule:
    """One function of a rule file, or one class: that is what the target lacks, and is emitted whole.

    keys:   canonical torch names it answers for.
    node:   its syntax tree; the decorators are not part of the emitted text.
    """

    keys: tuple[str, ...]
    node: ast.FunctionDef | ast.ClassDef
    file: Path
    layout: Mapping[str, Layout] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def is_class(self) -> bool:
        return isinstance(self.node, ast.ClassDef)

    @property
    def parameters(self) -> ast.arguments:
        """The function's, or those that constructing the class takes."""
        if isinstance(self.node, ast.FunctionDef):
            return self.node.args
        made = (part for part in self.node.body if isinstance(part, ast.FunctionDef) and part.name == "__init__")
        spec = next((part.args for part in made), None)
        if spec is None:
            return ast.arguments([], [], None, [], [], None, [])
        return ast.arguments(
            spec.posonlyargs, spec.args[1:], spec.vararg, spec.kwonlyargs, spec.kw_defaults, spec.kwarg, spec.defaults
        )

    @property
    def where(self) -> str:
        return f"{self.file.name}:{self.node.lineno}"


@dataclass(eq=False)
class Rulebook:
    """All that a target's rule files declare, by canonical torch name."""

    rules: dict[str, list[Rule]] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    # Aliases under another of torch's names for the same thing: torch.long -> oneflow.long
    spelled: dict[str, str] = field(default_factory=dict)
    same: set[str] = field(default_factory=set)
    refusals: dict[str, str] = field(default_factory=dict)
    layouts: dict[str, dict[str, Layout]] = field(default_factory=dict)
    # Per rule file: its source text and the definitions that rules may call, for the emitted helper.
    sources: dict[Path, str] = field(default_factory=dict)
    definitions: dict[Path, dict[str, ast.stmt]] = field(default_factory=dict)

    def answers(self, name: str) -> bool:
        return name in self.rules or name in self.aliases or name in self.same or name in self.refusals

    def overloads(self, file: Path, name: str) -> list[Rule]:
        """The rules that a file has under one function name, in its order."""
        found = {
            rule.node: rule for rules in self.rules.values() for rule in rules if (rule.file, rule.name) == (file, name)
        }
        return sorted(found.values(), key=lambda rule: rule.node.lineno)


def dotted(node: ast.AST) -> str | None:
    """``a.b.c`` as text, None for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(parts)])


class Reader:
    """Reads one rule file into a rulebook."""

    def __init__(self, path: Path, book: Rulebook) -> None:
        self.path = path
        self.book = book
        self.text = path.read_text(encoding="utf-8")
        try:
            self.tree = ast.parse(self.text, filename=str(path))
        except SyntaxError as error:
            raise RuleError(f"{path}:{error.lineno}: {error.msg}") from error
        self.lists: dict[str, list[str]] = {}

    def fail(self, node: ast.AST, message: str) -> RuleError:
        return RuleError(f"{self.path}:{getattr(node, 'lineno', 0)}: {message}")

    def read(self) -> None:
        self.book.sources[self.path] = self.text
        definitions = self.book.definitions.setdefault(self.path, {})
        for statement in self.tree.body:
            if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                declared = [d for d in statement.decorator_list if self.call_name(d) == "rule"]
                if declared:
                    for decorator in declared:
                        self.read_rule(statement, decorator)
                definitions[statement.name] = statement
            elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                definitions[statement.targets[0].id] = statement
            elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
                self.read_declaration(statement.value)
            elif isinstance(statement, (ast.Import, ast.ImportFrom)):
                for item in statement.names:
                    definitions[item.asname or item.name.split(".")[0]] = statement

    def call_name(self, node: ast.AST) -> str | None:
        return dotted(node.func) if isinstance(node, ast.Call) else None

    def key(self, node: ast.expr) -> str:
        text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else dotted(node)
        if text is None or text.split(".")[0] == "rewriters":
            raise self.fail(node, "a key is a dotted torch name")
        return canonical(text)

    def layout(self, node: ast.expr | None) -> dict[str, Layout]:
        if node is None:
            return {}
        if not isinstance(node, ast.Dict):
            raise self.fail(node, "layout is a dict literal")
        found: dict[str, Layout] = {}
        for name, value in zip(node.keys, node.values, strict=True):
            if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
                raise self.fail(value, "a layout's key is the name of a parameter")
            if isinstance(value, ast.Name) and value.id in LAYOUTS:
                found[name.value] = LAYOUTS[value.id]
            elif isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in LAYOUTS:
                arguments = [ast.literal_eval(argument) for argument in value.args]
                keywords = {word.arg: ast.literal_eval(word.value) for word in value.keywords if word.arg}
                found[name.value] = LAYOUTS[value.func.id](*arguments, **keywords)
            else:
                raise self.fail(value, f"unknown layout; known: {', '.join(sorted(LAYOUTS))}")
        return found

    def read_rule(self, function: ast.FunctionDef | ast.ClassDef, decorator: ast.expr) -> None:
        assert isinstance(decorator, ast.Call)
        keys = tuple(self.key(argument) for argument in decorator.args)
        layout = self.layout(next((word.value for word in decorator.keywords if word.arg == "layout"), None))
        entry = Rule(keys, function, self.path, layout)
        for key in keys:
            self.book.rules.setdefault(key, []).append(entry)
            self.book.layouts.setdefault(key, {}).update(layout)

    def read_declaration(self, call: ast.Call) -> None:
        kind = dotted(call.func)
        if kind == "alias":
            key, text = self.key(call.args[0]), ast.literal_eval(call.args[1])
            raw = dotted(call.args[0])
            if raw is not None and raw != key:
                self.book.spelled[raw] = text
            else:
                self.book.aliases[key] = text
        elif kind == "refuse":
            *refused, reason = call.args
            self.book.refusals.update({self.key(name): ast.literal_eval(reason) for name in refused})
        elif kind == "same":
            layout = self.layout(next((word.value for word in call.keywords if word.arg == "layout"), None))
            for argument in call.args:
                name = canonical(ast.literal_eval(argument))
                self.book.same.add(name)
                self.book.layouts.setdefault(name, {}).update(layout)


def rule_files(folder: Path) -> Iterator[Path]:
    """The rule files of a target's folder, in order."""
    yield from sorted(path for path in (folder / "rules").glob("*.py") if path.name != "__init__.py")


@cache
def load_rulebook(folder: Path, extra: tuple[Path, ...] = ()) -> Rulebook:
    """The rules of the target in ``folder``; a project's own files (``extra``) answer first.

    Raises RuleError naming file and line.
    """
    book = Rulebook()
    for path in extra:
        Reader(path, book).read()
    own: Rulebook = book
    if extra:
        book = Rulebook()
    for path in rule_files(folder):
        Reader(path, book).read()
    book.same |= {name for name in proved_same(folder) if not book.answers(name)}
    if own is not book:
        overlay(book, own)
    return book


def proved_same(folder: Path) -> list[str]:
    """Names that the proof found to be the same on all of torch's samples: the generated ``same.json``."""
    path = folder / "same.json"
    return list(json.loads(path.read_text(encoding="utf-8"))["names"]) if path.is_file() else []


def overlay(book: Rulebook, own: Rulebook) -> None:
    """The project's declarations replace the target's under the same key."""
    answered = {*own.rules, *own.aliases, *own.same, *own.refusals}
    tables: tuple[Any, ...] = (book.rules, book.aliases, book.refusals)
    for table in tables:
        for name in answered:
            table.pop(name, None)
    book.same -= answered
    book.rules.update(own.rules)
    book.aliases.update(own.aliases)
    book.same |= own.same
    book.refusals.update(own.refusals)
    book.layouts.update(own.layouts)
    book.sources.update(own.sources)
    book.definitions.update(own.definitions)
