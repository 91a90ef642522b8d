"""Random programs in torch and, converted, in a target; those that differ silently are shrunk and printed.

    .venv/bin/python benchmarks/fuzz.py --to paddle --minutes 60 [--seed 1] [--subject training] [--errors]
                                        [--warned] [--out FILE]

Program number n of a seed is always the same. Prints progress, each cause found (its program shrunk, what it was
converted to, what was shown), and a summary by outcome. Exits with 1 when a program differs silently. Torch is to be
installed in this interpreter: programs are written while they run.
"""

from __future__ import annotations

import argparse
import ast
import os
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

from checks.fuzz.program import SHARES, program
from checks.fuzz.shrink import shrink
from checks.fuzz.steady import is_documented, is_steady
from checks.programs.judge import AGREES, DIFFERS, INVALID, MARKED, RAISES, WARNED
from migrate.programs import Outcome, Programs

UNSTEADY, DOCUMENTED = "unsteady", "documented"
WORDS = {
    AGREES: "agrees",
    MARKED: "marked",
    WARNED: "differs, and the line says so",
    RAISES: "unmarked error",
    DIFFERS: "DIFFERS silently",
    DOCUMENTED: "differs as docs/ say: texts of tensors, means of nothing, two widths, signs of zeros, far logits, "
    "what a truth value picks",
    INVALID: "torch itself refused",
    UNSTEADY: "decided by rounding or chance",
    "converter": "the converter failed",
}
SECONDS = 20.0  # that a program may take
SHRINKING = 90.0  # and all that it is cut down to together
SIFTING = 20.0  # so long it is looked whether a line that warns has to do with what differs


def write(seed: int, number: int, subjects: list[str]) -> str:
    """The program of that number."""
    return program(Random(f"{seed}:{number}"), subjects)


def cause_of(text: str, outcome: Outcome) -> str:
    """By what findings are told apart: the names that a shrunk program uses, or an error without its numbers."""
    if outcome.verdict == RAISES:
        return "".join("#" if letter.isdigit() else letter for letter in outcome.detail.split("(program")[0])[:120]
    tree = ast.parse(text)
    words = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    words |= {
        type(node).__name__
        for node in ast.walk(tree)
        if isinstance(node, (ast.operator, ast.AugAssign, ast.Subscript, ast.ClassDef, ast.Lambda))
    }
    return " ".join(sorted(words))


