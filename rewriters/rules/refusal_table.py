"""The table of what a target refuses, ``refusals.toml``: torch's names, why they have no counterpart there and what to
do instead, and how that was tried.

    [[refusal]]
    reason = "Paddle has no sparse optimizer; use paddle.optimizer.Adam"
    names = ["torch.optim.SparseAdam", "torch.fx.*"]
    tried = "optimizing.sparse"

A name that ends in ``.*`` is all below a package that nothing else answers for. What ``tried`` says is for the tests
(``tests/rewriters/targets/refusals/probing.py``).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rewriters.rules.rule_file import Declaration, RuleError
from rewriters.torch.table import canonical, table

ENTRY = re.compile(r"^\[\[refusal\]\]", re.MULTILINE)


@dataclass(frozen=True)
class Refusal:
    """One reason: torch's names, as the table writes them, and how the reason was tried. line: of its entry."""

    line: int
    reason: str
    names: tuple[str, ...]
    tried: tuple[str, ...]


class RefusalTable:
    """A target's table. Its text is read at once, what it says when it is asked for. Raises RuleError, then too."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text(encoding="utf-8")

    def entries(self) -> list[Refusal]:
        """Raises RuleError."""
        # Imported here: what tables declare is remembered, and few runs read one.
        if sys.version_info >= (3, 11):
            import tomllib
        else:
            import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]
        try:
            read = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            found = re.search(r"line (\d+)", str(error))
            raise self.fail(int(found[1]) if found else self.text.count("\n") + 1, str(error)) from error
        if read.keys() - {"refusal"}:
            raise self.fail(1, f"a table of refusals has [[refusal]] alone, not {', '.join(read)}")
        lines = [self.line(match.start()) for match in ENTRY.finditer(self.text)]
        return [self.entry(line, entry) for line, entry in zip(lines, read.get("refusal", []), strict=True)]

    def entry(self, line: int, entry: dict[str, Any]) -> Refusal:
        if unknown := sorted(entry.keys() - {"reason", "names", "tried"}):
            raise self.fail(line, f"a refusal has reason, names and tried, not {', '.join(unknown)}")
        reason, names, tried = entry.get("reason"), entry.get("names"), entry.get("tried", [])
        tried = [tried] if isinstance(tried, str) else tried
        if not isinstance(reason, str) or not reason:
            raise self.fail(line, "a refusal without its reason")
        for key, texts in (("names", names), ("tried", tried)):
            if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
                raise self.fail(line, f"{key} is a list of texts")
        if not names:
            raise self.fail(line, "a refusal of no names")
        return Refusal(line, reason, tuple(names), tuple(tried))

    def declarations(self, others: Iterable[Declaration]) -> Iterator[Declaration]:
        """What it declares, as ``refuse(...)`` in a rule file does; others: what the target's rule files declare.

        Raises RuleError for a name that torch has not, that is there twice, or that a rule answers for too.
        """
        answered = {name for kind, *rest in others for name in answers(kind, rest)}
        seen: set[str] = set()
        for entry in self.entries():
            keys = [canonical(name) for name in entry.names]
            for name, key in zip(entry.names, keys, strict=True):
                if key in seen:
                    raise self.fail(self.line_of(name, -1), f"{name} is refused twice")
                if key in answered:
                    raise self.fail(self.line_of(name), f"{name} is refused, and a rule file answers for it")
                if not is_known(key):
                    raise self.fail(self.line_of(name), f"torch has no {name}")
                seen.add(key)
            yield ["refuse", keys, entry.reason]

    def line(self, offset: int) -> int:
        return self.text.count("\n", 0, offset) + 1

    def line_of(self, name: str, which: int = 0) -> int:
        """The line of a name, of several the first or the last."""
        places = [found.start() for found in re.finditer(rf"([\"']){re.escape(name)}\1", self.text)]
        return self.line(places[which]) if places else 1

    def fail(self, line: int, message: str) -> RuleError:
        return RuleError(f"{self.path}:{line}: {message}")


def answers(kind: str, rest: list[Any]) -> list[str]:
    """The names that a declaration answers for; an alias of another spelling answers for that alone."""
    if kind == "alias":
        key, _, spelling = rest
        return [key] if spelling in (None, key) else []
    return rest[0] if kind in ("rule", "same", "refuse") else []


def is_known(key: str) -> bool:
    """Whether torch or torchvision has a name, as far as their tables tell: they list public modules, and of classes
    not every member.
    """
    known = table()
    if key.endswith(".*"):
        return key.removesuffix(".*") in known["modules"]
    parts = re.split(r"[:=\[(]", key)[0].split(".")
    owners = (".".join(parts[:end]) for end in range(2, len(parts) + 1))
    return any(part.startswith("_") for part in parts[:-1]) or any(owner in known["names"] for owner in owners)
