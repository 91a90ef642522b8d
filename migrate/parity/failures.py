"""What a side of a check that could not be run means to the user, and what mends it."""

from __future__ import annotations

import shlex

from checks.parity.process import SideFailed
from checks.parity.report import DIFFERS, FAILED, Failure
from migrate.errors import Unusable

SHOWN = 6  # names of parameters listed in a message


def unusable(error: SideFailed, entry: str, target: str, torch: bool) -> Unusable:
    """The failure as an error with a mend.

    entry:   as it was given.
    target:  as ``--to`` takes it.
    torch:   True for the torch side.
    """
    side = error.side.title
    at = f" at {error.where}" if error.where else ""
    said = error.message.strip().partition("\n")[0]
    what = f"{error.kind}: {said}" if error.kind else said
    tail = "\n" + "\n".join(f"    {line}" for line in error.stderr.splitlines()) if error.stderr else ""
    override = "--torch-python" if torch else "--target-python"
    module = entry.partition(":")[0]
    doing = {"framework": "importing the framework", "import": f"importing {module}", "entry": f"looking up {entry}"}
    stage = doing.get(error.stage, error.stage)
    if error.kind == "timeout":
        return Unusable(
            f"{side} {error.message} ({stage}){tail}", "give a longer --timeout, or mend what the stack above shows"
        )
    if error.kind in ("died", "memory"):
        return Unusable(
            f"{side} {error.message} ({stage}){tail}", "try smaller inputs; the lines above are the last that it wrote"
        )
    if error.stage == "framework":
        name = "torch" if torch else target
        return Unusable(
            f"{side} does not run in {error.side.python}: {what}", f"migrate env {name}, or give {override}"
        )
    if error.stage == "import":
        return Unusable(f"{entry} does not import with {side}{at}: {what}{tail}", _mend_import(error, module))
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
        stderr=error.stderr.splitlines(),
        verdict=FAILED if known else DIFFERS,
        mend=unusable(error, entry, target, torch).mend,
    )


def _mend_arguments(error: SideFailed, entry: str) -> str:
    inputs = "give one --input for each argument, keywords as NAME=SPEC"
    if not error.detail["needs"]:
        return inputs
    arguments = ", ".join(f"{name}=..." for name in error.detail["needs"])
    written = f"write it as --entry {shlex.quote(entry.partition('(')[0] + f'({arguments})')}"
    return f"{inputs}; if it builds a model, {written}" if error.stage == "inputs" else written


def _mend_import(error: SideFailed, module: str) -> str:
    lacking = error.detail.get("module")
    if error.kind == "ModuleNotFoundError" and lacking:
        if module == lacking or module.startswith(lacking + "."):
            return "give the module as it is imported from the project's folder, e.g. models.resnet:resnet50"
        root = lacking.split(".")[0]
        python = shlex.quote(str(error.side.python))
        return (
            f"if {root} lies beside the project, give its folder: --path DIR; if it is a package: "
            f"uv pip install --python {python} --no-deps --target packages {root}, and --path packages"
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
