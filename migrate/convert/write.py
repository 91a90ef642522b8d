"""Writing the output: everything is prepared aside, then renamed into place; an earlier output stays whole until then."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from migrate.convert.merge import merge
from migrate.convert.record import FOLDER, Record, base_of, digest, read_record
from migrate.errors import Unusable


@dataclass
class Output:
    """What is to be written, by path relative to the output folder.

    texts:  converted or generated content; hand edits since the last conversion are merged into it.
    copies: files that are copied from the source.
    links:  symbolic links: path -> where it points.
    """

    texts: dict[str, bytes] = field(default_factory=dict)
    copies: dict[str, Path] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)


@dataclass
class Written:
    """What happened: files whose hand edits were kept, and conflicts by file."""

    merged: list[str] = field(default_factory=list)
    conflicts: dict[str, int] = field(default_factory=dict)


def check_folder(out: Path, force: bool) -> Record | None:
    """The record of an earlier conversion into ``out``. Raises Unusable where ``out`` may not be written to."""
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise Unusable(f"{out}: exists and is not a folder", "choose another folder with -o")
    if not out.exists() or not any(out.iterdir()):
        return None
    record = read_record(out)
    if record is None and not force:
        raise Unusable(f"{out}: exists and holds other files", "choose another folder with -o, or add --force to write into it")
    return record


def write_folder(output: Output, out: Path, target: str, version: str, force: bool) -> Written:
    """Write a converted project."""
    earlier = check_folder(out, force)
    if earlier is not None and earlier.target != target and not force:
        raise Unusable(f"{out}: holds a conversion to {earlier.target}", f"choose another folder for {target} with -o, or add --force")
    written = Written()
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        stage = Path(tempfile.mkdtemp(prefix=f".{out.name}.", suffix=".partial", dir=out.parent))
    except OSError as error:
        raise Unusable(f"{out}: cannot be written: {error.strerror}", "choose another folder with -o") from error
    try:
        record = Record(target, version)
        for name, data in sorted(output.texts.items()):
            put(stage / FOLDER / "base" / name, data)
            record.files[name] = digest(data)
            put(stage / name, merged(out, name, data, earlier, written))
        for name, source in sorted(output.copies.items()):
            destination = stage / name
            destination.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, destination)
        for name, points_to in sorted(output.links.items()):
            (stage / name).parent.mkdir(parents=True, exist_ok=True)
            os.symlink(points_to, stage / name)
        put(stage / FOLDER / "conversion.json", record.text().encode())
        (stage / FOLDER / ".gitignore").write_text("cache/\n", encoding="utf-8")
        take_over(stage, out)
    except OSError as error:
        raise Unusable(f"{out}: cannot be written: {error.strerror}", "free space, or choose another folder with -o") from error
    finally:
        shutil.rmtree(stage, ignore_errors=True)
    return written


def merged(out: Path, name: str, data: bytes, earlier: Record | None, written: Written) -> bytes:
    """The new content, with what was edited by hand in the output since the last conversion."""
    path = out / name
    if earlier is None or name not in earlier.files or not path.is_file():
        return data
    base = base_of(out, name)
    current = path.read_bytes()
    if base is None or current == base:
        return data
    result, conflicts = merge(current, base, data, name)
    if result != data:
        written.merged.append(name)
    if conflicts:
        written.conflicts[name] = conflicts
    return result


def put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def take_over(stage: Path, out: Path) -> None:
    """Move the prepared files to their place: as a whole where nothing is there yet, else one by one, the record last."""
    stage.chmod(0o777 & ~current_umask())
    if not out.exists():
        stage.rename(out)
        return
    paths = [path for path in sorted(stage.rglob("*")) if path.is_symlink() or path.is_file()]
    record = stage / FOLDER / "conversion.json"
    for path in [*(p for p in paths if p != record), record]:
        destination = out / path.relative_to(stage)
        destination.parent.mkdir(parents=True, exist_ok=True)
        path.replace(destination)


def current_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_file(texts: dict[Path, bytes], force: bool) -> None:
    """Write the outputs of a single-file conversion: the file, and its helper module beside it."""
    for path in texts:
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise Unusable(f"{path}: exists and is not a regular file", "choose another file with -o")
        if path.exists() and not force and path.read_bytes() != texts[path]:
            raise Unusable(f"{path}: exists", "choose another file with -o, or add --force to replace it")
    for path, data in texts.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".partial", dir=path.parent)
        except OSError as error:
            raise Unusable(f"{path}: cannot be written: {error.strerror}", "choose another file with -o") from error
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            Path(name).chmod(0o666 & ~current_umask())
            Path(name).replace(path)
        except OSError as error:
            Path(name).unlink(missing_ok=True)
            raise Unusable(f"{path}: cannot be written: {error.strerror}", "choose another file with -o") from error
