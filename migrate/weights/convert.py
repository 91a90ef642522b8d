"""A checkpoint to a file of another format: everything between the command's arguments and its report."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from migrate.errors import Unusable
from migrate.weights.back import open_input
from migrate.weights.carry.carry import Layouts, Move, carry, keep
from migrate.weights.carry.model import Model
from migrate.weights.carry.state_dict import StateDict, find_state_dict
from migrate.weights.layout_file import find_model
from migrate.weights.optimizer_state import OptimizerState, carry_optimizer, find_optimizer
from migrate.weights.readers.checkpoint import Checkpoint
from migrate.weights.writers import manifest
from migrate.weights.writers.formats import DEFAULT, IN_SAFETENSORS, Format, format_named, format_of
from migrate.weights.writers.output import check_output, check_room, written_aside
from migrate.weights.writers.writing import write
from rewriters.weights.checkpoint_format import Entry

Progress = Callable[[int, int], None]
UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30}


@dataclass(frozen=True)
class Written:
    """What was written.

    output, manifest: where. format: its name. nbytes: of the tensors in it. tensors: how many.
    transposed, renamed, split, merged, dropped: how many tensors of the checkpoint.
    notes: what was chosen, stripped, or written twice. leftovers: what of the checkpoint was not carried.
    optimizer: where its state is, None when none was carried.
    load, load_optimizer: Python that reads the output, and the optimizer's state; empty where there is nothing to say.
    """

    output: Path
    manifest: Path
    format: str
    tensors: int
    nbytes: int
    transposed: int
    renamed: int
    split: int
    merged: int
    dropped: int
    notes: list[str] = field(default_factory=list)
    leftovers: list[str] = field(default_factory=list)
    load: str = ""
    optimizer: Path | None = None
    load_optimizer: str = ""


def convert_checkpoint(
    checkpoint: str | Path,
    output: Path | None = None,
    *,
    to: str | None = None,
    model: str | None = None,
    layout: Path | None = None,
    project: Path = Path(),
    key: str | None = None,
    optimizer: str | None = None,
    shard_size: str | None = None,
    torch_python: Path | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Written:
    """Write the model's tensors in ``checkpoint`` to ``output``, with a manifest beside it.

    checkpoint: a file, a folder, or a URL.
    output:     None for the checkpoint's name with the format's suffix, beside it.
    to:         a format's name; None for the one of the output's suffix.
    model:      "MODULE:CALLABLE" in ``project``, described by a Python that has torch; or else
    layout:     a file that describes it.
    key:        dotted path of the state_dict in the checkpoint.
    optimizer:  dotted path of an optimizer's state in it, to be written beside the output.
    shard_size: "2GB": write a folder of files of that size.
    progress:   called with (bytes written, bytes in all).

    Raises Unusable; then whatever ``output`` was is untouched.
    """
    format = format_named(to or DEFAULT) if to or shard_size else format_of(output)
    if shard_size or (output is not None and output.name.endswith(IN_SAFETENSORS)):
        format = format.in_safetensors()
    if shard_size:
        format = format.sharded(parse_size(shard_size))
    output = output or _beside(checkpoint, format)
    beside = manifest.manifest_of(output)
    with open_input(checkpoint) as opened:
        check_output(output, opened.files, force=force, ours=format.ours)
        check_output(beside, opened.files, force=force, ours=None)
        layouts = _layouts(format)
        if model is None and layout is None and layouts and not layouts.are_torchs:
            raise Unusable(
                f"{checkpoint}: which module owns a tensor is not in it, and {format.name} lays out some unlike torch",
                "give --model MODULE:CALLABLE, which builds the torch model (with --project DIR, where it lies)",
            )
        described = find_model(model, layout, project, torch_python)
        wanted = {entry.name for entry in described.entries} if described else set()
        found = find_state_dict(opened, key, wanted)
        moves = _tie(_moves(format, found, described, layouts), found)
        plan = _Plan(str(checkpoint), output, beside, format, described, found, moves)
        format.check(plan.entries)
        if optimizer:
            plan.state = carry_optimizer(find_optimizer(opened, optimizer), described, moves, format)
            plan.state_path = plan.state.beside(output, format)
        if plan.state_path:
            format.check(plan.state_entries)
            check_output(plan.state_path, opened.files, force=force, ours=format.ours)
        check_room(output, plan.nbytes)
        tensors, ties = _write(plan, progress)
    leftovers = [left for left in found.leftovers if not (optimizer and left.startswith(f"{optimizer} "))]
    notes = _notes(opened, found, described, ties) + list(filter(None, [format.misnamed(output)]))
    return plan.written(tensors, notes, leftovers)


@dataclass
class _Plan:
    """All that is to be written, before anything is.

    beside: where the manifest goes. state: the optimizer's; state_path: where it goes.
    """

    checkpoint: str
    output: Path
    beside: Path
    format: Format
    described: Model | None
    found: StateDict
    moves: list[Move]
    state: OptimizerState | None = None
    state_path: Path | None = None

    @property
    def entries(self) -> list[Entry]:
        return [entry for move in self.moves for entry in move.entries]

    @property
    def state_entries(self) -> list[Entry]:
        return [entry for move in self.state.moves for entry in move.entries] if self.state else []

    @property
    def nbytes(self) -> int:
        return sum(entry.nbytes for entry in (*self.entries, *self.state_entries))

    def written(self, tensors: int, notes: list[str], leftovers: list[str]) -> Written:
        """What is told once it is done."""
        moves, state, place = self.moves, self.state, self.state_path
        return Written(
            output=self.output,
            manifest=self.beside,
            format=self.format.name,
            tensors=tensors,
            nbytes=self.nbytes,
            transposed=sum(move.transposed for move in moves),
            renamed=sum(move.renamed for move in moves),
            split=sum(move.split for move in moves),
            merged=sum(move.merged for move in moves),
            dropped=sum(bool(move.dropped) for move in moves),
            notes=notes,
            leftovers=leftovers,
            optimizer=place,
            load=self.format.load(self.output),
            load_optimizer=state.loader(place) if state and place else "",
        )


def _write(plan: _Plan, progress: Progress | None) -> tuple[int, bool]:
    """(how many tensors were written, whether what is tied is kept so)."""
    done, total = 0, plan.nbytes

    def advance(nbytes: int) -> None:
        nonlocal done
        done += nbytes
        if progress:
            progress(done, total)

    with ExitStack() as asides:
        beside_aside, aside = (asides.enter_context(written_aside(path)) for path in (plan.beside, plan.output))
        if plan.state and plan.state_path:
            state_aside = asides.enter_context(written_aside(plan.state_path))
            with plan.format.writer(state_aside, plan.state_entries) as writer:
                for _ in write(writer, plan.state.moves, advance):
                    pass
        records = []
        with plan.format.writer(aside, plan.entries) as writer:
            for move, crcs in write(writer, plan.moves, advance):
                records += manifest.records(move, crcs, plan.found)
        manifest.write(
            beside_aside,
            checkpoint=plan.checkpoint,
            format=plan.format.name,
            model=plan.described.spec if plan.described else None,
            found=plan.found,
            moves=plan.moves,
            tensors=records,
        )
    return len(records), hasattr(writer, "tie")


def parse_size(text: str) -> int:
    """Bytes of "2GB", "500MB", "1GiB". Raises Unusable."""
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*([a-zA-Z]*)", text.strip())
    unit = UNITS.get(found[2].upper()) if found else None
    size = int(float(found[1]) * unit) if found and unit else 0
    if size < 1:
        raise Unusable(f"--shard-size {text}: is no size", "give it as 2GB, 500MB or 1GiB")
    return size


def _beside(checkpoint: str | Path, format: Format) -> Path:
    if "://" in str(checkpoint):
        raise Unusable(f"{checkpoint}: where to write to is not said", "give -o")
    path = Path(checkpoint)
    if path.name.endswith(".index.json"):
        path = path.with_name(path.name.removesuffix(".index.json"))
    return path.with_name((path.name if path.is_dir() else path.stem) + format.suffix)


def _notes(opened: Checkpoint, found: StateDict, described: Model | None, ties: bool) -> list[str]:
    notes = [*found.notes, *([described.note] if described and described.note else [])]
    how = "tied, and kept so" if ties else "tied, written under each name"
    notes += [f"{how}: {', '.join(names)}" for names in found.tied()]
    if opened.unchecked:
        notes.append(f"{opened.format} has no checksums of its own: damage to the checkpoint cannot be noticed")
    return notes


def _layouts(format: Format) -> Layouts | None:
    """The target's layouts; None for a format that keeps torch's."""
    if format.target is None:
        return None
    from rewriters.rules.layouts import layouts
    from rewriters.rules.rulebook import RuleError

    try:
        return layouts(format.target.name)
    except RuleError as error:
        raise Unusable(str(error), f"mend the rules of {format.target.title}") from None


def _moves(format: Format, found: StateDict, model: Model | None, layouts: Layouts | None) -> list[Move]:
    if model is None:
        return keep(found.tensors)
    title = format.target.title if format.target else "torch"
    return carry(found.tensors, model.as_converted(format.target.name) if format.target else model, layouts, title)


def _tie(moves: list[Move], found: StateDict) -> list[Move]:
    """The moves, each that writes what an earlier one writes saying so."""
    group = {name: index for index, names in enumerate(found.tied()) for name in names}
    first: dict[tuple[int, tuple[int, ...]], str] = {}
    tied = []
    for move in moves:
        if move.copies and len(move.entries) == 1 and move.source in group:
            (entry,) = move.entries
            earlier = first.setdefault((group[move.source], entry.shape), entry.name)
            if earlier != entry.name:
                move = replace(move, entries=(replace(entry, same_as=earlier),))
        tied.append(move)
    return tied
