"""``migrate convert`` in this process, and projects to call it on."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from migrate.cli import main

MODEL = '''\
"""A small network."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.fc = nn.Linear(width, 2, bias=False)  # no bias

    def forward(self, x):
        return torch.cat([self.fc(x), x], dim=1)
'''

CONVERTED_MODEL = '''\
"""A small network."""

import paddle
import paddle.nn as nn


class Net(nn.Layer):
    def __init__(self, width: int):
        super().__init__()
        self.fc = nn.Linear(width, 2, bias_attr=False)  # no bias

    def forward(self, x):
        return paddle.concat([self.fc(x), x], axis=1)
'''

MARKED = "import torch\n\n\ndef f(model):\n    return torch.parse_ir(model)\n"
BROKEN = "import torch\n\n\ndef f(:\n    pass\n"


@dataclass(frozen=True)
class Done:
    """What a run of the command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def convert(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """``convert(path, "--to", "paddle")``: the command's entry point, in this process."""
    monkeypatch.setenv("COLUMNS", "300")

    def run(*arguments: object) -> Done:
        monkeypatch.setattr(sys, "argv", ["migrate", "convert", *map(str, arguments)])
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        told = capfd.readouterr()
        return Done(int(ended.value.code or 0), told.out, told.err)

    return run


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder of scripts, ``tmp_path / "net"``."""
    return write(tmp_path / "net", {"model.py": MODEL, "README.md": "# Net\n", "requirements.txt": "numpy\ntorch\n"})


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    """A folder with these files."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def tree(folder: Path) -> dict[str, object]:
    """All that is below a folder: path -> content, target of a link, None for a folder."""
    found: dict[str, object] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        found[name] = path.readlink() if path.is_symlink() else path.read_bytes() if path.is_file() else None
    return found


def refused(done: Done, *words: str) -> bool:
    """The command ended with status 2 and two lines: what is wrong, and the mend; the words are in them."""
    assert done.code == 2, done
    lines = done.err.splitlines()
    assert len(lines) == 2, done.err
    assert lines[0].startswith("migrate: "), done.err
    assert lines[1].startswith("  mend: "), done.err
    for word in words:
        assert word in done.err, done.err
    return True
