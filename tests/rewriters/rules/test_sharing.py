"""Rules that targets share are said once, of no framework: a target that takes them has them as its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from rewriters.rules.rule_file import RuleError, rule_paths
from rewriters.rules.rulebook import load_rulebook
from rewriters.rules.sharing import FOLDER, OWN, said, taken_by
from rewriters.target import HERE, Target

TAKES = 'from rewriters.rule import shared\n\nshared({"framework": "toy", "Framework": "Toy"})\n'
TAKING = [folder.parent for folder in sorted(HERE.glob("*/rules")) if taken_by(folder.parent)]
CELU = '@rule("torch.celu")\ndef celu(input, alpha=1.0):\n    return toy.nn.functional.celu(input, alpha=alpha)\n'
SOURCE = "import torch\ndef f(x: torch.Tensor, y): return torch.celu(x, y)\n"


@pytest.fixture
def toy(toy_target: Callable[..., Target]) -> Callable[..., Target]:
    """``toy(rules, takes)``: a target with rules of its own, and the line by which it takes the shared ones."""

    def make(rules: str = "", takes: str = TAKES) -> Target:
        target = toy_target(rules)
        (target.folder / "rules" / "__init__.py").write_text(takes)
        return target

    return make


def test_a_shared_rule_is_as_the_targets_own(toy, converted) -> None:
    shared, own = toy(), toy(CELU, "")
    assert "return toy.nn.functional.celu(x, alpha=y)" in converted(SOURCE, shared)
    assert converted(SOURCE, shared) == converted(SOURCE, own)
    books = [load_rulebook(target.folder) for target in (shared, own)]
    (theirs,), (rule,) = (book.rules["torch.celu"] for book in books)
    assert ast.unparse(theirs.node.body) == ast.unparse(rule.node.body)
    assert theirs.where.startswith("shared/rules/pointwise.py:")
    assert rule.where.startswith("rules.py:")


def test_it_is_emitted_with_what_it_names_in_other_shared_files(toy, conversion) -> None:
    source = "import torch\nclass C(torch.distributions.constraints.integer_interval): pass\n"
    (helpers,) = conversion(source, toy()).helpers.values()
    names = [node.name for node in ast.parse(helpers).body if isinstance(node, ast.ClassDef)]
    assert names == ["Constraint", "Interval", "IntegerInterval"]


def test_what_the_target_answers_for_is_not_shared(toy, conversion) -> None:
    target = toy("""
        refuse("torch.selu", "Toy has none; write it out")

        @rule(torch.celu)
        def celu(input, alpha=1.0):
            value = toy.own(input)
            return value + value * alpha
        """)
    book = load_rulebook(target.folder)
    assert [rule.where for rule in book.rules["torch.celu"]] == ["rules.py:11"]
    assert "torch.selu" not in book.rules
    assert book.refusals["torch.selu"] == "Toy has none; write it out"
    source = "import torch\ndef f(x: torch.Tensor): return [torch.celu(x)]\n"
    done = conversion(source, target)
    (helpers,) = done.helpers.values()
    assert "def celu(input, alpha=1.0):\n    value = toy.own(input)" in helpers  # under its own name


def test_an_alias_of_the_targets_is_of_that_spelling(toy) -> None:
    book = load_rulebook(toy('alias(torch.float, "toy.single")').folder)
    assert book.spelled["torch.float"] == "toy.single"
    assert book.aliases["torch.float32"] == "toy.float32"


def test_a_target_takes_them_by_a_line_of_its_own(toy, converted) -> None:
    assert "torch.celu" not in load_rulebook(toy(takes="").folder).rules
    assert "toy.nn.functional.celu" not in converted(SOURCE, toy(takes=""))


def test_a_target_may_take_some_files_alone(toy) -> None:
    taken = toy(takes=TAKES.replace("})", '}, files=["pointwise"])'))
    book = load_rulebook(taken.folder)
    assert "torch.celu" in book.rules
    assert "torch.fliplr" not in book.rules
    assert "torch.fliplr" in load_rulebook(toy().folder).rules
    with pytest.raises(RuleError, match=r"nowhere\.py is not there to be shared"):
        load_rulebook(toy(takes=TAKES.replace("})", '}, files=["nowhere"])')).folder)


@pytest.mark.parametrize(
    "words", ['"toy"', "", '{"framework": "toy"}', '{"framework": "toy", "Framework": 1}', "words"]
)
def test_wrong_words_are_an_error_with_its_place(toy, words: str) -> None:
    target = toy(takes=TAKES[: TAKES.index("{")] + words + ")\n")
    with pytest.raises(RuleError, match=r"__init__\.py:3: shared takes a dict of words, framework and Framework among"):
        load_rulebook(target.folder)


@pytest.mark.parametrize("line", ["import framework", "from framework.nn import functional"])
def test_the_neutral_name_is_for_shared_rules_alone(toy, line: str) -> None:
    target = toy(f"{line}\n")
    with pytest.raises(RuleError, match=r"rules\.py:7: only shared rules say framework; name the target's own"):
        load_rulebook(target.folder)


def test_what_a_shared_rule_wants_of_the_target_is_named_where_it_lacks(toy, conversion) -> None:
    source = "import torch\ndef f(x: torch.Tensor): return torch.special.hermite_polynomial_h(x, 2)\n"
    with pytest.raises(RuleError, match=r"special_polynomials\.py:6: .*special\.py defines no recurrence"):
        conversion(source, toy())


def test_words_are_whole_and_the_longest_that_fits() -> None:
    words = {"framework": "toy", "framework.nn.Module": "toy.Layer"}
    text = "framework.nn.Modules(framework.nn.Module, my_framework, x.framework, framework)"
    assert said(text, words) == "toy.nn.Modules(toy.Layer, my_framework, x.framework, toy)"


@pytest.mark.parametrize("path", list(rule_paths(FOLDER)), ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_shared_files_name_no_framework(path: Path) -> None:
    text = path.read_text()
    assert not re.findall(r"\b(?:" + "|".join(folder.name for folder in TAKING) + r")\b", text.lower())
    prose = re.sub(rf"{OWN}\.|\bframework\.|^import framework$", "", text, flags=re.MULTILINE)
    assert "framework" not in prose, "the word stands for a package wherever it is"


@pytest.mark.parametrize("target", TAKING, ids=lambda folder: folder.name)
def test_what_they_import_is_there(target: Path) -> None:
    book = load_rulebook(target)
    wanted = 0
    for path, file in book.files.items():
        for name, statement in file.by_name.items():
            if statement.of_rules and (file.shared or "rewriters.shared" in statement.text):
                wanted += 1
                assert book.definition(path, name)[0] != path
    assert wanted > (5 if taken_by(target).files is None else 0)
