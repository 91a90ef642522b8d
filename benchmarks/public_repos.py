"""Converts public PyTorch repositories and checks that their models compute what they did in torch.

    python benchmarks/public_repos.py                          # all that public_repos.toml lists
    python benchmarks/public_repos.py karpathy/nanoGPT         # one; the rest of the page is kept from the last run
    python benchmarks/public_repos.py --sources FOLDER         # checkouts that are there already: FOLDER/NAME

Per repository: fetch the commit, convert all of it, then `migrate check` each model with seeded weights: outputs,
gradients, and 5 training steps. Nothing in the output is edited. The page has each check's exit status: 2 where a model
that runs on both sides could not be compared would be a fault of `check`. What the repositories import beside torch is
installed into environments of their own. The results go into docs/public-repos.md, with --to oneflow into
docs/public-repos-oneflow.md. A model that differs is checked once more with the target's environment variables under
`again` in public_repos.toml, where it has any; the page gives both.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from public_repos_page import write_page

from rewriters.target import load_target

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]

HERE = Path(__file__).parent
DOCS = HERE.parent / "docs"
PAGES = {"paddle": DOCS / "public-repos.md"}
LIST = HERE / "public_repos.toml"
TRAIN = "5"
OUTCOMES = ("same", "inlined", "helper", "marked", "unknown")


@dataclass(frozen=True)
class Run:
    """Where one run keeps its things and what it converts to."""

    work: Path
    sources: Path | None
    target: str
    torch_python: Path
    target_python: Path
    again: dict[str, str]
    timeout: int


def migrate(*arguments: str, variables: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "migrate", *arguments]
    environ = {**os.environ, "COLUMNS": "400", **(variables or {})}
    return subprocess.run(command, capture_output=True, text=True, env=environ, check=False)


def checkout(repo: dict[str, Any], run: Run) -> Path:
    """The folder of the repository at its commit, or one with those of its files that are listed."""
    name = str(repo["name"]).split("/")[1]
    folder = run.sources / name if run.sources is not None else run.work / "sources" / name
    if run.sources is None and not (folder / ".git").exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["git", "init", "-q", folder], check=True)
        origin = f"https://github.com/{repo['name']}"
        subprocess.run(["git", "-C", folder, "fetch", "-q", "--depth", "1", origin, repo["commit"]], check=True)
        subprocess.run(["git", "-C", folder, "checkout", "-q", "FETCH_HEAD"], check=True)
    if "files" not in repo:
        return folder
    chosen = run.work / "chosen" / name
    shutil.rmtree(chosen, ignore_errors=True)
    chosen.mkdir(parents=True)
    for part in repo["files"]:
        if (folder / part).is_dir():
            shutil.copytree(folder / part, chosen / Path(part).name)
        else:
            shutil.copy(folder / part, chosen)
    return chosen


def environment(python: str, packages: list[str], folder: Path) -> Path:
    """An environment that sees what `python` sees, and these packages. Made again only when the packages change."""
    made = folder / "packages.txt"
    inside = folder / "bin" / "python"
    if made.exists() and made.read_text() == "\n".join(packages):
        return inside
    subprocess.run([python, "-m", "venv", "--without-pip", "--clear", folder], check=True)
    own = next(folder.glob("lib/python*/site-packages"))
    theirs = subprocess.run(
        [python, "-c", "import site; print(site.getsitepackages()[0])"], capture_output=True, text=True, check=True
    ).stdout.strip()
    extra = folder / "extra"
    install = ["uv", "pip", "install", "-q", "--no-deps", "--python", str(inside), "--target", str(extra), *packages]
    subprocess.run(install, check=True)
    # the framework's own packages come first, so that its numpy stays its numpy
    (own / "repositories.pth").write_text(f"{theirs}\n{extra}\n")
    made.write_text("\n".join(packages))
    return inside


def convert(repo: dict[str, Any], source: Path, out: Path, run: Run) -> dict[str, Any]:
    report = out.with_suffix(".report.json")
    done = migrate("convert", str(source), "--to", run.target, "-o", str(out), "--force", "--report", str(report))
    if done.returncode not in {0, 1} or not report.exists():  # 1: some files failed, which are counted
        return {"failed": done.stderr.strip() or done.stdout.strip()}
    files = json.loads(report.read_text())["files"]
    sites = Counter(site["outcome"] for file in files for site in file["sites"])
    return {
        "files": sum(file["status"] == "converted" for file in files),
        "files_failed": sum(file["status"] == "failed" for file in files),
        "sites": {outcome: sites[outcome] for outcome in OUTCOMES},
    }


def checked(entry: dict[str, Any], source: Path, out: Path, report: Path, run: Run) -> dict[str, Any]:
    """The result of the check, and under "again" of one with other settings of the target, where it differs."""
    done = check(entry, source, out, report, run, {})
    if done["verdict"] == "differs" and run.again:
        done["again"] = check(entry, source, out, report, run, run.again)
    return done


def check(
    entry: dict[str, Any], source: Path, out: Path, report: Path, run: Run, variables: dict[str, str]
) -> dict[str, Any]:
    report.unlink(missing_ok=True)
    inputs = [part for spec in entry["input"] for part in ("--input", spec)]
    options = [part for key in ("loss", "optimizer") if key in entry for part in (f"--{key}", entry[key])]
    levels = [part for level in ("outputs", "gradients", "steps") for part in ("--level", level)]
    done = migrate(
        "check", str(source), str(out), "--to", run.target, "--entry", entry["entry"], *inputs, *options, *levels,
        "--train", TRAIN, "--torch-python", str(run.torch_python), "--target-python", str(run.target_python),
        "--timeout", str(run.timeout), "--json", str(report), variables=variables,
    )  # fmt: skip
    result: dict[str, Any] = {"entry": entry["entry"], "verdict": "not run", "levels": {}, "exit": done.returncode}
    if not report.exists():
        return {**result, "why": done.stderr.strip()}
    return {**result, **read_check(json.loads(report.read_text()))}


def read_check(report: dict[str, Any]) -> dict[str, Any]:
    """The verdict, and the worst ratio to torch's own rounding noise of each level, in a report of `migrate check`."""
    (entry,) = report["entries"]
    levels = {level["name"]: level for level in entry["levels"]}
    failures = [entry["failure"], *(level["failure"] for level in levels.values())]
    reasons = [failure["message"] if isinstance(failure, dict) else str(failure) for failure in failures if failure]
    rows = [row for level in levels.values() for row in level["rows"] if row["verdict"] not in ("same", "skipped")]
    return {
        "verdict": entry["verdict"],
        "levels": {
            name: max((row["ratio"] for row in level["rows"] if row["ratio"] is not None), default=None)
            for name, level in levels.items()
        },
        "why": "\n".join([*reasons, *(f"{row['name']} {row['verdict']} {row['note']}" for row in rows)]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="OWNER/NAME; default: all that public_repos.toml lists")
    parser.add_argument("--to", default="paddle", metavar="TARGET")
    parser.add_argument("--sources", type=Path, help="folder of checkouts; default: fetched from GitHub")
    parser.add_argument("--work", type=Path, default=Path.home() / ".cache" / "torch-migrate" / "public-repos")
    parser.add_argument("--timeout", type=int, default=240, metavar="SECONDS", help="of each check; default: 240")
    parser.add_argument("--page", type=Path, help="default: the target's in docs/")
    options = parser.parse_args()

    listed = tomllib.loads(LIST.read_text())
    unknown = set(options.names) - {repo["name"] for repo in listed["repo"]}
    if unknown:
        parser.error(f"not in {LIST.name}: {', '.join(sorted(unknown))}")
    work = options.work / options.to
    work.mkdir(parents=True, exist_ok=True)
    target_python = migrate("env", options.to, "--path").stdout.strip()
    run = Run(
        work,
        options.sources,
        options.to,
        environment(sys.executable, listed["packages"], work / "torch"),
        environment(target_python, listed["packages"], work / options.to),
        listed.get("again", {}).get(options.to, {}),
        options.timeout,
    )
    for repo in listed["repo"]:
        name = repo["name"]
        if options.names and name not in options.names:
            continue
        source, out = checkout(repo, run), work / name.replace("/", "+")
        result: dict[str, Any] = {"converted": convert(repo, source, out, run), "entries": []}
        for entry in repo["entry"]:
            inside = entry.get("inside", ".")
            result["entries"].append(
                done := checked(entry, source / inside, out / inside, out.with_suffix(".check.json"), run)
            )
            ratios = " ".join(f"{name} {ratio}" for name, ratio in done["levels"].items())
            print(f"{name} {done['entry']}: {done['verdict']} exit {done['exit']} {ratios} {done['why']}", flush=True)
        out.with_suffix(".result.json").write_text(json.dumps(result, indent=1))
    page = options.page or PAGES.get(options.to, DOCS / f"public-repos-{options.to}.md")
    write_page(listed, work, load_target(options.to), page)


if __name__ == "__main__":
    main()
