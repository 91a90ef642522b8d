"""``migrate check --init``: a ``parity.toml`` with the models of a project and inputs that they really took.

Models are found in the source (``checks.parity.candidates``), then built in torch's interpreter, where inputs are tried
(``checks/worker/try_inputs.py``). What could not be found out stands in the file as a comment, with the reason.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checks.parity.candidates import Candidate, find_candidates
from checks.starting import command, fixed_environment
from migrate.environments.project import interpreter_for
from migrate.errors import Unusable
from migrate.parity.file import NAME
from migrate.parity.paths import TARGET, TORCH, by_side, job
from migrate.project_environment import declares

THREADS = min(4, os.cpu_count() or 1)
SECONDS_PER_MODEL = 120.0


@dataclass(frozen=True)
class Init:
    """What was written, and how many models it names with inputs and without.

    causes: why without, the most frequent first. declares: whether the project says which packages it needs.
    """

    path: Path
    found: int
    open: int
    causes: list[str]
    declares: bool


def write_parity_file(
    source: Path,
    converted: Path | None,
    torch_python: Path | None = None,
    on_stage: Callable[[str], None] = lambda stage: None,
    paths: Sequence[str] = (),
) -> Init:
    """Write ``parity.toml`` into the current folder. An existing one is left alone: Unusable.

    paths: folders beside the project that modules are imported from, as ``migrate.parity.paths.by_side`` takes them.
    """
    path = Path(NAME)
    if path.exists():
        raise Unusable(f"{path} is there already", f"mv {path} {path}.old, or add to it by hand")
    if not source.is_dir():
        raise Unusable(f"{source} is not a folder", "give the torch project's folder")
    candidates = find_candidates(source)
    if not candidates.models:
        why = "".join(f"\n    {line}" for line in candidates.left_out)
        raise Unusable(f"{source} has no torch.nn.Module class, and no function that returns one{why}", _BY_HAND)
    asked = {"paths": job(by_side(paths, TARGET)[TORCH]), "settings": candidates.settings}
    models = list(candidates.models)
    tried = try_entries(source, models, torch_python, on_stage, asked)
    # A class whose factories all want what cannot be supposed, such as a checkpoint, is tried itself.
    more = [
        item
        for item in candidates.behind
        if not any("found" in tried.get(entry, {}) for entry in candidates.instead[item.entry])
    ]
    if more:
        tried |= try_entries(source, more, torch_python, on_stage, asked)
        models += [item for item in more if "found" in tried[item.entry]]
        tried = {item.entry: tried[item.entry] for item in models}
    models.sort(key=lambda item: not item.trained)
    text = to_toml(source, converted, models, tried, candidates.left_out, paths)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=".", prefix=NAME, delete=False) as file:
        file.write(text)
    Path(file.name).chmod(0o644)
    Path(file.name).replace(path)
    found = sum("found" in line for line in tried.values())
    reasons = Counter(_cause(line["reason"]) for line in tried.values() if "found" not in line)
    return Init(path, found, len(tried) - found, [cause for cause, _ in reasons.most_common()], declares(source))


_BY_HAND = f'write {NAME} by hand: [[check]], entry = "MODULE:CALLABLE", inputs = ["float32[2,3]"]'


def try_entries(
    source: Path,
    models: Sequence[Candidate],
    torch_python: Path | None,
    on_stage: Callable[[str], None],
    asked: Mapping[str, Any],
) -> dict[str, dict[str, Any]]:
    """Entry -> what ``try_inputs`` found; one that crashes or hangs is tried no further, the others are.

    asked: of the worker's job: paths, settings.
    """
    entries, hints = [item.entry for item in models], {item.entry: item.hints for item in models}
    given = {item.entry: item.given for item in models}
    interpreter = interpreter_for("torch", source, torch_python)
    env = fixed_environment(THREADS, interpreter.env)
    found: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory(prefix="migrate-init-") as name:
        while left := [entry for entry in entries if entry not in found]:
            folder = Path(name)
            told = {
                "project": str(source.resolve()),
                "entries": left,
                "threads": THREADS,
                "hints": hints,
                "given": given,
                **asked,
            }
            (folder / "job.json").write_text(json.dumps({**told, "out": str(folder / "out")}), encoding="utf-8")
            (folder / "out").write_text("", encoding="utf-8")
            ending = _run(command(interpreter.python, "worker.try_inputs", folder / "job.json"), folder, env, on_stage)
            started = None
            for line in _lines(folder / "out"):
                started = line.get("start", started)
                if "entry" in line:
                    found[line["entry"]] = line
            if started is None:
                tail = (folder / "stderr").read_text(encoding="utf-8", errors="replace")[-1000:]
                raise Unusable(f"torch does not run in {interpreter.python}: {ending}\n{tail}", "migrate env torch")
            found.setdefault(started, {"entry": started, "reason": ending, "where": None})
    return found


def _run(command: list[str], folder: Path, env: dict[str, str], on_stage: Callable[[str], None]) -> str:
    """How the process ended. It is killed when one model takes too long."""
    with open(folder / "stdout", "wb") as stdout, open(folder / "stderr", "wb") as stderr:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, env=env, cwd=folder, start_new_session=True
        )
        waited, shown = 0.0, ""
        try:
            while waited < SECONDS_PER_MODEL:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    status = process.wait(0.2)
                    return f"the process crashed ({_signal(status)})" if status < 0 else f"it exited with {status}"
                waited += 0.2
                latest = next((line["start"] for line in reversed(_lines(folder / "out")) if "start" in line), "")
                if latest != shown:
                    shown, waited = latest, 0.0
                    on_stage(f"trying {latest}")
            return f"did not end within {SECONDS_PER_MODEL:g} s"
        finally:
            with contextlib.suppress(ProcessLookupError):  # the usual case: all of it has ended
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _lines(path: Path) -> list[dict[str, Any]]:
    lines = path.read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines[:-1]]  # the last may be half written


def _signal(status: int) -> str:
    return "signal 9, usually out of memory" if status == -signal.SIGKILL else signal.Signals(-status).name


def to_toml(
    source: Path,
    converted: Path | None,
    models: Sequence[Candidate],
    tried: dict[str, dict[str, Any]],
    left_out: Sequence[str],
    paths: Sequence[str] = (),
) -> str:
    """The file's text."""
    head = [
        "# What `migrate check` runs in torch and in the target. Paths are relative to this file.",
        f"source = {_quoted(str(source))}",
        f"converted = {_quoted(str(converted))}" if converted else '# converted = "folder that migrate convert wrote"',
        *([f"paths = [{', '.join(map(_quoted, paths))}]"] if paths else []),
        "",
    ]
    good: list[str] = []
    causes: dict[str, list[Candidate]] = {}
    for item in models:
        line = tried[item.entry]
        if "found" in line:
            size = f"{line['parameters']:,} parameters{', trained here' if item.trained else ''}"
            good += [
                "[[check]]",
                f"entry = {_quoted(line['found'])}  # {item.where}, {size}",
                f"inputs = [{', '.join(map(_quoted, line['inputs']))}]",
                "",
            ]
        else:
            where = f" ({line['where'].removeprefix(f'{source.resolve()}/')})" if line["where"] else ""
            causes.setdefault(f"{_cause(line['reason'])}{where}", []).append(item)
    open_ones = [line for cause, items in causes.items() for line in _open(cause, items)]
    open_ones += [f"# Not looked into: {_one_line(line)}" for line in left_out]
    return "\n".join([*head, *good, *open_ones]).rstrip() + "\n"


def _cause(reason: str) -> str:
    """The reason, the same for all that fail by it: an import fails alike, whichever module began it."""
    doing, _, error = reason.partition(": ")
    return _one_line(f"importing: {error}" if doing.startswith("importing ") else reason)


def _open(cause: str, items: Sequence[Candidate]) -> list[str]:
    """Comments on the models of one cause."""
    if len(items) == 1:
        head = [f"# {items[0].where}: {cause}"]
    else:
        head = [f"# {len(items)} models: {cause}", *(f"#   {item.where} {item.entry}" for item in items[1:])]
    return [*head, "# [[check]]", f"# entry = {_quoted(items[0].entry)}", "# inputs = []", ""]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _quoted(text: str) -> str:
    """A TOML string; JSON's escapes are TOML's."""
    return json.dumps(text, ensure_ascii=False)
