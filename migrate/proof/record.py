"""What the proof found of one name's rule, and of which text of the rule it is."""

from __future__ import annotations

import ast
import hashlib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from migrate.proof.databases import databases
from rewriters.rules.rulebook import Rule, Rulebook
from rewriters.target import Target
from rewriters.torch.table import of_source, table


@dataclass
class Record:
    """What is known of one torch name's rule.

    digest:      of the text that makes up the rule: another text needs another proof.
    passed:      calls that were rewritten, executed, and agree.
    failed:      calls that do not.
    marked:      calls that the rule does not take: they are marked in the output, or its helper raises and says why.
    limits:      calls that the target refuses aloud: what is ``RARE``, a first argument that is named.
    limit:       the first of them.
    forms:       how the calls were rewritten: same, inlined, helper.
    first:       the first failure, as it can be typed, and what was found.
    failing:     sample -> kinds of form that fail: a failure that is not listed here is a new one.
    unexercised: parameters of the rule that no passing call gives.
    caveats:     what was left out of the comparison, by name.
    gradients:   calls whose gradients agree.
    tried:       kind of sample -> [calls that agree, that fail, that the rule or the target refuses aloud].
    composed:    [compositions (``checks.proof.sampling.compositions``) that agree, fail, are refused aloud]; passed,
                 failed, ... count the others alone.
    uncomposed:  the first composition that fails.
    float32:     [samples of OpInfo in float32 that agree in each way to write them, all of them].
    example:     [a call that agrees, what became of it].
    few:         samples of each entry and mode that were tried; 0 where all were.
    """

    digest: str
    passed: int = 0
    failed: int = 0
    marked: int = 0
    limits: int = 0
    gradients: int = 0
    limit: str = ""
    forms: dict[str, int] = field(default_factory=dict)
    first: str = ""
    failing: dict[str, list[str]] = field(default_factory=dict)
    unexercised: list[str] = field(default_factory=list)
    caveats: list[str] = field(default_factory=list)
    tried: dict[str, list[int]] = field(default_factory=dict)
    float32: list[int] = field(default_factory=list)
    composed: list[int] = field(default_factory=list)
    uncomposed: str = ""
    example: list[str] = field(default_factory=list)
    few: int = 0


def declared(book: Rulebook) -> list[str]:
    """Names of torch that the rule files themselves answer for: by a rule, a hand-written ``same``, an alias that is
    called.
    """
    called = set().union(*databases().values())
    return sorted(filter(of_source, {*book.rules, *book.said_same, *(called & {*book.aliases})}))


def digest(book: Rulebook, name: str, target: Target) -> str:
    """Of the rule's overloads and of whatever of its file they use; of the target's pins."""
    parts = [table()["torch"], *target.environment.requirements]
    if name in book.aliases and name not in book.rules:
        parts.append(book.aliases[name])
    for rule in book.rules.get(name, []):
        parts += [ast.dump(rule.written), *used(rule, book)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def used(rule: Rule, book: Rulebook) -> list[str]:
    """The definitions that it names, of its file or of one from which that imports, and those that they name."""
    found: dict[str, str] = {}
    waiting: list[tuple[ast.AST, Path]] = [(rule.written, rule.file)]
    while waiting:
        within, file = waiting.pop()
        definitions = book.files[file].by_name
        for name in names_in(within):
            if name in definitions and name not in found:
                place, _, definition = book.definition(file, name)
                found[name] = dumped(definition, name)
                if definition is not rule.written:
                    waiting.append((definition, place))
    return [found[name] for name in sorted(found)]


# Rules of a file share its definitions: each is walked and written out once.
@cache
def names_in(node: ast.AST) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.id for part in ast.walk(node) if isinstance(part, ast.Name)))


@cache
def dumped(definition: ast.stmt, name: str) -> str:
    return ast.dump(alone(definition, name))


def alone(definition: ast.stmt, name: str) -> ast.stmt:
    """An import statement without what else it imports: that is no part of the rule."""
    if not isinstance(definition, (ast.Import, ast.ImportFrom)):
        return definition
    names = [item for item in definition.names if (item.asname or item.name.partition(".")[0]) == name]
    if isinstance(definition, ast.Import):
        return ast.Import(names)
    return ast.ImportFrom(definition.module, names, definition.level)
