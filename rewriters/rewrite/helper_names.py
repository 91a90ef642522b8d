"""The names of functions in the helper module."""

from __future__ import annotations

import builtins
import itertools
import re
from collections.abc import Iterator
from functools import cache

from rewriters.rules.rule_file import Statement
from rewriters.rules.rulebook import Rule, Rulebook


def helper_name(rule: Rule) -> str:
    """The name under which a rule is emitted: a builtin's name would hide the builtin from the other helpers."""
    return f"torch_{rule.name}" if hasattr(builtins, rule.name) else rule.name


TAKEN = {
    "abc", "inspect", "namedtuple", "torch", "torch_class", "torch_name", "NotConverted", "NotConvertedError",
    "TorchClass", "Values",
}  # fmt: skip


def own_names(book: Rulebook) -> set[str]:
    """Names of rule files that are not rules': what rules use comes along under its own name."""
    rules = {(rule.file, rule.name) for found in book.rules.values() for rule in found}
    shared = "".join(read.text for read in book.files.values() if read.shared)
    return {
        name
        for file, read in book.files.items()
        for name, statement in read.by_name.items()
        if (file, name) not in rules and not statement.of_rules and not (read.shared and is_left(statement, shared))
    }


def is_left(statement: Statement, text: str) -> bool:
    """Whether a shared rule, for which the target answers itself, is in no other's text."""
    (name,) = statement.names()[:1] or [""]
    return statement.text.startswith("@") and len(re.findall(rf"(?<![\w.]){name}\b", text)) == 1


@cache
def helper_names(book: Rulebook) -> dict[tuple[Rule, ...], str]:
    """Each group of overloads' own name: the same whichever of them a project uses, and in whatever order."""
    names: dict[tuple[Rule, ...], str] = {}
    taken = TAKEN | {*book.memory.recall("own names", lambda: sorted(own_names(book)))}
    keys: dict[tuple[Rule, ...], list[str]] = {}
    for key in sorted(book.rules, key=plainness):
        keys.setdefault(tuple(book.rules[key]), []).append(key)
    groups = [*keys]
    layers = [tuple(book.for_any_rank(key)) for key in sorted(book.rules) if key.endswith(":call")]
    groups += layers
    of_layers = set(layers)
    # Overloads of one name may lie in several files; within a file a rule calls those of its own.
    groups += [tuple(book.overloads(rule.file, rule.name)) for group in groups for rule in group]
    for group in groups:
        if group not in names:
            # The most general says best what it is.
            base = f"batch_or_{group[0].name}" if group in of_layers else helper_name(group[-1])
            free = (one for one in alternatives(base, keys.get(group, [])) if one not in taken)
            name = next(free)
            taken.add(name)
            names[group] = name
    return names


def alternatives(base: str, keys: list[str]) -> Iterator[str]:
    """What a helper may be called, the plainest first: by its rule's name; by what the key says besides torch's name
    (``torch.Tensor.flatten:copied``), or by where torch has it (``torch.nn.functional.normalize``); by a number.
    """
    yield base
    for key in keys:
        name, _, special = key.partition(":")
        where = name.split(".")[-2].strip("_")
        if special:
            yield f"{base}_{special.replace(' ', '_')}"
        elif where in {"torch", "Tensor"}:
            yield f"{base}_{'function' if where == 'torch' else 'method'}"
        else:
            yield f"{re.sub('(?<=[a-z]{2})(?=[A-Z])', '_', where).lower()}_{base}"
    yield from (f"{base}_{count}" for count in itertools.count(2))


def plainness(key: str) -> tuple[bool, str]:
    """Which of several helpers of one name is called just so: what a name of torch's says before special rules."""
    return (":" in key or key.endswith("="), key)
