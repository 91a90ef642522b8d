"""Comparisons of ``torch.__version__``: a text that torch compares by its numbers."""

from __future__ import annotations

import ast
import re

from rewriters.infer.values import Ref
from rewriters.report import Outcome
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.torch.table import version_of

ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
COMPARES = (*ORDERS, ast.Eq, ast.NotEq)
NUMBERS = re.compile(r"v?(\d+(?:\.\d+)*)((?:\.?(?:a|b|rc|dev)\d*)+|\+[a-z0-9.]+|)", re.IGNORECASE)


class Versions(Rewriting):
    """Rewrites comparisons of versions: ``torch.__version__ >= "1.10"`` becomes ``(2, 13, 0) >= (1, 10, 0)``."""

    def compares_version(self, node: ast.Compare) -> bool:
        """Whether it compares torch's version with another; it has been rewritten then."""
        parts = [node.left, *node.comparators]
        ours = [part for part in parts if tells_version(part)]
        if not ours or not all(isinstance(op, COMPARES) for op in node.ops):
            return False
        named = [part for part in ours if (callee := self.names.resolve(part)) is not None and callee.receiver is None]
        written = {part: self.numbers(part) for part in parts if part not in named}
        if named != ours or None in written.values():
            why = "a text is compared letter by letter, torch's version by its numbers: compare tuples of numbers"
            self.draft.differs(node, "torch.__version__", why)
            return False
        for part in named:
            value = value_at(part)
            assert isinstance(value, Ref)
            self.names.count_load(part)
            self.draft.record(part, value.name, Outcome.INLINED, "torch's version")
            written[part] = numbers_in(version_of(value.name) or "")
        length = max(len(numbers or ()) for numbers in written.values())
        for part, numbers in written.items():
            self.draft.replace(part, str((*(numbers or ()), *[0] * (length - len(numbers or ())))))
        return True

    def numbers(self, node: ast.expr) -> tuple[int, ...] | None:
        """The numbers of a version that is written out."""
        try:
            given = ast.literal_eval(node)
        except ValueError:
            return None
        if isinstance(given, tuple):
            given = ".".join(map(str, given))
        return numbers_in(given) if isinstance(given, str) else None


def tells_version(node: ast.expr) -> bool:
    value = value_at(node)
    return isinstance(value, Ref) and version_of(value.name) is not None


def numbers_in(version: str) -> tuple[int, ...] | None:
    """``1.8.0a0`` -> (1, 8, 0, -1): what precedes a release is less than it, a build of it (``+cu121``) is more."""
    found = NUMBERS.fullmatch(version.strip())
    if found is None:
        return None
    numbers = [int(number) for number in found[1].split(".")]
    numbers += [0] * (3 - len(numbers))
    if found[2].startswith("+"):
        return (*numbers, 1)
    return (*numbers, -1) if found[2] else tuple(numbers)
