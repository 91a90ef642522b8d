"""Where tables are printed: a terminal is as wide as it is; what is piped or redirected is for a file, and wide."""

from __future__ import annotations

import os
from typing import Any

from rich.console import Console

#: Columns, where no terminal and no COLUMNS says.
PIPED = 160


def screen(**settings: Any) -> Console:
    """A console of rich, with its settings."""
    found = Console(**settings)
    if not found.is_terminal and "COLUMNS" not in os.environ:
        found.width = PIPED
    return found
