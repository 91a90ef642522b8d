"""A helper module holds definitions of several rule files: a name that two of them define stops a conversion."""

from __future__ import annotations

import ast
from pathlib import Path

import rewriters

RULES = Path(rewriters.__file__).parent / "targets" / "jax" / "rules"


def test_no_two_rule_files_define_one_name() -> None:
    found: dict[str, list[str]] = {}
    for path in sorted(RULES.rglob("*.py")):
        for name in sorted(defined(ast.parse(path.read_text(encoding="utf-8")))):
            found.setdefault(name, []).append(str(path.relative_to(RULES)))
    assert {name: files for name, files in found.items() if len(files) > 1} == {}


def defined(tree: ast.Module) -> set[str]:
    """What rules use of their file: rules themselves are called by torch's names."""
    names = set()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            if not any("rule" in ast.dump(decorator) for decorator in node.decorator_list):
                names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names
