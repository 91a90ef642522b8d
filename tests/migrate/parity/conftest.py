"""Programs that are converted and checked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from migrate.environments import Interpreter
from migrate.parity import Request
from rewriters.convert import convert_sources
from rewriters.target import load_target


@pytest.fixture
def program(python_of: Callable[[str], Interpreter], tmp_path: Path) -> Callable[..., Request]:
    """``program(text, target, entry, *inputs, **options)``: a request for a module ``net`` of that text, converted."""

    def program(text: str, target: str, entry: str, *inputs: str, written: str = "", **options: Any) -> Request:
        """written: the converted module, where it is not to be made."""
        source, converted = tmp_path / "source", tmp_path / "converted"
        done = convert_sources(
            {PurePosixPath("net.py"): text.encode()}, load_target(target), static=options.get("static", False)
        )
        files = {**done.files, **{path: helper.encode() for path, helper in done.helpers.items()}}
        if written:
            files = {PurePosixPath("net.py"): written.encode()}
        for folder, contents in ((source, {PurePosixPath("net.py"): text.encode()}), (converted, files)):
            folder.mkdir(exist_ok=True)
            for path, data in contents.items():
                (folder / path).write_bytes(data)
        pythons = {f"{side}_python": python_of(name).python for side, name in (("torch", "torch"), ("target", target))}
        return Request(source, converted, load_target(target), entry, inputs, **pythons, **options)

    return program
