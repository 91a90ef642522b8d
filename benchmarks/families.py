"""Brings model families over from packages of PyPI, one by one, and compares each with torch.

    python benchmarks/families.py                        # all that families.toml lists, to Paddle
    python benchmarks/families.py --only bert --to oneflow
    python benchmarks/families.py --missing              # goes on where another run ended

What a user does: `migrate convert PACKAGE --entry MODULE:CALLABLE`, then `migrate check` with seeded weights: outputs,
activations and gradients. Nothing in the output is edited. The families of a package are brought over together. What
became of each is kept in families.json, and docs/families.md is written from that. What a package needs beside torch is
installed into a folder of its own.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import uv
from packages import install, migrate, tomllib

from checks.parity.report import DIFFERS, FAILED, Entry, Report
from migrate.errors import Unusable
from migrate.importing import WORKER
from migrate.parity import requests
from migrate.reports import wording
from rewriters.storing import home, replace_text

HERE = Path(__file__).parent
LIST = HERE / "families.toml"
KEPT = HERE / "families.json"
PAGE = HERE.parent / "docs" / "families.md"
STAND_INS = ["torchvision"]
TITLES = {"paddle": "PaddlePaddle", "oneflow": "OneFlow", "jax": "JAX"}
COLOUR = re.compile(r"\x1b?\[[0-9;]*m")  # of a terminal
TOGETHER = 12  # families that are compared in the same two processes
HEAD = """# Model families

