"""Rule files read as text: what each torch name becomes in a target.

Nothing is imported: neither torch nor the target need be installed.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from rewriters.rules.memory import Memory
from rewriters.rules.refusal_table import RefusalTable
from rewriters.rules.rule_file import Declaration, RuleError, RuleFile, dotted, layout_of, rule_paths, rules_folder
from rewriters.rules.sharing import FOLDER, OWN, SHARED, shared_files
from rewriters.rules.specificity import Tie, in_order
from rewriters.text.tree import walk
from rewriters.torch.table import no_api, python_names, table, version_of
from rewriters.weights.layout import Layout

__all__ = ["Rule", "RuleError", "Rulebook", "dotted", "load_rulebook", "rule_files"]


NO_API = "no public API of torch: its modules have it for themselves; import it from where it is defined, or go without"


@dataclass(frozen=True, eq=False)
class Rule:
    """One function of a rule file, or one class: that is what the target lacks, and is emitted whole.

    keys:   canonical torch names it answers for.
    name:   the function's, several of one file may have the same.
    line:   of its ``def``.
    variant: which of the family's members it is, where the text stands for several.
    """

    keys: tuple[str, ...]
    name: str
    line: int
    source: RuleFile
    is_class: bool
    layout: Mapping[str, Layout] = field(default_factory=dict)
    variant: int = 0

    @property
    def file(self) -> Path:
        return self.source.path

    @cached_property
    def written(self) -> ast.FunctionDef | ast.ClassDef:
        """Its syntax tree as the file has it; the decorators are not part of the emitted text."""
        node = self.source.by_line[self.line, self.variant].node
        assert isinstance(node, (ast.FunctionDef, ast.ClassDef))
        return node

    @cached_property
    def node(self) -> ast.FunctionDef | ast.ClassDef:
        """The same with full names of modules: jax.numpy.concatenate for the file's jnp.concatenate."""
        return self.source.spelled_out(self.written)

    @cached_property
    def rebinds(self) -> bool:
        """Whether it binds its receiver anew: no function can do that for its caller."""
        return any(
            isinstance(part, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "self" for t in part.targets)
            for part in walk(self.node)
        )

    @cached_property
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
        return f"{'shared/rules/' if self.source.shared else ''}{self.source.name}:{self.line}"

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(eq=False)
class Rulebook:
    """All that a target's rule files declare, by canonical torch name."""

    # Of each name, the most specific first.
    rules: dict[str, list[Rule]] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    # Aliases under another of torch's names for the same thing: torch.long -> oneflow.long
    spelled: dict[str, str] = field(default_factory=dict)
    same: set[str] = field(default_factory=set)
    # Those of them that rule files say, the others being the proof's.
    said_same: set[str] = field(default_factory=set)
    refusals: dict[str, str] = field(default_factory=dict)
    # Of whole packages, "torchvision.models.detection": all names below that nothing else answers for.
    refused_below: dict[str, str] = field(default_factory=dict)
    # What the report says of a name's uses besides.
    notes: dict[str, str] = field(default_factory=dict)
    layouts: dict[str, dict[str, Layout]] = field(default_factory=dict)
    files: dict[Path, RuleFile] = field(default_factory=dict)

    @cached_property
    def own(self) -> Path:
        """The folder of the target's own rules."""
        return next((rules_folder(path) for path, file in self.files.items() if not file.shared), Path())

    @cached_property
    def memory(self) -> Memory:
        """What follows from the rule files; the book is complete by then."""
        return Memory(self.files.values())

    def answers(self, name: str) -> bool:
        known = name in self.rules or name in self.aliases or name in self.same or name in self.refusals
        return known or version_of(name) is not None

    def answers_below(self, module: str) -> bool:
        """Whether it answers for anything in the module."""
        tables = (self.rules, self.aliases, self.same)
        return any(name.startswith(f"{module}.") for table in tables for name in table)

    def definition(self, file: Path, name: str) -> tuple[Path, str, ast.stmt]:
        """Where a rule file's name is defined, there or in one that it imports it from: (file, name there, what)."""
        found = self.files[file].by_name[name].node
        if not isinstance(found, ast.ImportFrom) or ".rules." not in (found.module or ""):
            return file, name, found
        of, _, below = (found.module or "").partition(".rules.")
        folder = {SHARED: FOLDER / "rules", OWN: self.own}.get(of, rules_folder(file))
        other = folder / f"{below.replace('.', '/')}.py"
        own = next(item.name for item in found.names if (item.asname or item.name) == name)
        if other not in self.files or own not in self.files[other].by_name:
            raise RuleError(f"{file}:{found.lineno}: {other} defines no {own}")
        return other, own, self.files[other].by_name[own].node

    def for_any_rank(self, key: str) -> list[Rule]:
        """The rules of a name that between them take tensors of any number of axes: a layer takes all others itself."""
        return [*self.rules[key], *(self.rules["torch.nn.Module:any_rank"] if key.endswith(":call") else [])]

    def overloads(self, file: Path, name: str) -> list[Rule]:
        """The rules that a file has under one function name, in its order: what its other rules mean by the name."""
        return by_function(self).get((file, name), [])


