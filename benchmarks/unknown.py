"""Which uses `migrate convert` leaves alone because their receiver is unknown: their share, and some drawn at random.

    python benchmarks/unknown.py FOLDER ...                     # the share of each project
    python benchmarks/unknown.py FOLDER ... --draw 200 --seed 1 # and 200 of them with their lines, to be read

Drawn ones stand under what they would do if the receiver were a tensor: whoever reads them asks of each whether it
would differ silently, and whether the report says so.

What counts: ``unknown`` are all uses of a name that torch's tensors have, whose receiver is not known to be a tensor
and not known to be none. ``same`` of them are calls in a form that was tried, on tensors, in torch and in the target
as it stands there, with equal results (``records/alike.json``): leaving these alone is what converting them would be.
``left`` counts all others, those of which nothing was tried among them: it is the share that an unknown receiver
leaves open. No use at all is what torch's own tensors could not be used for (``x.split(",")``, ``x.mean + 1``), and
what goes through a helper that looks at run time what it is given.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from pathlib import Path, PurePosixPath

from migrate.convert.deep import with_deep_stack
from migrate.convert.left_alone import questions
from migrate.convert.walk import find_files
from rewriters.convert import Conversion, convert_sources
from rewriters.report import BESIDE, Outcome, Risk, Site
from rewriters.target import Target, load_target

Use = tuple[str, Site, str]


def converted(folder: Path, target: Target) -> tuple[Conversion, dict[PurePosixPath, bytes]]:
    project = find_files(folder, [], folder / "nowhere")
    sources = {name: (folder / name).read_bytes() for name in project.sources}
    return with_deep_stack(lambda: convert_sources(sources, target, project.package)), sources


def uses(folder: Path, done: Conversion, sources: dict[PurePosixPath, bytes]) -> list[Use]:
    """The uses left alone, each with its line."""
    found = []
    for report in done.reports:
        lines = sources[PurePosixPath(report.path)].decode("utf-8", "replace").splitlines()
        for site in report.sites:
            if site.outcome == Outcome.UNKNOWN:
                found.append((f"{folder.name}/{report.path}", site, lines[site.line - 1].strip()))
    return found


def row(name: str, sites: Counter[Outcome], found: list[Use]) -> str:
    """One project's line: sites, unknown ones, their share, those that would not be the same, what they would do."""
    total = sum(count for outcome, count in sites.items() if outcome not in BESIDE)
    risks = Counter(site.risk for _, site, _ in found)
    left = len(found) - risks[Risk.SAME]
    told = " ".join(f"{risk} {risks[risk]}" for risk in Risk if risks[risk])
    share, rest = (100 * count / max(total, 1) for count in (len(found), left))
    return f"{name:36} {total:6} sites {len(found):5} unknown {share:6.2f}% {left:5} left {rest:6.2f}%  {told}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--to", default="paddle")
    parser.add_argument("--draw", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--answers", type=int, default=0, metavar="N", help="also each project's N first answers")
    arguments = parser.parse_args()
    target = load_target(arguments.to)
    everything: Counter[Outcome] = Counter()
    drawn: list[Use] = []
    for folder in arguments.folders:
        done, sources = converted(folder, target)
        sites: Counter[Outcome] = Counter()
        for report in done.reports:
            sites += report.counts()
        found = uses(folder, done, sources)
        print(row(folder.name, sites, found), flush=True)
        for one in questions(done.reports)[: arguments.answers]:
            path, site = one.sites[0]
            print(f"    {len(one.sites):4} {path}:{site.line} {site.api}: {one.answer or one.mend}")
        everything += sites
        drawn += found
    print(row("all", everything, drawn))
    chosen = random.Random(arguments.seed).sample(drawn, min(arguments.draw, len(drawn)))
    order = ["", *Risk]  # of an import's name that other statements bind too, no risk is told
    for path, site, line in sorted(chosen, key=lambda use: order.index(use[1].risk)):
        print(f"{site.risk:8} {path}:{site.line} {site.api}: {line[:140]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
