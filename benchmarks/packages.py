"""Converts packages from PyPI whole and imports every module of theirs, in torch and in a target.

    python benchmarks/packages.py                        # all that packages.toml lists
    python benchmarks/packages.py timm peft              # these; the rest of the page is kept from the last run of each
    python benchmarks/packages.py --to oneflow
    python benchmarks/packages.py gpytorch --tests       # and run the tests of its source distribution, in both

Nothing in the output is edited. What a package needs beside torch is installed for each interpreter into a folder of
its own; of that, what stands on torch itself comes along (`convert --with`). What does not import with torch does not
count. The results go into benchmarks/packages.json, and from there into docs/packages.md, with each cause of a failure
and how many modules it keeps from importing.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uv
from packages_page import write_page
from watching import watched

from migrate.importing import Failure, import_all
from rewriters.storing import replace_text

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]

HERE = Path(__file__).parent
LIST = HERE / "packages.toml"
KEPT = HERE / "packages.json"
PAGE = HERE.parent / "docs" / "packages.md"
# Interpreters have their own of these, or must not have them.
LEFT_OUT = ("torch", "torchvision", "torchaudio", "triton", "numpy", "nvidia-cublas-cu12")
TESTS = "packages_tests"
LAST = '{"test": "", "outcome": "the last"}\n'
LONGEST = 240  # seconds that a test may take


@dataclass(frozen=True)
class Side:
    """A framework's interpreter, and the folders where it finds the package and what that needs, in order."""

    python: str
    folders: tuple[Path, ...]
    stand_ins: tuple[str, ...] = ()


def migrate(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "migrate", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "COLUMNS": "200"}, check=False)


def install(package: dict[str, Any], python: str, folder: Path) -> str:
    """The package and what it depends on, for an interpreter; why not, where it has none for that Python."""
    wanted = [f"{package['name']}=={package['version']}", *package.get("needs", ())]
    made = folder / "wanted.txt"
    if made.exists() and made.read_text() == " ".join(wanted):
        return ""
    folder.mkdir(parents=True, exist_ok=True)
    without = folder / "without.txt"
    left_out = [name for name in LEFT_OUT if name != package["name"]]
    without.write_text("".join(f"{name} ; python_version < '3'\n" for name in left_out))
    command = [uv.find_uv_bin(), "pip", "install", "-q", "--python", python, "--target", str(folder)]
    done = subprocess.run(
        [*command, "--overrides", str(without), *wanted], stderr=subprocess.PIPE, text=True, check=False
    )
    if done.returncode != 0:
        return done.stderr.strip()
    made.write_text(" ".join(wanted))
    return ""


def declared(package: dict[str, Any], folder: Path) -> tuple[Path, ...]:
    """A folder by which torch's interpreter, when it starts, declares the operators of the package's own build."""
    if "operators" not in package:
        return ()
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["import torch", *(f"torch.library.define({name!r}, {of!r})" for name, of in package["operators"].items())]
    (folder / "sitecustomize.py").write_text("\n".join(lines) + "\n")
    return (folder,)


def modules_of(folder: Path) -> list[str]:
    """Names of a package's modules, as they are imported; what runs when it is imported is left out."""
    found = []
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder.parent).with_suffix("").parts
        if all(part.isidentifier() for part in parts) and parts[-1] not in {"__main__", "setup"}:
            found.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return found


