"""``migrate weights``: a torch checkpoint to another format, laid out for the target."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rewriters.target import known_targets

LARGE = 256 << 20
"""Bytes of a checkpoint from which on progress is shown."""
SHOWN = 6

To = Annotated[
    str | None,
    typer.Option(help=f"npz, safetensors, {', '.join(known_targets())}; else as OUT's suffix says, else safetensors."),
]
Model = Annotated[
    str | None,
    typer.Option(
        metavar="MODULE:CALLABLE",
        help="Builds the torch model, as models.resnet:resnet50 or 'models.resnet:ResNet(depth=50)': its modules say "
        "which tensor is laid out how. Needed where the target's layouts are not torch's.",
    ),
]


def command(
    checkpoint: Annotated[Path, typer.Argument(help="The .pt / .pth that torch.save wrote.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="OUT", help="Else the checkpoint's name with the format's suffix."),
    ] = None,
    to: To = None,
    model: Model = None,
    project: Annotated[Path, typer.Option(help="The folder that the model's imports start from.")] = Path(),
    key: Annotated[
        str | None, typer.Option(help="Where the state_dict lies in a checkpoint that holds several: ema.model")
    ] = None,
    torch_python: Annotated[Path | None, typer.Option(help="A Python that has torch, to build --model with.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace OUT if it exists.")] = False,
) -> None:
    """Carry a checkpoint's weights to another framework.

    The checkpoint is read without torch, and nothing in it is executed.
    """
    from rich.console import Console
    from rich.filesize import decimal
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn
    from rich.table import Table

    from migrate.weights.convert import convert_checkpoint

    large = checkpoint.is_file() and checkpoint.stat().st_size >= LARGE
    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not large) as bar:
        task = bar.add_task("weights", total=None)
        written = convert_checkpoint(
            checkpoint,
            output,
            to=to,
            model=model,
            project=project,
            key=key,
            torch_python=torch_python,
            force=force,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_row("output", str(written.output))
    table.add_row("manifest", str(written.manifest))
    table.add_row("tensors", f"{written.tensors}, {decimal(written.nbytes)}")
    for change in ("transposed", "renamed", "split", "dropped"):
        if count := getattr(written, change):
            table.add_row(change, str(count))
    if written.leftovers:
        more = f", and {len(written.leftovers) - SHOWN} more" if len(written.leftovers) > SHOWN else ""
        table.add_row("not carried", ", ".join(written.leftovers[:SHOWN]) + more)
    for note in written.notes:
        table.add_row("note", note)
    # No markup: names come from the checkpoint.
    Console(markup=False, highlight=False).print(table)
