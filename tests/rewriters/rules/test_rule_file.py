"""Rule files are taken apart by what stands at the beginning of a line; the syntax trees are the whole file's."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import rewriters
from rewriters.rules.rule_file import RuleError, RuleFile, rule_paths, statements
from rewriters.rules.sharing import FOLDER

FOLDERS = [folder.parent for folder in sorted(Path(rewriters.__file__).parent.glob("targets/*/rules"))]
FILES = [path for folder in [*FOLDERS, FOLDER] for path in rule_paths(folder)]
ODD = '''"""A docstring

def that_is(no, function): ...
"""

# a comment
import numpy as np, os.path

try:
    import this
except ImportError:
    this = None
else:
    that = this


LIMITS: dict[str, int] = {
    "a": 1,
}


@first
@second(
    1,
)
# between
def function(x):
    """Text

at the margin
    """
    return x


class Other(np.ndarray):
    pass
'''


def dumped(nodes):
    return [ast.dump(node, include_attributes=True) for node in nodes]


@pytest.mark.parametrize("path", FILES, ids=lambda path: "-".join(path.parts[path.parts.index("rules") - 1 :]))
def test_statements_of_the_targets(path):
    text = path.read_text()
    assert dumped(statement.node for statement in statements(path, text)) == dumped(ast.parse(text).body)


def test_odd_layout(tmp_path):
    path = tmp_path / "odd.py"
    path.write_text(ODD)
    file = RuleFile(path)
    assert dumped(statement.node for statement in file.statements) == dumped(ast.parse(ODD).body)
    assert set(file.by_name) == {"np", "os", "LIMITS", "function", "Other"}
    assert {statement.defined for statement in file.by_line.values()} == {("def", "function"), ("class", "Other")}
    assert [ast.unparse(decorator) for decorator in file.by_name["function"].decorators] == ["first", "second(1)"]


def test_bad_syntax_is_told_with_its_line(tmp_path):
    path = tmp_path / "bad.py"
    path.write_text("import torch\n\n\ndef f(:\n    pass\n")
    with pytest.raises(RuleError, match=r"bad\.py:4: "):
        _ = RuleFile(path).by_name["f"].node
    with pytest.raises(RuleError, match=r"bad\.py:4: "):
        RuleFile(path).check()
