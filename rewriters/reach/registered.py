"""What a library knows by a text: functions and classes that a decorator files under their name."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rewriters.reach.following import Reach

DEFINITION = re.compile(rb"^(?:async )?(?:def|class) (\w+)", re.MULTILINE)
LEAST = 4  # letters of a name that is not taken for a word


def decorated(data: bytes) -> set[str]:
    """The names of a file's functions and classes that have a decorator."""
    found = set()
    for match in DEFINITION.finditer(data):
        above = data[: match.start()].rstrip().rpartition(b"\n")[2]
        if above.startswith((b"@", b")")) or above.lstrip().startswith(b"@"):
            found.add(match[1].decode())
    return found


def follow_registered(reach: Reach, modules: Iterable[tuple[str, bytes]], texts: set[str]) -> list[str]:
    """Reach what is registered under these texts; their names.

    The package that a module lies in has to import it, as it does in the whole library: by the name, or the module.
    """
    found = []
    wanted = {text.rpartition(".")[2] for text in texts}
    for module, data in modules:
        for name in sorted(decorated(data) & wanted):
            parent, _, last = module.rpartition(".")
            if len(name) < LEAST or not reach.name(module, name):
                continue
            found.append(name)
            if parent and not reach.name(parent, name):
                reach.name(parent, last)
                reach.has_imported(parent, module)
    return found
