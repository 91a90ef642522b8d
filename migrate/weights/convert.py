"""A checkpoint to a file of another format: everything between the command's arguments and its report."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import migrate
from migrate.errors import Unusable
from migrate.weights.carry import Layouts, Move, carry, keep
from migrate.weights.formats import Format, Writer, format_named, format_of
from migrate.weights.model import Model, describe_model
from migrate.weights.output import check_output, written_aside
from migrate.weights.state_dict import StateDict, find_state_dict
from migrate.weights.torch_zip import Checkpoint

MANIFEST_SUFFIX = ".manifest.json"
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Written:
    """What was written.

    output, manifest: where. format: its name. nbytes: of the tensors in it.
    tensors, transposed, renamed, split, dropped: how many tensors of the checkpoint.
    notes: what was chosen, stripped, or written twice. leftovers: what of the checkpoint was not carried.
    """

    output: Path
    manifest: Path
    format: str
    tensors: int
    nbytes: int
    transposed: int
    renamed: int
    split: int
    dropped: int
    notes: list[str] = field(default_factory=list)
    leftovers: list[str] = field(default_factory=list)


def convert_checkpoint(
    checkpoint: Path,
    output: Path | None = None,
    *,
    to: str | None = None,
    model: str | None = None,
    project: Path = Path(),
    key: str | None = None,
    torch_python: Path | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Written:
    """Write the model's tensors in ``checkpoint`` to ``output``, with a manifest beside it.

    output:   None for the checkpoint's name with the format's suffix, beside it.
    to:       a format's name; None for the one of the output's suffix.
    model:    "MODULE:CALLABLE" in ``project``, described by a Python that has torch.
    key:      dotted path of the state_dict in the checkpoint.
    progress: called with (bytes written, bytes in all).

    Raises Unusable; then whatever ``output`` was is untouched.
    """
    format = format_named(to) if to else format_of(output)
    output = output or checkpoint.with_suffix(format.suffix)
    manifest = output.parent / (output.name + MANIFEST_SUFFIX)
    with Checkpoint(checkpoint) as opened:
        check_output(output, checkpoint, force=force, ours=format.module.ours if format.module.FOLDER else None)
        check_output(manifest, checkpoint, force=force, ours=None)
        layouts = _layouts(format)
        if model is None and not _keeps_torch(layouts):
            raise Unusable(
                f"{checkpoint}: which module owns a tensor is not in it, and {format.name} lays out some unlike torch",
                "give --model MODULE:CALLABLE, which builds the torch model (with --project DIR, where it lies)",
            )
        described = describe_model(model, project, torch_python) if model else None
        wanted = {entry.name for entry in described.entries} if described else set()
        found = find_state_dict(opened, key, wanted)
        moves = _moves(format, found, described, layouts)
        entries = [entry for move in moves for entry in move.entries]
        format.check(entries)
        about = {
            "migrate": migrate.__version__,
            "checkpoint": str(checkpoint),
            "state_dict": found.key,
            "format": format.name,
            "model": model,
        }
        with written_aside(manifest) as manifest_aside, written_aside(output) as aside:
            with format.module.Writer(aside, entries) as writer:
                records = list(_write(writer, moves, found, progress))
            dropped = [
                {"source": found.sources[move.source], "reason": move.layout.drop} for move in moves if move.layout.drop
            ]
            text = json.dumps(
                about | {"tensors": records, "dropped": dropped, "not_carried": found.leftovers}, indent=1
            )
            manifest_aside.write_text(text + "\n", encoding="utf-8")
    notes = [*found.notes, *([described.note] if described and described.note else [])]
    notes += [f"tied, written under each name: {', '.join(names)}" for names in found.tied()]
    if opened.unchecked:
        notes.append("the checkpoint was written without CRCs: damage to it cannot be noticed")
    layout = [move.layout for move in moves]
    return Written(
        output=output,
        manifest=manifest,
        format=format.name,
        tensors=len(records),
        nbytes=sum(entry.nbytes for entry in entries),
        transposed=sum(change.axes is not None for change in layout),
        renamed=sum(change.name is not None for change in layout),
        split=sum(bool(change.parts) for change in layout),
        dropped=sum(bool(change.drop) for change in layout),
        notes=notes,
        leftovers=found.leftovers,
    )


def _layouts(format: Format) -> Layouts | None:
    """The target's layouts; None for a format that keeps torch's."""
    if format.target is None:
        return None
    from rewriters.layouts import layouts
    from rewriters.rulebook import RuleError

    try:
        return layouts(format.name)
    except RuleError as error:
        raise Unusable(str(error), f"mend the rules of {format.target.title}") from None


def _keeps_torch(layouts: Layouts | None) -> bool:
    return all(
        layout.keeps_bytes and layout.name is None
        for of_class in (layouts or {}).values()
        for layout in of_class.values()
    )


def _moves(format: Format, found: StateDict, model: Model | None, layouts: Layouts | None) -> list[Move]:
    if model is None:
        return keep(found.tensors)
    title = format.target.title if format.target else "torch"
    return carry(found.tensors, model, layouts, title)


def _write(writer: Writer, moves: list[Move], found: StateDict, progress: Progress | None) -> Iterator[dict[str, Any]]:
    """Hands the arrays to the writer, one tensor in memory at a time; a record of each for the manifest."""
    total = sum(entry.nbytes for move in moves for entry in move.entries)
    done = 0
    for move in moves:
        for entry, array in move.load():
            stored = np.ascontiguousarray(array).reshape(entry.shape)
            writer.add(entry.name, stored)
            digest = hashlib.blake2b(stored.reshape(-1).view(np.uint8).data, digest_size=16).hexdigest()
            yield {
                "name": entry.name,
                "source": found.sources[move.source],
                "shape": list(entry.shape),
                "dtype": entry.dtype.name,
                "layout": move.change,
                "checksum": f"blake2b-128:{digest}",
            }
            done += entry.nbytes
            if progress:
                progress(done, total)