Models of packages from PyPI, in tiny configurations: brought over by `migrate convert PACKAGE --entry MODULE:CALLABLE`,
nothing edited, and compared by `migrate check` with seeded weights: outputs, each layer, gradients. By
`python benchmarks/families.py [--to oneflow|jax]`. `forward`: outputs and each layer agree, gradients do not. `—`: not
tried, or not in the package's version for that target's Python.
"""


def interpreter(base: str, beside: Path, folder: Path, stand_ins: list[str]) -> str:
    """An interpreter that has what ``base`` has, what is in ``beside``, and stand-ins for the rest."""
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([uv.find_uv_bin(), "venv", "-q", "--python", base, str(folder)], check=True)
    ask = "import site; print(site.getsitepackages()[0])"
    own, of_base = (
        subprocess.run([one, "-c", ask], capture_output=True, text=True, check=True).stdout.strip()
        for one in (str(python), base)
    )
    found = f"import sys; sys.path.append({str(WORKER.parent)!r}); import {WORKER.stem}; sys.path.pop()"
    put = f"sys.meta_path.append({WORKER.stem}.StandIns({stand_ins!r}))"
    Path(own, "beside.pth").write_text(f"{of_base}\n{beside}\n{found}; {put}\n")
    return str(python)


def brought(package: str, entries: list[str], target: str, source: Path, out: Path) -> str:
    """Convert what the entries reach; what ``convert`` says of it."""
    words = [word for entry in entries for word in ("--entry", entry.partition("(")[0])]
    done = migrate("convert", str(source / package), "--to", target, "-o", str(out), "--force", *words)
    if done.returncode != 0:
        raise SystemExit(f"convert {package}: exit status {done.returncode}\n{done.stderr}")
    return next(line for line in done.stderr.splitlines() if " modules, " in line)


def compared(families: list[dict[str, Any]], target: str, out: Path, pythons: list[str]) -> dict[str, dict[str, Any]]:
    """What ``check`` says of each, as of the checks of one parity.toml."""
    planned = []
    for family in families:
        renamed = (out / f"{family['package']}_{target}").is_dir()
        root = f"{family['package']}_{target}" if renamed else family["package"]
        entry = root + family["entry"].removeprefix(family["package"])
        options = {
            "name": family["name"],
            "inputs": tuple(family["inputs"]),
            "torch_python": Path(pythons[0]),
            "target_python": Path(pythons[1]),
        }
        planned += requests.plan(out / ".migrate" / "torch", out, target, entry, options)
    try:
        report = requests.run(planned, lambda stage: None)
    except Unusable as error:  # none could be run: the first one's error
        if len(families) > 1:
            parts = [compared([family], target, out, pythons) for family in families]
            return {name: row for part in parts for name, row in part.items()}
        return {families[0]["name"]: {"verdict": "could not run", "why": plain(error.message, out)}}
    return {
        family["name"]: {
            "verdict": verdict(entry),
            "why": plain(cause(dataclasses.replace(report, entries=[entry])), out),
        }
        for family, entry in zip(families, report.entries, strict=True)
    }


def cause(report: Report) -> str:
    """The summary; where a side raised what it raised, without the place, which is another in each family."""
    raised = [found for _, found in wording.failures(report.entries[0])]
    if not raised:
        return wording.summary(report)
    first = raised[0]
    return f"{first.side} fails in {first.stage}: {first.kind or 'error'}: {first.message}"


def verdict(entry: Entry) -> str:
    """parity, forward (but for gradients), differs, could not run."""
    good = {level.name for level in entry.levels if level.verdict not in (FAILED, DIFFERS)}
    if entry.failure is None and entry.levels and len(good) == len(entry.levels):
        return "parity"
    if entry.failure is None and {"outputs", "activations"} <= good:
        return "forward"
    return "could not run" if entry.verdict == FAILED else "differs"


def plain(text: str, out: Path) -> str:
    """One line without colours and folders of this machine."""
    return " ".join(COLOUR.sub("", text.replace(f"{out}/", "")).replace("`", "'").split())


def write_page(listed: list[dict[str, Any]], rows: dict[str, dict[str, dict[str, str]]]) -> None:
    """From the last run of each family."""
    lines = [HEAD, f"| family | package | {' | '.join(TITLES.values())} |", "|---|---|" + "---|" * len(TITLES)]
    for family in listed:
        found = [rows[target].get(key_of(family)) for target in TITLES]
        versions = dict.fromkeys(row["version"] for row in found if row)
        if versions:
            shown = [row["verdict"] if row else "—" for row in found]
            lines.append(f"| {family['name']} | {family['package']} {', '.join(versions)} | {' | '.join(shown)} |")
    for target, title in TITLES.items():
        counts = []
        for package in dict.fromkeys(family["package"] for family in listed):
            said = [row["verdict"] for key, row in rows[target].items() if key.startswith(f"{package}/")]
            if said:
                forward = f" ({said.count('forward')} more without gradients)" * ("forward" in said)
                counts.append(f"{said.count('parity')} of {len(said)} of {package}{forward}")
        lines.append(f"\n{title}: {', '.join(counts)} agree with torch.")
        causes: dict[str, list[str]] = {}
        for key, row in rows[target].items():
            if row["verdict"] != "parity":
                causes.setdefault(row["why"], []).append(key)
        lines += ["\nThe rest, by cause:\n"] * bool(causes)
        for cause, keys in sorted(causes.items(), key=lambda item: -len(item[1])):
            lines.append(f"* {len(keys)} ({', '.join(keys)}): `{cause[:300]}`")
    replace_text(PAGE, "\n".join(lines) + "\n")


def key_of(family: dict[str, Any]) -> str:
    return f"{family['package']}/{family['name']}"


def there(family: dict[str, Any], source: Path) -> bool:
    """Whether the package's version has this family: newer ones came later."""
    module, _, rest = family["entry"].partition(":")
    path = source.joinpath(*module.split(".")).with_suffix(".py")
    name = re.escape(rest.partition("(")[0])
    return path.exists() and re.search(rf"^(class|def) {name}\b", path.read_text(), re.MULTILINE) is not None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", metavar="NAME", help="default: all that families.toml lists")
    parser.add_argument("--package", action="append", metavar="NAME")
    parser.add_argument("--missing", action="store_true", help="those alone of which nothing is known yet")
    parser.add_argument("--open", action="store_true", help="those alone that are not known to agree with gradients")
    parser.add_argument("--converted", action="store_true", help="compare what the last run has brought over")
    parser.add_argument("--to", default="paddle", metavar="TARGET")
    parser.add_argument("--work", type=Path, default=home() / "families")
    options = parser.parse_args()
    said = tomllib.loads(LIST.read_text())
    versions = said["versions"].get(options.to, {})
    listed = [{**one, "version": versions.get(one["package"], one["version"])} for one in said["family"]]
    rows, found = {target: {} for target in TITLES} | json.loads(KEPT.read_text()), {}
    chosen = [
        family
        for family in listed
        if (not options.only or family["name"] in options.only)
        and (not options.package or family["package"] in options.package)
        and not (options.missing and key_of(family) in rows[options.to])
        and not (options.open and rows[options.to].get(key_of(family), {}).get("verdict") == "parity")
    ]
    bases = [sys.executable, migrate("env", options.to, "--path").stdout.strip()]
    for package, version in dict.fromkeys((family["package"], family["version"]) for family in chosen):
        work = options.work / f"{package}-{version}"
        pythons = []
        for name, base in zip(("torch", options.to), bases, strict=True):
            problem = install({"name": package, "version": version}, base, work / name / "beside")
            if problem:
                raise SystemExit(f"{package} {version} for {base}: {problem}")
            stand_ins = [one for one in STAND_INS if name == "torch" and one != package]
            pythons.append(interpreter(base, work / name / "beside", work / name / "python", stand_ins))
        source, out = work / "torch" / "beside", work / options.to / "out"
        families = [family for family in chosen if family["package"] == package and there(family, source)]
        if not families:
            continue
        if not options.converted:
            print(brought(package, [family["entry"] for family in families], options.to, source, out))
        for start in range(0, len(families), TOGETHER):
            for name, row in compared(families[start : start + TOGETHER], options.to, out, pythons).items():
                found[f"{package}/{name}"] = {"version": version, **row}
                print(f"{package} {name}: {row['verdict']}: {row['why']}"[:240], flush=True)
            rows = {target: {} for target in TITLES} | json.loads(KEPT.read_text())  # another run may have added some
            rows[options.to].update(found)
            replace_text(KEPT, json.dumps(rows, indent=1) + "\n")
            write_page(listed, rows)


if __name__ == "__main__":
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    main()
