"""What is on record of every way of calling a name: ``forms.json``, the second table of a target's proof.

Its names are all that have samples, also those that the generated table has as the same, and those that are refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from migrate.proof import store as proof_store
from rewriters.storing import replace_text
from rewriters.target import Target
from rewriters.torch.table import table


@dataclass
class Ways:
    """What is known of one name's ways of being called, of those that torch takes.

    digest:  of the rule's text, as in ``Record``.
    right:   forms that agree.
    refused: why -> the forms that are marked for it, or whose helper raises and says so.
    errors:  form -> what the target raises, in words of its own.
    wrong:   form -> what is another result than torch's.
    """

    digest: str = ""
    right: int = 0
    refused: dict[str, list[str]] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)

    @property
    def of(self) -> int:
        return self.right + self.refusals + len(self.errors) + len(self.wrong)

    @property
    def refusals(self) -> int:
        return sum(map(len, self.refused.values()))

    @property
    def first(self) -> str:
        """The first that fails: one that is wrong, if there is any."""
        return next(iter([*self.wrong.values(), *self.errors.values()]), "")

    def __str__(self) -> str:
        parts = {"refused aloud": self.refusals, "the target's own error": len(self.errors), "wrong": len(self.wrong)}
        told = "".join(f", {count} {word}" for word, count in parts.items() if count)
        return f"{self.right} of {self.of} documented ways{told}"


@dataclass
class Total:
    """Of several names."""

    right: int = 0
    refused: int = 0
    errors: int = 0
    wrong: int = 0

    @property
    def of(self) -> int:
        return self.right + self.refused + self.errors + self.wrong

    def share(self, count: int) -> str:
        return f"{count:,} ({100 * count / self.of:.1f}%)" if self.of else "0"

    def __str__(self) -> str:
        return (
            f"{self.share(self.right)} of {self.of:,} forms right, {self.share(self.refused)} refused aloud, "
            f"{self.share(self.errors)} raise the target's own error, {self.share(self.wrong)} wrong"
        )


def total(all_ways: Iterable[Ways]) -> Total:
    found = Total()
    for ways in all_ways:
        found.right += ways.right
        found.refused += ways.refusals
        found.errors += len(ways.errors)
        found.wrong += len(ways.wrong)
    return found


def path_of(target: Target) -> Path:
    return target.records / "forms.json"


def read(target: Target) -> dict[str, Ways]:
    path = path_of(target)
    if not path.is_file():
        return {}
    content: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return {name: Ways(**values) for name, values in content["names"].items()}


def update(target: Target, framework: str, found: Mapping[str, Ways], whole: bool = False) -> Path:
    """Write these beside those that are there, one a line; ``whole``: in place of them."""
    with proof_store.locked(target):
        names = {**({} if whole else read(target)), **found}
        lines = ",\n".join(
            f"  {json.dumps(name)}: {json.dumps(without_nothing(names[name]), ensure_ascii=False)}"
            for name in sorted(names)
        )
        head = f'{{\n "framework": {json.dumps(framework)},\n "torch": {json.dumps(table()["torch"])},\n "names": {{\n'
        return replace_text(path_of(target), f"{head}{lines}\n }}\n}}\n")


def without_nothing(ways: Ways) -> dict[str, Any]:
    return {word: value for word, value in asdict(ways).items() if value}


def worse(name: str, before: Ways | None, now: Ways) -> list[str]:
    """Forms that fail and are not on record as failing so."""
    if before is None:
        return [f"{name}: its forms are not on record; run: python -m migrate.proof TARGET --forms {name}"]
    new = {word: told for word, told in now.wrong.items() if word not in before.wrong}
    new.update({word: told for word, told in now.errors.items() if word not in {**before.errors, **before.wrong}})
    return [f"{name}: {word} fails: {told}" for word, told in new.items()]
