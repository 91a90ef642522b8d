"""``migrate export``: the checked model as what is deployed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from migrate.errors import Unusable

Converted = Annotated[
    Path,
    typer.Argument(help="Folder of the converted project; with --to torch, of the torch project.", metavar="CONVERTED"),
]
Entry = Annotated[
    str,
    typer.Option(
        help="The model, as for `migrate check`: a class, or a function that returns one: models.resnet:resnet50, "
        "model:GPT(GPTConfig(n_layer=2)).",
        metavar="MODULE:CALLABLE",
    ),
]
Inputs = Annotated[
    list[str],
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
        help="native: the framework's own (paddle.jit.save, flow.save, torch.export); onnx; openvino, made of ONNX.",
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
Fold = Annotated[bool, typer.Option("--fold", help="Have onnxslim fold constants of the ONNX model.")]
Paths = Annotated[
    list[str] | None,
    typer.Option("--path", help="A folder beside the project, as for `migrate check`; may be repeated.", metavar="DIR"),
]
Force = Annotated[bool, typer.Option("--force", help="Replace an earlier export.")]
Python = Annotated[
    Path | None, typer.Option("--target-python", help="Interpreter that has the framework.", metavar="PYTHON")
]
TorchPython = Annotated[Path | None, typer.Option(help="Interpreter that has torch, with --source.", metavar="PYTHON")]
Timeout = Annotated[float, typer.Option(help="Seconds for each step.", min=1)]


def command(
    converted: Converted,
    entry: Entry,
    inputs: Inputs,
    out: Out,
    format: Format = "onnx",
    weights: Weights = None,
    source: Source = None,
    seed: Seed = None,
    to: To = None,
    sizes: Sizes = None,
    opset: Opset = None,
    fold: Fold = False,
    paths: Paths = None,
    force: Force = False,
    target_python: Python = None,
    torch_python: TorchPython = None,
    timeout: Timeout = 600,
) -> None:
    """Export the model with its weights, for deployment: the framework's own format, ONNX or OpenVINO.

    The folder gets the model and `export.json`, which says what it is: entry, inputs and outputs with their names,
    types and free axes, the weights' digest, versions, a digest of each file. It appears when it is complete.

    ONNX is made by torch.onnx of torch's own model, and by paddle2onnx of Paddle's; each step runs in an interpreter
    of its own (`migrate env paddle2onnx`, `onnxruntime`, `openvino`). Every ONNX model is checked and loaded once.

    Exit status: 0 written, 2 could not be.

    Example:

        migrate export resnet-paddle --entry models.resnet:resnet50 --input "float32[batch,3,224,224]" \\
            --weights resnet50.pdparams --format onnx -o resnet50-onnx

        migrate export resnet-paddle --entry models.resnet:resnet50 --input "float32[batch,3,224,224]" \\
            --source resnet --weights resnet50.pt --format openvino -o resnet50-openvino
    """
    # Not above: numpy takes a while to import, and --help needs none of it.
    from migrate.export import axes
    from migrate.export.export import Options, export
    from migrate.export.frameworks import framework_of
    from migrate.export.saving import Wanted

    if (weights is None) == (seed is None):
        raise Unusable(
            "an exported model has weights: give --weights, or --seed for random ones" if weights is None
            else "--weights and --seed exclude each other",
            "--weights FILE, or --seed N",
        )  # fmt: skip
    framework = framework_of(to, converted)
    if framework.target is None and source is not None:
        raise Unusable("--source is for a converted project", "leave it away with --to torch")
    wanted = Wanted(
        framework=framework,
        converted=converted,
        entry=entry,
        inputs=axes.read(inputs, sizes or []),
        weights=weights,
        source=source,
        seed=seed or 0,
        paths=tuple(paths or ()),
        python=target_python,
        torch_python=torch_python,
        timeout=timeout,
    )
    with Console(stderr=True).status("starting") as status:
        manifest = export(wanted, Options(format, opset, fold), out, force, status.update)
    tell(out, format, manifest)


def tell(out: Path, format: str, manifest: object) -> None:
    """What was written."""
    from migrate.export.manifest import Manifest

    assert isinstance(manifest, Manifest)
    opset = f", opset {manifest.opset}" if manifest.opset else ""
    print(f"wrote {out}: {format}{opset}, {', '.join(manifest.files)}")
    for title, items in (("input", manifest.inputs), ("output", manifest.outputs)):
        for item in items:
            sizes = ",".join("?" if size is None else str(size) for size in item["shape"])
            print(f"{title:6} {item['name']}: {item['dtype']}[{sizes}]")
