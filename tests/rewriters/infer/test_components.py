"""Which files belong together, by the import statements that their texts have."""

from __future__ import annotations

import pytest

from rewriters.infer.components import IMPORT, import_statements, imported_names

TEXTS = {
    "import a; import b\nimport c": {"a", "c"},
    "from a import (b,\n  importlib,\n)\nfrom .c import d": {"a", "a.b", "a.importlib", "p.c", "p.c.d"},
    "\timport a.b as c, d\r\n# import e\r\nimportant = 1\r\nfrom importer import imported": {
        "a.b", "c", "d", "importer", "importer.imported",
    },
    "x = 'import a'\nif x: import b\nimport": set(),
    "from . import a\nimport\tb": {"p", "p.a", "b"},
}  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_the_names_that_a_file_may_import(text: str) -> None:
    assert imported_names(text.encode(), "p.m", False) == TEXTS[text]


@pytest.mark.parametrize("text", TEXTS)
def test_statements_are_found_as_a_search_of_all_lines_finds_them(text: str) -> None:
    data = text.encode()
    assert [one.span() for one in import_statements(data)] == [one.span() for one in IMPORT.finditer(data)]
