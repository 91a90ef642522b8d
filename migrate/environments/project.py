"""A project's own environments: the interpreter of torch or of a target, and what the project needs beside it.

Each is a virtual environment that sees the packages of the shared interpreter, which stays as it is, behind its own.
``migrate.project_environment`` makes them.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from migrate.environments import MANIFEST, Interpreter, available_interpreter, find_interpreter, python_in
from rewriters.storing import home


def folder_for(name: str, project: Path) -> Path:
    """Where a project's environment of "torch" or a target lies, there or not."""
    place = project.resolve()
    told = hashlib.sha256(f"{name}\0{place}".encode()).hexdigest()[:8]
    return home() / "projects" / f"{place.name or 'root'}-{Path(name).name}-{told}"


def interpreter_for(name: str, project: Path, override: Path | None = None) -> Interpreter:
    """As ``find_interpreter``, but the project's own interpreter where it was made, and made of the shared one that is
    there now. Raises Unusable.
    """
    if override is None and (found := own_interpreter(name, project)) is not None:
        return found
    return find_interpreter(name, override)


def own_interpreter(name: str, project: Path) -> Interpreter | None:
    """The project's own, None where there is none or the interpreter that it stands on is another now."""
    folder, shared = folder_for(name, project), available_interpreter(name)
    if shared is None or not (folder / MANIFEST).is_file() or not python_in(folder).exists():
        return None
    told = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    if told["shared"] != [str(shared.python), shared.version]:
        return None
    return Interpreter(name, python_in(folder), shared.version, shared.env, f"migrate env {name} --for {project}")
