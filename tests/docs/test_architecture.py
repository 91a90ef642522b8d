"""docs/design/rules.md is followed to the letter: "A rule in five minutes"; the pages name files that exist."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RULES = (ROOT / "docs" / "design" / "rules.md").read_text(encoding="utf-8")
SECTION = RULES[RULES.index("## A rule in five minutes") : RULES.index("## What a rule file may say")]
PAGES = [ROOT / "docs" / "architecture.md", *sorted((ROOT / "docs" / "design").glob("*.md"))]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what the section touches."""
    for name in ("migrate", "rewriters", "checks"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def lacking(text: str, key: str) -> str:
    """The rule file without its rule for a name: every name has one, and the page is about one that has none."""
    lines = text.splitlines(keepends=True)
    for node in ast.parse(text).body:
        if isinstance(node, ast.Expr) and ast.unparse(node).startswith(f"becomes({key},"):
            del lines[node.lineno - 1 : node.end_lineno]
            return "".join(lines)
        if isinstance(node, ast.FunctionDef) and any(key in ast.unparse(d) for d in node.decorator_list):
            first = node.decorator_list[0].lineno - 1
            del lines[first : node.end_lineno]
            return "".join(lines)
    raise AssertionError(f"no rule for {key} there")


def test_a_rule_in_five_minutes(checkout: Path, paddle_python) -> None:
    rule = re.search(r"```python\n(.*?)```", SECTION, re.DOTALL)
    assert rule is not None
    lines = [line.removeprefix("   ") for line in rule.group(1).splitlines()]
    place = re.search(r"Write it in `([^`]+)`", SECTION)
    assert place is not None
    name = re.search(r"@rule\(torch\.(\w+)\)", rule.group(1))
    assert name is not None
    rules = checkout / place.group(1)
    without = lacking(rules.read_text(encoding="utf-8"), f"torch.{name.group(1)}")
    rules.write_text(without + "\n\n" + "\n".join(lines) + "\n", encoding="utf-8")

    def run(*words: str) -> str:
        ran = subprocess.run([sys.executable, *words], cwd=checkout, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    assert "python -m rewriters.tables.signatures paddle" in SECTION
    said = run("-m", "rewriters.tables.signatures", "paddle", "--python", str(paddle_python.python))
    assert "signatures of PaddlePaddle" in said
    program = re.search(r"echo '([^']+)' > /tmp/h\.py", SECTION)
    assert program is not None
    (checkout / "h.py").write_text(program.group(1) + "\n", encoding="utf-8")
    diff = run("-m", "migrate", "convert", "h.py", "--to", "paddle", "--diff")
    assert f"+import paddle; print(paddle.{name.group(1)}(paddle.ones([2]), paddle.ones([2])))" in diff


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for path in re.findall(r"`((?:rewriters|checks|migrate|docs|fixtures)/[\w/.]+\.(?:py|md|json))`", text):
        assert (ROOT / path).exists(), path
    for path in re.findall(r"`([\w/]+\.py)`", text):
        packages = (ROOT / package for package in ("rewriters", "checks", "migrate"))
        assert (ROOT / path).exists() or any(list(package.rglob(path)) for package in packages), path
    for link in re.findall(r"\]\(([\w/.-]+\.md)\)", text):
        assert (page.parent / link).exists(), link


def test_the_first_page_fits_in_two_screens() -> None:
    assert len(PAGES[0].read_text(encoding="utf-8").splitlines()) <= 110
