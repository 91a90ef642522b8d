"""Targets in folders of their own, made for one test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent
from types import MappingProxyType

import pytest

NOTHING: Mapping[str, str] = MappingProxyType({})


@pytest.fixture
def target_folder(tmp_path: Path) -> Callable[..., Path]:
    """Writes a target's folder, and its framework into ``site`` below ``tmp_path``; gives the folder."""

    def write(
        name: str, init: str, rules: str, framework: Mapping[str, str], more: Mapping[str, str] = NOTHING
    ) -> Path:
        folder = tmp_path / "targets" / name
        texts = {"__init__.py": init, "rules/all.py": rules, **more}
        places = {folder / path: text for path, text in texts.items()}
        places |= {tmp_path / "site" / path: dedent(text) for path, text in framework.items()}
        for path, text in places.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return folder

    return write
