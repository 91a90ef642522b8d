"""Which folder's helper module a file imports."""

from __future__ import annotations

from pathlib import PurePosixPath

from rewriters.homes import Homes


def test_a_root_that_is_a_package_without_a_name_ends_the_search() -> None:
    folders = frozenset({PurePosixPath("."), PurePosixPath("inner")})
    assert Homes({}, "", folders).of(PurePosixPath("inner/part.py")) == PurePosixPath(".")
