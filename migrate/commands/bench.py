"""``migrate bench``: how fast is the converted model, eager and static, beside torch?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from migrate.errors import Unusable

Source = Annotated[
    Path,
    typer.Argument(help="Folder of the torch project; with --serve, of the model repository.", metavar="SOURCE"),
]
Converted = Annotated[
    Path | None, typer.Argument(help="Folder of its conversion; --leftovers needs none.", metavar="CONVERTED")
]
Entry = Annotated[
    str | None,
    typer.Option(
        help="The model, by the same name on both sides: a class, or a function that returns one, as for "
        "`migrate check`: models.resnet:resnet50, model:GPT(GPTConfig(n_layer=2)).",
        metavar="MODULE:CALLABLE",
    ),
]
Inputs = Annotated[
    list[str] | None,
    typer.Option("--input", help="One argument, [NAME=]SPEC, as for `migrate check`; repeat for more.", metavar="SPEC"),
]
To = Annotated[
    str | None,
    typer.Option(help="Target framework. Default: the one that CONVERTED was made for.", metavar="TARGET"),
]
Batch = Annotated[
    str | None,
    typer.Option(
        help="Batch sizes, say 1,4,16: the first size of every tensor. Default: as --input says.", metavar="N,N,..."
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(help="Threads of each framework. Default: one for each processor, at most 4.", min=1),
]
Train = Annotated[bool, typer.Option("--train", help="Measure steps of training: forward, loss, backward, update.")]
Optimizer = Annotated[
    str,
    typer.Option(help="For --train: sgd, adamw, or MODULE:CALLABLE(arguments), called with the model first."),
]
Loss = Annotated[
    str,
    typer.Option(
        help="For --train: MODULE:CALLABLE(arguments), called with the model's output and inputs. Default: the "
        "scalar that the model returns, else the distance to seeded targets.",
    ),
]
Rounds = Annotated[int, typer.Option(help="How often each mode is measured.", min=3)]
Seconds = Annotated[float, typer.Option("--seconds", help="How long each time; at least one call.", min=0.01)]
Compiled = Annotated[bool, typer.Option("--compile/--no-compile", help="Also measure torch.compile, where it works.")]
Amp = Annotated[bool, typer.Option("--amp", help="Also measure mixed precision (bfloat16), where the device has it.")]
Leftovers = Annotated[
    bool,
    typer.Option(
        "--leftovers",
        help="Look at the torch model instead: what it computes without need, by source line.",
        rich_help_panel="Leftover computation",
    ),
]
Least = Annotated[
    float,
    typer.Option(
        help="For --leftovers: percent of the time below which a finding is only counted.",
        min=0,
        max=100,
        metavar="PERCENT",
        rich_help_panel="Leftover computation",
    ),
]
Paths = Annotated[
    list[str] | None,
    typer.Option(
        "--path",
        help="For --leftovers: a folder beside the project that modules are imported from, as for `migrate check`.",
        metavar="DIR",
        rich_help_panel="Leftover computation",
    ),
]
Serve = Annotated[
    str | None,
    typer.Option(
        "--serve",
        help="Measure this server, which has loaded the model repository SOURCE; `here`: start one for it.",
        metavar="URL",
        rich_help_panel="A server",
    ),
]
Clients = Annotated[
    str,
    typer.Option(
        help="For --serve: how many clients ask at once, each again as soon as it has its answer.",
        metavar="N,N,...",
        rich_help_panel="A server",
    ),
]
JsonFile = Annotated[Path | None, typer.Option("--json", help="Also write every sample as JSON.", metavar="FILE")]
PlotFile = Annotated[
    Path | None,
    typer.Option("--plot", help="Also draw throughput by batch, .png or .svg (needs matplotlib).", metavar="FILE"),
]
TorchPython = Annotated[Path | None, typer.Option(help="Interpreter that has torch.", metavar="PYTHON")]
TargetPython = Annotated[Path | None, typer.Option(help="Interpreter that has the target framework.", metavar="PYTHON")]
Timeout = Annotated[float, typer.Option(help="Seconds that one command of a side may take.", min=1)]


def command(
    source: Source,
    converted: Converted = None,
    entry: Entry = None,
    inputs: Inputs = None,
    to: To = None,
    batch: Batch = None,
    threads: Threads = None,
    train: Train = False,
    optimizer: Optimizer = "sgd",
    loss: Loss = "",
    rounds: Rounds = 10,
    seconds: Seconds = 0.5,
    compiled: Compiled = True,
    amp: Amp = False,
    leftovers: Leftovers = False,
    least: Least = 0.5,
    paths: Paths = None,
    serve: Serve = None,
    clients: Clients = "1,2,4,8",
    json_file: JsonFile = None,
    plot_file: PlotFile = None,
    torch_python: TorchPython = None,
    target_python: TargetPython = None,
    timeout: Timeout = 600,
) -> None:
    """Measure the model in torch (eager, torch.compile) and in the target (eager, static), on the CPU.

    Each framework runs in its own process, one at a time. After a warm-up all modes are measured in turns, so that what
    slows the machine down slows all of them; the ratio to torch eager is taken within each turn. Torch eager is
    measured twice in each turn: by how much it differs from itself is the noise, and a mode is called faster or slower
    only where the 95 % interval of its ratio lies outside of that. Else it says: within noise.

    With --leftovers: what the torch model computes without need in inference, and how much time it takes: computed and
    not used, computed again, from constants alone, cast or transposed and put back, in turns of a loop that could be
    one. Each finding is tried on a trace of the model, which is run with and without it; the source is not changed.

    With --serve: how fast a server answers for an exported model. Clients on this machine ask over HTTP, more and more
    of them; shown are percentiles of the latency, rows a second, and how many rows the server put together in a run.

    Exit status: 0 measured, 2 could not be run. A mode that does not work is left out, with the reason.

    Example:

        migrate bench resnet resnet-oneflow --entry models.resnet:resnet50 --input "float32[1,3,224,224]" --batch 1,4,16

        migrate bench gpt gpt-paddle --entry model:gpt_tiny --input "int64[8,32]<96" --input "int64[8,32]<96" --train

        migrate bench gpt --entry model:gpt_tiny --input "int64[8,32]<96" --leftovers

        migrate bench resnet50-served --serve here --clients 1,4,16 --batch 1,8
    """
    if serve is not None:
        others = {"CONVERTED": converted, "--entry": entry, "--input": inputs, "--train": train, "--amp": amp,
                  "--leftovers": leftovers, "--plot": plot_file, "--threads": threads}  # fmt: skip
        serve_it(source, serve, (clients, batch, rounds, seconds, timeout), others, json_file)
        return
    if entry is None or not inputs:
        raise Unusable("a model has a name and inputs: --entry and --input are lacking", "as for `migrate check`")
    if leftovers:
        if converted is not None or train or amp or batch or plot_file is not None:
            raise Unusable(
                "--leftovers looks at inference of the torch model alone",
                "leave CONVERTED, --train, --amp, --batch and --plot away",
            )
        given = {"source": source, "entry": entry, "inputs": inputs, "rounds": rounds, "seconds": seconds,
                 "least": least / 100, "threads": threads, "torch_python": torch_python, "timeout": timeout,
                 "paths": tuple(paths or ())}  # fmt: skip
        look(given, json_file)
        return
    of_request = {
        "entry": entry, "inputs": inputs, "torch_python": torch_python, "target_python": target_python,
        "timeout": timeout, "optimizer": optimizer, "loss": loss, "threads": threads,
    }  # fmt: skip
    measured = sizes(batch), train, rounds, seconds, compiled, amp
    compare((source, converted, to), of_request, measured, json_file, plot_file)


# Imported below: numpy takes a while, and --help needs none of it.


def compare(
    folders: tuple[Path, Path | None, str | None], of_request: dict[str, Any],
    measured: tuple[tuple[int, ...], bool, int, float, bool, bool], json_file: Path | None, plot_file: Path | None,
) -> None:  # fmt: skip
    """Measure both sides, show, write. folders: source, converted, target; measured: of a plan, after the request."""
    from migrate.bench import machine, session, show
    from migrate.parity.request import Request
    from migrate.parity.requests import target_of
    from migrate.reports import files

    source, converted, to = folders
    if converted is None:
        raise Unusable("bench compares SOURCE with its conversion", "name its folder, or give --leftovers")
    target = target_of(to, converted)
    plan = session.Plan(Request(source, converted, target, levels=("outputs",), **of_request), *measured)
    for option, path in (("--json", json_file), ("--plot", plot_file)):
        if path is not None:
            files.check_output(option, path)
    if plot_file is not None:
        show.need_matplotlib()
    request = plan.request
    on = machine.describe(0)
    screen = Console(stderr=True)
    with screen.status("starting") as status:
        found = session.measure(plan, status.update)
    on["threads"] = found.threads
    title = f"{request.entry}, {'training' if plan.train else 'inference'}, {', '.join(request.inputs)}"
    screen = Console()
    show.show(found, on, title, screen if screen.is_terminal else Console(width=120))
    if json_file is not None:
        what = {"entry": request.entry, "inputs": request.inputs, "train": plan.train, "target": request.target.name}
        json_file.write_text(show.document(found, on, what), encoding="utf-8")
    if plot_file is not None:
        show.plot(found, on, title, plot_file)


def look(given: dict[str, Any], json_file: Path | None) -> None:
    """``--leftovers``: look, show, write. given: of its plan."""
    from migrate.bench import leftovers, machine, show_leftovers
    from migrate.reports import files

    plan = leftovers.Plan(**given)

    if json_file is not None:
        files.check_output("--json", json_file)
    on = machine.describe(0)
    with Console(stderr=True).status("starting") as status:
        found = leftovers.find(plan, status.update)
    on["threads"] = found.threads
    show_leftovers.show(found, on, f"{plan.entry}, inference, {', '.join(plan.inputs)}", Console())
    if json_file is not None:
        what = {"entry": plan.entry, "inputs": list(plan.inputs)}
        json_file.write_text(show_leftovers.document(found, on, what), encoding="utf-8")


def serve_it(
    folder: Path, url: str, given: tuple[str, str | None, int, float, float], others: Mapping[str, object],
    json_file: Path | None,
) -> None:  # fmt: skip
    """``--serve``: measure, show, write."""
    from migrate.bench import machine, serve, show_serve
    from migrate.reports import files

    for option, value in others.items():
        if value:
            raise Unusable(f"{option} is not for --serve: the folder says what is served", "leave it away")
    if json_file is not None:
        files.check_output("--json", json_file)
    clients, batches, rounds, seconds, timeout = given
    plan = serve.Plan(folder, url, sizes(clients, "--clients"), sizes(batches), rounds, seconds, timeout)
    on = machine.describe(0)
    with Console(stderr=True).status("starting") as status:
        found = serve.measure(plan, status.update)
    screen = Console()
    show_serve.show(found, on, screen if screen.is_terminal else Console(width=140))
    if json_file is not None:
        json_file.write_text(show_serve.document(found, on), encoding="utf-8")


def sizes(text: str | None, option: str = "--batch") -> tuple[int, ...]:
    """``1,4,16``. Raises Unusable."""
    try:
        found = tuple(int(part) for part in text.split(",")) if text else ()
    except ValueError:
        found = (0,)
    if any(size < 1 for size in found):
        raise Unusable(f"{option} {text}: not a list of sizes", f"for example {option} 1,4,16")
    return found
