"""The levels of ``--static``: the target's static graphs against torch, in outputs, steps of training, and loaded back
in a fresh process after they were saved.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checks.parity.process import Process, SideFailed
from checks.parity.report import Level
from checks.worker.side.store import Reader
from migrate.errors import Unusable
from migrate.parity import levels
from migrate.parity.failures import failure
from migrate.parity.levels import Results

if TYPE_CHECKING:
    from migrate.parity.check import Check

STATIC, STEPS, EXPORTED = "static", "static steps", "exported"
"""Names of the levels."""


def tools_of(check: Check) -> Path:
    """The file that makes the target's graphs. Raises Unusable where there is none."""
    path = check.request.target.folder / "static_runtime.py"
    if not path.is_file():
        raise Unusable(f"{check.request.target.title}: migrate knows no static graphs of it", "leave --static away")
    return path


def static_levels(check: Check, forward: Any, steps: Any) -> list[Level]:
    """The levels, each compared with what torch computed for its eager counterpart.

    forward, steps: what torch was told; None where that was not asked for.
    """
    tools = str(tools_of(check))
    if check.opened["kind"] != "module":
        return [Level(STATIC, skipped="a function has no graph: name a model as the entry")]
    session = check.session
    folder = session.folder / "torch" / check.forward_name
    export = str((check.request.export or check.folder / "export").resolve())
    found = []
    job = check.job(check.folder / "static", False, tools=tools)
    found.append(outputs(check, STATIC, forward, folder, lambda: session.target.call("static", **job)))
    if steps is not None:
        found.append(training(check, steps, tools))
    said: dict[str, Any] = {}

    def saved() -> Any:
        again = check.job(check.folder / "saved", False, tools=tools, export=export)
        said.update(session.target.submit(lambda: session.target.call("static", **again)).result())
        return fresh(check, tools, export, said["skeleton"])

    level = outputs(check, EXPORTED, forward, folder, saved, wait=False)
    for row in level.rows:
        if check.request.export is not None:
            row.say(f"{export}: {said['export']}")
    return [*found, level]


def fresh(check: Check, tools: str, export: str, skeleton: Any) -> Any:
    """Have a new process load what was saved; the model that it builds has other weights than the saved one."""
    target, request = check.session.target, check.request
    arguments = {"positional": check.drawn.positional, "keywords": check.drawn.keywords}
    with Process(target.side, target.job, check.folder / "fresh", request.timeout, check.session.on_stage) as process:
        project = str(check.converted.resolve())
        process.call("open", project=project, entry=request.entry, seed=request.seed + 1, **arguments)
        job = check.job(check.folder / "exported", False, tools=tools, export=export, skeleton=skeleton)
        return process.call("exported", **job)


def outputs(check: Check, name: str, forward: Any, folder: Path, work: Callable[[], Any], wait: bool = True) -> Level:
    """A level of outputs; ``wait``: the work is for the target's process, which may still be busy."""
    found = results(check, name, forward, folder, check.session.target.submit(work).result if wait else work)
    if isinstance(found, Level):
        return found
    level = levels.outputs(found, check.request.tolerance)
    level.name = name
    return level


def training(check: Check, steps: Any, tools: str) -> Level:
    """The level of steps."""
    session = check.session
    try:
        random = steps[0].result()["random"]
    except SideFailed as error:
        return Level(STEPS, failure=failure(error, check.request.entry, session.target_name, torch=True))
    if random.get("layers") or any(random.get("masks", ())):
        return Level(STEPS, skipped="the model draws random numbers in training, which a graph draws by itself")
    job = check.job(check.folder / STEPS, False, tools=tools, **check.training_job())
    folder = session.folder / "torch" / "steps"
    work = session.target.submit(lambda: session.target.call("train_static", **job)).result
    found = results(check, STEPS, steps, folder, work)
    if isinstance(found, Level):
        return found
    level = check.judge_steps(found)
    level.name = STEPS
    return level


def results(check: Check, name: str, pair: Any, folder: Path, work: Callable[[], Any]) -> Results | Level:
    """Torch's results and the static ones; a level that says why there are none."""
    request, session = check.request, check.session
    try:
        summary = pair[0].result()
    except SideFailed as error:
        return Level(name, failure=failure(error, request.entry, session.target_name, torch=True))
    try:
        there = work()
    except SideFailed as error:
        return Level(name, failure=failure(error, request.entry, session.target_name, torch=False))
    exact = None if summary["exact_error"] else Reader(folder / "exact")
    return Results(Reader(folder / "own"), exact, Reader(check.folder / name / "own"), summary, there)
