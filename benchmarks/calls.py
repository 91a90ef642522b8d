"""Programs of one call each, in every way in which torch documents that it may be written: how each target takes them.

    .venv/bin/python benchmarks/calls.py [--target paddle] [--only PATTERN] [--limit N] [--each 6] [--out FILE]

The programs come from torch's own stubs, docstrings and signatures, not from the rules (``checks.calls``); torch runs
each of them first. All are converted, some hundreds at a time as a folder of scripts, and run. Prints what passes, is
marked, fails with an error that nothing announced, and is wrong, by family; ``--out`` gets every program that does not
pass. Exits with 1 when one is wrong. Torch is to be installed in this interpreter.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from collections import Counter
from pathlib import Path

from checks.calls.catalogue import FAMILIES
from checks.calls.corpus import EACH, Written, corpus
from checks.calls.documented import documented
from checks.programs.judge import AGREES, DIFFERS, INVALID, MARKED, RAISES, WARNED
from migrate.programs import Outcome, Programs
from rewriters.report import Outcome as Became

PASS, ANNOUNCED, ERROR, WRONG, DOCUMENTED = "pass", "marked", "unmarked error", "WRONG", "documented"
COLUMNS = (PASS, ANNOUNCED, ERROR, WRONG, DOCUMENTED)
AT_ONCE = 200  # programs that are converted together
SECONDS = 30.0


def score(outcome: Outcome, target: str, key: str) -> str:
    """In which column an outcome counts."""
    announced = any(site.outcome in (Became.MARKED, Became.DIFFERS) for site in outcome.sites)
    if outcome.verdict in (AGREES, INVALID):
        return PASS
    if outcome.verdict in (MARKED, WARNED) or (announced and outcome.verdict in (RAISES, DIFFERS)):
        return ANNOUNCED
    if documented(target, key, outcome.detail):
        return DOCUMENTED
    return ERROR if outcome.verdict == RAISES else WRONG


def run(target: str, written: list[Written]) -> tuple[dict[str, Counter[str]], list[dict[str, object]]]:
    """(family -> column -> count, all programs that do not pass)."""
    table: dict[str, Counter[str]] = {}
    rows: list[dict[str, object]] = []
    began = said = time.monotonic()
    with Programs(target) as programs:
        for start in range(0, len(written), AT_ONCE):
            some = written[start : start + AT_ONCE]
            outcomes = programs.run_scripts({f"{one.name}.py": one.text for one in some}, SECONDS)
            for one, outcome in zip(some, outcomes, strict=True):
                if outcome.verdict == INVALID:
                    continue
                column = score(outcome, target, one.key)
                table.setdefault(one.family, Counter())[column] += 1
                if column != PASS:
                    rows.append(row(one, column, outcome))
            if time.monotonic() - said > 30:
                said = time.monotonic()
                print(f"# {target}: {start + len(some)} of {len(written)} in {said - began:.0f} s", flush=True)
    return table, rows


def row(one: Written, column: str, outcome: Outcome) -> dict[str, object]:
    marks = [f"{site.api}: {site.detail}" for site in outcome.sites if site.outcome in (Became.MARKED, Became.DIFFERS)]
    return {
        **dataclasses.asdict(one),
        "column": column,
        "detail": outcome.detail,
        "marks": marks,
        "converted": next((text for path, text in outcome.converted.items() if path.endswith(f"{one.name}.py")), ""),
        "torch": outcome.torch.shown,
        "shown": outcome.target.shown,
    }


def print_table(target: str, table: dict[str, Counter[str]]) -> None:
    print(f"\n| {target} | programs | {' | '.join(COLUMNS)} |\n|---|{'---|' * (1 + len(COLUMNS))}")
    total: Counter[str] = Counter()
    for family in FAMILIES:
        counts = table.get(family)
        if counts:
            total += counts
            print(line(family, counts))
    print(line("all", total))


def line(name: str, counts: Counter[str]) -> str:
    total = counts.total()
    cells = [f"{counts[column]} ({100 * counts[column] / total:.1f}%)" for column in COLUMNS]
    return f"| {name} | {total} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--target", action="append", metavar="NAME", help="paddle and oneflow, if none is given")
    parser.add_argument("--only", default="", metavar="PATTERN", help="a regular expression in torch's name")
    parser.add_argument("--limit", type=int, default=None, help="programs at most")
    parser.add_argument("--each", type=int, default=EACH, help="programs of a callable at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="a JSON file of all programs that do not pass")
    parser.add_argument("--programs", type=Path, help="a JSON file that keeps the programs; read where it is there")
    arguments = parser.parse_args()
    if arguments.programs and arguments.programs.exists():
        written = [Written(**one) for one in json.loads(arguments.programs.read_text(encoding="utf-8"))]
    else:
        written = list(corpus(arguments.seed, arguments.each, arguments.only, arguments.limit))
        if arguments.programs:
            text = json.dumps([dataclasses.asdict(one) for one in written], indent=1)
            arguments.programs.write_text(text, encoding="utf-8")
    print(f"{len(written)} programs of {len({one.key for one in written})} callables", flush=True)
    found: dict[str, list[dict[str, object]]] = {}
    wrong = 0
    for target in arguments.target or ["paddle", "oneflow"]:
        table, found[target] = run(target, written)
        print_table(target, table)
        wrong += sum(counts[WRONG] for counts in table.values())
        if arguments.out:
            arguments.out.write_text(json.dumps(found, indent=1), encoding="utf-8")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
