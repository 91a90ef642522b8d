"""``migrate weights``: a torch checkpoint to another format, laid out for the target."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rewriters.target import known_targets

if TYPE_CHECKING:
    from migrate.weights.convert import Written
    from migrate.weights.writers.verify import Verified

LARGE = 256 << 20
"""Bytes of a checkpoint from which on progress is shown."""
SHOWN = 6

To = Annotated[
    str | None,
    typer.Option(
        help=f"npz, npy (a folder), safetensors, {', '.join(known_targets())}, jax.orbax; else as OUT's suffix says, "
        "else safetensors."
    ),
]
Model = Annotated[
    str | None,
    typer.Option(
        metavar="MODULE:CALLABLE",
        help="Builds the torch model, as models.resnet:resnet50 or 'models.resnet:ResNet(depth=50)': its modules say "
        "which tensor is laid out how. Needed where the target's layouts are not torch's.",
    ),
]

Checkpoint = Annotated[
    str,
    typer.Argument(
        help="A .pt / .pth / .bin / .ckpt of torch.save (old ones and TorchScript too), .safetensors, .gguf, an "
        "index.json of shards, a folder (sharded, of torch.distributed.checkpoint, of Orbax), a URL (s3://, hf://, "
        "...); or what this command wrote for a framework, trained since or not: torch's names and layouts again."
    ),
]
Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="OUT", help="Else the checkpoint's name with the format's suffix."),
]
Layout = Annotated[
    Path | None,
    typer.Option(metavar="LAYOUT.JSON", help="In place of --model: what convert wrote, OUT/.migrate/layout.json."),
]
Project = Annotated[Path, typer.Option(help="The folder that the model's imports start from.")]
Key = Annotated[
    str | None, typer.Option(help="Where the state_dict lies in a checkpoint that holds several: ema.model")
]
Optimizer = Annotated[
    str | None,
    typer.Option(
        metavar="KEY",
        help="Also carry optimizer.state_dict(), which lies under KEY in the checkpoint, for Paddle, OneFlow or JAX.",
    ),
]
ShardSize = Annotated[
    str | None,
    typer.Option(metavar="SIZE", help="Write a folder of .safetensors of at most SIZE (2GB) each, with an index."),
]
Inspect = Annotated[
    bool, typer.Option("--inspect", help="Only list what CHECKPOINT holds: names, dtypes, shapes, sizes, ties.")
]
Verify = Annotated[
    bool, typer.Option("--verify", help="CHECKPOINT is an output: read it again and compare it with its manifest.")
]
TorchPython = Annotated[Path | None, typer.Option(help="A Python that has torch, to build --model with.")]
Force = Annotated[bool, typer.Option("--force", help="Replace OUT if it exists.")]


def command(
    checkpoint: Checkpoint,
    output: Output = None,
    to: To = None,
    model: Model = None,
    layout: Layout = None,
    project: Project = Path(),
    key: Key = None,
    optimizer: Optimizer = None,
    shard_size: ShardSize = None,
    inspect: Inspect = False,
    verify: Verify = False,
    torch_python: TorchPython = None,
    force: Force = False,
) -> None:
    """Carry a checkpoint's weights to another framework.

    The checkpoint is read without torch, and nothing in it is executed. What fits is copied as it lies, a tensor at a
    time, with its checksum; OUT appears when it is complete, and OUT.manifest.json beside it says what became of what.

    * `migrate weights model.pt` writes model.safetensors
    * `migrate weights --inspect model.pt` lists what is in it
    * `migrate weights model.pt --to paddle --project repo --model nets:resnet50` transposes what Paddle transposes
    * `migrate weights model.pt -o model-st --shard-size 2GB` writes shards as the Hub has them
    * `migrate weights --verify model.pdparams` confirms an output: exit code 1 when it differs
    """
    if verify:
        from migrate.weights.writers.verify import verify as verify_output

        verified = verify_output(Path(checkpoint))
        _print(_verified_rows(Path(checkpoint), verified))
        raise typer.Exit(1 if verified.differences else 0)
    if inspect:
        from migrate.weights.inspect import lines

        for line in lines(checkpoint, key):
            print(line)
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn

    from migrate.weights.convert import convert_checkpoint

    large = not Path(checkpoint).is_file() or Path(checkpoint).stat().st_size >= LARGE
    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not large) as bar:
        task = bar.add_task("weights", total=None)
        written = convert_checkpoint(
            checkpoint,
            output,
            to=to,
            model=model,
            layout=layout,
            project=project,
            key=key,
            optimizer=optimizer,
            shard_size=shard_size,
            torch_python=torch_python,
            force=force,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    _print(_written_rows(written))
    for what, code in (("it", written.load), ("the optimizer's state, before its first step,", written.load_optimizer)):
        if code:
            print(f"\nread {what} with\n\n{code.rstrip()}")


def _written_rows(written: Written) -> list[tuple[str, str]]:
    from rich.filesize import decimal

    rows = [
        ("output", str(written.output)),
        ("manifest", str(written.manifest)),
        *([("optimizer", str(written.optimizer))] if written.optimizer else []),
        ("tensors", f"{written.tensors}, {decimal(written.nbytes)}"),
    ]
    for change in ("transposed", "renamed", "split", "merged", "dropped"):
        if count := getattr(written, change):
            rows.append((change, str(count)))
    if written.leftovers:
        more = f", and {len(written.leftovers) - SHOWN} more" if len(written.leftovers) > SHOWN else ""
        rows.append(("not carried", ", ".join(written.leftovers[:SHOWN]) + more))
    return rows + [("note", note) for note in written.notes]


def _verified_rows(output: Path, verified: Verified) -> list[tuple[str, str]]:
    from rich.filesize import decimal

    rows = [("output", str(output)), ("manifest", str(verified.manifest))]
    if not verified.differences:
        return [*rows, ("verified", f"{verified.tensors} tensors, {decimal(verified.nbytes)}: as they were written")]
    more = len(verified.differences) - SHOWN
    rows += [("differs", difference) for difference in verified.differences[:SHOWN]]
    return [*rows, ("differs", f"and {more} more")] if more > 0 else rows


def _print(rows: list[tuple[str, str]]) -> None:
    from rich.table import Table

    from migrate.reports.screen import screen

    table = Table(box=None, show_header=False, pad_edge=False)
    for row in rows:
        table.add_row(*row)
    # No markup: names come from the checkpoint.
    screen(markup=False, highlight=False).print(table)
