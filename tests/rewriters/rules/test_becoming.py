"""What hands a call on under another name is said in a line, and is converted, emitted and reported as a rule."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from rewriters.rules.rulebook import RuleError, load_rulebook

HEAD = "import toy\nimport torch\n\nfrom rewriters.rule import becomes, rule\n\n"


def book_of(folder: Path, text: str):
    (folder / "rules").mkdir(parents=True)
    (folder / "rules" / "all.py").write_text(HEAD + text)
    return load_rulebook(folder)


def only(folder: Path, text: str, key: str):
    (rule,) = book_of(folder, text).rules[key]
    return rule


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("torch.vstack, torch.row_stack, toy.vstack", "def vstack(tensors):\n    return toy.vstack(tensors)"),
        ("torch.celu, toy.nn.celu", "def celu(input, alpha=1.0):\n    return toy.nn.celu(input, alpha=alpha)"),
        # of a tensor's method the first parameter is self, of torch's function of the same name input
        ("torch.Tensor.hypot, toy.hypot", "def hypot(self, other):\n    return toy.hypot(self, other)"),
        ("torch.hypot, torch.Tensor.hypot, toy.hypot", "def hypot(input, other):\n    return toy.hypot(input, other)"),
        ("torch.stack, toy.stack, dim='axis'", "def stack(tensors, dim=0):\n    return toy.stack(tensors, axis=dim)"),
        # what goes by keyword stands behind what goes by position
        (
            "torch.select, toy.take, dim='axis'",
            "def select(input, dim, index):\n    return toy.take(input, index, axis=dim)",
        ),
        (
            "torch.nn.CELU, toy.nn.CELU, inplace=None",
            "def CELU(alpha=1.0, inplace=False):\n    return toy.nn.CELU(alpha=alpha)",
        ),
        (
            "torch.chunk, toy.chunk, dim='/'",
            "def chunk(input, chunks, dim=0):\n    return toy.chunk(input, chunks, dim)",
        ),
        ("torch.floor_, toy.Tensor.down_", "def floor_(input):\n    return input.down_()"),
        (
            "torch.func.jacfwd, toy.jacfwd, randomness=None",
            "def jacfwd(func, argnums=0, has_aux=False, *, randomness='error'):\n"
            "    return toy.jacfwd(func, argnums=argnums, has_aux=has_aux)",
        ),
    ],
)
def test_the_function_is_what_one_would_write(tmp_path: Path, said: str, meant: str) -> None:
    key = said.partition(", ")[0]
    rule = only(tmp_path, f"becomes({said})\n", key)
    assert ast.unparse(rule.node).partition("\n")[2] == meant
    assert meant.replace("'", '"') in rule.source.text_around(rule.node)  # what is emitted
    assert rule.where == "all.py:6"


def test_each_key_has_the_rule_and_each_declaration_its_line(tmp_path: Path) -> None:
    text = "becomes(torch.vstack, torch.row_stack, toy.vstack)\nbecomes(\n    torch.hypot,\n    toy.hypot,\n)\n"
    book = book_of(tmp_path, text)
    assert book.rules["torch.vstack"] == book.rules["torch.row_stack"]
    assert [book.rules[key][0].where for key in ("torch.row_stack", "torch.hypot")] == ["all.py:6", "all.py:7"]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("", "becomes takes torch's names"),
        ("toy.hypot", "becomes takes torch's names"),
        ("torch.hypot, toy.hypot()", "becomes takes torch's names"),
        ("torch.hypot, toy.hypot, other=0", "becomes takes torch's names"),
        ("torch.hypot, toy.hypot, other='a b'", "becomes takes torch's names"),
        ("torch.hypot, toy.hypot, **words", "becomes takes torch's names"),
        ("torch.hypot, toy.hypot, dim='axis'", "torch.hypot has no dim"),
        ("torch.no_such_name, toy.hypot", "no parameters of torch.no_such_name; write a rule"),
        ("torch.load, toy.load", "cannot say what torch.load takes; write a rule"),
    ],
)
def test_what_it_cannot_say_is_an_error_with_its_place(tmp_path: Path, said: str, why: str) -> None:
    with pytest.raises(RuleError, match=rf"all\.py:6: .*{why}"):
        book_of(tmp_path, f"becomes({said})\n")
