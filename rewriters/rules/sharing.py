"""Shared rules: what several targets would say alike is said once, in ``rewriters/shared/rules``, of no framework.

Their text names a framework by neutral words. A target takes them by a line of its ``rules/__init__.py``, with what it
says in these words' place. They are exchanged when the text is read, and a shared rule is then as the target's own::

    shared({"framework": "paddle", "Framework": "Paddle", "framework.nn.Module": "paddle.nn.Layer"})

``framework`` is the package, ``Framework`` what a message calls it. Further words, dotted ones too, are for what the
package has under another name than torch; the longest that fits is taken. Where a target answers for a name itself, by
whatever declaration, no shared rule does. What each target has to do in its own way, a shared rule imports from the
target's rules: ``from rewriters.targets.framework.rules.masked import masked_var``. A target of which some shared rules
are not true names the files that it takes: ``shared(words, files=["jit", "tensor/texts"])``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rewriters.rules.rule_file import RuleError, RuleFile, dotted, rule_paths, statements

FOLDER = Path(__file__).parents[1] / "shared"
SHARED, OWN = "rewriters.shared", "rewriters.targets.framework"  # packages that rule files import each other from
NEEDED = ("framework", "Framework")


@dataclass(frozen=True)
class Taken:
    """What a target takes: its words for the neutral ones, and the files by path below the folder; None for all."""

    words: dict[str, str]
    files: tuple[str, ...] | None = None

    def paths(self) -> list[Path]:
        """Raises RuleError where one is not there."""
        if self.files is None:
            return list(rule_paths(FOLDER))
        found = [FOLDER / "rules" / f"{name}.py" for name in self.files]
        if lacking := [path for path in found if not path.is_file()]:
            raise RuleError(f"{lacking[0]} is not there to be shared")
        return found


def taken_by(folder: Path) -> Taken | None:
    """What the target in a folder takes; None where it takes no shared rules. Raises RuleError."""
    path = folder / "rules" / "__init__.py"
    if not path.is_file():
        return None
    for statement in statements(path, path.read_text(encoding="utf-8")):
        node = statement.node
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and dotted(node.value.func) == "shared":
            return taken_in(node.value, path)
    return None


def taken_in(call: ast.Call, path: Path) -> Taken:
    try:
        (words,) = (ast.literal_eval(argument) for argument in call.args)
        files = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
        if all(isinstance(said, str) and said for said in [*words.keys(), *words.values(), *map(words.get, NEEDED)]):
            if not files:
                return Taken(dict(words))
            if set(files) == {"files"} and all(isinstance(name, str) for name in files["files"]):
                return Taken(dict(words), tuple(files["files"]))
    except (ValueError, AttributeError, TypeError):
        pass
    raise RuleError(
        f"{path}:{call.lineno}: shared takes a dict of words, {' and '.join(NEEDED)} among them, and files="
    )


def shared_files(folder: Path) -> Iterator[RuleFile]:
    """The shared rule files as the target in a folder says them; none where it takes none. Raises RuleError."""
    taken = taken_by(folder)
    if taken is not None:
        for path in taken.paths():
            yield RuleFile(path, said(path.read_text(encoding="utf-8"), taken.words))


def said(text: str, words: Mapping[str, str]) -> str:
    """The text with a target's words for the neutral ones: whole names, the longest first."""
    longest = sorted(words, key=len, reverse=True)
    neutral = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, longest))})(?!\w)")
    return neutral.sub(lambda found: words[found[0]], text)
