"""What was converted before: the outcome of each component under a hash of all that decides it.

Lies in the user's cache folder. An entry holds text only, and is believed only when it was written whole.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path, PurePosixPath

import migrate
import rewriters
from rewriters.component import Part
from rewriters.report import FileReport, Outcome, Site, Status
from rewriters.storing import home, keep
from rewriters.target import Target

KEEP_DAYS = 30


@cache
def engine_digest(folder: Path) -> bytes:
    """A hash of the engine's and a target's own files, by name, size and time of change."""
    found = hashlib.blake2b(f"{migrate.__version__} {folder}\n".encode(), digest_size=16)
    own = Path(rewriters.__file__).parent
    for root in [own] if own in folder.parents else [own, folder]:
        for place, _, names in sorted(os.walk(root)):
            for name in sorted(names):
                if name.endswith((".py", ".json", ".toml")):
                    stat = os.stat(f"{place}/{name}")
                    found.update(f"{place}/{name}:{stat.st_size}:{stat.st_mtime_ns}\n".encode())
    return found.digest()


def key_of(
    sources: Mapping[PurePosixPath, bytes],
    target: Target,
    package: str,
    rules: Sequence[Path],
    folders: frozenset[PurePosixPath],
    static: bool = False,
    assume: Sequence[str] = (),
) -> str:
    """The name of a component's entry."""
    found = _digest(target, rules)
    found.update(b"static\0" if static else b"")
    found.update("".join(f"assume {one}\0" for one in sorted(assume)).encode(errors="surrogateescape"))
    around = sorted(map(str, folders & {parent for path in sources for parent in path.parents}))
    found.update("\0".join([package, *around, ""]).encode(errors="surrogateescape"))
    for path, data in sorted(sources.items()):
        found.update(f"{path}\0{len(data)}\0".encode(errors="surrogateescape"))
        found.update(data)
    return found.hexdigest()


def key_of_helpers(target: Target, rules: Sequence[Path], names: Iterable[str], stand_in: bool) -> str:
    """The name of a helper module's entry."""
    found = _digest(target, rules)
    found.update("\0".join(["helpers", str(stand_in), *sorted(names)]).encode())
    return found.hexdigest()


def _digest(target: Target, rules: Sequence[Path]) -> hashlib.blake2b:
    found = hashlib.blake2b(engine_digest(target.folder), digest_size=20)
    for rule in rules:
        found.update(rule.read_bytes())
    return found


def folder() -> Path:
    return home() / "converted"


def load(key: str) -> Part | None:
    """The entry, None when there is none or it is damaged."""
    try:
        document = json.loads(zlib.decompress((folder() / key).read_bytes()))
        return Part(
            files={PurePosixPath(n): None if t is None else t.encode("latin-1") for n, t in document["files"].items()},
            reports=[
                FileReport(r["path"], Status(r["status"]), r["error"], [site_of(*site) for site in r["sites"]])
                for r in document["reports"]
            ],
            helpers={PurePosixPath(n): set(names) for n, names in document["helpers"].items()},
            stand_ins={PurePosixPath(name) for name in document["stand_ins"]},
            graphs={PurePosixPath(name) for name in document["graphs"]},
        )
    except (OSError, ValueError, KeyError, TypeError, zlib.error):
        return None


def site_of(line: int, column: int, api: str, outcome: str, detail: str, risk: str = "", origin: str = "") -> Site:
    return Site(line, column, api, Outcome(outcome), detail, risk, origin)


def save(key: str, part: Part) -> None:
    """Keep an entry."""
    document = {
        "files": {str(n): None if data is None else data.decode("latin-1") for n, data in part.files.items()},
        "reports": [{**vars(report), "sites": [site.values() for site in report.sites]} for report in part.reports],
        "helpers": {str(n): sorted(names) for n, names in part.helpers.items()},
        "stand_ins": sorted(map(str, part.stand_ins)),
        "graphs": sorted(map(str, part.graphs)),
    }
    keep(folder() / key, zlib.compress(json.dumps(document).encode(), 1))


def load_text(key: str) -> str | None:
    """A helper module's entry, None when there is none."""
    try:
        return (folder() / key).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def save_text(key: str, text: str) -> None:
    """Keep a helper module's entry."""
    keep(folder() / key, text.encode())


def forget_old() -> None:
    """Remove entries that nothing has asked for in a month."""
    limit = time.time() - KEEP_DAYS * 86400
    for path in folder().glob("*"):
        try:
            if max(path.stat().st_mtime, path.stat().st_atime) < limit:
                path.unlink()
        except OSError:
            continue  # another run was quicker
