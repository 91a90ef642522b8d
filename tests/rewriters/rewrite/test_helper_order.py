"""The order of definitions in a helper module: by their files, and what is needed at once before what needs it."""

from __future__ import annotations

from rewriters.rewrite.helper_order import at_once, in_order

BASE = "class Base:\n    pass"
MADE = "class Made(Base):\n    limit = LIMIT\n\n    def method(self, n=COUNT):\n        return later(self)"
LATER = "def later(value):\n    return Made(value)"
NUMBERS = "LIMIT = COUNT + 1"
COUNT = "COUNT = 3"


def test_what_a_definition_reads_when_it_is_reached() -> None:
    assert at_once(MADE) == {"Base", "LIMIT", "COUNT"}
    assert at_once(LATER) == set()
    assert at_once("@wraps(first)\ndef f(a: Kind, *b: Rest, c=D) -> E:\n    return g") >= {
        "wraps", "first", "Kind", "Rest", "D", "E",
    }  # fmt: skip
    assert at_once("table = {key: lambda x, y=start: other(x) for key in keys}") == {"key", "keys", "start"}


def test_by_place_as_far_as_what_is_needed_allows() -> None:
    found = in_order(
        {
            "Base": (("z.py", 1), BASE),
            "Made": (("b.py", 1), MADE),
            "LIMIT": (("y.py", 9), NUMBERS),
            "COUNT": (("y.py", 4), COUNT),
            "later": (("a.py", 1), LATER),
        }
    )
    assert found == [LATER, COUNT, NUMBERS, BASE, MADE]
    namespace: dict[str, object] = {}
    exec("\n\n".join(found), namespace)  # noqa: S102
    assert "Made" in namespace