def hands_on(rule: Rule, key: str) -> bool:
    """Whether the rule is the target's method of the same name, for any arguments: a starred call of it stays."""
    spec = rule.parameters
    result = rule.node.body[-1]
    call = result.value if isinstance(result, ast.Return) else None
    if not (isinstance(call, ast.Call) and spec.vararg and not spec.vararg.annotation and len(rule.node.body) == 1):
        return False
    given = [part.value for part in call.args if isinstance(part, ast.Starred)]
    return (
        [part.arg for part in spec.args] == ["self"]
        and not (spec.kwonlyargs or spec.kwarg or call.keywords)
        and dotted(call.func) == f"self.{key.rpartition('.')[2]}"
        and len(call.args) == len(given) == 1
        and dotted(given[0]) == spec.vararg.arg
    )


@cache
def by_function(book: Rulebook) -> dict[tuple[Path, str], list[Rule]]:
    """The rules by their file and function's name; the book is complete by then."""
    found: dict[tuple[Path, str], set[Rule]] = {}
    for rules in book.rules.values():
        for rule in rules:
            found.setdefault((rule.file, rule.name), set()).add(rule)
    return {key: sorted(group, key=lambda rule: (rule.line, rule.variant)) for key, group in found.items()}


def by_specificity(rules: Sequence[Rule], supplied: Collection[str]) -> list[int]:
    """Their places in the sequence, the most specific first. Raises RuleError where two say equally much."""
    try:
        return in_order(rules, supplied)
    except Tie as tie:
        raise RuleError(str(tie)) from tie


def by_name_in_order(several: Mapping[str, Sequence[Rule]], files: Sequence[RuleFile]) -> dict[str, list[int]]:
    """By specificity, where no call gives what the target supplies: what its files assign (``Target.ambient``)."""
    supplied = {name for file in files if not file.shared for name in file.assigned}
    return {key: by_specificity(rules, supplied) for key, rules in several.items()}


def names_of(declaration: Declaration) -> list[str]:
    """What it answers for: an alias under another of torch's names for the same thing, for that one alone."""
    kind, keys, *rest = declaration
    return [rest[1] or keys] if kind == "alias" else keys


def left(declarations: Iterable[Declaration], own: Container[str]) -> Iterator[Declaration]:
    """What shared rule files declare of names for which the target's own declare nothing."""
    for declaration in declarations:
        kind, keys, *rest = declaration
        if names := [name for name in names_of(declaration) if name not in own]:
            yield [kind, keys if kind == "alias" else names, *rest]


def apply(book: Rulebook, file: RuleFile | RefusalTable, declarations: Iterable[Declaration]) -> None:
    """Put what a file declares into the book."""
    if isinstance(file, RuleFile):
        book.files[file.path] = file
    for kind, *rest in declarations:
        if kind == "rule":
            keys, name, (line, variant), is_class, layout = rest
            assert isinstance(file, RuleFile)
            entry = Rule(tuple(keys), name, line, file, is_class, layout_of(layout), variant)
            for key in dict.fromkeys(keys):
                book.rules.setdefault(key, []).append(entry)
                book.layouts.setdefault(key, {}).update(entry.layout)
        elif kind == "alias":
            key, text, spelling = rest
            if spelling is not None and spelling != key:
                book.spelled[spelling] = text
            else:
                book.aliases[key] = text
        elif kind == "refuse":
            keys, reason = rest
            book.refusals.update((key, reason) for key in keys if not key.endswith(".*"))
            book.refused_below.update((key.removesuffix(".*"), reason) for key in keys if key.endswith(".*"))
        elif kind == "note":
            keys, reason = rest
            book.notes.update(dict.fromkeys(keys, reason))
        else:
            names, layout = rest
            for name in names:
                book.same.add(name)
                book.said_same.add(name)
                book.layouts.setdefault(name, {}).update(layout_of(layout))


