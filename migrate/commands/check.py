"""``migrate check``: does the converted model compute what the torch model computes?"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from checks.parity.report import LEVELS, SAME, SKIPPED, Report
from checks.parity.report import Entry as Compared
from migrate.errors import Unusable
from migrate.parity.file import NAME
from migrate.reports.screen import screen

EXIT = {"parity": 0, "differs": 1}
EXPORTED = "export.json"
"""In the folder of an exported model: ``migrate.export.manifest.NAME``."""
OF_EXPORTED = (
    "weights",
    "seed",
    "paths",
    "torch_python",
    "target_python",
    "timeout",
    "rtol",
    "atol",
    "levels",
    "metric",
    "metric_tolerance",
)

Source = Annotated[
    Path | None,
    typer.Argument(
        help=f"Folder of the torch project, or a {NAME}, which names it. Default: the {NAME} here.", metavar="SOURCE"
    ),
]
Converted = Annotated[
    Path | None, typer.Argument(help=f"Folder of its conversion. Default: {NAME} names it.", metavar="CONVERTED")
]
Entry = Annotated[
    str | None,
    typer.Option(
        help="What to run, by the same name on both sides: a model class, a function that returns a model, or a "
        "function over tensors. Its arguments are literals, or names and calls of MODULE: "
        f"model:GPT(GPTConfig(n_layer=2)). Default: all that {NAME} lists.",
        metavar="MODULE:CALLABLE",
    ),
]
Init = Annotated[
    bool,
    typer.Option("--init", help=f"Write {NAME}: the models of SOURCE, each with inputs that it took when tried."),
]
To = Annotated[
    str | None,
    typer.Option(help="Target framework. Default: the one that CONVERTED was made for, else paddle.", metavar="TARGET"),
]
Inputs = Annotated[
    list[str] | None,
    typer.Option(
        "--input",
        help="One argument, [NAME=]SPEC; repeat for more, NAME= for keywords. A tensor: "
        "[LOW<=]DTYPE[SIZE,...][<HIGH] (floats are standard normal, or uniform between bounds; integers need the "
        "bound that they stay below). A plain value: None, 2.5, 'text'. A list, tuple or dict of these. Or "
        "FILE.npz: arr_0, arr_1, ... are positional, other names keywords.",
        metavar="SPEC",
    ),
]
Paths = Annotated[
    list[str] | None,
    typer.Option(
        "--path",
        help="A folder beside the project that modules are imported from, on both sides; torch:DIR, or the target's "
        "name in its place, for one side; may be repeated. Folders of PYTHONPATH are looked into last.",
        metavar="DIR",
    ),
]
Weights = Annotated[
    Path | None,
    typer.Option(help="Checkpoint of the torch model. Default: seeded weights.", metavar="FILE"),
]
Levels = Annotated[
    list[str] | None,
    typer.Option(
        "--level",
        help=f"Compare only this; repeat for more: {', '.join(LEVELS)}. Default: the first three, steps with "
        "--train, double where the project differentiates gradients. Of an exported model: outputs, activations "
        "(exported with --layers), sensitivity (of int8: what each layer adds to the error).",
        metavar="LEVEL",
    ),
]
Train = Annotated[int | None, typer.Option(help="Also train for so many steps on both sides.", min=0, metavar="STEPS")]
Optimizer = Annotated[
    str | None,
    typer.Option(
        help="For --train: sgd, adamw, or MODULE:CALLABLE(arguments) of the project, called with the model first.",
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(help="For --train: MODULE:CALLABLE(arguments), called with the optimizer first. Default: none."),
]
Loss = Annotated[
    str | None,
    typer.Option(
        help="For --train: MODULE:CALLABLE(arguments), called with the model's output and positional inputs first. "
        "Default: the scalar that the model returns, else the distance to seeded targets.",
    ),
]
Static = Annotated[
    bool,
    typer.Option(
        "--static",
        help="Also compare the target's static graphs (nn.Graph, to_static): outputs, with --train steps, and the "
        "graph saved and loaded back in a fresh process.",
    ),
]
Export = Annotated[
    Path | None,
    typer.Option(
        help="With --static: keep the saved graph in this new folder, for deployment (flow.save, paddle.jit.save).",
        metavar="FOLDER",
    ),
]
Backend = Annotated[
    str | None,
    typer.Option(
        "--backend",
        help="CONVERTED is what `migrate export` wrote: compare it, run by onnxruntime, openvino, native (the "
        "framework that saved it) or triton (a server that is started for it). Default: as its format says.",
        metavar="NAME",
    ),
]
Server = Annotated[
    str | None,
    typer.Option(
        help="CONVERTED is a Triton model repository, which this server has loaded: compare what it answers.",
        metavar="URL",
    ),
]
Sizes = Annotated[
    list[str] | None,
    typer.Option(
        "--size",
        help="Of an exported model: sizes of a free axis. Default: the example's, and for the first axis 1 and more.",
        metavar="NAME=N,N,...",
    ),
]
MetricOption = Annotated[
    str | None,
    typer.Option(
        "--metric",
        help="Of an exported model: also compare a task's own metric. MODULE:CALLABLE(arguments) of the torch project; "
        "it is called with predict first, calls predict(*arguments of the model) for each batch of its data, gets "
        "torch tensors as the model returns them (in tuples, lists and dicts), and returns a number. It is called "
        "twice, for torch and for the artefact, and must ask for the same data.",
        metavar="MODULE:CALLABLE",
    ),
]
MetricTolerance = Annotated[
    float | None,
    typer.Option("--metric-tolerance", help="How far the metric's two values may be apart. Default: any.", min=0),
]
Seed = Annotated[int | None, typer.Option(help="Seed of inputs and weights. Default: 0.", min=0)]
JsonFile = Annotated[Path | None, typer.Option("--json", help="Also write the report as JSON.", metavar="FILE")]
JunitFile = Annotated[Path | None, typer.Option("--junit", help="Also write the report as JUnit XML.", metavar="FILE")]
HtmlFile = Annotated[
    Path | None, typer.Option("--html", help="Also write the report as one HTML page.", metavar="FILE")
]
Rtol = Annotated[
    float | None, typer.Option(help="Also demand that each element is within ATOL + RTOL * |torch|.", min=0)
]
Atol = Annotated[float | None, typer.Option(help="See --rtol.", min=0)]
TorchPython = Annotated[Path | None, typer.Option(help="Interpreter that has torch.", metavar="PYTHON")]
TargetPython = Annotated[Path | None, typer.Option(help="Interpreter that has the target framework.", metavar="PYTHON")]
Timeout = Annotated[float | None, typer.Option(help="Seconds for each level of each side. Default: 600.", min=1)]


def command(
    source: Source = None,
    converted: Converted = None,
    entry: Entry = None,
    init: Init = False,
    to: To = None,
    inputs: Inputs = None,
    paths: Paths = None,
    weights: Weights = None,
    levels: Levels = None,
    train: Train = None,
    optimizer: Optimizer = None,
    scheduler: Scheduler = None,
    loss: Loss = None,
    static: Static = False,
    export: Export = None,
    backend: Backend = None,
    server: Server = None,
    sizes: Sizes = None,
    metric: MetricOption = None,
    metric_tolerance: MetricTolerance = None,
    seed: Seed = None,
    json_file: JsonFile = None,
    junit_file: JunitFile = None,
    html_file: HtmlFile = None,
    rtol: Rtol = None,
    atol: Atol = None,
    torch_python: TorchPython = None,
    target_python: TargetPython = None,
    timeout: Timeout = None,
) -> None:
    """Run the model in torch and in the target, on the CPU, and compare what both compute.

    Both get the same inputs and the same weights, each in a process of its own. Compared are what they return, each
    layer's output (also alone, on torch's own input), gradients, and with --train the loss and the parameters after
    each step. How far they may stand apart is measured, not guessed: torch runs again in double precision and in a few
    other orders of arithmetic, which shows how far a correct float32 computation strays. The error of the target is
    given in units of that noise floor: about 1 is a clean port, above 4 is a warning, above 10 differs. Integers and
    booleans must be equal.

    Without --weights the model gets seeded ones; constants (a fresh BatchNorm's mean and variance, biases of zero) are
    moved, so that a swapped or ignored buffer shows.

    Exit status: 0 parity, 1 differs, 2 could not be run.

    Example:

        migrate check --init resnet resnet-paddle && migrate check --html parity.html

        migrate check resnet resnet-paddle --entry "models.resnet:resnet50(num_classes=10)" \\
            --input "float32[2,3,224,224]" --weights resnet50.pt --train 10

        migrate check gpt gpt-oneflow --to oneflow --entry "model:GPT(GPTConfig())" --input "int64[2,16]<96"

        migrate check resnet resnet-oneflow --entry models.resnet:resnet50 --input "float32[2,3,224,224]" \\
            --weights resnet50.pt --static --export resnet50-graph

        migrate check resnet resnet50-onnx --backend openvino --size batch=1,8

        migrate check resnet resnet50-served --server http://127.0.0.1:8000
    """
    check_export(export, entry)
    outputs = given_files(json_file, junit_file, html_file)
    fields = {
        "inputs": inputs or None, "paths": paths or None, "weights": weights, "levels": levels or None, "train": train,
        "optimizer": optimizer, "scheduler": scheduler, "loss": loss, "static": static or export is not None or None,
        "export": export, "seed": seed, "rtol": rtol, "atol": atol, "torch_python": torch_python,
        "target_python": target_python, "timeout": timeout,
    }  # fmt: skip
    asks = any(value not in (None, []) for value in (backend, server, sizes, metric, metric_tolerance))
    if asks or (source is not None and converted is not None and is_exported(converted)):
        fields |= {"init": init, "to": to, "entry": entry, "metric": metric, "metric_tolerance": metric_tolerance}
        run_exported(source, converted, (backend, server), fields, sizes, outputs)
        return
    if init:
        write_file(source or Path(), converted, torch_python, paths or [])
        return
    run((source, converted, to, entry), fields, outputs)


def check_export(export: Path | None, entry: str | None) -> None:
    """Raises Unusable unless --export may be written."""
    if export is not None and export.exists() and (not export.is_dir() or any(export.iterdir())):
        raise Unusable(f"--export {export}: exists", "name a new folder")
    if export is not None and entry is None:
        raise Unusable("--export saves the graph of one --entry", "give --entry too")


def given_files(json: Path | None, junit: Path | None, html: Path | None) -> dict[str, Path]:
    """Option -> file, of those that were given."""
    files = {"--json": json, "--junit": junit, "--html": html}
    return {option: path for option, path in files.items() if path is not None}


# numpy and the readers of checkpoints, which the functions below import, take a while, and --help needs none of them.


SHOWN = 6
"""How many causes --init prints."""


def write_file(source: Path, converted: Path | None, torch_python: Path | None, paths: list[str]) -> None:
    """What --init does."""
    from migrate.parity.init import write_parity_file

    with Console(stderr=True).status("looking for models") as status:
        done = write_parity_file(source, converted, torch_python, status.update, paths)
    print(f"{done.path}: {done.found} models with inputs, {done.open} left open (each says why)")
    for cause in done.causes[:SHOWN]:
        print(f"left open: {cause}")
    named = (re.search(r"ModuleNotFoundError: No module named '([^'.]+)", cause) for cause in done.causes)
    if any(found and not (source / found.group(1)).is_dir() for found in named):
        folder = shlex.quote(str(source))
        files = "what its files ask for" if done.declares else "each by --add PACKAGE"
        print(f"migrate env torch --for {folder} brings {files}; then --init again")


def run(
    what: tuple[Path | None, Path | None, str | None, str | None], fields: dict[str, Any], outputs: dict[str, Path]
) -> None:
    """Compare, and tell. Raises Exit with the status, and Unusable.

    what:   source, converted, target, entry, as far as they were given.
    fields: of a request.
    outputs: option -> the file to write the report to.
    """
    from migrate.parity import requests as parity_requests
    from migrate.reports import files

    for option, path in outputs.items():
        files.check_output(option, path)
    planned = parity_requests.plan(*what, fields)
    console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)

    def tell(number: int, entry: Compared, seconds: float) -> None:
        verdict = "parity" if entry.verdict in (SAME, SKIPPED) else entry.verdict
        if len(planned) > 1:
            console.print(f"{number} of {len(planned)}  {verdict:7}  {seconds:3.0f} s  {entry.name}")

    with console.status("starting") as status:
        report = parity_requests.run(planned, status.update, tell)
    show(report, outputs)


def is_exported(folder: Path) -> bool:
    """Whether `migrate export` wrote it."""
    return (folder / EXPORTED).is_file()


def run_exported(
    source: Path | None,
    exported: Path | None,
    runs: tuple[str | None, str | None],
    fields: dict[str, Any],
    sizes: list[str] | None,
    outputs: dict[str, Path],
) -> None:
    """Compare what was exported, and tell. As ``run``; fields: of a request, and other options.

    runs: the back end, and the server, as far as they were given.
    """
    backend, server = runs
    if source is None or exported is None or not is_exported(exported):
        raise Unusable(
            "--backend, --server, --size and --metric are for an exported model",
            "migrate check SOURCE EXPORTED --backend NAME",
        )
    for name, value in fields.items():
        if value and name not in OF_EXPORTED:
            option = {"inputs": "input", "levels": "level"}.get(name, name)
            raise Unusable(f"--{option} is not for an exported model: {EXPORTED} says what it is", "leave it away")
    from migrate.export import check, manifest
    from migrate.reports import files
    from migrate.serving import check as serving

    for option, path in outputs.items():
        files.check_output(option, path)
    given = {**fields, "sizes": sizes}
    if backend == "triton" or server is not None or manifest.read(exported).format == "triton":
        if backend not in (None, "triton"):
            raise Unusable(f"--backend {backend}: a model repository is served", "--backend triton, or --server URL")
        with Console(stderr=True).status("starting") as status:
            report = serving.check(source, exported, server, given, status.update)
    else:
        found = check.against(exported, backend, fields["target_python"])
        with Console(stderr=True).status("starting") as status:
            report = check.check(source, found, given, status.update)
    show(report, outputs)


def show(report: Report, outputs: dict[str, Path]) -> None:
    """Write a report and print it. Raises Exit with its status, and Unusable."""
    from migrate.reports import files, table, wording

    files.write_reports(report, outputs)
    table.show(report, screen())
    if report.verdict == "failed":
        found = wording.first_failure(report)
        raise Unusable(wording.failure(found), found.mend)
    raise typer.Exit(EXIT[report.verdict])