def imported(side: Side, names: list[str]) -> dict[str, Failure | None]:
    """What came of importing each."""
    offline = {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
    return import_all(side.python, names, side.folders, environ=offline, stand_ins=side.stand_ins)


def converted(source: Path, out: Path, target: str, brought: Sequence[str], jobs: int) -> dict[str, Any]:
    """Converts a folder with a package, the packages ``brought`` coming along from where it was installed."""
    report = out.parent / f"{out.name}.report.json"
    report.unlink(missing_ok=True)
    words = [word for name in brought for word in ("--with", name)]
    command = [sys.executable, "-m", "migrate", "convert", str(source), "--to", target, "-o", str(out), "--force"]
    done = watched([*command, "--jobs", str(jobs), "--report", str(report), *words], {**os.environ, "COLUMNS": "200"})
    if done.code not in {0, 1} or not report.exists():  # 1: some files failed, which are counted
        raise SystemExit(f"convert {source}: exit status {done.code}\n{done.errors}")
    files = json.loads(report.read_text())["files"]
    return {
        "seconds": round(done.seconds, 1),
        "processor_seconds": round(done.processor_seconds, 1),
        "peak_mb": round(done.peak_mb),
        "lines": sum(path.read_bytes().count(b"\n") for path in source.rglob("*.py")),
        "files": len(files),
        "failed": sum(file["status"] == "failed" for file in files),
        "marked": sum(site["outcome"] == "marked" for file in files for site in file["sites"]),
    }


def sources(package: dict[str, Any], folder: Path) -> Path:
    """The package's source distribution, unpacked."""
    if not folder.exists():
        wanted = f"{package['name']}=={package['version']}"
        command = [uv.find_uv_bin(), "tool", "run", "pip", "download", "-q", "--no-deps"]
        command += ["--no-binary", package["name"], wanted]
        subprocess.run([*command, "-d", str(folder.parent)], check=True)
        (archive,) = folder.parent.glob("*.tar.gz")
        shutil.unpack_archive(archive, folder, filter="data")
    (found,) = folder.iterdir()
    return found


def tested(side: Side, paths: Sequence[str], said: Path) -> dict[str, dict[str, str]]:
    """What came of each test of a side; a test that ends the process is one row, and the rest are gone on with."""
    said.write_text("")
    (said.parent / "pytest.ini").write_text("[pytest]\n")
    folders = os.pathsep.join(map(str, [*side.folders, HERE]))
    environ = {**os.environ, "PYTHONPATH": folders, "HF_HUB_OFFLINE": "1", "PACKAGES_TESTS": str(said)}
    environ["PACKAGES_STAND_INS"] = " ".join(side.stand_ins)
    command = [side.python, "-W", "ignore", "-m", "pytest", "-q", "-p", TESTS, "-p", "no:cacheprovider"]
    command += ["--continue-on-collection-errors"]
    command += ["-c", str(said.parent / "pytest.ini"), "--rootdir", ".", f"--timeout={LONGEST}"]
    command += ["--timeout-method=thread", *paths]
    before, lines = -1, 0
    while before < lines and LAST not in said.read_text():  # a test that takes too long ends the process too
        before = lines
        done = subprocess.run(command, capture_output=True, text=True, env=environ, cwd=side.folders[0], check=False)
        lines = len(said.read_text().splitlines())
    if not lines:
        raise SystemExit(f"{side.python}: testing does not start\n{done.stdout[-1000:]}{done.stderr[-1000:]}")
    rows: dict[str, dict[str, str]] = {}
    for row in map(json.loads, said.read_text().replace(LAST, "").splitlines()):
        bad = rows.get(row["test"], {}).get("outcome") in {"failed", "skipped"}  # and then taken down well
        rows[row["test"]] = rows[row["test"]] if bad else row
    return rows


def both_tested(package: dict[str, Any], torch: Side, other: Side, sides: Path, target: str) -> dict[str, Any]:
    """The tests that pass with torch, and of those, with the target."""
    kept = sides / "torch" / "tests.json"
    key = f"{package['version']} {package['tests']}"
    known = json.loads(kept.read_text()) if kept.exists() else {}
    if known.get("key") != key:
        known = {"key": key, "rows": tested(torch, package["tests"], sides / "torch" / "tests.jsonl")}
        kept.write_text(json.dumps(known))
    passing = [test for test, row in known["rows"].items() if row["outcome"] == "passed"]
    rows = tested(other, package["tests"], sides / target / "tests.jsonl")
    fails = [rows.get(test) or rows.get(test.partition("::")[0]) or {} for test in passing]
    fails = [row for row in fails if row.get("outcome") != "passed"]
    causes = Counter(general(row.get("why") or row.get("outcome", "is not there")) for row in fails)
    return {
        "with_torch": len(passing),
        "with_target": len(passing) - len(fails),
        "causes": [{"why": why, "tests": n} for why, n in causes.most_common()],
    }


def general(why: str) -> str:
    """A cause without what is of one module alone."""
    return re.sub(r"'[^']{60,}'|0x[0-9a-f]+|\(/[^)]*\)|'\w+'(?= object has no)", "…", why)


def short(place: str, side: Side) -> str:
    """A file's place in the package, or in what it stands on."""
    for folder in side.folders:
        place = place.removeprefix(f"{folder}/")
    return place


def tried(package: dict[str, Any], target: str, python: str, work: Path, *, tests: bool, jobs: int) -> dict[str, Any]:
    """A package's row: what imports with torch, and of that, with the target."""
    module = package.get("module", package["name"])
    sides = work / package["name"]
    if older := package.get("older", {}).get(target, ()):
        package = {**package, "needs": [*package.get("needs", ()), *older]}
        sides = work / f"{package['name']} for {target}"
    for name, interpreter in (("torch", sys.executable), (target, python)):
        problem = install(package, interpreter, sides / name / "beside")
        if problem:
            return {"version": package["version"], "problem": problem}
    source = sides / "torch" / "beside" / module
    names = modules_of(source)
    stand_ins = tuple(package.get("stand_ins", ()))
    kept = sides / "torch" / "not_imported.json"
    key = f"{package['version']} {stand_ins}"
    known = json.loads(kept.read_text()) if kept.exists() else {}
    if known.get("key") != key:
        side = Side(sys.executable, (source.parent, *declared(package, sides / "torch" / "declared")), stand_ins)
        known = {"key": key, "fails": [name for name, failure in imported(side, names).items() if failure]}
        kept.write_text(json.dumps(known))
    with_torch = [name for name in names if name not in known["fails"]]
    alone, out = sides / "torch" / "alone", sides / target / "out"
    if not alone.exists():
        shutil.copytree(source, alone / module)
    for name in {path.partition("/")[0] for path in package.get("tests", ())}:
        if tests and not (alone / name).exists():
            shutil.copytree(sources(package, sides / "sources") / name, alone / name)
    singles = [name for name in package.get("with", ()) if (source.parent / f"{name}.py").exists()]
    for name in singles:  # of one file, and so no package: converted as a file of the project
        shutil.copy(source.parent / f"{name}.py", alone)
    shutil.rmtree(out, ignore_errors=True)
    brought = [str(source.parent / name) for name in package.get("with", ()) if name not in singles]
    conversion = converted(alone, out, target, brought, jobs)
    side = Side(python, (out, sides / target / "beside"))
    fails = [failure for failure in imported(side, with_torch).values() if failure]
    places = Counter((general(one.why), short(one.place, side)) for one in fails)
    row = {
        "version": package["version"],
        "modules": len(names),
        "with_torch": len(with_torch),
        "with_target": len(with_torch) - len(fails),
        "conversion": conversion,
        "causes": [{"why": why, "place": place, "modules": n} for (why, place), n in places.most_common()],
    }
    if tests and "tests" in package:
        torch = Side(sys.executable, (alone, source.parent), stand_ins)
        row["tests"] = both_tested(package, torch, side, sides, target)
    return row


def keep(name: str, target: str, row: dict[str, Any]) -> None:
    """Puts a package's row beside the others; where no tests were run, with what its last row says of them."""
    kept = json.loads(KEPT.read_text())
    last = kept.get(name, {}).get(target, {})
    row = {key: last[key] for key in ("tests",) if key in last and "problem" not in row} | row
    kept[name] = kept.get(name, {}) | {target: row}
    replace_text(KEPT, json.dumps(dict(sorted(kept.items())), indent=1, ensure_ascii=False) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="default: all that packages.toml lists")
    parser.add_argument("--to", default="paddle", metavar="TARGET")
    parser.add_argument("--tests", action="store_true", help="also run the packages' own tests, where they are listed")
    parser.add_argument("--jobs", type=int, default=2, help="processes that a conversion uses")
    parser.add_argument("--work", type=Path, default=Path.home() / ".cache" / "torch-migrate" / "packages")
    options = parser.parse_args()
    listed = tomllib.loads(LIST.read_text())["package"]
    unknown = set(options.names) - {package["name"] for package in listed}
    if unknown:
        parser.error(f"not in {LIST.name}: {', '.join(sorted(unknown))}")
    python = migrate("env", options.to, "--path").stdout.strip()
    for package in listed:
        if options.names and package["name"] not in options.names:
            continue
        (options.work / package["name"]).mkdir(parents=True, exist_ok=True)
        row = tried(package, options.to, python, options.work, tests=options.tests, jobs=options.jobs)
        keep(package["name"], options.to, row)
        if "problem" in row:
            print(f"{package['name']} {row['version']}: not installed\n{row['problem']}", flush=True)
            continue
        print(f"{package['name']} {row['version']}: {row['with_target']} of {row['with_torch']} modules that import "
              f"with torch import with {options.to}", flush=True)  # fmt: skip
        if told := row.get("tests"):
            print(f"  {told['with_target']} of {told['with_torch']} tests that pass with torch pass", flush=True)
        for one in row["causes"][:5]:
            print(f"  {one['modules']:4d} {one['place']}: {one['why']}", flush=True)
    write_page(listed, json.loads(KEPT.read_text()), PAGE)


if __name__ == "__main__":
    main()
