"""``migrate check``: does the converted model compute what the torch model computes?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from checks.compare import Tolerance
from migrate import parity_report
from migrate.errors import Unusable
from migrate.parity import Request, check_parity
from rewriters.target import Target, UnknownTarget, load_target

DEFAULT_TARGET = "paddle"
RECORD = Path(".migrate", "conversion.json")


def command(
    source: Annotated[Path, typer.Argument(help="Folder of the torch project.", metavar="SOURCE")],
    converted: Annotated[Path, typer.Argument(help="Folder of its conversion.", metavar="CONVERTED")],
    entry: Annotated[
        str,
        typer.Option(
            help="What to run, by the same name on both sides: a model class, a function that returns a model, or a "
            "function over tensors. Its arguments are literals, or names and calls of MODULE: "
            "model:GPT(GPTConfig(n_layer=2)).",
            metavar="MODULE:CALLABLE",
        ),
    ],
    to: Annotated[
        str | None,
        typer.Option(
            help="Target framework. Default: the one that CONVERTED was made for, else paddle.", metavar="TARGET"
        ),
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            help="One tensor argument, [NAME=][LOW<=]DTYPE[SIZE,...][<HIGH]; repeat for more, NAME= for keywords. "
            "Floats are standard normal, or uniform between bounds; integers need the bound that they stay below.",
            metavar="SPEC",
        ),
    ] = None,
    weights: Annotated[
        Path | None,
        typer.Option(help="Checkpoint of the torch model. Default: seeded weights.", metavar="FILE"),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of inputs and weights.", min=0)] = 0,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Also write the report to this file.", metavar="FILE")
    ] = None,
    rtol: Annotated[
        float | None, typer.Option(help="Also demand that each element is within ATOL + RTOL * |torch|.", min=0)
    ] = None,
    atol: Annotated[float | None, typer.Option(help="See --rtol.", min=0)] = None,
    torch_python: Annotated[Path | None, typer.Option(help="Interpreter that has torch.", metavar="PYTHON")] = None,
    target_python: Annotated[
        Path | None, typer.Option(help="Interpreter that has the target framework.", metavar="PYTHON")
    ] = None,
    timeout: Annotated[float, typer.Option(help="Seconds for each side.", min=1)] = 600,
) -> None:
    """Run the model in torch and in the target, on the CPU, and compare what both return.

    Both get the same inputs and the same weights, in eval mode, each in a process of its own. How far they may stand
    apart is measured, not guessed: torch runs again in double precision and in a few other orders of arithmetic, which
    shows how far a correct float32 computation strays. The error of the target is given in units of that noise floor:
    about 1 is a clean port, above 4 is a warning, above 10 differs. Integers and booleans must be equal.

    Without --weights the model gets seeded ones; constants (a fresh BatchNorm's mean and variance, biases of zero) are
    moved, so that a swapped or ignored buffer shows.

    Exit status: 0 parity, 1 differs, 2 could not be run.

    Example:

        migrate check resnet resnet-paddle --entry "models.resnet:resnet50(num_classes=10)" \\
            --input "float32[2,3,224,224]" --weights resnet50.pt --json parity.json

        migrate check gpt gpt-oneflow --to oneflow --entry "model:GPT(GPTConfig())" --input "int64[2,16]<96"
    """
    if json_file is not None:
        parity_report.check_output(json_file)
    tolerance = None
    if rtol is not None or atol is not None:
        tolerance = Tolerance(rtol or 0.0, atol or 0.0)
    request = Request(
        source=source,
        converted=converted,
        target=_target(to, converted),
        entry=entry,
        inputs=inputs or [],
        weights=weights,
        seed=seed,
        tolerance=tolerance,
        torch_python=torch_python,
        target_python=target_python,
        timeout=timeout,
    )
    with Console(stderr=True).status("starting") as status:
        report = check_parity(request, status.update)
    if json_file is not None:
        parity_report.write_json(report, json_file)
    parity_report.show(report, Console())
    if report.verdict != "parity":
        raise typer.Exit(1)


def _target(to: str | None, converted: Path) -> Target:
    """The target that was asked for, else the one recorded by the conversion. Raises Unusable."""
    record = converted / RECORD
    name = to
    if name is None and record.is_file():
        try:
            name = json.loads(record.read_text(encoding="utf-8"))["target"]
        except (ValueError, KeyError, TypeError):
            raise Unusable(f"{record} names no target", "give the target with --to") from None
    try:
        return load_target(name or DEFAULT_TARGET)
    except UnknownTarget as error:
        raise Unusable(str(error), "give one of these, or the path of a target's folder, with --to") from None
