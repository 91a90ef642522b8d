"""What `migrate check` catches: faults and correct rewritings of the fixtures, beside what fixed tolerances say.

    .venv/bin/python benchmarks/parity_mutations.py [--target paddle] [--only WORD] [--write]

Each variant of fixtures/resnet (narrowed) and fixtures/gpt is an edit of the torch source, converted by the real
converter and compared with the unedited torch project. --write makes docs/parity-mutations.md; it needs a full run.
Exit status 1 when a fault is missed or found elsewhere, or a rewriting raises an alarm.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from pathlib import Path

from benchmarks.mutations.corpus import VARIANTS
from benchmarks.mutations.document import document, line
from benchmarks.mutations.runner import Finding, run
from benchmarks.mutations.variant import Variant

TARGETS = ("paddle", "oneflow")
DOCUMENT = Path(__file__).parents[1] / "docs" / "parity-mutations.md"


def run_and_say(target: str, variants: Sequence[Variant]) -> list[Finding]:
    """One target, in a process of its own."""
    return run(target, variants, lambda finding: print(line(finding), flush=True))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--target", choices=TARGETS, help="one target in place of all")
    parser.add_argument("--only", default="", help="variants whose name has this")
    parser.add_argument("--write", action="store_true", help="write docs/parity-mutations.md")
    options = parser.parse_args(arguments)
    if options.write and (options.target or options.only):
        parser.error("--write needs a full run")
    targets = (options.target,) if options.target else TARGETS
    variants = [item for item in VARIANTS if options.only in item.name]
    with ProcessPoolExecutor(len(targets)) as pool:
        found = [
            finding for several in pool.map(run_and_say, targets, [variants] * len(targets)) for finding in several
        ]
    if options.write:
        aside = DOCUMENT.with_suffix(".tmp")
        aside.write_text(document(found, date.today().isoformat()), encoding="utf-8")
        os.replace(aside, DOCUMENT)
    bad = [finding for finding in found if not finding.good and finding.verdict != "not converted"]
    print(f"{len(found)} variants, {len(bad)} judged wrongly")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
