"""What a side of a check that could not be run means to the user, and what mends it."""

from __future__ import annotations

import shlex
from pathlib import Path

from checks.parity.process import SideFailed
from checks.parity.report import DIFFERS, FAILED, SAME, SKIPPED, Entry, Failure, worst
from migrate.convert.requirements import TORCH_FAMILY
from migrate.errors import Unusable
from migrate.project_environment import declares

SHOWN = 6  # names of parameters listed in a message


def unusable(error: SideFailed, entry: str, target: str, torch: bool, project: Path | None = None) -> Unusable:
    """The failure as an error with a mend.

    entry:   as it was given.
    target:  as ``--to`` takes it.
    torch:   True for the torch side.
    project: the torch project, where its own environment may help.
    """
    side = error.side.title
    at = f" at {error.where}" if error.where else ""
    said = error.message.strip().partition("\n")[0]
    what = f"{error.kind}: {said}" if error.kind else said
    tail = "".join(f"\n    {line}" for line in stack(error))
    override = "--torch-python" if torch else "--target-python"
    module = entry.partition(":")[0]
    doing = {"framework": "importing the framework", "import": f"importing {module}", "entry": f"looking up {entry}"}
    stage = doing.get(error.stage, error.stage)
    if error.kind == "timeout":
        return Unusable(
            f"{side} {error.message} ({stage}){at}{tail}", "give a longer --timeout, or mend what the stack above shows"
        )
    if error.kind in ("died", "memory"):
        mend = "try smaller inputs; the lines above are the last that it wrote"
        return Unusable(f"{side} {error.message} ({stage}){at}{tail}", mend)
    name = "torch" if torch else target
    if error.stage == "framework":
        return Unusable(
            f"{side} does not run in {error.side.python}: {what}", f"migrate env {name}, or give {override}"
        )
    if error.stage == "import":
        return Unusable(
            f"{entry} does not import with {side}{at}: {what}{tail}", _mend_import(error, module, name, project)
        )
    if "missing" in error.detail and error.stage == "entry":
        return Unusable(f"{entry} is not there with {side}: {what}", f"name a class or function of {module}")
    if "needs" in error.detail:
        return Unusable(f"with {side}, {what}", _mend_arguments(error, entry))
    if "odd" in error.detail:
        return Unusable(
            f"with {side}, {what}", "name a model class, a function that returns a model, or one over tensors"
        )
    if error.stage == "state" and not error.kind:
        return _state(error, side, torch)
    if error.kind == "NotConvertedError" and error.where:
        mend = f"the comment `# migrate:` above {error.where} says why, and what to do instead"
        return Unusable(f"{side} fails in {stage}{at}: {what}{tail}", mend)
    where = error.where or "what the lines above show"
    return Unusable(f"{side} fails in {stage}{at}: {what}{tail}", f"mend {where}; the inputs are given by --input")


def failure(error: SideFailed, entry: str, target: str, torch: bool) -> Failure:
    """The failure as a part of the report; arguments as for ``unusable``.

    That the converted code raises or crashes where torch's does not is a difference; time and memory that ran out say
    nothing of it.
    """
    known = torch or error.kind in ("timeout", "memory")
    return Failure(
        side=error.side.title,
        stage=error.stage,
        kind=error.kind,
        message=error.message.strip().partition("\n")[0],
        where=error.where or "",
        stderr=stack(error),
        verdict=FAILED if known else DIFFERS,
        mend=unusable(error, entry, target, torch).mend,
    )


def stack(error: SideFailed) -> list[str]:
    """What it wrote last, without the error itself, which is said beside it."""
    lines = error.stderr.splitlines()
    own = (number for number, line in enumerate(lines) if error.kind and line.startswith(f"{error.kind}: "))
    last = next(own, None)
    return lines if last is None else lines[:last]


def nothing_compared(entry: Entry) -> Failure | None:
    """Of an entry in which all that was run was left out: that is no parity. None where something was compared."""
    levels = entry.levels
    verdict = worst(level.verdict for level in levels)
    if verdict not in (SAME, SKIPPED) or any(row.verdict != SKIPPED for level in levels for row in level.rows):
        return None
    why = "; ".join(f"{level.name}: {level.skipped}" for level in levels if level.skipped) or "no level has rows"
    mend = "name an entry that computes without drawing, or other levels: --level"
    return Failure("migrate check", "comparing", "", f"nothing could be compared: {why}", mend=mend)


def _mend_arguments(error: SideFailed, entry: str) -> str:
    inputs = "give one --input for each argument, keywords as NAME=SPEC"
    if not error.detail["needs"]:
        return inputs
    arguments = ", ".join(f"{name}=..." for name in error.detail["needs"])
    written = f"write it as --entry {shlex.quote(entry.partition('(')[0] + f'({arguments})')}"
    return f"{inputs}; if it builds a model, {written}" if error.stage == "inputs" else written


def _mend_import(error: SideFailed, module: str, name: str, project: Path | None) -> str:
    lacking = error.detail.get("module")
    if error.kind == "ModuleNotFoundError" and lacking:
        if module == lacking or module.startswith(lacking + "."):
            return "give the module as it is imported from the project's folder, e.g. models.resnet:resnet50"
        root = lacking.split(".")[0]
        if name != "torch" and root in TORCH_FAMILY:
            what = error.where or "the last line above"
            return f"what {what} imports stands on torch: migrate convert --with PACKAGE brings over what is used of it"
        beside = f"if {root} lies beside the project, give its folder: --path DIR"
        if project is not None and declares(project):
            own = f"migrate env {name} --for {shlex.quote(str(project))}"
            return f"{own}, with what the project asks for (--add {root} where its files do not name it); {beside}"
        python = shlex.quote(str(error.side.python))
        return (
            f"{beside}; if it is a package: uv pip install --python {python} --no-deps --target packages {root}, and "
            f"--path packages; or migrate env {name} --for the project --add {root}"
        )
    return f"mend {error.where}" if error.where else "an entry must import without running a script"


def _state(error: SideFailed, side: str, torch: bool) -> Unusable:
    parts = [
        f"{title} {_list(error.detail.get(key, []))}"
        for key, title in (("missing", "missing"), ("unexpected", "unexpected"), ("shapes", "of another shape"))
        if error.detail.get(key)
    ]
    whose = "the weights do not fit the torch model" if torch else f"the carried weights do not fit the {side} model"
    mend = (
        "give a checkpoint of this model, and the entry the arguments it was trained with"
        if torch
        else "the converted model must have the parameters of the torch one, under the same names"
    )
    return Unusable(f"{whose}: {'; '.join(parts)}", mend)


def _list(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
