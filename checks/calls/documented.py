"""Differences that a target's page names (``docs/TARGET.md``), where no line can be marked for them."""

from __future__ import annotations

import re

NAMED: dict[str, list[tuple[str, str]]] = {"paddle": [], "oneflow": []}
"""Target -> (pattern of torch's name, pattern of the difference), each with its sentence in the target's page."""


def documented(target: str, key: str, detail: str) -> bool:
    """Whether the page says that the name differs in that way."""
    return any(re.search(name, key) and re.search(what, detail) for name, what in NAMED.get(target, []))
