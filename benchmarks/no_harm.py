"""Converts every Python file under some folders and counts what must not happen.

    .venv/bin/python benchmarks/no_harm.py                      # the standard library and the installed packages
    .venv/bin/python benchmarks/no_harm.py path/to/repo ...     # or these

Per target: crashes, outputs that do not parse, torch-free files that changed, comments that are gone. All must be 0.
Torch-free is a file that does not mention torch, and neither do those that it imports or that import it: these may hand
it tensors.
"""

from __future__ import annotations

import argparse
import ast
import io
import sys
import sysconfig
import tokenize
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path, PurePosixPath

from rich.console import Console
from rich.table import Table

from rewriters.convert import convert_sources, split
from rewriters.files import MENTIONS_TORCH
from rewriters.target import known_targets, load_target

SHARD = 40


def comments_of(data: bytes) -> Counter[str]:
    try:
        return Counter(t.string for t in tokenize.tokenize(io.BytesIO(data).readline) if t.type == tokenize.COMMENT)
    except (tokenize.TokenError, SyntaxError, UnicodeDecodeError, ValueError):
        return Counter()


def inspect(job: tuple[str, list[str]]) -> tuple[Counter[str], list[str]]:
    """Counts and the first findings of one shard of files, converted together."""
    name, paths = job
    warnings.simplefilter("ignore")
    counts: Counter[str] = Counter()
    findings: list[str] = []
    sources = {PurePosixPath(path.lstrip("/")): Path(path).read_bytes() for path in paths}
    try:
        done = convert_sources(sources, load_target(name))
    except Exception as error:  # what the benchmark is there to find
        counts["crashes"] += 1
        return counts, [f"{type(error).__name__}: {error} while converting {paths[0]} and its shard"]
    for report in done.reports:
        counts["files"] += 1
        counts[report.status] += 1
        if "Please report" in report.error:
            counts["broken"] += 1
            findings.append(report.error)
    free = {
        path
        for group in split(sources, "")
        if not any(MENTIONS_TORCH.search(sources[member]) for member in group)
        for path in group
    }
    for path, new in done.files.items():
        old = sources[path]
        if new == old:
            continue
        if path in free:
            counts["torch-free changed"] += 1
            findings.append(f"{path}: is torch-free, and changed")
        try:
            ast.parse(new)
        except SyntaxError as error:
            counts["broken"] += 1
            findings.append(f"{path}:{error.lineno}: {error.msg}")
        lost = comments_of(old) - comments_of(new)
        if lost:
            counts["comments lost"] += sum(lost.values())
            findings.append(f"{path}: lost {next(iter(lost))}")
    return counts, findings


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--to", choices=known_targets(), action="append")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--most", type=int, default=0, help="stop after so many files, evenly spread (0: all)")
    options = parser.parse_args()
    folders = options.folders or [Path(sysconfig.get_paths()["stdlib"]), Path(sysconfig.get_paths()["purelib"])]
    # Resolved: a virtual environment's own library is often a link.
    paths = sorted({str(path.resolve()) for folder in folders for path in folder.rglob("*.py") if path.is_file()})
    if options.most and len(paths) > options.most:
        paths = paths[:: max(1, len(paths) // options.most)]
    shards = [paths[start : start + SHARD] for start in range(0, len(paths), SHARD)]
    console = Console(highlight=False)
    table = Table(
        "target", "files", "converted", "not Python", "crashes", "broken", "torch-free changed", "comments lost"
    )
    bad = False
    for name in options.to or [name for name in known_targets() if not load_target(name).weights_only]:
        total: Counter[str] = Counter()
        with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
            for counts, findings in pool.map(inspect, [(name, shard) for shard in shards]):
                total += counts
                for finding in findings[:3]:
                    console.print(finding, markup=False)
        columns = ("files", "converted", "failed", "crashes", "broken", "torch-free changed", "comments lost")
        table.add_row(name, *(str(total[column]) for column in columns))
        bad |= any(total[column] for column in columns[3:])
    console.print(table)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