def declarations(files: Sequence[RuleFile], refused: RefusalTable | None) -> list[list[Declaration]]:
    """What each file declares, the table of refusals last. Raises RuleError."""
    found = [list(file.declarations()) for file in files]
    own = [one for file, declared in zip(files, found, strict=True) if not file.shared for one in declared]
    of_table = list(refused.declarations(own)) if refused else []
    names = {name for one in [*own, *of_table] if one[0] != "note" for name in names_of(one)}
    kept = [
        list(left(declared, names)) if file.shared else declared for file, declared in zip(files, found, strict=True)
    ]
    return [*kept, of_table] if refused else kept


def read(files: Sequence[RuleFile], refused: RefusalTable | None = None) -> Rulebook:
    """A book of these files' declarations. Raises RuleError."""
    book = Rulebook()
    texts: list[RuleFile | RefusalTable] = [*files, *([refused] if refused else [])]
    memory = Memory(texts)
    declared = memory.recall("declarations", lambda: declarations(files, refused))
    for text, those in zip(texts, declared, strict=True):
        apply(book, text, those)
    several = {key: rules for key, rules in book.rules.items() if len(rules) > 1}
    orders = memory.recall("orders", lambda: by_name_in_order(several, files))
    book.rules.update((key, [several[key][place] for place in places]) for key, places in orders.items())
    return book


def rule_files(folder: Path) -> list[RuleFile]:
    """The rule files of the target in a folder: its own, and those that it shares with others. Raises RuleError."""
    return [*map(RuleFile, rule_paths(folder)), *shared_files(folder)]


def refusal_table(folder: Path) -> RefusalTable | None:
    """The table of what the target in a folder refuses, if it has one."""
    path = folder / "refusals.toml"
    return RefusalTable(path) if path.is_file() else None


@cache
def load_rulebook(folder: Path, extra: tuple[Path, ...] = ()) -> Rulebook:
    """The rules of the target in ``folder``; a project's own files (``extra``) answer first.

    Raises RuleError naming file and line.
    """
    book = read(rule_files(folder), refusal_table(folder))
    book.same |= {name for name in proved_same(folder) if not book.answers(name)}
    if extra:
        own = read([RuleFile(path) for path in extra])
        for file in own.files.values():
            file.check()
        overlay(book, own)
    refuse_the_rest(book)
    return book


def refuse_the_rest(book: Rulebook) -> None:
    """Where nothing answers: the reason of the nearest package that is refused; of what is no one's API, that."""
    answered = {*book.rules, *book.aliases, *book.same, *book.refusals, *python_names()}
    reasons: dict[str, str] = {}
    for name in table()["names"] if book.refused_below else ():
        owner = name.rpartition(".")[0]
        if owner not in reasons:
            package = owner
            while package and package not in book.refused_below:
                package = package.rpartition(".")[0]
            reasons[owner] = book.refused_below.get(package, "")
        if reasons[owner] and name not in answered:
            book.refusals[name] = reasons[owner]
    for name in no_api():
        if name not in answered:
            book.refusals.setdefault(name, NO_API)


def proved_same(folder: Path) -> list[str]:
    """Names that the proof found to be the same on all of torch's samples: the generated ``same.json``."""
    path = folder / "records" / "same.json"
    return list(json.loads(path.read_text(encoding="utf-8"))["names"]) if path.is_file() else []


def overlay(book: Rulebook, own: Rulebook) -> None:
    """The project's declarations replace the target's under the same key."""
    answered = {*own.rules, *own.aliases, *own.same, *own.refusals}
    tables: tuple[Any, ...] = (book.rules, book.aliases, book.refusals, book.notes)
    for declared in tables:
        for name in answered:
            declared.pop(name, None)
    book.same -= answered
    book.rules.update(own.rules)
    book.aliases.update(own.aliases)
    book.same |= own.same
    book.refusals.update(own.refusals)
    book.refused_below.update(own.refused_below)
    book.notes.update(own.notes)
    book.layouts.update(own.layouts)
    book.files.update(own.files)
