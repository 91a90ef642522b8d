"""``migrate export``: the checked model as what is deployed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from migrate.errors import Unusable

if TYPE_CHECKING:
    from migrate.export import saving

Converted = Annotated[
    Path,
    typer.Argument(
        help="Folder of the converted project; with --to torch, of the torch project; with --format triton also of "
        "what was exported before.",
        metavar="CONVERTED",
    ),
]
Entry = Annotated[
    str | None,
    typer.Option(
        help="The model, as for `migrate check`: a class, or a function that returns one: models.resnet:resnet50, "
        "model:GPT(GPTConfig(n_layer=2)).",
        metavar="MODULE:CALLABLE",
    ),
]
Inputs = Annotated[
    list[str] | None,
    typer.Option(
        "--input",
        help="One argument, [NAME=]SPEC as for `migrate check`; repeat for more. A name in place of a size leaves that "
        "axis free: float32[batch,3,224,224]. What is no tensor becomes a constant.",
        metavar="SPEC",
    ),
]
Out = Annotated[Path, typer.Option("-o", "--out", help="The new folder.", metavar="DIR")]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        help="native: the framework's own (paddle.jit.save, flow.save, torch.export); onnx; openvino, made of ONNX; "
        "tensorrt: ONNX, what of it TensorRT's table lacks, and the script that builds the engine on a GPU; "
        "project: code and weights, which OneFlow runs as graphs; triton: a model repository, of one of these.",
        metavar="FORMAT",
    ),
]
Weights = Annotated[
    Path | None,
    typer.Option(
        help="Checkpoint: the framework's own, as `migrate weights` writes it; with --source, or --to torch, torch's.",
        metavar="FILE",
    ),
]
Source = Annotated[
    Path | None,
    typer.Option(
        "--source", help="Folder of the torch project: --weights is torch's then, and carried over.", metavar="FOLDER"
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        help="In place of --weights: seeded ones, those of `migrate check`. Needs --source, or --to torch.", min=0
    ),
]
To = Annotated[
    str | None,
    typer.Option(help="Framework, torch too. Default: the one that CONVERTED was made for.", metavar="FRAMEWORK"),
]
Sizes = Annotated[
    list[str] | None,
    typer.Option(
        "--size",
        help="Size of a named axis in the example that the model is traced with. Default: 2.",
        metavar="NAME=N",
    ),
]
Opset = Annotated[int | None, typer.Option(help="Of ONNX. Default: the exporter's own.", min=7)]
Fold = Annotated[
    bool,
    typer.Option(
        "--fold/--no-fold",
        help="Have onnxslim fold constants of the ONNX model; one of more than 2 GB is left as it is.",
    ),
]
Precision = Annotated[
    str,
    typer.Option(
        "--precision",
        help="float32; float16 (ONNX: weights and what is computed, inputs and outputs stay float32; OpenVINO: the "
        "weights); bfloat16 (OpenVINO, on processors that compute in it); int8: post-training quantization by the back "
        "end's own tools (ONNX Runtime's static quantization, NNCF). For onnx and openvino.",
        metavar="PRECISION",
    ),
]
Calibrate = Annotated[
    str | None,
    typer.Option(
        "--calibrate",
        help="For int8, the calls that show which values the model meets. N: so many, drawn as --input says (default: "
        "32; random inputs show how it works, not what a task needs). FILE.npz: an array for each input, by its name "
        "or arr_0, ...; with an axis more in front, many calls. DIR: of such files. MODULE:CALLABLE of the project: "
        "what it yields (a data loader), at most 512.",
        metavar="SET",
    ),
]
Keep = Annotated[
    list[str] | None,
    typer.Option(
        "--keep-float",
        help="For int8: a node of the ONNX file, or a layer of model.xml, that stays in float; repeat for more.",
        metavar="NAME",
    ),
]
NamedLayers = Annotated[
    bool,
    typer.Option(
        "--layers",
        help="Note in export.json which tensors of the ONNX model are what the model's layers return, for "
        "`migrate check --level activations`.",
    ),
]
Paths = Annotated[
    list[str] | None,
    typer.Option("--path", help="A folder beside the project, as for `migrate check`; may be repeated.", metavar="DIR"),
]
SERVING = "Serving: --format triton"
Triton = Annotated[
    str,
    typer.Option(
        help="Triton's back end: python (model.py runs the engine), onnxruntime or openvino (its own, which the wheel "
        "of `migrate env triton` does not have).",
        metavar="BACKEND",
        rich_help_panel=SERVING,
    ),
]
Engine = Annotated[
    str | None,
    typer.Option(
        help="What runs the model, as `check --backend` names it: onnxruntime, openvino, or native (the framework that "
        "saved it). Default: as the format of what was exported says, else onnxruntime.",
        metavar="NAME",
        rich_help_panel=SERVING,
    ),
]
Name = Annotated[
    str | None,
    typer.Option("--name", help="Of the model. Default: the entry's.", metavar="NAME", rich_help_panel=SERVING),
]
MaxBatch = Annotated[
    int,
    typer.Option(
        "--max-batch",
        help="The largest batch that requests are put together to; 0: none. It is tried whether the model's rows hang "
        "on each other, and then there are no batches.",
        min=0,
        metavar="N",
        rich_help_panel=SERVING,
    ),
]
Delay = Annotated[
    int,
    typer.Option(
        help="Microseconds that a request may wait for others.", min=0, metavar="MICROSECONDS", rich_help_panel=SERVING
    ),
]
Instances = Annotated[int, typer.Option(help="Models side by side.", min=1, metavar="N", rich_help_panel=SERVING)]
Threads = Annotated[
    int | None,
    typer.Option(
        help="Of each instance. Default: this machine's processors, shared among them.",
        min=1,
        metavar="N",
        rich_help_panel=SERVING,
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace an earlier export.")]
Python = Annotated[
    Path | None, typer.Option("--target-python", help="Interpreter that has the framework.", metavar="PYTHON")
]
TorchPython = Annotated[Path | None, typer.Option(help="Interpreter that has torch, with --source.", metavar="PYTHON")]
Timeout = Annotated[float, typer.Option(help="Seconds for each step.", min=1)]


def command(
    converted: Converted,
    out: Out,
    entry: Entry = None,
    inputs: Inputs = None,
    format: Format = "onnx",
    weights: Weights = None,
    source: Source = None,
    seed: Seed = None,
    to: To = None,
    sizes: Sizes = None,
    opset: Opset = None,
    fold: Fold = True,
    precision: Precision = "float32",
    calibrate: Calibrate = None,
    keep: Keep = None,
    layers: NamedLayers = False,
    paths: Paths = None,
    force: Force = False,
    target_python: Python = None,
    torch_python: TorchPython = None,
    timeout: Timeout = 600,
    triton: Triton = "python",
    engine: Engine = None,
    name: Name = None,
    max_batch: MaxBatch = 8,
    delay: Delay = 0,
    instances: Instances = 1,
    threads: Threads = None,
) -> None:
    """Export the model with its weights, for deployment: the framework's own format, ONNX, OpenVINO or Triton's.

    The folder gets the model and `export.json`, which says what it is: entry, inputs and outputs with their names,
    types and free axes, the weights' digest, versions, a digest of each file. It appears when it is complete.

    ONNX is made by torch.onnx of torch's own model, and by paddle2onnx of Paddle's; each step runs in an interpreter
    of its own (`migrate env paddle2onnx`, `onnxruntime`, `openvino`). Every ONNX model is checked and loaded once.

    A model repository for Triton has `config.pbtxt`, the model, a client, an example whose outputs are known, a page to
    read; it is made of what was exported before, or of the project at once. `migrate serve` runs it here; `migrate
    check SOURCE DIR` compares its answers with torch, and predicts how much a lower --precision must err.

    Exit status: 0 written, 2 could not be.

    Example:

        migrate export resnet-paddle --entry models.resnet:resnet50 --input "float32[batch,3,224,224]" \\
            --weights resnet50.pdparams --format onnx -o resnet50-onnx

        migrate export resnet50-onnx --format triton --max-batch 16 -o resnet50-served

        migrate export resnet-paddle --entry models.resnet:resnet50 --input "float32[batch,3,224,224]" \\
            --source resnet --weights resnet50.pt --precision int8 --calibrate data:images -o resnet50-int8
    """
    # Not above: numpy takes a while to import, and --help needs none of it.
    from migrate.export import precision as precisions
    from migrate.export.export import Options, export, is_artefact
    from migrate.serving import repository

    serving = repository.Serving(triton, engine, name, max_batch, delay, instances, threads)
    of_project = {
        "--entry": entry, "--input": inputs, "--weights": weights, "--source": source, "--seed": seed, "--to": to,
        "--size": sizes, "--opset": opset, "--no-fold": not fold, "--path": paths, "--layers": layers,
        "--precision": None if precision == "float32" else precision, "--calibrate": calibrate, "--keep-float": keep,
    }  # fmt: skip
    if is_artefact(converted):
        for_served(converted, format, of_project)
        with Console(stderr=True).status("starting") as status:
            made = repository.make(converted, serving, out, force, timeout, target_python, status.update)
    else:
        others = {"python": target_python, "torch_python": torch_python, "timeout": timeout}
        options = Options(format, opset, fold, precisions.read(format, precision, calibrate, keep or []), layers)
        wanted = wanted_of(converted, of_project, others)
        with Console(stderr=True).status("starting") as status:
            if format == repository.TRITON:
                made = repository.of_project(wanted, options, serving, out, force, status.update)
            else:
                serving.unasked()
                made = export(wanted, options, out, force, status.update)
    tell(out, format, made)


def for_served(exported: Path, format: str, of_project: dict[str, Any]) -> None:
    """What may be asked of what was exported before. Raises Unusable."""
    given = [option for option, value in of_project.items() if value not in (None, False, [])]
    if given or format != "triton":
        what = given[0] if given else f"--format {format}"
        raise Unusable(f"{exported} was exported before; {what} is for a project", "--format triton makes more of it")


def wanted_of(converted: Path, given: dict[str, Any], others: dict[str, Any]) -> saving.Wanted:
    """What the options ask for. Raises Unusable."""
    from migrate.export import axes
    from migrate.export.frameworks import framework_of
    from migrate.export.saving import Wanted

    if given["--entry"] is None or not given["--input"]:
        raise Unusable(
            "a model has a name and inputs: --entry and --input are lacking",
            '--entry MODULE:CALLABLE --input "float32[batch,3,224,224]", as for `migrate check`',
        )
    weights, seed = given["--weights"], given["--seed"]
    if (weights is None) == (seed is None):
        raise Unusable(
            "an exported model has weights: give --weights, or --seed for random ones" if weights is None
            else "--weights and --seed exclude each other",
            "--weights FILE, or --seed N",
        )  # fmt: skip
    framework = framework_of(given["--to"], converted)
    if framework.target is None and given["--source"] is not None:
        raise Unusable("--source is for a converted project", "leave it away with --to torch")
    return Wanted(
        framework, converted, given["--entry"], axes.read(given["--input"], given["--size"] or []), weights,
        given["--source"], seed or 0, tuple(given["--path"] or ()), **others,
    )  # fmt: skip


def tell(out: Path, format: str, manifest: object) -> None:
    """What was written."""
    from migrate.export.manifest import Manifest

    assert isinstance(manifest, Manifest)
    opset = f", opset {manifest.opset}" if manifest.opset else ""
    kind = f", {manifest.precision['name']}" if manifest.precision else ""
    print(f"wrote {out}: {format}{opset}{kind}, {', '.join(manifest.files)}")
    if manifest.serving is not None:
        told = manifest.serving
        batches = f"batches of {told['batch']} at most" if told["batch"] else f"no batches: {told['why']}"
        print(f"served as {told['model']} by {told['backend']} ({told['engine']}); {batches}")
    if manifest.engine is not None:
        told = manifest.engine
        print(f"on the GPU that is to run it: {told['build']}")
        for finding in told["findings"] or ["nothing"]:
            print(f"not in {told['table']}'s table of operators: {finding}")
    for title, items in (("input", manifest.inputs), ("output", manifest.outputs)):
        for item in items:
            sizes = ",".join("?" if size is None else str(size) for size in item["shape"])
            print(f"{title:6} {item['name']}: {item['dtype']}[{sizes}]")
