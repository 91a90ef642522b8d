"""How long `migrate convert` takes, as ratios to what libcst needs for the same lines.

    .venv/bin/python benchmarks/convert_speed.py FOLDER

FOLDER: at least 50,000 lines of PyTorch projects, or one package. Prints lines per second and ratios for
(a) libcst's floor: parse, one empty visit, print; (b) libcst's parse and print alone; (c) convert in one process and
in two, rules known and no conversion kept; (d) convert again with nothing changed; (e) one file of 300 lines from the
shell, rules known or first read. Each is measured --repeat times in a fresh process, interleaved; medians are shown.
"processor": user and system time of all processes together.

Before, each of (c) is run once for its memory alone, sampled over the command and all processes that it starts: pages
that forked processes share are counted once (PSS, as Linux has it), and once in each (RSS). The two outputs must hold
the same bytes, else the exit status is 1. --convert leaves out all but (c).
"""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

LIBCST = """
import sys, time, pathlib, libcst
paths = [p for p in sorted(pathlib.Path(sys.argv[1]).rglob("*.py"))]
visit = sys.argv[2] == "visit"
class Empty(libcst.CSTTransformer):
    def leave_Name(self, original_node, updated_node):
        return updated_node
start, before = time.perf_counter(), time.process_time()
for path in paths:
    try:
        module = libcst.parse_module(path.read_bytes())
    except Exception:
        continue
    if visit:
        module = module.visit(Empty())
    module.bytes
print(time.perf_counter() - start, time.process_time() - before)
"""


class Timed(NamedTuple):
    wall: float
    processor: float


def libcst_time(folder: Path, visit: bool) -> Timed:
    """Start-up left out."""
    words = [sys.executable, "-c", LIBCST, str(folder), "visit" if visit else "plain"]
    wall, processor = map(float, subprocess.run(words, capture_output=True, text=True, check=True).stdout.split())
    return Timed(wall, processor)


def started(source: Path, out: Path, home: Path, jobs: int) -> subprocess.Popen[bytes]:
    """The command, with nothing converted yet; what is known of rules stays."""
    shutil.rmtree(out, ignore_errors=True)
    command = str(Path(sys.executable).with_name("migrate"))
    words = [command, "convert", str(source), "-o", str(out), "--jobs", str(jobs)]
    # A user's Python keeps its bytecode.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | {"MIGRATE_HOME": str(home)}
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)


def convert_time(source: Path, out: Path, home: Path, jobs: int) -> Timed:
    """Of the command, start-up included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    ended(started(source, out, home, jobs))
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Timed(wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def ended(process: subprocess.Popen[bytes]) -> None:
    if process.wait() != 0:
        raise SystemExit(f"{process.args!r} ends with {process.returncode}")


def processes(pid: int) -> list[int]:
    """The process and those that it has started, at any depth, that still run."""
    found = [pid]
    for one in found:  # which grows
        for task in Path(f"/proc/{one}/task").glob("*/children"):
            with suppress(OSError):  # it has just ended
                found += map(int, task.read_text().split())
    return found


def memory(pid: int) -> Counter[str]:
    """Of all these processes in kB, as ``smaps_rollup`` counts it."""
    found: Counter[str] = Counter()
    for one in processes(pid):
        with suppress(OSError):
            for line in Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()[1:]:
                name, _, rest = line.partition(":")
                if name in ("Pss", "Rss"):
                    found[name] += int(rest.split()[0])
    return found


def peak_memory(source: Path, out: Path, home: Path, jobs: int) -> Counter[str]:
    """The largest sums over all processes of the command, in kB; empty where the system does not tell."""
    process = started(source, out, home, jobs)
    peak: Counter[str] = Counter()
    while process.poll() is None:
        peak |= memory(process.pid)
        time.sleep(0.1)
    ended(process)
    return peak


def digest(folder: Path) -> str:
    """Of all files below."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        found.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--convert", action="store_true", help="one process against two alone")
    options = parser.parse_args()
    paths = sorted(options.folder.rglob("*.py"))
    lines = sum(path.read_bytes().count(b"\n") for path in paths)
    console = Console(highlight=False)
    console.print(f"{len(paths)} files, {lines:,} lines; {os.cpu_count()} CPUs; medians of {options.repeat}")
    with tempfile.TemporaryDirectory(prefix="migrate-speed-") as name:
        work = Path(name)
        same = show_memory(console, options.folder, work)
        found = measured(options.folder, paths, work, options.repeat, options.convert)
    console.print(table_of(found, lines))
    if not same:
        raise SystemExit("one process and two give different bytes")


