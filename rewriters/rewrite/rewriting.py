"""What the pieces that rewrite something stand on."""

from __future__ import annotations

from rewriters.rewrite.draft import Draft, Part, Walk
from rewriters.rewrite.naming import Names
from rewriters.rewrite.placing import Placing


class Rewriting(Part):
    """A piece that rewrites something of the source.

    walk:    rewrites what is in it.
    names:   what the source's names mean, and how the target's are written.
    placing: puts text where something stood.
    """

    def __init__(self, draft: Draft, walk: Walk, names: Names, placing: Placing) -> None:
        super().__init__(draft)
        self.walk, self.names, self.placing = walk, names, placing
