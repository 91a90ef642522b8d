"""Exports the models of public repositories to ONNX and OpenVINO, and checks what was exported against torch.

    python benchmarks/export.py                          # all that public_repos.toml lists
    python benchmarks/export.py karpathy/nanoGPT         # one; the rest of the page is kept from the last run
    python benchmarks/export.py --sources FOLDER         # checkouts that are there already: FOLDER/NAME

Per repository: fetch the commit and convert all of it, as public_repos.py does. Then each model with seeded weights:
`migrate export` from the converted project to each format, `migrate check` of that in its back end; and the same from
torch itself, as the reference, to ONNX. Inputs are those of `export` in public_repos.toml, whose named axes are free;
where that fails, those of `input`, without any. Nothing in the output is edited. The results go into
benchmarks/exported.json, and from there into docs/exported_models.md.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exported_page import FORMATS, agrees, write_page
from public_repos import DOCS, LIST, Run, checkout, convert, environment, migrate

from migrate.export import axes
from rewriters.storing import replace_text

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]

HERE = Path(__file__).parent
KEPT = HERE / "exported.json"
PAGE = DOCS / "exported_models.md"
SEED = "0"
BACKENDS = {"onnx": "onnxruntime", "openvino": "openvino"}
"""Format -> the back end that it is checked in."""
TORCH = "torch"
VERDICTS = {"same": 0, "warn": 1}
"""From good to bad; all others are worse."""


@dataclass(frozen=True)
class Project:
    """A model's project on one road: the framework, the folder in it, and options that only this road takes."""

    framework: str
    folder: Path
    more: tuple[str, ...]


def roads(source: Path, out: Path, run: Run) -> list[Project]:
    """From the converted project, and from torch's own."""
    pythons = ("--torch-python", str(run.torch_python), "--target-python", str(run.target_python))
    return [
        Project(run.target, out, ("--source", str(source), *pythons)),
        Project(TORCH, source, ("--target-python", str(run.torch_python))),
    ]


def exported(entry: str, inputs: list[str], project: Project, format: str, folder: Path) -> dict[str, Any]:
    """What came of exporting to a folder: {} where it is written."""
    shutil.rmtree(folder, ignore_errors=True)
    specs = [part for spec in inputs for part in ("--input", spec)]
    done = migrate(
        "export", str(project.folder), "--to", project.framework, "--entry", entry, *specs, "--seed", SEED,
        "--format", format, *project.more, "-o", str(folder),
    )  # fmt: skip
    return {} if done.returncode == 0 else {"verdict": "not exported", "why": why(done.stderr, project.folder)}


def compared(folder: Path, source: Path, backend: str, run: Run) -> dict[str, Any]:
    """The verdict on an artefact, and its worst error in noise floors."""
    report = folder.with_suffix(".check.json")
    report.unlink(missing_ok=True)
    done = migrate(
        "check", str(source), str(folder), "--backend", backend, "--torch-python", str(run.torch_python),
        "--json", str(report),
    )  # fmt: skip
    if not report.exists():
        return {"verdict": "not run", "why": why(done.stderr, folder)}
    entries = json.loads(report.read_text())["entries"]
    levels = [level for entry in entries for level in entry["levels"]]
    rows = [row for level in levels for row in level["rows"]]
    failures = [part["failure"] for part in [*entries, *levels] if part["failure"]]
    told = [failure["message"] if isinstance(failure, dict) else str(failure) for failure in failures]
    told += [f"{row['name']} {row['verdict']} {row['note']}" for row in rows if row["verdict"] == "differs"]
    verdicts = [entry["verdict"] for entry in entries]
    worst = max((row["ratio"] for row in rows if row["ratio"] is not None), default=None)
    return {
        "verdict": max(verdicts, key=lambda verdict: VERDICTS.get(verdict, 2)),
        "ratio": worst,
        "sizes": len(entries),
        "why": why("\n".join(told), folder),
    }


