"""What the pieces that rewrite something stand on."""

from __future__ import annotations

from dataclasses import dataclass

from rewriters.rewrite.draft import Draft, Part, Walk
from rewriters.rewrite.naming import Names
from rewriters.rewrite.placing import Placing


@dataclass(frozen=True)
class Tools:
    """What each of them works with.

    walk:    rewrites what is in what they rewrite.
    names:   what the source's names mean, and how the target's are written.
    placing: puts text where something stood.
    """

    draft: Draft
    walk: Walk
    names: Names
    placing: Placing


class Rewriting(Part):
    """A piece that rewrites something of the source."""

    def __init__(self, tools: Tools) -> None:
        super().__init__(tools.draft)
        self.walk, self.names, self.placing = tools.walk, tools.names, tools.placing
