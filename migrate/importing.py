"""Importing modules one by one in a framework's interpreter: what came of each."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from migrate.errors import Unusable

WORKER = Path(__file__).parent.parent / "checks" / "worker" / "importing.py"
HANGS = 900.0  # seconds


@dataclass(frozen=True)
class Failure:
    """Why a module does not import. place: "file:line" where it raised; "" where that is not known."""

    place: str
    why: str


def import_all(
    python: Path | str,
    names: Sequence[str],
    folders: Iterable[Path],
    *,
    environ: Mapping[str, str] | None = None,
    stand_ins: Sequence[str] = (),
    hangs: float = HANGS,
) -> dict[str, Failure | None]:
    """Import each module, in one process for as long as it lives; None for one that imports.

    folders:   where they are found, first ones first. environ: beside this process's.
    stand_ins: packages of which any name is a class without meaning.
    hangs:     seconds that one process may take. A module that takes them from its beginning, alone in its process,
               is given up; one that had less of them is begun anew.

    Raises Unusable where the interpreter does not start.
    """
    found: dict[str, Failure | None] = {}
    path = os.pathsep.join(str(Path(folder).resolve()) for folder in folders)
    variables = {**os.environ, **(environ or {}), "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    with tempfile.TemporaryDirectory() as work:
        listed = Path(work, "modules.txt")
        empty = Path(work, "empty")  # what a module writes where it is, is written there
        empty.mkdir()
        while rest := [name for name in names if name not in found]:
            listed.write_text("\n".join(rest))
            command = [str(python), "-W", "ignore", str(WORKER), str(listed), *stand_ins]
            timed_out = False
            try:
                done = subprocess.run(
                    command, capture_output=True, stdin=subprocess.DEVNULL, text=True, env=variables, timeout=hangs,
                    check=False, cwd=empty,
                )  # fmt: skip
                said, errors, code = done.stdout, done.stderr, done.returncode
            except subprocess.TimeoutExpired as ended:
                timed_out, errors, code = True, "", 0
                said = ended.stdout.decode() if isinstance(ended.stdout, bytes) else ended.stdout or ""
            started, alone = "", True
            for line in said.splitlines():
                row = json.loads(line)
                started = row["module"]
                if "started" not in row:
                    found[started] = None if row["imports"] else Failure(row["place"], row["why"])
                    alone = False
            if timed_out and not alone:
                continue
            if started and started not in found:
                found[started] = Failure("", f"hangs for {hangs:g} s" if timed_out else f"ends the process with {code}")
            elif not started:
                raise Unusable(f"{python}: importing does not start: {errors[-2000:]}", "migrate doctor")
    return found