class Hunt:
    """Programs of one seed against one target."""

    def __init__(
        self, programs: Programs, seed: int, subjects: list[str], errors: bool, warned: bool, out: Path | None
    ) -> None:
        self.programs, self.seed, self.subjects, self.out = programs, seed, subjects, out
        self.errors, self.warned = errors, warned
        self.until = 0.0
        self.counts: Counter[str] = Counter()
        self.causes: Counter[str] = Counter()

    def run(self, minutes: float, most: int | None) -> None:
        began = said = time.monotonic()
        number = 0
        while time.monotonic() - began < 60 * minutes and (most is None or number < most):
            self.try_one(number)
            number += 1
            if time.monotonic() - said > 60:
                said = time.monotonic()
                print(f"# {number} programs in {said - began:.0f} s: {dict(self.counts)}", flush=True)

    def try_one(self, number: int) -> None:
        text = write(self.seed, number, self.subjects)
        try:
            found = self.programs.run(text, SECONDS)
        except RuntimeError as error:
            self.counts["converter"] += 1
            self.report(f"the converter failed: {error}", number, text, None)
            return
        if found.torch.error is not None:
            self.counts[INVALID] += 1
            return
        if found.verdict == DIFFERS and not is_steady(text):
            self.counts[UNSTEADY] += 1
            return
        if found.verdict == DIFFERS and self.is_documented(text, found):
            self.counts[DOCUMENTED] += 1
            return
        if found.verdict == WARNED and self.warned:
            text, found = self.sifted(text, found)
        self.counts[found.verdict] += 1
        if found.verdict == DIFFERS or (
            self.errors and found.verdict == RAISES and not self.causes[cause_of(text, found)]
        ):
            self.until = time.monotonic() + SHRINKING
            small = shrink(text, lambda program: self.still(program, found))
            outcome = self.programs.run(small, SECONDS)
            cause = cause_of(small, outcome)
            self.causes[cause] += 1
            if self.causes[cause] == 1:
                self.report(f"{WORDS[found.verdict]}: {outcome.detail}", number, small, outcome)

    def sifted(self, text: str, found: Outcome) -> tuple[str, Outcome]:
        """A program that differs, less what has nothing to do with that: a line that warns may be about something
        else. As it was, where what is left warns still, or what differs then is named in docs/.
        """
        self.until = time.monotonic() + SIFTING
        small = shrink(text, self.differs)
        less = self.programs.run(small, SECONDS)
        silent = less.verdict == DIFFERS and is_steady(small) and not self.is_documented(small, less)
        return (small, less) if silent else (text, found)

    def differs(self, text: str) -> bool:
        """Whether a program differs, silently or not."""
        found = self.tried(text)
        return found is not None and found.verdict in {WARNED, DIFFERS}

    def tried(self, text: str) -> Outcome | None:
        """What a program that was cut down does; None where torch refuses it, or time is over."""
        if time.monotonic() > self.until:
            return None
        try:
            found = self.programs.run(text, SECONDS / 4)  # what hangs is not what was looked for
        except RuntimeError:
            return None
        return found if found.torch.error is None else None

    def is_documented(self, text: str, found: Outcome) -> bool:
        """Whether docs/ name the difference, where no line can be marked for it."""
        return is_documented(text, self.programs.target.name, found.detail, found.target.shown)

    def still(self, text: str, as_: Outcome) -> bool:
        """Whether a program does what the long one did."""
        found = self.tried(text)
        if found is None or found.verdict != as_.verdict:
            return False
        if found.verdict == DIFFERS:
            return is_steady(text) and not self.is_documented(text, found)
        return cause_of(text, found) == cause_of(text, as_)

    def report(self, what: str, number: int, text: str, outcome: Outcome | None) -> None:
        lines = [f"\n## {self.programs.target.name} seed {self.seed} program {number}: {what}", "", text.rstrip()]
        if outcome is not None:
            body = outcome.converted["program.py"].split("\n")
            lines += [
                "--- converted",
                *body,
                f"--- torch:  {outcome.torch.shown}"[:600],
                f"--- target: {outcome.target.shown}"[:600],
            ]
        print("\n".join(lines), flush=True)
        if self.out:
            with self.out.open("a", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--to", default="paddle", metavar="TARGET")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--programs", type=int, default=None, help="that many at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--subject", choices=list(SHARES), action="append", default=[], help="may be given again")
    parser.add_argument("--errors", action="store_true", help="shrink unmarked errors as well")
    parser.add_argument("--warned", action="store_true", help="look whether what warns has to do with what differs")
    parser.add_argument("--out", type=Path, help="findings are added to this file too")
    arguments = parser.parse_args()
    os.environ.setdefault("ONEFLOW_ENABLE_ONEDNN_OPTS", "0")  # oneDNN's log_softmax is rough: docs/oneflow.md
    with Programs(arguments.to) as programs:
        hunt = Hunt(programs, arguments.seed, arguments.subject, arguments.errors, arguments.warned, arguments.out)
        hunt.run(arguments.minutes, arguments.programs)
    total = sum(hunt.counts.values())
    print(f"\n{arguments.to}, seed {arguments.seed}: {total} programs")
    for verdict, words in WORDS.items():
        print(f"{hunt.counts[verdict]:8} {words}")
    print(f"{len(hunt.causes):8} causes, told apart by the names in the shrunk programs")
    sys.exit(1 if hunt.counts[DIFFERS] else 0)


if __name__ == "__main__":
    main()
