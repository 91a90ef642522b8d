"""Tables of small programs, torch against converted: what differs silently, by group.

    .venv/bin/python benchmarks/scan.py --to paddle [--only GROUP] [--match PATTERN] [--values] [--hidden] [--share 0.1]
                                        [--json F]

Each thing that torch offers, in turn: at numbers far from zero, at zero, at ties (extremes, pairs), at each dtype and
pair of dtypes, each way of indexing, at each rank and of nothing, with each pair of options, and layers in both modes,
trained, copied, loaded (``checks.scan``). Values, dtypes, shapes and gradients are compared. What the target's page
says to differ is counted as known (``checks.scan.known``). Exits with 1 when a program differs silently. Torch is to
be installed in this interpreter.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from checks.programs.judge import is_announced
from checks.scan.case import Case, of_values
from checks.scan.groups import GROUPS, some
from checks.scan.hidden import hidden
from checks.scan.judging import COLUMNS, KNOWN, LOUD, SILENT, judged
from checks.scan.known import known
from migrate.programs import Outcome, Programs
from rewriters.report import BESIDE, GOES_ON

AT_ONCE = 200  # programs that are converted together
SECONDS = 20.0  # that a program may take
SHOWN = 3  # differences of a program that are printed


def batches(cases: list[Case]) -> Iterator[list[Case]]:
    for _, together in groupby(sorted(cases, key=lambda case: case.together), key=lambda case: case.together):
        some = list(together)
        for start in range(0, len(some), AT_ONCE):
            yield some[start : start + AT_ONCE]


def outcome_of(case: Case, found: Outcome, target: str) -> tuple[str, list[str], str]:
    """(column, what differs, the words of a page that name it)."""
    announced = found.target.warned or any(site.outcome in BESIDE or GOES_ON in site.detail for site in found.sites)
    column, differs = judged(found.torch, found.target, case.alone, announced, is_announced(found.target))
    words = known(target, f"{case.group}: {case.name}", differs) if column == SILENT else ""
    return (KNOWN if words else column), differs, words


class Scan:
    """Programs against one target, counted by group and column."""

    def __init__(self, programs: Programs, file: Path | None) -> None:
        self.programs, self.file = programs, file
        self.counts: dict[str, Counter[str]] = {}
        self.rows: list[dict[str, object]] = []

    def run(self, cases: list[Case]) -> None:
        began = said = time.monotonic()
        done = 0
        for batch in batches(cases):
            texts = {f"p{number}.py": case.text for number, case in enumerate(batch)}
            for (path, _), case, found in zip(
                texts.items(), batch, self.programs.run_scripts(texts, SECONDS), strict=True
            ):
                self.add(case, found, path)
            done += len(batch)
            if time.monotonic() - said > 30:
                said = time.monotonic()
                print(f"# {done} of {len(cases)} in {said - began:.0f} s", flush=True)
                self.write()
        self.write()

    def add(self, case: Case, found: Outcome, path: str) -> None:
        target = self.programs.target.name
        column, differs, words = outcome_of(case, found, target)
        self.counts.setdefault(case.group, Counter())[column] += 1
        if column == COLUMNS[0]:
            return
        converted = next((text for name, text in found.converted.items() if name.endswith(path)), "")
        sites = [f"{site.outcome} {site.api}: {site.detail}" for site in found.sites if site.outcome in BESIDE]
        self.rows.append(
            {
                "group": case.group, "what": case.what, "where": case.where, "column": column, "differs": differs,
                "known": words, "sites": sites, "text": case.text, "converted": converted,
                "torch": found.torch.shown, "target": found.target.shown, "error": found.torch.error,
            }
        )  # fmt: skip
        if column == SILENT:
            rest = f" and {len(differs) - SHOWN} more" if len(differs) > SHOWN else ""
            print(f"{case.group}: {case.name}\n    " + "\n    ".join(differs[:SHOWN]) + rest, flush=True)

    def write(self) -> None:
        if self.file:
            self.file.write_text(json.dumps(self.rows, indent=1), encoding="utf-8")

    def print_table(self) -> None:
        print(
            f"\n| {self.programs.target.name} | programs | {' | '.join(COLUMNS)} |\n|---|{'---|' * (1 + len(COLUMNS))}"
        )
        for group, counts in [*self.counts.items(), ("all", sum(self.counts.values(), Counter()))]:
            print(f"| {group} | {counts.total()} | {' | '.join(str(counts[column]) for column in COLUMNS)} |")
        total = sum(self.counts.values(), Counter())
        print(f"\n{total[SILENT]} new, {total[KNOWN]} known, {total[LOUD]} errors that nothing announced")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--to", default="paddle", metavar="TARGET")
    parser.add_argument("--only", choices=list(GROUPS), action="append", default=[], help="may be given again")
    parser.add_argument("--match", default="", metavar="PATTERN", help="a regular expression in a program's name")
    parser.add_argument("--values", action="store_true", help="no gradients, where a program is not about training")
    parser.add_argument("--hidden", action="store_true", help="nothing says of what dtype and rank tensors are")
    parser.add_argument("--share", type=float, default=1.0, help="of the programs, drawn")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="a file that gets every program that does not agree")
    arguments = parser.parse_args()
    os.environ.setdefault("ONEFLOW_ENABLE_ONEDNN_OPTS", "0")  # oneDNN's log_softmax is rough: docs/oneflow.md
    cases = [case for group in arguments.only or GROUPS for case in GROUPS[group]()]
    if arguments.values:
        cases = [case for case in map(of_values, cases) if case is not None]
    if arguments.hidden:
        cases = [case for case in map(hidden, cases) if case is not None]
    cases = some([case for case in cases if re.search(arguments.match, case.name)], arguments.share, arguments.seed)
    with Programs(arguments.to) as programs:
        scan = Scan(programs, arguments.json)
        scan.run(cases)
    scan.print_table()
    sys.exit(1 if sum(counts[SILENT] for counts in scan.counts.values()) else 0)


if __name__ == "__main__":
    main()