def show_memory(console: Console, folder: Path, work: Path) -> bool:
    """Print the peaks; whether one process and two give the same bytes."""
    table = Table("peak memory, MB of 10^6 bytes", "shared pages once (PSS)", "in each process (RSS)", "output")
    digests = []
    for title, jobs in (("one process", 1), ("two processes", 2)):
        peak = peak_memory(folder, work / "out", work / "home", jobs)
        digests.append(digest(work / "out"))
        shown = [f"{peak[kind] * 1024 / 1e6:,.0f}" if peak else "not told" for kind in ("Pss", "Rss")]
        table.add_row(title, *shown, digests[-1][:12])
        forget(work)
    console.print(table)
    return len(set(digests)) == 1


def forget(work: Path) -> None:
    """What has been converted."""
    shutil.rmtree(work / "home" / "converted", ignore_errors=True)


def measured(folder: Path, paths: list[Path], work: Path, repeat: int, convert: bool) -> dict[str, list[Timed]]:
    single = min(paths, key=lambda path: (abs(path.read_bytes().count(b"\n") - 300), str(path)))
    out, home, other = work / "out", work / "home", work / "other"
    found: dict[str, list[Timed]] = defaultdict(list)
    for turn in range(repeat):
        for key, visit in (("visit", True), ("plain", False)) if not convert else ():
            found[key].append(libcst_time(folder, visit))
        forget(work)
        found["one"].append(convert_time(folder, out, home, 1))
        if not convert:
            found["again"].append(convert_time(folder, out, home, 1))
        forget(work)
        found["two"].append(convert_time(folder, out, home, 2))
        for key, kept in (("first", other), ("single", home)) if not convert else ():
            shutil.rmtree(other, ignore_errors=True)
            # Never a text that was converted before.
            (work / "in.py").write_bytes(single.read_bytes() + f"# {turn} {key}\n".encode())
            found[key].append(convert_time(work / "in.py", work / "single.py", kept, 1))
            (work / "single.py").unlink()
    return found


def table_of(found: dict[str, list[Timed]], lines: int) -> Table:
    median = {key: statistics.median(one.wall for one in values) for key, values in found.items()}
    table = Table("what", "seconds", "processor", "lines/s", "ratio")
    one, plain = median["one"], median.get("plain", 0.0)
    of_libcst = f"{one / plain:.2f} of (b)" if plain else ""
    rows = [
        ("(a) libcst: parse, empty visit, print", "visit", lambda: f"{median['visit'] / plain:.2f} of (b)"),
        ("(b) libcst: parse, print", "plain", lambda: "1"),
        ("(c) convert, one process", "one", lambda: of_libcst),
        ("    convert, two processes", "two", lambda: f"{one / median['two']:.2f} times faster"),
        ("(d) convert, nothing changed", "again", lambda: f"{100 * median['again'] / one:.1f} % of cold"),
        ("(e) one file of about 300 lines", "single", lambda: ""),
        ("    the first on a machine", "first", lambda: "reads all rules"),
    ]
    for title, key, ratio in rows:
        if key in median:
            processor = statistics.median(one.processor for one in found[key])
            speed = "" if key in ("single", "first") else f"{lines / median[key]:,.0f}"
            table.add_row(title, f"{median[key]:.2f}", f"{processor:.2f}", speed, ratio())
    return table


if __name__ == "__main__":
    main()
