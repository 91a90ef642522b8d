"""One rule file read as text: what it declares, and, parsed when it is asked for, the syntax trees of its functions.

Nothing is imported: neither torch nor the target need be installed. Parsing all files of a target takes longer than
converting a small project, so what they declare is remembered in the user's cache folder, under a hash of their texts.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from rewriters.layout import WORDS, Layout
from rewriters.source.table import canonical
from rewriters.storing import home, keep

Declaration = list[Any]
"""["rule", keys, function's name, its line, whether it is a class, layout], ["alias", key, text, spelling],
["refuse", keys, reason], ["same", names, layout]; a layout is its source text, "" for none."""
FORMAT = 1
KEPT = 16  # entries of the cache


class RuleError(ValueError):
    """A rule file that cannot be read; the message begins with file:line."""


def dotted(node: ast.AST) -> str | None:
    """``a.b.c`` as text, None for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(parts)])


class RuleFile:
    """A rule file. Its text is read at once, the rest on demand. Raises RuleError, then too."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        try:
            return ast.parse(self.text, filename=str(self.path))
        except SyntaxError as error:
            raise RuleError(f"{self.path}:{error.lineno}: {error.msg}") from error

    @cached_property
    def definitions(self) -> dict[str, ast.stmt]:
        """What the file defines and imports, by name: what rules may use."""
        found: dict[str, ast.stmt] = {}
        for statement in self.tree.body:
            if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                found[statement.name] = statement
            elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                found[statement.targets[0].id] = statement
            elif isinstance(statement, (ast.Import, ast.ImportFrom)):
                for item in statement.names:
                    found[item.asname or item.name.split(".")[0]] = statement
        return found

    @cached_property
    def by_line(self) -> dict[int, ast.FunctionDef | ast.ClassDef]:
        """Its functions and classes by the line of their ``def``: overloads share a name."""
        found = (part for part in self.tree.body if isinstance(part, (ast.FunctionDef, ast.ClassDef)))
        return {part.lineno: part for part in found}

    # -- declarations -----------------------------------------------------------------------------------------------

    def declarations(self) -> Iterator[Declaration]:
        """In the file's order."""
        for statement in self.tree.body:
            if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                for decorator in statement.decorator_list:
                    if isinstance(decorator, ast.Call) and dotted(decorator.func) == "rule":
                        yield self.rule(statement, decorator)
            elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
                yield from self.declared(statement.value)

    def rule(self, function: ast.FunctionDef | ast.ClassDef, decorator: ast.Call) -> Declaration:
        keys = [self.key(argument) for argument in decorator.args]
        is_class = isinstance(function, ast.ClassDef)
        return ["rule", keys, function.name, function.lineno, is_class, self.layout_text(decorator)]

    def declared(self, call: ast.Call) -> Iterator[Declaration]:
        kind = dotted(call.func)
        if kind == "alias":
            yield ["alias", self.key(call.args[0]), ast.literal_eval(call.args[1]), dotted(call.args[0])]
        elif kind == "refuse":
            *refused, reason = call.args
            yield ["refuse", [self.key(name) for name in refused], ast.literal_eval(reason)]
        elif kind == "same":
            names = [canonical(ast.literal_eval(argument)) for argument in call.args]
            yield ["same", names, self.layout_text(call)]

    def fail(self, node: ast.AST, message: str) -> RuleError:
        return RuleError(f"{self.path}:{getattr(node, 'lineno', 0)}: {message}")

    def key(self, node: ast.expr) -> str:
        text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else dotted(node)
        if text is None or text.split(".")[0] == "rewriters":
            raise self.fail(node, "a key is a dotted torch name")
        return canonical(text)

    def layout_text(self, call: ast.Call) -> str:
        """The source of ``layout=``, checked."""
        node = next((word.value for word in call.keywords if word.arg == "layout"), None)
        if node is None:
            return ""
        if not isinstance(node, ast.Dict):
            raise self.fail(node, "layout is a dict literal")
        for name, value in zip(node.keys, node.values, strict=True):
            if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
                raise self.fail(value, "a layout's key is the name of a parameter")
            word = value.func if isinstance(value, ast.Call) else value
            if not isinstance(word, ast.Name) or word.id not in WORDS:
                raise self.fail(value, f"unknown layout; known: {', '.join(sorted(WORDS))}")
        return ast.unparse(node)


def layout_of(text: str) -> dict[str, Layout]:
    """What ``layout_text`` says."""
    found: dict[str, Layout] = {}
    if not text:
        return found
    node = ast.parse(text, mode="eval").body
    assert isinstance(node, ast.Dict)
    for name, value in zip(node.keys, node.values, strict=True):
        assert isinstance(name, ast.Constant)
        assert isinstance(name.value, str)
        if isinstance(value, ast.Call):
            assert isinstance(value.func, ast.Name)
            arguments = [ast.literal_eval(argument) for argument in value.args]
            keywords = {word.arg: ast.literal_eval(word.value) for word in value.keywords if word.arg}
            found[name.value] = WORDS[value.func.id](*arguments, **keywords)
        else:
            assert isinstance(value, ast.Name)
            found[name.value] = WORDS[value.id]
    return found


def declarations_of(files: Iterable[RuleFile]) -> Mapping[Path, list[Declaration]]:
    """What each file declares. Raises RuleError."""
    files = list(files)
    digest = hashlib.blake2b(f"{FORMAT} {canonical_names()}".encode(), digest_size=16)
    for file in files:
        digest.update(f"{file.path.name} {len(file.text)}\n{file.text}".encode())
    place = home() / "rules" / f"{digest.hexdigest()}.json"
    try:
        known: list[list[Declaration]] = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        known = [list(file.declarations()) for file in files]
        keep(place, json.dumps(known).encode())
        forget_old(place.parent)
    return {file.path: declared for file, declared in zip(files, known, strict=True)}


def canonical_names() -> str:
    """What keys are made canonical by: another table of torch's names makes other keys."""
    tables = sorted((Path(__file__).parent / "source").glob("*.json"))
    return " ".join(f"{path.name}:{path.stat().st_size}:{path.stat().st_mtime_ns}" for path in tables)


def forget_old(folder: Path) -> None:
    """Remove all but the latest entries."""
    try:
        for old in sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime)[:-KEPT]:
            old.unlink(missing_ok=True)
    except OSError:
        return  # another run was quicker
