"""One rule file read as text: what it declares, and, parsed when it is asked for, the syntax trees of its functions.

Nothing is imported: neither torch nor the target need be installed.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from rewriters.rules.becoming import BECOMES, rule_of
from rewriters.rules.families import FAMILY, rows_of, varied
from rewriters.text.parsing import expression_of, module_of
from rewriters.text.tree import walk
from rewriters.torch.table import canonical
from rewriters.weights.layout import WORDS, Layout

Declaration = list[Any]
"""["rule", keys, function's name, its line and variant, whether it is a class, layout], ["alias", key, text, spelling],
["refuse", keys, reason], ["note", keys, reason], ["same", names, layout]; a layout is its source text, "" for none."""


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


class Statement:
    """A statement at the top of a rule file, parsed when it is asked for.

    variant: which of a family's members it is, where one text stands for several (``rewriters.rules.families``).
    """

    def __init__(self, path: Path, line: int, text: str, variant: int = 0) -> None:
        self.path = path
        self.line = line
        self.text = text
        self.variant = variant

    @cached_property
    def node(self) -> ast.stmt:
        """Its syntax tree, lines counted in the file. Raises RuleError."""
        return parse(self.path, self.line, self.text)

    @cached_property
    def head(self) -> int:
        """Where in the text the ``def`` or ``class`` below decorators begins; 0 without."""
        found = DEFINED.search(self.text) if self.text.startswith("@") else None
        return found.start() if found else 0

    @property
    def defined(self) -> tuple[str, str] | None:
        """("def", name) or ("class", name)."""
        found = DEFINED.match(self.text, self.head)
        return (found[1], found[2]) if found else None

    @property
    def defined_at(self) -> int:
        """The line of its ``def`` or ``class``."""
        return self.line + self.text.count("\n", 0, self.head)

    @property
    def decorators(self) -> list[ast.expr]:
        """Parsed without what they decorate. Raises RuleError."""
        if not self.head:
            return []
        stump = parse(self.path, self.line, self.text[: self.head] + "def stump(): ...")
        assert isinstance(stump, ast.FunctionDef)
        return stump.decorator_list

    @property
    def of_rules(self) -> bool:
        """Whether it brings names from another rule file."""
        return OF_RULES.match(self.text) is not None

    def names(self) -> list[str]:
        """What it defines, assigns or imports."""
        if found := self.defined or ASSIGNED.match(self.text):
            return [found[1]]
        if IMPORTED.match(self.text) and isinstance(self.node, (ast.Import, ast.ImportFrom)):
            return [item.asname or item.name.split(".")[0] for item in self.node.names]
        return []


DEFINED = re.compile(r"^(def|class) (\w+)", re.MULTILINE)
ASSIGNED = re.compile(r"(\w+)(?:: [^=\n]+)? = ")
IMPORTED = re.compile(r"(?:import|from) ")
OF_RULES = re.compile(r"from [\w.]+\.rules\.")
NEUTRAL = re.compile(r"(?:import|from) framework\b")
NOT_A_FRAMEWORK = {"rewriters", "torch", "typing", "__future__"}
CALLED = re.compile(r"\w+\(")
CONTINUED = re.compile(r"(?:else|elif|except|finally)\b")


def parse(path: Path, line: int, text: str) -> ast.stmt:
    """One statement that begins at a line of a file. Raises RuleError."""
    try:
        return module_of("\n" * (line - 1) + text, str(path)).body[0]
    except SyntaxError as error:
        raise RuleError(f"{path}:{error.lineno}: {error.msg}") from error


def statements(path: Path, text: str) -> Iterator[Statement]:
    """The file's statements, told by what stands at the beginning of a line: parsing all of them takes longer than
    converting a small project, and few are needed.
    """
    start, within, decorated = 1, False, False
    lines: list[str] = []
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        begins = not within and (line[0].isidentifier() or line[0] in '@"') and not CONTINUED.match(line)
        if begins and not decorated:
            if lines:
                yield Statement(path, start, "".join(lines))
            start, lines = number, []
        if begins:
            decorated = line.startswith("@")
        if lines or begins:
            lines.append(line)
        within ^= line.count('"""') % 2 == 1
    if lines:
        yield Statement(path, start, "".join(lines))


def rules_folder(path: Path) -> Path:
    """A target's folder of rules that a rule file lies in; its own folder for one that lies in none."""
    return next((folder for folder in path.parents if folder.name == "rules"), path.parent)


def rule_paths(folder: Path) -> Iterator[Path]:
    """The rule files of a folder, in order: below ``rules``, in folders named as torch's modules are."""
    yield from sorted(path for path in (folder / "rules").rglob("*.py") if path.name != "__init__.py")


def name_of(path: Path) -> str:
    """A rule file's path below the target's ``rules``: ``nn/functional/pooling.py``."""
    return path.relative_to(rules_folder(path)).as_posix()


class FullNames(ast.NodeTransformer):
    """Puts full names of modules in the place of those that a rule file's imports bind."""

    def __init__(self, modules: Mapping[str, str]) -> None:
        self.modules = {name: expression_of(full) for name, full in modules.items()}

    def visit_Name(self, node: ast.Name) -> ast.expr:
        found = self.modules.get(node.id)
        return ast.copy_location(copy.deepcopy(found), node) if found is not None else node


class RuleFile:
    """A rule file. Its text is read at once, its declarations and functions when they are asked for.

    said: of a shared one, its text in a target's words (``rewriters.rules.sharing``).

    Raises RuleError, then too.
    """

    def __init__(self, path: Path, said: str | None = None) -> None:
        self.path = path
        self.name = name_of(path)
        self.shared = said is not None
        self.text = path.read_text(encoding="utf-8") if said is None else said

    def check(self) -> None:
        """Parse all of it. Raises RuleError."""
        try:
            module_of(self.text)
        except SyntaxError as error:
            raise RuleError(f"{self.path}:{error.lineno}: {error.msg}") from error

    @cached_property
    def statements(self) -> list[Statement]:
        """All of them, a family's members each by itself."""
        return [member for statement in statements(self.path, self.text) for member in self.members(statement)]

    def members(self, statement: Statement) -> list[Statement]:
        """The statement, or what it stands for. Raises RuleError."""
        if statement.text.startswith(BECOMES):
            return [self.spelled_rule(statement)]
        if not statement.text.startswith(FAMILY):
            return [statement]
        call = statement.decorators[0]
        assert isinstance(call, ast.Call)
        above = (call.end_lineno or call.lineno) - statement.line + 1
        try:
            texts = varied("\n".join(statement.text.split("\n")[above:]), rows_of(call))
        except ValueError as error:
            raise self.fail(call, str(error)) from error
        return [Statement(self.path, statement.line + above, text, number) for number, text in enumerate(texts)]

    def spelled_rule(self, statement: Statement) -> Statement:
        """The rule that a call of ``becomes`` stands for, its ``def`` on the line of that. Raises RuleError."""
        assert isinstance(statement.node, ast.Expr)
        assert isinstance(statement.node.value, ast.Call)
        try:
            return Statement(self.path, statement.line - 1, rule_of(statement.node.value))
        except ValueError as error:
            raise self.fail(statement.node, str(error)) from error

    @cached_property
    def by_name(self) -> dict[str, Statement]:
        return {name: statement for statement in self.statements for name in statement.names()}

    @property
    def assigned(self) -> list[str]:
        """The names that it gives values to, neither functions nor classes."""
        return [found[1] for one in self.statements if not one.defined and (found := ASSIGNED.match(one.text))]

    @cached_property
    def by_line(self) -> dict[tuple[int, int], Statement]:
        """Its functions and classes by the line of their ``def`` and by variant: overloads share a name."""
        return {(one.defined_at, one.variant): one for one in self.statements if one.defined}

    @cached_property
    def modules(self) -> dict[str, str]:
        """What its import statements bind under another name than the full one: jnp -> jax.numpy."""
        found: dict[str, str] = {}
        for one in self.statements:
            if not IMPORTED.match(one.text) or not isinstance(one.node, (ast.Import, ast.ImportFrom)):
                continue
            owner = f"{one.node.module}." if isinstance(one.node, ast.ImportFrom) else ""
            if owner.partition(".")[0] in NOT_A_FRAMEWORK:
                continue
            found |= {item.asname or item.name: owner + item.name for item in one.node.names if owner or item.asname}
        return found

    def full(self, name: str) -> str:
        """A dotted name with the full one of the module that it begins with."""
        head, dot, rest = name.partition(".")
        return self.modules.get(head, head) + dot + rest

    def names(self, name: str) -> bool:
        """Whether it imports what a dotted name begins with, which may be a full one."""
        modules = self.modules.values()
        return name.partition(".")[0] in self.by_name or any(name.startswith(f"{module}.") for module in modules)

    def spelled_out(self, definition: ast.FunctionDef | ast.ClassDef) -> ast.FunctionDef | ast.ClassDef:
        """The definition with full names of modules, itself where it has such alone."""
        own = {part.arg for part in walk(definition) if isinstance(part, ast.arg)}
        named = {part.id for part in walk(definition) if isinstance(part, ast.Name)} - own
        meant = {name: full for name, full in self.modules.items() if name in named}
        if not meant:
            return definition
        spelled: ast.FunctionDef | ast.ClassDef = FullNames(meant).visit(copy.deepcopy(definition))
        return spelled

    def text_around(self, node: ast.stmt) -> str:
        """The file's text, in which the definition stands as it is meant: of a family, this member."""
        variant = 0
        while (found := self.by_line.get((node.lineno, variant))) is not None:
            if found.node is node:
                return "\n" * (found.line - 1) + found.text
            variant += 1
        return self.text

    # -- declarations -----------------------------------------------------------------------------------------------

    def declarations(self) -> Iterator[Declaration]:
        """In the file's order. Raises RuleError."""
        for statement in self.statements:
            if statement.defined:
                for decorator in statement.decorators:
                    if isinstance(decorator, ast.Call) and dotted(decorator.func) == "rule":
                        yield self.rule(statement, decorator)
            elif CALLED.match(statement.text) and isinstance(statement.node, ast.Expr):
                call = statement.node.value
                assert isinstance(call, ast.Call)
                yield from self.declared(call)
            elif NEUTRAL.match(statement.text):
                raise RuleError(f"{self.path}:{statement.line}: only shared rules say framework; name the target's own")

    def rule(self, statement: Statement, decorator: ast.Call) -> Declaration:
        assert statement.defined
        keys = [self.key(argument) for argument in decorator.args]
        kind, name = statement.defined
        where = [statement.defined_at, statement.variant]
        return ["rule", keys, name, where, kind == "class", self.layout_text(decorator)]

    def declared(self, call: ast.Call) -> Iterator[Declaration]:
        kind = dotted(call.func)
        if kind == "alias":
            text = ast.literal_eval(call.args[1])
            yield ["alias", self.key(call.args[0]), self.full(text), dotted(call.args[0])]
        elif kind in ("refuse", "note"):
            *names, reason = call.args
            yield [kind, [self.key(name) for name in names], ast.literal_eval(reason)]
        elif kind == "same":
            same = [canonical(ast.literal_eval(argument)) for argument in call.args]
            yield ["same", same, self.layout_text(call)]

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
    node = expression_of(text)
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
