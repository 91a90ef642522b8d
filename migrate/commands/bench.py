"""``migrate bench``: how fast is the converted model, eager and static, beside torch?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from migrate.errors import Unusable

CLIENTS = "1,2,4,8"
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
ProductOf = Annotated[
    list[str] | None,
    typer.Option(
        "--product",
        help="Measure the road to a served model: DIR is what `migrate export` wrote; repeat for other formats, and "
        "for the model repository.",
        metavar="DIR",
        rich_help_panel="The whole road",
    ),
]
HtmlFile = Annotated[
    Path | None,
    typer.Option(
        "--html",
        help="With --product: also write one HTML page with a plot.",
        metavar="FILE",
        rich_help_panel="The whole road",
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
    clients: Clients = CLIENTS,
    product: ProductOf = None,
    json_file: JsonFile = None,
    html_file: HtmlFile = None,
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

    With --product: one table of what each step gives: torch eager, the target eager and static, leftover computation
    removed, the exported model in its back ends, larger batches, several processes, the server; each beside the one
    before it and beside torch eager. The fastest back end is carried on, and of the others what is faster.

    Exit status: 0 measured, 2 could not be run. A mode that does not work is left out, with the reason.

    Example:

        migrate bench resnet resnet-oneflow --entry models.resnet:resnet50 --input "float32[1,3,224,224]" --batch 1,4,16

        migrate bench gpt gpt-paddle --entry model:gpt_tiny --input "int64[8,32]<96" --input "int64[8,32]<96" --train

        migrate bench gpt --entry model:gpt_tiny --input "int64[8,32]<96" --leftovers

        migrate bench resnet50-served --serve here --clients 1,4,16 --batch 1,8

        migrate bench resnet resnet-paddle --product resnet50-onnx --product resnet50-openvino --product resnet50-served
    """
    asked: dict[str, Any] = {
        "entry": entry, "inputs": inputs, "rounds": rounds, "seconds": seconds, "threads": threads, "to": to,
        "train": train, "amp": amp, "leftovers": leftovers, "serve": serve, "plot": plot_file, "converted": converted,
        "batch": batch, "clients": clients, "torch_python": torch_python, "target_python": target_python,
        "timeout": timeout, "product": product,
    }  # fmt: skip
    if product:
        product_of(source, asked, json_file, html_file)
    elif html_file is not None:
        raise Unusable("--html is for --product", "leave it away")
    elif serve is not None:
        serve_it(source, asked, json_file)
    elif entry is None or not inputs:
        raise Unusable("a model has a name and inputs: --entry and --input are lacking", "as for `migrate check`")
    elif leftovers:
        look(source, asked, {"least": least / 100, "paths": tuple(paths or ())}, json_file)
    else:
        compare(source, asked, {"optimizer": optimizer, "loss": loss}, compiled, (json_file, plot_file))


def refuse(asked: dict[str, Any], names: Sequence[str], why: str) -> None:
    """Raises Unusable where one of these was given."""
    options = {"inputs": "--input", "converted": "CONVERTED"}
    for name in names:
        if asked[name]:
            raise Unusable(f"{options.get(name, f'--{name}')} is not for {why}", "leave it away")


# Imported below: numpy takes a while, and --help needs none of it.


def compare(
    source: Path, asked: dict[str, Any], training: dict[str, Any], compiled: bool,
    outputs: tuple[Path | None, Path | None],
) -> None:  # fmt: skip
    """Measure both sides, show, write. training: of a request."""
    from migrate.bench import machine, session, show
    from migrate.parity.request import Request
    from migrate.parity.requests import target_of
    from migrate.reports import files

    converted, (json_file, plot_file) = asked["converted"], outputs
    if converted is None:
        raise Unusable("bench compares SOURCE with its conversion", "name its folder, or give --leftovers")
    named = {name: asked[name] for name in ("entry", "inputs", "torch_python", "target_python", "timeout", "threads")}
    target = target_of(asked["to"], converted)
    plan = session.Plan(
        Request(source, converted, target, levels=("outputs",), **named, **training),
        sizes(asked["batch"]), asked["train"], asked["rounds"], asked["seconds"], compiled, asked["amp"],
    )  # fmt: skip
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


def look(source: Path, asked: dict[str, Any], more: dict[str, Any], json_file: Path | None) -> None:
    """``--leftovers``: look, show, write. more: of its plan."""
    from migrate.bench import leftovers, machine, show_leftovers
    from migrate.reports import files

    if any(asked[name] for name in ("converted", "train", "amp", "batch", "plot")):
        raise Unusable(
            "--leftovers looks at inference of the torch model alone",
            "leave CONVERTED, --train, --amp, --batch and --plot away",
        )
    named = ("entry", "inputs", "rounds", "seconds", "threads", "torch_python", "timeout")
    plan = leftovers.Plan(source, **{name: asked[name] for name in named}, **more)
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


def serve_it(folder: Path, asked: dict[str, Any], json_file: Path | None) -> None:
    """``--serve``: measure, show, write."""
    from migrate.bench import machine, serve, show_serve
    from migrate.reports import files

    others = ("converted", "entry", "inputs", "train", "amp", "leftovers", "plot", "threads")
    refuse(asked, others, "--serve: the folder says what is served")
    if json_file is not None:
        files.check_output("--json", json_file)
    plan = serve.Plan(
        folder, asked["serve"], sizes(asked["clients"], "--clients"), sizes(asked["batch"]), asked["rounds"],
        asked["seconds"], asked["timeout"],
    )  # fmt: skip
    on = machine.describe(0)
    with Console(stderr=True).status("starting") as status:
        found = serve.measure(plan, status.update)
    screen = Console()
    show_serve.show(found, on, screen if screen.is_terminal else Console(width=140))
    if json_file is not None:
        json_file.write_text(show_serve.document(found, on), encoding="utf-8")


def product_of(source: Path, asked: dict[str, Any], json_file: Path | None, html_file: Path | None) -> None:
    """``--product``: measure, show, write."""
    from migrate.bench import machine, product, show_product
    from migrate.reports import files

    others = ("entry", "inputs", "train", "amp", "leftovers", "plot", "serve")
    refuse(asked, others, "--product: what was exported says what it is")
    if asked["converted"] is None:
        raise Unusable("--product compares SOURCE with its conversion, too", "name its folder")
    for option, path in (("--json", json_file), ("--html", html_file)):
        if path is not None:
            files.check_output(option, path)
    plan = product.Plan(
        source, asked["converted"], tuple(map(Path, asked["product"])), sizes(asked["batch"]) or (1, 2, 4, 8),
        (1, 8) if asked["clients"] == CLIENTS else sizes(asked["clients"], "--clients"),
        **{name: asked[name] for name in ("rounds", "seconds", "threads", "to", "torch_python", "target_python")},
        timeout=asked["timeout"],
    )  # fmt: skip
    on = machine.describe(0)
    with Console(stderr=True).status("starting") as status:
        found = product.measure(plan, status.update)
    on["threads"] = found.threads
    screen = Console()
    show_product.show(found, on, screen if screen.is_terminal else Console(width=190))
    show_product.write(found, on, json_file, html_file)


def sizes(text: str | None, option: str = "--batch") -> tuple[int, ...]:
    """``1,4,16``. Raises Unusable."""
    try:
        found = tuple(int(part) for part in text.split(",")) if text else ()
    except ValueError:
        found = (0,)
    if any(size < 1 for size in found):
        raise Unusable(f"{option} {text}: not a list of sizes", f"for example {option} 1,4,16")
    return found
