"""Brings model families over from packages of PyPI, one by one, and compares each with torch.

    python benchmarks/families.py                        # all that families.toml lists, to Paddle
    python benchmarks/families.py --only bert --to oneflow

What a user does: `migrate convert PACKAGE --entry MODULE:CALLABLE`, then `migrate check` with seeded weights: outputs,
activations and gradients. Nothing in the output is edited. The families of a package are brought over together. The
results go into docs/families.md. What a package needs beside torch is installed into a folder of its own.
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

from migrate.errors import Unusable
from migrate.importing import WORKER
from migrate.parity import requests
from migrate.reports import wording
from rewriters.storing import replace_text

HERE = Path(__file__).parent
LIST = HERE / "families.toml"
PAGE = HERE.parent / "docs" / "families.md"
STAND_INS = ["torchvision"]
TITLES = {"paddle": "PaddlePaddle", "oneflow": "OneFlow"}
COLOUR = re.compile(r"\x1b?\[[0-9;]*m")  # of a terminal
TOGETHER = 12  # families that are compared in the same two processes
HEAD = """# Model families

Models of packages from PyPI, in tiny configurations: brought over by `migrate convert PACKAGE --entry MODULE:CALLABLE`,
nothing edited, and compared by `migrate check` with seeded weights: outputs, each layer, gradients. By
`python benchmarks/families.py [--to oneflow]`.
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
        return {families[0]["name"]: {"verdict": "could not run", "why": error.message.replace(f"{out}/", "")}}
    rows = {}
    for family, entry in zip(families, report.entries, strict=True):
        one = dataclasses.replace(report, entries=[entry])
        verdict = "could not run" if one.verdict == "failed" else one.verdict
        rows[family["name"]] = {"verdict": verdict, "why": wording.summary(one).replace(f"{out}/", "")}
    return rows


def write_page(listed: list[dict[str, Any]], work: Path) -> None:
    """From the last run of each family."""
    kept = {target: work / f"{target}.json" for target in TITLES}
    rows = {target: json.loads(path.read_text()) if path.exists() else {} for target, path in kept.items()}
    lines = [HEAD, f"| family | package | {' | '.join(TITLES.values())} |", "|---|---|---|---|"]
    for family in listed:
        key = f"{family['package']}/{family['name']}"
        if any(key in found for found in rows.values()):
            shown = [found.get(key, {}).get("verdict", "—") for found in rows.values()]
            lines.append(f"| {family['name']} | {family['package']} {family['version']} | {' | '.join(shown)} |")
    for target, title in TITLES.items():
        done = rows[target]
        if done:
            counts = {}
            for package in dict.fromkeys(family["package"] for family in listed):
                found = [row["verdict"] for key, row in done.items() if key.startswith(f"{package}/")]
                counts[package] = f"{found.count('parity')} of {len(found)} of {package}" if found else ""
            lines.append(f"\n{title}: {', '.join(filter(None, counts.values()))} agree with torch.")
            causes: dict[str, list[str]] = {}
            for key, row in done.items():
                if row["verdict"] != "parity":
                    causes.setdefault(row["why"], []).append(key)
            lines += ["\nThe rest, by cause:\n"] * bool(causes)
            for cause, keys in sorted(causes.items(), key=lambda item: -len(item[1])):
                text = " ".join(COLOUR.sub("", cause).replace("`", "'").split())
                lines.append(f"* {len(keys)} ({', '.join(keys)}): `{text[:300]}`")
    replace_text(PAGE, "\n".join(lines) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", metavar="NAME", help="default: all that families.toml lists")
    parser.add_argument("--package", action="append", metavar="NAME")
    parser.add_argument("--missing", action="store_true", help="those alone of which nothing is known yet")
    parser.add_argument("--to", default="paddle", metavar="TARGET")
    parser.add_argument("--work", type=Path, default=Path.home() / ".cache" / "torch-migrate" / "families")
    options = parser.parse_args()
    listed = tomllib.loads(LIST.read_text())["family"]
    kept = options.work / f"{options.to}.json"
    rows = json.loads(kept.read_text()) if kept.exists() else {}
    chosen = [
        family
        for family in listed
        if (not options.only or family["name"] in options.only)
        and (not options.package or family["package"] in options.package)
    ]
    bases = [sys.executable, migrate("env", options.to, "--path").stdout.strip()]
    for package, version in dict.fromkeys((family["package"], family["version"]) for family in chosen):
        families = [family for family in chosen if family["package"] == package]
        work = options.work / package
        pythons = []
        for name, base in zip(("torch", options.to), bases, strict=True):
            problem = install({"name": package, "version": version}, base, work / name / "beside")
            if problem:
                raise SystemExit(f"{package} {version} for {base}: {problem}")
            stand_ins = STAND_INS if name == "torch" else []
            pythons.append(interpreter(base, work / name / "beside", work / name / "python", stand_ins))
        out = work / options.to / "out"
        print(brought(package, [family["entry"] for family in families], options.to, work / "torch" / "beside", out))
        wanted = [one for one in families if not options.missing or f"{package}/{one['name']}" not in rows]
        for start in range(0, len(wanted), TOGETHER):
            for name, row in compared(wanted[start : start + TOGETHER], options.to, out, pythons).items():
                rows[f"{package}/{name}"] = row
                print(f"{package} {name}: {row['verdict']}: {row['why']}"[:240], flush=True)
            kept.write_text(json.dumps(rows, indent=1))
    write_page(listed, options.work)


if __name__ == "__main__":
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    main()
