"""Runs samples through the real rewriter and the real target, and judges what came out."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import zlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

import checks.worker
from checks.proof import judge
from checks.proof.judge import CRASHED, Verdict
from checks.proof.pool import Ended, Job, Pool
from checks.worker.samples.blob import Reader, Writer
from migrate.environments import Interpreter
from migrate.errors import Unusable
from migrate.proof.samples import CALLED, COMPOSED, Form, code
from migrate.proof.state import Carrier, Given
from migrate.weights.carry.carry import Layouts
from rewriters.convert import convert_sources
from rewriters.homes import helper_stem
from rewriters.report import Outcome, Status
from rewriters.target import Target, load_target
from rewriters.text.parsing import module_of

FILE = 250  # functions
ALONE = {"optiminfo", "schedulers", "written"}
CHUNK = 6  # files that are converted together and executed as one job
DRAWS = 300
DONE = "done.json"


@dataclass
class Proved:
    """What came of one form.

    outcome:  as the rewriter says; None when it left the call as it was.
    rule:     the rule's place, as the rewriter reports it.
    sites:    (name, outcome, detail) of all torch names in it.
    places:   name -> where it first stands: (lines after the first of the sample's first body, column).
    verdict:  None when it was not executed.
    blocked:  another name in the call that was marked, so that this one could not be tried.
    """

    form: Form
    outcome: Outcome | None = None
    rule: str = ""
    sites: list[tuple[str, Outcome, str]] = field(default_factory=list)
    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    converted: str = ""
    blocked: str = ""
    verdict: Verdict | None = None
    carrier: Carrier | None = None


@dataclass
class Chunk:
    """Forms that are converted together."""

    number: int
    forms: list[Form]
    folder: Path


def prove(
    forms: Sequence[Form],
    target: Target,
    interpreter: Interpreter,
    work: Path,
    extra: tuple[Path, ...] = (),
    workers: int = 2,
    layouts: Layouts | None = None,
) -> list[Proved]:
    """Convert, execute and judge; results in the order of the forms.

    extra:   rule files that answer before the target's.
    layouts: of the target's parameters; None: torch's own.
    work:    a folder for what is converted and what comes out; what an earlier run left there is not executed again
             where it would be the very same.
    """
    rows, jobs = prepare(forms, target, work, extra, workers, layouts)
    by_out = {job.out: number for number, (job, _) in jobs.items()}
    pool = Pool(interpreter.python, interpreter.env, target.runtime, work / "log", workers)

    def done(job: Job, ended: Ended) -> None:
        (job.out / DONE).write_text(json.dumps({"of": fingerprint(job, target, interpreter), "ended": ended.tasks}))
        judge_job(job, jobs[by_out[job.out]][1], ended)

    waiting = []
    for job, tried in jobs.values():
        ended = finished(job, fingerprint(job, target, interpreter))
        if ended is not None and tried:
            judge_job(job, tried, ended)
        elif tried:
            waiting.append(job)
    if waiting:
        pool.run(waiting, done)
    return rows


def prepare(
    forms: Sequence[Form],
    target: Target,
    work: Path,
    extra: tuple[Path, ...] = (),
    workers: int = 2,
    layouts: Layouts | None = None,
) -> tuple[list[Proved], dict[int, tuple[Job, list[list[Proved]]]]]:
    """Convert, and write down what is to be executed: (results without verdicts, each chunk's job with the rows of each
    of its tasks)."""
    work.mkdir(parents=True, exist_ok=True)
    size = FILE * CHUNK
    chunks = [
        Chunk(n, list(forms[at : at + size]), work / f"{n:04d}") for n, at in enumerate(range(0, len(forms), size))
    ]
    name = target.name if target.folder.parent == Path(load_target("paddle").folder).parent else str(target.folder)
    with ProcessPoolExecutor(workers) as executor:
        proved = list(executor.map(converted, chunks, [name] * len(chunks), [extra] * len(chunks)))
    jobs = {chunk.number: job_of(chunk, rows, target, layouts) for chunk, rows in zip(chunks, proved, strict=True)}
    return [row for rows in proved for row in rows], jobs


def fingerprint(job: Job, target: Target, interpreter: Interpreter) -> str:
    """Of all that the results of a job depend on."""
    digest = hashlib.sha256(interpreter.version.encode())
    worker = Path(checks.worker.__file__).parent
    used = [*sorted((worker / "samples").glob("*.py")), *(worker / f"{name}.py" for name in ("structure", "runtime"))]
    for path in [*used, target.runtime]:
        digest.update(code(path).encode())
    for path in [*sorted(job.folder.glob("*.py")), job.tasks, job.folder / "states.bin"]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def finished(job: Job, wanted: str) -> Ended | None:
    """How an earlier run of the very same job ended; None when there was none."""
    path = job.out / DONE
    if not path.is_file():
        return None
    found = json.loads(path.read_text())
    return Ended({int(number): how for number, how in found["ended"].items()}) if found["of"] == wanted else None


def files_of(forms: Sequence[Form]) -> list[int]:
    """The file of each form; alone are those that may have other rules answer for what stands beside them."""
    found: list[int] = []
    held = 0
    for index, form in enumerate(forms):
        alone = is_alone(form)
        new = index == 0 or alone or is_alone(forms[index - 1]) or held == FILE
        held = 1 if new else held + 1
        found.append((found[-1] if found else -1) + new)
    return found


def is_alone(form: Form) -> bool:
    return form.source in ALONE or form.key.startswith("torch.optim.")


def converted(chunk: Chunk, target: str, extra: tuple[Path, ...]) -> list[Proved]:
    """Print the functions, rewrite them, leave the result in the chunk's folder."""
    printed_files: dict[int, list[str]] = {}
    files = files_of(chunk.forms)
    in_place = load_target(target).in_place
    for index, (file, form) in enumerate(zip(files, chunk.forms, strict=True)):
        # A class that the target lacks, in an annotation, must not cost the whole file.
        printed_files.setdefault(file, [HEADER]).extend(printed(index, form, in_place))
    sources = {
        PurePosixPath(f"samples_{chunk.number}_{file}.py"): "".join(parts).encode()
        for file, parts in printed_files.items()
    }
    found = load_target(target)
    conversion = convert_sources(sources, found, extra_rules=extra)
    chunk.folder.mkdir(parents=True, exist_ok=True)
    for old in [*chunk.folder.glob("*.py"), chunk.folder / "states.bin"]:
        old.unlink(missing_ok=True)
    texts: dict[int, str] = {}
    for path, data in [*conversion.files.items(), *((p, t.encode()) for p, t in conversion.helpers.items())]:
        (chunk.folder / path).write_bytes(data)
        if path in sources:
            texts.update(functions(data.decode()))
    rows = [Proved(form) for form in chunk.forms]
    for report in conversion.reports:
        source = sources[PurePosixPath(report.path)]
        if report.status == Status.FAILED:
            failed = int(report.path.rsplit("_", 1)[1].removesuffix(".py"))
            for row in (row for file, row in zip(files, rows, strict=True) if file == failed):
                row.verdict = Verdict(judge.RAISED, f"not converted: {report.error}")
            continue
        owners = line_owners(source.decode())
        starts = {owner: line for line, owner in reversed(owners.items())}
        for site in report.sites:
            owner = owners.get(site.line)
            if owner is None:
                continue  # the annotation of a parameter, or the import
            row = rows[owner]
            if site.outcome == Outcome.NOTED:
                continue  # beside what became of it
            row.sites.append((site.api, site.outcome, site.detail))
            row.places.setdefault(site.api, (site.line - starts[owner], site.column - 1))
            if site.outcome == Outcome.DIFFERS:
                row.blocked = f"{site.api}: {site.detail}"
            elif site.api == row.form.key or same_method(site.api, row.form.key):
                row.outcome, row.rule = site.outcome, site.detail
            elif site.outcome in {Outcome.MARKED, Outcome.UNKNOWN}:
                row.blocked = f"{site.api}: {site.detail}"
    for index, row in enumerate(rows):
        row.converted = texts.get(index, "")
    return rows


def special_of(row: Proved, described: Mapping[str, Any], layouts: Layouts | None) -> dict[str, str]:
    """Path of a module -> the special rule by which the sample makes it, as its conversion says."""
    asked = {api.partition(":")[0]: api for api, _, _ in row.sites if ":" in api and not api.endswith(":call")}
    entries = {entry["module"]: entry["classes"] for entry in described["entries"]}
    modules = {path: module["classes"] for path, module in described.get("modules", {}).items()}
    found = {path: asked.get(next(iter(classes), "")) for path, classes in {**entries, **modules}.items()}
    return {path: key for path, key in found.items() if layouts is not None and key in layouts.classes and key}


# What the tensors are is said as a careful user says it; nothing of it is executed. Of a function's arguments only the
# ranks: their dtypes are for the emitted helper to find. Of a module's the dtypes too, since its call has no helper.
HEADER = """from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

if TYPE_CHECKING:
    from jaxtyping import Bool, Complex, Float, Int, Shaped, UInt
"""
JAXTYPING = {"b": "Bool", "i": "Int", "u": "UInt", "f": "Float", "V": "Float", "c": "Complex"}


def printed(index: int, form: Form, in_place: bool = True) -> list[str]:
    """A sample as functions, the ranks of its tensors annotated.

    in_place: whether tensors change in place; where not, an argument that does in torch is the function's own.
    """
    words = [f"{name}: {annotation(form, name)}" for name in form.parameters]
    if form.body is None:
        held = {*form.expected.get("after", ()), *form.expected.get("returned", {}).values()}
        changed = [] if in_place else [name for name in form.parameters if name in held]
        own = "".join(f"    {name} = {name}.clone()\n" for name in changed)
        return [f"\n\ndef sample_{index}({', '.join(words)}):\n{own}    return {form.text}\n"]
    body = "".join(f"    {line}\n" if line else "\n" for line in form.body.split("\n"))
    if not form.text:
        return [f"\n\ndef sample_{index}({', '.join(words)}):\n{body}"]
    built = re.match(r"torch\.[\w.]+(?=\()", form.text)
    module = f"module: {built[0] if built else 'torch.nn.Module'}"
    return [
        f"\n\ndef build_{index}({', '.join(words)}):\n    return {form.text}\n",
        f"\n\ndef sample_{index}({', '.join([module, *words])}):\n{body}",
    ]


def annotation(form: Form, name: str) -> str:
    _, dtype, shape = form.record["tensors"][name][:3]
    # Of compositions and forms every other one, since programs know the dtypes of some of their tensors.
    known = form.body is not None and (form.group not in {COMPOSED, CALLED} or zlib.crc32(form.sample.encode()) % 2)
    word = JAXTYPING[np.dtype(dtype).kind] if known else "Shaped"
    axes = " ".join(str(size) for size in shape)
    return f'{word}[torch.Tensor, "{axes}"]'


def same_method(api: str, key: str) -> bool:
    """Whether a method is filed under a base class, or a function under another name of it."""
    return api.rpartition(".")[2] == key.rpartition(".")[2]


def line_owners(text: str) -> dict[int, int]:
    """Line of a sample's body -> the sample's number."""
    owners = {}
    number: int | None = None
    for line, content in enumerate(text.split("\n"), start=1):
        match = re.match(r"def (?:sample|build)_(\d+)\(", content)
        if match:
            number = int(match[1])
        elif number is not None and content.startswith(" "):
            owners[line] = number
    return owners


def functions(text: str) -> dict[int, str]:
    """Sample's number -> the text of its function after conversion."""
    lines = text.split("\n")
    found: dict[int, str] = {}
    for node in module_of(text).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith(("sample_", "build_")):
            number = int(node.name.rpartition("_")[2])
            last = next(at for at in range(node.lineno, len(lines)) if lines[at - 1].endswith("):"))  # of its head
            text = "\n".join(line.removeprefix("    ") for line in lines[last : node.end_lineno])
            found[number] = f"{found[number]}\n{text}" if number in found else text
    return found


def job_of(chunk: Chunk, rows: list[Proved], target: Target, layouts: Layouts | None) -> tuple[Job, list[list[Proved]]]:
    """What is executed: not the calls that were marked, nor those whose arguments were; once what became the same code
    with the same arguments.
    """
    chosen: list[list[Proved]] = []
    tasks: list[dict[str, Any]] = []
    places: dict[str, int] = {}  # what a task does -> its number
    states = Writer(chunk.folder / "states.bin")
    readers = Readers()
    files = files_of(chunk.forms)
    for index, row in enumerate(rows):
        if row.blocked or row.outcome in {Outcome.MARKED, Outcome.UNKNOWN} or not row.sites:
            continue
        expected = row.form.expected
        record = row.form.record
        state: dict[str, Any] = {}
        if "state" in record:
            reader = readers.of(row.form.arrays)
            arrays = {name: reader.get(place) for name, place in record["state"].items()}
            try:
                described = {**record["model"], "converted": {target.title: special_of(row, record["model"], layouts)}}
                row.carrier = Carrier(arrays, described, layouts, target.title)
            except Unusable as error:
                row.blocked = error.message
                continue
            state = {name: states.add(array) for name, array in row.carrier.target_state().items()}
        task = {
            "module": f"samples_{chunk.number}_{files[index]}",
            "arrays": str(row.form.arrays),
            "tensors": row.form.record["tensors"],
            "grads": row.form.record["grads"] if expected["through"] or row.form.body else [],
            "through": expected["through"],
            "fields": expected.get("fields"),
            "draws": DRAWS if expected.get("random") else 0,
            "build": f"build_{index}" if "state" in record else "",
            "state": state,
            "states": str(chunk.folder / "states.bin"),
            "train": record.get("train", False),
        }
        place = places.setdefault(json.dumps([row.converted, task]), len(tasks))
        if place == len(tasks):
            tasks.append({"key": row.form.key, "function": f"sample_{index}", **task})
            chosen.append([])
        chosen[place].append(row)
    states.close()
    path = chunk.folder / "tasks.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    return Job(chunk.folder, path, chunk.folder / "out", (helper_stem(target),)), chosen


def judge_job(job: Job, tried: list[list[Proved]], ended: Ended) -> None:
    """Read the results of a job and give the rows of each task their verdicts."""
    for number, how in ended.tasks.items():
        for row in tried[number]:
            row.verdict = Verdict(CRASHED, how)
    there = Reader(job.out / "results.bin") if (job.out / "results.bin").exists() else None
    readers = Readers()
    with open(job.out / "results.jsonl", encoding="utf-8") as lines:
        for line in lines:
            result = json.loads(line)
            for row in tried[result["task"]]:
                here: Any = readers.of(row.form.arrays)
                expected = row.form.expected
                if row.carrier is not None:
                    expected, here = row.carrier.expected(expected, here.get), Given()
                if result.get("unchanging"):
                    expected = judge.without_changes(expected, row.form.parameters)
                if result.get("trained"):
                    expected = judge.without_gradients_of(expected)
                row.verdict = judge.judge(row.form.key, row.form.kind, expected, result, here, there)


class Readers:
    """Opens a file of arrays once for the samples that follow one another."""

    def __init__(self) -> None:
        self.path: Path | None = None

    def of(self, path: Path) -> Reader:
        if path != self.path:
            self.path, self.reader = path, Reader(path)
        return self.reader


def workers() -> int:
    """As many processes as there are cores to run them."""
    return max(1, min(4, os.cpu_count() or 1))
