"""Lines that belong together."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from migrate.reports import aligned
from migrate.reports.aligned import hunks, lines_of

LINES = st.lists(st.sampled_from(["", "a", "b", "c", "d", "e"]), max_size=14)


@given(LINES, LINES)
def test_hunks_make_the_one_text_out_of_the_other(old, new):
    made, i, j = [], 0, 0
    for start, end, first, last in hunks(old, new):
        assert old[i:start] == new[j:first]
        assert (start, first) != (i, j) or (i, j) == (0, 0), "hunks that touch are one"
        assert start < end or first < last
        made += old[i:start] + new[first:last]
        i, j = end, last
    assert made + old[i:] == new
    assert old[i:] == new[j:]


def test_a_line_put_in_and_one_that_changed():
    assert hunks(["a", "b", "c"], ["a", "x", "b", "C"]) == [(1, 1, 1, 2), (2, 3, 3, 4)]
    assert hunks(["a"], ["a"]) == []
    assert hunks([], ["a"]) == [(0, 0, 0, 1)]


def test_repeated_lines_are_not_matched_pair_by_pair(monkeypatch):
    """What lies between two anchors is all that difflib sees."""
    seen = []

    class Counting(aligned.SequenceMatcher):
        def __init__(self, junk, a, b, autojunk):
            seen.append(len(a) * len(b))
            super().__init__(junk, a, b, autojunk)

    monkeypatch.setattr(aligned, "SequenceMatcher", Counting)
    old = [text for i in range(20_000) for text in (f"x{i} = torch.f({i})" if i % 9 else f"y{i}", "", "    pass")]
    new = [text.replace("torch", "paddle") for text in old]
    found = hunks(old, new)
    assert sum(end - start for start, end, _, _ in found) == sum(a != b for a, b in zip(old, new, strict=True))
    assert max(seen) < 10_000
    # Nothing but the same line: too much for difflib, and told as one change.
    assert hunks([*"ab" * 2000], [*"ba" * 1999, "c"]) == [(0, 4000, 0, 3999)]


def test_lines_end_as_python_counts_them():
    assert lines_of("a\r\nb\rc\u2028d\x0ce\n") == ["a", "b", "c\u2028d\x0ce"]
    assert lines_of("") == []
    assert lines_of("\n") == [""]
