"""One rule's text that stands for several: each member is converted, emitted and reported as if it were written out."""

from __future__ import annotations

import ast
import builtins
from pathlib import Path

import pytest

import rewriters
from rewriters.rules.rulebook import RuleError, load_rulebook, rule_files

HEAD = "import toy\nimport torch\n\nfrom rewriters.rule import Rank, family, rule\n\n\n"
POOLS = """@family("2d 1d 3d", "Rank[3] Rank[2] Rank[4]")
@rule(torch.nn.functional.max_pool2d)
def max_pool2d(input: Rank[3], kernel_size):
    # one sample of max_pool2d
    return toy.MaxPool2D(kernel_size)(input)
"""


def book_of(folder: Path, text: str):
    (folder / "rules").mkdir(parents=True)
    (folder / "rules" / "all.py").write_text(HEAD + text)
    return load_rulebook(folder)


def test_each_member_is_a_rule_of_its_own(tmp_path: Path) -> None:
    book = book_of(tmp_path, POOLS)
    for n in (1, 2, 3):
        (rule,) = book.rules[f"torch.nn.functional.max_pool{n}d"]
        assert rule.name == f"max_pool{n}d"
        assert ast.unparse(rule.node).split("\n")[1:] == [
            f"def max_pool{n}d(input: Rank[{n + 1}], kernel_size):",
            f"    return toy.MaxPool{n}D(kernel_size)(input)",
        ]
        assert rule.line == 9
        assert f"# one sample of max_pool{n}d" in rule.source.text_around(rule.node)


def test_words_are_exchanged_at_once_and_not_within_others(tmp_path: Path) -> None:
    text = """@family("min max")
@rule(torch.fmin)
def fmin(input, other):
    return toy.minimum(toy.min(input), toy.max(other))
"""
    with pytest.raises(RuleError, match=r"all\.py:7: 'min' is not in the rule"):
        book_of(tmp_path / "a", text.replace("toy.min(", "toy.least("))
    swapped = text.replace('"min max"', '"min max", "max min", "fmin fmax"')
    (rule,) = book_of(tmp_path / "b", swapped).rules["torch.fmax"]
    assert ast.unparse(rule.node.body[0]) == "return toy.minimum(toy.max(input), toy.min(other))"


def test_a_member_may_lack_a_piece(tmp_path: Path) -> None:
    text = """@family("LSTM GRU", (", proj_size=0", ""), (",\\n        size=proj_size", ""))
@rule(torch.nn.LSTM)
def LSTM(hidden, proj_size=0):
    return toy.LSTM(
        hidden,
        size=proj_size,
    )
"""
    (rule,) = book_of(tmp_path, text).rules["torch.nn.GRU"]
    emitted = rule.source.text_around(rule.node)
    assert emitted.endswith("def GRU(hidden):\n    return toy.GRU(\n        hidden,\n    )\n")


def test_a_number_has_no_capitals(tmp_path: Path) -> None:
    text = """@family("SmoothL1Loss KLDivLoss", "beta log_target", "1.0 False")
@rule(torch.nn.SmoothL1Loss)
def SmoothL1Loss(beta=1.0):
    return toy.SmoothL1Loss(beta)
"""
    (rule,) = book_of(tmp_path, text).rules["torch.nn.KLDivLoss"]
    assert ast.unparse(rule.node.args) == "log_target=False"


@pytest.mark.parametrize("words", ['"1d"', "", '"1d 2d", "a b c"', "n", '("", "2d")', '"2d 1d", key="x"'])
def test_wrong_words_are_an_error_with_its_place(tmp_path: Path, words: str) -> None:
    with pytest.raises(RuleError, match=r"all\.py:7: family takes"):
        book_of(tmp_path, POOLS.replace('"2d 1d 3d", "Rank[3] Rank[2] Rank[4]"', words))


TARGETS = [folder.parent for folder in sorted(Path(rewriters.__file__).parent.glob("targets/*/rules"))]


@pytest.mark.parametrize("target", TARGETS, ids=lambda folder: folder.name)
def test_what_members_name_is_there(target: Path) -> None:
    """A linter sees the first member alone: names in the others are imported, or defined, as well."""
    missing = []
    for file in rule_files(target):
        for statement in file.statements:
            if statement.variant:
                missing += [f"{file.name}:{statement.line}: {name}" for name in free(statement.node) - {*file.by_name}]
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("target", TARGETS, ids=lambda folder: folder.name)
def test_classes_of_members_have_names_of_their_own(target: Path) -> None:
    """A class of the name of another would be emitted in its place: functions alone may be overloads."""
    for file in rule_files(target):
        names = [name for kind, name in filter(None, (one.defined for one in file.statements)) if kind == "class"]
        assert sorted(names) == sorted({*names}), file.name


def free(node: ast.stmt) -> set[str]:
    """Names that a definition reads and neither binds itself nor has from Python."""
    bound = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
    bound |= {part.name for part in ast.walk(node) if isinstance(part, (ast.FunctionDef, ast.ClassDef))}
    names = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
    bound |= {name.id for name in names if not isinstance(name.ctx, ast.Load)}
    return {name.id for name in names} - bound - {*dir(builtins)}
