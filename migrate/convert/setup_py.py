"""setup.py: the requirements in its call of ``setup``; the rest of the file is source like any other."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from migrate.convert.requirements import convert_requirements
from rewriters.text.source_text import Source, UnreadableSource

LISTS = {"install_requires", "setup_requires", "tests_require"}
BY_NAME = {"extras_require"}


def setup_py_requirements(text: str) -> list[str]:
    """The texts of ``setup(install_requires=[...])``, written there or under a name at the top of the file.

    Raises ValueError for a file that is no Python.
    """
    try:
        source = Source(text.encode())
    except UnreadableSource as error:
        raise ValueError(f"line {error.line}: {error}") from error
    return [text for _, text in _strings(source, {"install_requires"}, set())]


def convert_setup_py(data: bytes, mapping: Mapping[str, str], title: str) -> tuple[bytes, list[int]]:
    """The file's new bytes, and the 1-based lines that name a torch library without a counterpart.

    mapping: torch's distribution -> the target's requirement. A file that is no Python stays as it is.
    """
    try:
        source = Source(data)
    except UnreadableSource:
        return data, []  # told where it is converted
    marked = []
    for node, text in dict.fromkeys(_strings(source, LISTS, BY_NAME)):  # a list may be given twice
        new, without = convert_requirements(text, mapping, title)
        if without:
            marked.append(node.lineno)
        elif new != text:
            end = source.end(node)
            quote = source.original(end - 1, end)
            source.edit(source.start(node), end, repr(new) if quote in new else quote + new + quote)
    return source.result(), sorted(set(marked))


def _strings(source: Source, lists: set[str], by_name: set[str]) -> Iterator[tuple[ast.Constant, str]]:
    """The literals of these arguments: items of lists, and of the lists in dictionaries."""
    bound = {
        target.id: node.value
        for node in source.tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }

    def said(value: ast.expr | None) -> ast.expr | None:
        return bound.get(value.id) if isinstance(value, ast.Name) else value

    for call in source.nodes.of(ast.Call):
        for word in call.keywords:
            value = said(word.value)
            if word.arg in by_name and isinstance(value, ast.Dict):
                given = [said(item) for item in value.values]
            else:
                given = [value] if word.arg in lists else []
            for one in given:
                for item in one.elts if isinstance(one, (ast.List, ast.Tuple)) else ():
                    if isinstance(item, ast.Constant) and isinstance(item.value, str):
                        yield item, item.value
