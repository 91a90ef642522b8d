"""The formats that weights are written in: the neutral ones, and each target's own."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from migrate.errors import Unusable
from migrate.weights.readers import npy_folder, safetensors_file
from migrate.weights.readers.opening import open_checkpoint
from migrate.weights.readers.tensor import TensorRef
from migrate.weights.writers import npz, safetensors_shards
from rewriters.load_file import load_file
from rewriters.target import Target, UnknownTarget, known_targets, load_target
from rewriters.weights.checkpoint_format import ArrayWriter, ByteWriter, Entry, Stored

DEFAULT = "safetensors"
IN_SAFETENSORS = ".safetensors"
NEUTRAL: dict[str, ModuleType] = {"npz": npz, "npy": npy_folder, "safetensors": safetensors_file}


@dataclass(frozen=True)
class Format:
    """A format of checkpoints.

    name:       as ``--to`` takes it; "paddle.safetensors" is Paddle's tensors in safetensors.
    module:     see rewriters.weights.checkpoint_format. A target's may instead have LIKE, the name of a neutral format,
                and METADATA for its files.
    target:     the framework whose layouts it has; None when it keeps torch's.
    shard_size: bytes of a file, where an output is several; 0 for a single one.
    """

    name: str
    module: Any
    target: Target | None = None
    shard_size: int = 0

    @property
    def base(self) -> Any:
        """The module that writes."""
        return NEUTRAL[self.module.LIKE] if hasattr(self.module, "LIKE") else self.module

    @property
    def suffix(self) -> str:
        """With its dot."""
        return safetensors_shards.SUFFIX if self.shard_size else str(self.module.SUFFIX)

    @property
    def folder(self) -> bool:
        """Whether an output is a folder."""
        return bool(self.shard_size or self.base.FOLDER)

    @property
    def ours(self) -> Callable[[Path], bool] | None:
        """Whether a folder is an output of this format; None where an output is a file."""
        if self.shard_size:
            return safetensors_shards.ours
        return cast(Callable[[Path], bool], self.base.ours) if self.folder else None

    def check(self, entries: Sequence[Entry]) -> None:
        """Raises Unusable for an entry that the format cannot hold, and where a package that it takes is missing."""
        if (needs := getattr(self.module, "NEEDS", "")) and not importlib.util.find_spec(needs):
            raise Unusable(f"writing {self.name} takes {needs}", f"pip install 'torch-migrate[{self.name}]'")
        for entry in entries:
            reasons = (module.refuses(entry) for module in (self.base, self.module) if hasattr(module, "refuses"))
            if reason := next(filter(None, reasons), ""):
                raise Unusable(
                    f"{entry.name} cannot be written as {self.name}: {reason}",
                    "convert it in torch before saving, e.g. .float(), or write --to safetensors",
                )

    def writer(self, path: Path, entries: Sequence[Entry]) -> ByteWriter | ArrayWriter:
        """A writer of these entries to ``path``."""
        like = hasattr(self.module, "LIKE")
        metadata = self.module.METADATA if like else safetensors_file.TORCHS
        if self.shard_size:
            return safetensors_shards.Writer(path, entries, self.shard_size, metadata)
        if like:
            return safetensors_file.Writer(path, entries, metadata)
        return cast("ByteWriter | ArrayWriter", self.base.Writer(path, entries))

    def load(self, output: Path) -> str:
        """Python that gives the output to a ``model`` of the target; empty for a format without one."""
        return str(getattr(self.module, "LOAD", "")).format(path=str(output))

    def in_safetensors(self) -> Format:
        """The same tensors in safetensors, where a target has such a form; else itself."""
        if self.base is safetensors_file or not hasattr(self.module, "IN_SAFETENSORS"):
            return self
        return replace(self, name=self.name + IN_SAFETENSORS, module=self.module.IN_SAFETENSORS)

    def sharded(self, size: int) -> Format:
        """The same in files of so many bytes. Raises Unusable where it has no such form."""
        if self.base is not safetensors_file:
            raise Unusable(f"--shard-size is of safetensors, not of {self.name}", "leave it out, or --to safetensors")
        return replace(self, shard_size=size)

    def misnamed(self, output: Path) -> str:
        """That the output is named as one of another format; "" where it is not."""
        said = None if output.name.endswith(self.suffix) else fitting(output)
        if said is None or said.base.SUFFIX == self.base.SUFFIX:
            return ""
        return f"{output.name} is named as {said.name}, and is {self.name}, whose files end with {self.suffix}"

    def read(self, output: Path, resources: ExitStack) -> Iterator[Stored | tuple[str, TensorRef]]:
        """What an output holds, by reading it.

        resources: files that tensors are read from are open until it is closed.

        Raises Unusable; and ValueError, OSError, KeyError from a target's reader.
        """
        if hasattr(self.base, "read_output"):
            yield from self.base.read_output(output)
            return
        opened = resources.enter_context(open_checkpoint(output))
        for name, tensor in opened.tree.items():
            if isinstance(tensor, TensorRef):
                yield name, tensor


def known_formats() -> list[str]:
    """Names that ``--to`` takes; a target's with ".safetensors" behind it too, where it has such a form."""
    own = [name for name in known_targets() if load_target(name).formats.is_file()]
    return [*NEUTRAL, *(one for name in own for one in (name, *others(load_target(name))))]


def _target_of(name: str) -> Target | None:
    """The target of that name, or the one of which it names another format; None for none."""
    with suppress(UnknownTarget):
        return load_target(name)
    with suppress(UnknownTarget):
        target = load_target(name.rpartition(".")[0])
        return target if target.formats.is_file() and name in others(target) else None
    return None


def others(target: Target) -> dict[str, Path]:
    """Formats that a target has beside its usual one, by name ("jax.orbax"): where they lie."""
    names = getattr(load_file(target.formats), "OTHERS", ())
    return {f"{target.name}.{name}": target.formats.with_name(f"{name}.py") for name in names}


def format_named(name: str) -> Format:
    """The format, or the target's in the folder of that path. Raises Unusable, listing the known names."""
    if name in NEUTRAL:
        return Format(name, NEUTRAL[name])
    unknown = Unusable(f"unknown format {name!r}", f"known: {', '.join(known_formats())}")
    target = _target_of(name.removesuffix(IN_SAFETENSORS))
    if target is None:
        raise unknown
    if not target.formats.is_file():
        raise Unusable(f"{target.title} has no format of its own here", f"known: {', '.join(known_formats())}")
    if path := others(target).get(name):
        return Format(name, load_file(path), target)
    own = Format(target.name, load_file(target.formats), target)
    if not name.endswith(IN_SAFETENSORS):
        return own
    found = own.in_safetensors()
    if found is own:
        raise unknown
    return found


def format_of(output: Path | None) -> Format:
    """The format that the output's suffix says; the default without an output. Raises Unusable."""
    if output is None:
        return format_named(DEFAULT)
    found = fitting(output)
    if found is None:
        suffixes = (format_named(name).suffix for name in known_formats())
        raise Unusable(f"{output}: its suffix is of no known format", f"give --to, or one of {', '.join(suffixes)}")
    return found


def fitting(output: Path) -> Format | None:
    """The format of the longest suffix that the output's name has; None where it has none."""
    formats = [format_named(name) for name in known_formats()]
    formats += [one.in_safetensors() for one in formats]
    found = [one for one in formats if output.name.endswith(one.suffix)]
    return max(found, key=lambda one: len(one.suffix), default=None)
