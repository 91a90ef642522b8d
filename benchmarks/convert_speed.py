"""How long `migrate convert` takes, as ratios to what libcst needs for the same lines.

    .venv/bin/python benchmarks/convert_speed.py FOLDER

FOLDER: at least 50,000 lines of PyTorch projects. Prints lines per second and ratios for
(a) libcst's floor: parse, one empty visit, print; (b) libcst's parse and print alone; (c) convert in one process and
in two; (d) convert again with nothing changed; (e) one file of 300 lines from the shell, rules known or first read.
Each is measured --repeat times in a fresh process, interleaved; medians are shown.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

LIBCST = """
import sys, time, pathlib, libcst
paths = [p for p in sorted(pathlib.Path(sys.argv[1]).rglob("*.py"))]
visit = sys.argv[2] == "visit"
class Empty(libcst.CSTTransformer):
    def leave_Name(self, original_node, updated_node):
        return updated_node
start = time.perf_counter()
for path in paths:
    try:
        module = libcst.parse_module(path.read_bytes())
    except Exception:
        continue
    if visit:
        module = module.visit(Empty())
    module.bytes
print(time.perf_counter() - start)
"""


def libcst_seconds(folder: Path, visit: bool) -> float:
    words = [sys.executable, "-c", LIBCST, str(folder), "visit" if visit else "plain"]
    return float(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


def convert_seconds(source: Path, out: Path, home: Path, jobs: int, fresh: bool) -> float:
    """Wall time of the command, start-up included."""
    if fresh:
        shutil.rmtree(out, ignore_errors=True)
        shutil.rmtree(home, ignore_errors=True)
    command = str(Path(sys.executable).with_name("migrate"))
    words = [command, "convert", str(source), "-o", str(out), "--jobs", str(jobs)]
    # A user's Python keeps its bytecode.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | {"MIGRATE_HOME": str(home)}
    start = time.perf_counter()
    subprocess.run(words, capture_output=True, check=True, env=environment)
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    paths = sorted(options.folder.rglob("*.py"))
    lines = sum(path.read_bytes().count(b"\n") for path in paths)
    single = min(paths, key=lambda path: (abs(path.read_bytes().count(b"\n") - 300), str(path)))
    with tempfile.TemporaryDirectory(prefix="migrate-speed-") as name:
        work = Path(name)
        out, home = work / "out", work / "home"
        seconds: dict[str, list[float]] = {
            key: [] for key in ("visit", "plain", "one", "again", "two", "first", "single")
        }
        for turn in range(options.repeat):
            seconds["visit"].append(libcst_seconds(options.folder, True))
            seconds["plain"].append(libcst_seconds(options.folder, False))
            seconds["one"].append(convert_seconds(options.folder, out, home, 1, True))
            seconds["again"].append(convert_seconds(options.folder, out, home, 1, False))
            seconds["two"].append(convert_seconds(options.folder, out, home, 2, True))
            for key in ("first", "single"):
                # Never a text that was converted before.
                (work / "in.py").write_bytes(single.read_bytes() + f"# {turn} {key}\n".encode())
                seconds[key].append(convert_seconds(work / "in.py", work / "single.py", home, 1, key == "first"))
                (work / "single.py").unlink()
    median = {key: statistics.median(values) for key, values in seconds.items()}
    table = Table("what", "seconds", "lines/s", "ratio")
    rows = [
        ("(a) libcst: parse, empty visit, print", "visit", f"{median['visit'] / median['plain']:.2f} of (b)"),
        ("(b) libcst: parse, print", "plain", "1"),
        ("(c) convert, one process", "one", f"{median['one'] / median['plain']:.2f} of (b)"),
        ("    convert, two processes", "two", f"{median['one'] / median['two']:.2f} times faster"),
        ("(d) convert, nothing changed", "again", f"{100 * median['again'] / median['one']:.1f} % of cold"),
    ]
    for title, key, ratio in rows:
        table.add_row(title, f"{median[key]:.2f}", f"{lines / median[key]:,.0f}", ratio)
    count = single.read_bytes().count(b"\n")
    table.add_row(f"(e) one file of {count} lines", f"{median['single']:.2f}", "", "")
    table.add_row("    the first on a machine", f"{median['first']:.2f}", "", "reads all rules")
    console = Console(highlight=False)
    console.print(f"{len(paths)} files, {lines:,} lines; {os.cpu_count()} CPUs; medians of {options.repeat}")
    console.print(table)


if __name__ == "__main__":
    main()
