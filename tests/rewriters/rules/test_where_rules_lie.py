"""Whoever knows a name of torch's finds the file of its rule: folders are named as torch's modules are."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

import rewriters
from rewriters.rules.rulebook import Rule, load_rulebook
from rewriters.torch.table import canonical, table

TARGETS = [folder.parent for folder in sorted(Path(rewriters.__file__).parent.glob("targets/*/rules"))]
TENSOR = ("torch", "tensor")


def spellings() -> dict[str, set[str]]:
    """Canonical name -> every name that torch knows it by."""
    found: dict[str, set[str]] = defaultdict(set)
    for alias, name in table()["aliases"].items():
        found[name].add(alias)
    return found


SPELLED = spellings()


def modules_of(key: str) -> set[tuple[str, ...]]:
    """The modules and classes that a name may be looked for in, those around them too."""
    name = key.partition(":")[0].partition("[")[0].rstrip("=")
    found = set()
    for spelled in {name, canonical(name)} | SPELLED[name] | SPELLED[name.rpartition(".")[0]]:
        parts = [part.lower() for part in spelled.split(".")]
        found |= {tuple(parts[:length]) for length in range(1, len(parts) + 1)}
    if ("torch", "nn") in found:
        found.add(("torch", "nn", "modules"))
    return found


def folder_of(rule: Rule) -> tuple[str, ...]:
    """The module that the rule's folder is named after."""
    *folders, _ = rule.source.name.split("/")
    return tuple(folders) if folders[:1] == ["torchvision"] else ("torch", *folders)


@pytest.mark.parametrize("target", TARGETS, ids=lambda folder: folder.name)
def test_folders_are_those_of_the_names(target: Path) -> None:
    book = load_rulebook(target)
    rules = {rule for rules in book.rules.values() for rule in rules}
    lost = [f"{rule.where}: {rule.keys[0]}" for rule in rules if not is_where_expected(rule)]
    assert not lost, "\n".join(sorted(lost))


def is_where_expected(rule: Rule) -> bool:
    folder = folder_of(rule)
    return folder == ("torch",) or any(
        folder in modules_of(key) or folder[:2] == TENSOR or grouped(folder) in modules_of(key) for key in rule.keys
    )


def grouped(folder: tuple[str, ...]) -> tuple[str, ...]:
    """A module with many rules is a folder of its own, or several below it: ``nn/functional/pooling/average.py``."""
    return folder[:-1] if len(folder) > 2 else folder
