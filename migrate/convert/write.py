"""Writing the output: all is prepared aside, then renamed into place; an earlier output stays whole until then."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from migrate.convert.merge import merge
from migrate.convert.record import FOLDER, RECORD, TORCH, Record, base_of, digest, file_digest, read_record
from migrate.errors import Unusable


@dataclass
class Output:
    """What is to be written, by path relative to the output folder.

    texts:   converted or generated content; hand edits since the last conversion are merged into it.
    modes:   permission bits of those texts that have a source file.
    copies:  files that are copied from the source.
    links:   symbolic links: path -> where it points.
    folders: folders with nothing in them.
    torch:   what was converted, where that is not what lies in the project: kept in .migrate/torch.
    """

    texts: dict[str, bytes] = field(default_factory=dict)
    modes: dict[str, int] = field(default_factory=dict)
    copies: dict[str, Path] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)
    torch: dict[str, bytes] = field(default_factory=dict)


@dataclass
class Written:
    """What became of files that were not just written.

    merged:    hand edits were kept.
    conflicts: hand edits against the new conversion: file -> how many.
    stale:     edited by hand, while the source has changed or removed the file; kept as they were.
    """

    merged: list[str] = field(default_factory=list)
    conflicts: dict[str, int] = field(default_factory=dict)
    stale: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """In words, a line for each file."""
        return [
            *(f"kept your edits in {name}" for name in self.merged if name not in self.conflicts),
            *(f"kept {name} as you edited it; the source has changed or removed it" for name in self.stale),
            *(f"{n} conflict(s) with your edits in {name}: look for <<<<<<<" for name, n in self.conflicts.items()),
        ]


def check_folder(out: Path, target: str, force: bool) -> Record | None:
    """The record of an earlier conversion into ``out``. Raises Unusable where ``out`` may not be written to."""
    if (out.is_symlink() or out.exists()) and not out.is_dir():
        raise Unusable(f"{out}: exists and is not a folder", "choose another folder with -o")
    if not out.exists() or not any(out.iterdir()):
        return None
    record = read_record(out)
    if record is None and not force:
        raise Unusable(
            f"{out}: exists and holds other files", "choose another folder with -o, or add --force to write into it"
        )
    if record is not None and record.target != target and not force:
        raise Unusable(
            f"{out}: holds a conversion to {record.target}",
            f"choose another folder for {target} with -o, or add --force",
        )
    return record


def write_folder(output: Output, out: Path, target: str, version: str, force: bool) -> Written:
    """Write a converted project. Raises Unusable; ``out`` is then as it was."""
    earlier = check_folder(out, target, force)
    # What another target's conversion wrote is no base to merge against.
    known = earlier if earlier is not None and earlier.target == target else None
    written = Written()
    with refusals(out), staging(out) as stage:
        record = Record(target, version)
        for name, data in sorted(output.texts.items()):
            if is_written(out, name, data, output.modes.get(name), known):
                record.files[name] = digest(data)
                continue
            put(stage / FOLDER / "base" / name, data)
            put(stage / name, merged(out, name, data, known, written), output.modes.get(name))
            record.files[name] = digest(data)
        for name, source in sorted(output.copies.items()):
            record.files[name] = copy(source, stage / name, out / name, name, known, written)
        for name, points_to in sorted(output.links.items()):
            (stage / name).parent.mkdir(parents=True, exist_ok=True)
            (stage / name).symlink_to(points_to)
        for name in output.folders:
            (stage / name).mkdir(parents=True, exist_ok=True)
        put(stage / RECORD, record.text().encode())
        put(stage / FOLDER / ".gitignore", b"cache/\n")
        for name, data in output.torch.items():
            put(stage / TORCH / name, data)
        gone = unedited_leftovers(out, earlier, record, written)
        take_over(stage, out, gone)
    return written


def is_written(out: Path, name: str, data: bytes, mode: int | None, known: Record | None) -> bool:
    """Whether an earlier conversion wrote just this, and nobody has touched it since."""
    path = out / name
    if known is None or path.is_symlink() or not path.is_file() or base_of(out, name) != data:
        return False
    return path.read_bytes() == data and (mode is None or path.stat().st_mode & 0o7777 == mode)


@contextmanager
def refusals(out: Path) -> Iterator[None]:
    """What the operating system refuses, in words."""
    try:
        yield
    except OSError as error:
        raise Unusable(
            f"{out}: cannot be written: {error.strerror or error}", "make room for it, or choose another place with -o"
        ) from error


@contextmanager
def staging(out: Path) -> Iterator[Path]:
    """A folder in which the output is prepared, on the file system where it goes; removed at the end."""
    if out.is_dir():  # may be a mount of its own
        stage = tempfile.mkdtemp(prefix=f"{FOLDER}.", suffix=".partial", dir=out)
    else:
        out.parent.mkdir(parents=True, exist_ok=True)
        stage = tempfile.mkdtemp(prefix=f".{out.name}.", suffix=".partial", dir=out.parent)
    try:
        yield Path(stage)
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def merged(out: Path, name: str, data: bytes, earlier: Record | None, written: Written) -> bytes:
    """The new content, with what was edited by hand in the output since the last conversion."""
    path = out / name
    if earlier is None or not path.is_file():
        return data
    base = base_of(out, name)
    current = path.read_bytes()
    if current in (data, base):
        return data
    if base is None and digest(current) == earlier.files.get(name):
        return data  # was copied last time, and is as it was
    result, conflicts = merge(current, base or b"", data, name)
    if result != data:
        written.merged.append(name)
    if conflicts:
        written.conflicts[name] = conflicts
    return result


def copy(source: Path, staged: Path, present: Path, name: str, earlier: Record | None, written: Written) -> str:
    """Prepare a copy; none where it was edited by hand in the output. The source's digest."""
    try:
        sha = file_digest(source)
    except OSError as error:
        raise Unusable(f"{source}: cannot be read: {error.strerror}", "make it readable or --exclude it") from error
    if earlier is not None and present.is_file():
        last, now = earlier.files.get(name), file_digest(present)
        if now not in (sha, last):
            (written.merged if sha == last else written.stale).append(name)
            return sha
        if now == sha and present.stat().st_mode == source.stat().st_mode:
            return sha
    staged.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, staged)
    return sha