def why(text: str, folder: Path) -> str:
    """The first line of what was said, with places in the project as they stand in it."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    first = next((line for line in lines if line.startswith("migrate: ")), lines[0] if lines else "")
    return first.removeprefix("migrate: ").replace(f"{folder}/", "").replace(str(folder), folder.name)[:400]


def tried(
    entry: dict[str, Any], source: Path, out: Path, folder: Path, run: Run, frameworks: list[str]
) -> dict[str, Any]:
    """A model's row: framework -> what came of it, with free axes, and where that fails, with none."""
    row: dict[str, Any] = {}
    for project in roads(source, out, run):
        if project.framework not in frameworks:
            continue
        kept: list[dict[str, Any]] = []
        for inputs in (entry["export"], entry["input"]):
            names = [name for text in inputs for name in axes.names_in(text)]
            kept.append({"inputs": inputs, "free": list(dict.fromkeys(names))})
            for format in FORMATS[project.framework]:
                artefact = folder / f"{project.framework}-{format}"
                failed = exported(entry["entry"], inputs, project, format, artefact)
                kept[-1][format] = failed or compared(artefact, source, BACKENDS[format], run)
            if agrees(kept[-1]):
                break
        row[project.framework] = kept
    return row


def key_of(repo: dict[str, Any], entry: dict[str, Any]) -> str:
    """Of a row: one entry of a repository, with its inputs."""
    return f"{repo['name']} {entry['entry']} {' '.join(entry['input'])}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="OWNER/NAME; default: all that public_repos.toml lists")
    parser.add_argument("--sources", type=Path, help="folder of checkouts; default: fetched from GitHub")
    parser.add_argument("--work", type=Path, default=Path.home() / ".cache" / "torch-migrate" / "public-repos")
    parser.add_argument("--only", choices=FORMATS, help="from one framework; of the other, the last rows are kept")
    parser.add_argument("--page", action="store_true", help="only write the page again")
    options = parser.parse_args()

    listed = tomllib.loads(LIST.read_text())
    unknown = set(options.names) - {repo["name"] for repo in listed["repo"]}
    if unknown:
        parser.error(f"not in {LIST.name}: {', '.join(sorted(unknown))}")
    if not options.page:
        work = options.work / "paddle"
        work.mkdir(parents=True, exist_ok=True)
        target_python = migrate("env", "paddle", "--path").stdout.strip()
        packages = listed["packages"]
        pythons = (
            environment(sys.executable, packages, work / "torch"),
            environment(target_python, packages, work / "paddle"),
        )
        run = Run(work, options.sources, "paddle", *pythons, {})
        for repo in listed["repo"]:
            if not options.names or repo["name"] in options.names:
                keep(of_repository(repo, run, [options.only] if options.only else list(FORMATS)))
    keys = [(repo["name"], key_of(repo, entry)) for repo in listed["repo"] for entry in repo["entry"]]
    write_page(json.loads(KEPT.read_text()), keys, PAGE)


def keep(rows: dict[str, Any]) -> None:
    """Puts rows beside the others."""
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    rows = {key: {**kept.get(key, {}), **row} for key, row in rows.items()}
    replace_text(KEPT, json.dumps(dict(sorted({**kept, **rows}.items())), indent=1) + "\n")


def of_repository(repo: dict[str, Any], run: Run, frameworks: list[str]) -> dict[str, Any]:
    """The rows of a repository."""
    rows = {}
    source, out = checkout(repo, run), run.work / repo["name"].replace("/", "+")
    conversion = convert(repo, source, out, run)
    if "failed" in conversion:
        raise SystemExit(f"{repo['name']}: {conversion['failed']}")
    for entry in repo["entry"]:
        inside = entry.get("inside", ".")
        folder = out.with_suffix(".exported")
        row = rows[key_of(repo, entry)] = tried(entry, source / inside, out / inside, folder, run, frameworks)
        for framework, kept in row.items():
            for one in kept:
                told = " | ".join(
                    f"{one[name]['verdict']} {one[name].get('ratio', '')} {one[name]['why']}"
                    for name in FORMATS[framework]
                )
                print(
                    f"{repo['name']} {entry['entry'].partition('(')[0]} from {framework} {one['inputs'][0]}: {told}",
                    flush=True,
                )
    return rows


if __name__ == "__main__":
    main()
