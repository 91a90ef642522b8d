"""What follows from a target's rule files, kept in the user's cache folder: parsing all of them takes longer than
converting a small project.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol

from rewriters.rules.rule_file import name_of, rules_folder
from rewriters.storing import home, keep

KEPT = 128  # entries
HERE = Path(__file__).parent
ROOM = HERE.parent


class Text(Protocol):
    """A file that has been read."""

    path: Path
    text: str


class Memory:
    """What follows from these files' texts, from torch's names and from what reads them: another of either, and all of
    it is made anew.
    """

    def __init__(self, files: Iterable[Text]) -> None:
        self.digest = hashlib.blake2b(stamps([*HERE.glob("*.py"), *(ROOM / "torch").glob("*.json")]), digest_size=16)
        for file in files:
            owner = rules_folder(file.path).parent.name  # the target, or what it shares with others
            self.digest.update(f"{owner} {name_of(file.path)} {len(file.text)}\n{file.text}".encode())

    def recall(self, what: str, make: Callable[[], Any], *made_by: str) -> Any:
        """What is asked for, as JSON: made once. made_by: the files of other rooms that have a part in making it."""
        digest = self.digest.copy()
        digest.update(what.encode() + stamps(map(Path, made_by)))
        place = home() / "rules" / f"{digest.hexdigest()}.json"
        try:
            remembered = json.loads(place.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            made = make()
            keep(place, json.dumps(made).encode())
            forget_old(place.parent)
            return made
        with contextlib.suppress(OSError):  # where the folder may only be read, or another run has removed it
            os.utime(place)  # what is used is not what is forgotten
        return remembered


def stamps(paths: Iterable[Path]) -> bytes:
    """Files by name, size and time of change."""
    found = ((path.name, path.stat()) for path in sorted(paths))
    return "\n".join(f"{name}:{stat.st_size}:{stat.st_mtime_ns}" for name, stat in found).encode()


def forget_old(folder: Path) -> None:
    """Remove all but those that were used last."""
    try:
        for old in sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime)[:-KEPT]:
            old.unlink(missing_ok=True)
    except OSError:
        return  # another run was quicker
