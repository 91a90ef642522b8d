"""The levels of ``--static``: the target's static graphs against torch, in outputs, steps of training, and loaded back
in a fresh process after they were saved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from checks.parity.process import Process, SideFailed
from checks.parity.report import Level
from checks.worker.side.store import Reader
from migrate.errors import Unusable
from migrate.parity import levels
from migrate.parity.failures import failure
from migrate.parity.levels import Results
from migrate.parity.paths import TARGET
from migrate.parity.sides import Sides

STATIC, STEPS, EXPORTED = "static", "static steps", "exported"
"""Names of the levels."""

Judge = Callable[[Results], Level]


def tools_of(sides: Sides) -> Path:
    """The file that makes the target's graphs. Raises Unusable where there is none."""
    path = sides.request.target.folder / "worker" / "static_runtime.py"
    if not path.is_file():
        raise Unusable(f"{sides.request.target.title}: migrate knows no static graphs of it", "leave --static away")
    return path


def static_levels(sides: Sides, judge_steps: Judge, forward: Any, steps: Any) -> list[Level]:
    """The levels, each compared with what torch computed for its eager counterpart.

    judge_steps:    what becomes of both sides' steps of training.
    forward, steps: what torch was told; None where that was not asked for.
    """
    tools = str(tools_of(sides))
    if sides.opened["kind"] != "module":
        return [Level(STATIC, skipped="a function has no graph: name a model as the entry")]
    session = sides.session
    folder = session.folder / "torch" / sides.forward_name
    export = str((sides.request.export or sides.folder / "export").resolve())
    found = []
    job = sides.job(sides.folder / "static", False, tools=tools)
    found.append(outputs(sides, STATIC, forward, folder, lambda: session.target.call("static", **job)))
    if steps is not None:
        found.append(training(sides, judge_steps, steps, tools))
    said: dict[str, Any] = {}

    def saved() -> Any:
        again = sides.job(sides.folder / "saved", False, tools=tools, export=export)
        said.update(session.target.submit(lambda: session.target.call("static", **again)).result())
        return fresh(sides, tools, export, said["skeleton"])

    level = outputs(sides, EXPORTED, forward, folder, saved, wait=False)
    for row in level.rows:
        if sides.request.export is not None:
            row.say(f"{export}: {said['export']}")
    return [*found, level]


def fresh(sides: Sides, tools: str, export: str, skeleton: Any) -> Any:
    """Have a new process load what was saved; the model that it builds has other weights than the saved one."""
    target, request = sides.session.target, sides.request
    arguments = {"positional": sides.drawn.positional, "keywords": sides.drawn.keywords}
    with Process(target.side, target.job, sides.folder / "fresh", request.timeout, sides.session.on_stage) as process:
        project = str(sides.converted.resolve())
        paths = request.imports(TARGET)
        process.call("open", project=project, entry=request.entry, seed=request.seed + 1, paths=paths, **arguments)
        job = sides.job(sides.folder / "exported", False, tools=tools, export=export, skeleton=skeleton)
        return process.call("exported", **job)


def outputs(sides: Sides, name: str, forward: Any, folder: Path, work: Callable[[], Any], wait: bool = True) -> Level:
    """A level of outputs; ``wait``: the work is for the target's process, which may still be busy."""
    found = results(sides, name, forward, folder, sides.session.target.submit(work).result if wait else work)
    if isinstance(found, Level):
        return found
    level = levels.outputs(found, sides.request.tolerance)
    level.name = name
    if draws(found.summary["random"]):
        return Level(name, skipped="the model draws random numbers, which a graph draws by itself")
    return level


def draws(random: Mapping[str, Any]) -> bool:
    """Whether torch drew anything but masks of dropout, replayed or not."""
    return bool(random.get("layers")) or any(random.get("draws", ()))


def training(sides: Sides, judge_steps: Judge, steps: Any, tools: str) -> Level:
    """The level of steps."""
    session = sides.session
    try:
        random = steps[0].result()["random"]
    except SideFailed as error:
        return Level(STEPS, failure=failure(error, sides.request.entry, session.target_name, torch=True))
    if draws(random) or any(random.get("masks", ())):
        return Level(STEPS, skipped="the model draws random numbers in training, which a graph draws by itself")
    job = sides.job(sides.folder / STEPS, False, tools=tools, **sides.training_job())
    folder = session.folder / "torch" / "steps"
    work = session.target.submit(lambda: session.target.call("train_static", **job)).result
    found = results(sides, STEPS, steps, folder, work)
    if isinstance(found, Level):
        return found
    level = judge_steps(found)
    level.name = STEPS
    return level


def results(sides: Sides, name: str, pair: Any, folder: Path, work: Callable[[], Any]) -> Results | Level:
    """Torch's results and the static ones; a level that says why there are none."""
    request, session = sides.request, sides.session
    try:
        summary = pair[0].result()
    except SideFailed as error:
        return Level(name, failure=failure(error, request.entry, session.target_name, torch=True))
    try:
        there = work()
    except SideFailed as error:
        return Level(name, failure=failure(error, request.entry, session.target_name, torch=False))
    exact = None if summary["exact_error"] else Reader(folder / "exact")
    return Results(Reader(folder / "own"), exact, Reader(sides.folder / name / "own"), summary, there)