def unedited_leftovers(out: Path, earlier: Record | None, record: Record, written: Written) -> list[str]:
    """Files that an earlier conversion wrote, nobody edited, and this one does not have."""
    gone: list[str] = []
    for name, sha in sorted(earlier.files.items()) if earlier else ():
        if name not in record.files and (out / name).is_file():
            (gone if file_digest(out / name) == sha else written.stale).append(name)
    return gone


def put(path: Path, data: bytes, mode: int | None = None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    if mode is not None:
        path.chmod(mode)


def take_over(stage: Path, out: Path, gone: list[str]) -> None:
    """Move the prepared files to their place.

    As a whole where nothing is there yet. Else one by one: a run that is killed in between leaves whole files, and what
    the next run merges against (the base, then the record) changes only after the files themselves.
    """
    if not out.exists():
        stage.chmod(0o777 & ~current_umask())
        stage.rename(out)
        return
    shutil.rmtree(out / TORCH, ignore_errors=True)
    paths = [path for path in sorted(stage.rglob("*")) if not is_folder(path)]
    for path in paths:
        check_place(out, path.relative_to(stage))
    for path in stage.rglob("*"):
        if is_folder(path):
            (out / path.relative_to(stage)).mkdir(parents=True, exist_ok=True)
    own = stage / FOLDER
    for path in sorted(paths, key=lambda path: (path == stage / RECORD, own in path.parents)):
        if path == stage / RECORD:
            for name in gone:
                (out / name).unlink()
                (out / FOLDER / "base" / name).unlink(missing_ok=True)
                remove_empty(out, (out / name).parent)
        path.replace(out / path.relative_to(stage))


def is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def check_place(out: Path, relative: Path) -> None:
    """Raises Unusable, before anything is moved, where a folder is in the place of a file or the other way round."""
    if is_folder(out / relative):
        raise Unusable(f"{out / relative}: is a folder, and the conversion has a file of that name", "move it away")
    for parent in list(relative.parents)[:-1]:
        place = out / parent
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            raise Unusable(f"{place}: is no folder, and the conversion has one of that name", "move it away")


def remove_empty(out: Path, folder: Path) -> None:
    while folder != out and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def current_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_files(texts: Mapping[Path, bytes], force: bool, modes: Mapping[Path, int] | None = None) -> None:
    """Write single files, such as a converted one and its helper module. Raises Unusable."""
    for path, data in texts.items():
        if (path.is_symlink() or path.exists()) and not path.is_file():
            raise Unusable(f"{path}: exists and is not a regular file", "choose another file with -o")
        if path.exists() and not force and path.read_bytes() != data:
            raise Unusable(f"{path}: exists", "choose another file with -o, or add --force to replace it")
    staged: dict[Path, str] = {}
    path = Path()
    try:
        for path, data in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, staged[path] = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".partial", dir=path.parent)
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            Path(staged[path]).chmod((modes or {}).get(path, 0o666 & ~current_umask()))
        for path in texts:
            Path(staged.pop(path)).replace(path)
    except OSError as error:
        raise Unusable(f"{path}: cannot be written: {error.strerror}", "choose another place") from error
    finally:
        for name in staged.values():
            Path(name).unlink(missing_ok=True)
