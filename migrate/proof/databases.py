"""What PyTorch's databases call, in a table that needs no torch: ``checks/proof/databases.json``, made by the proof."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path

import checks
from migrate.proof.samples import KINDS, entries
from rewriters.storing import replace_text
from rewriters.torch.table import table

PATH = Path(checks.__file__).parent / "proof" / "databases.json"


@cache
def databases() -> dict[str, dict[str, int]]:
    """Database -> torch name -> number of its samples that call the name; of OpInfo, those in float32."""
    loaded: dict[str, dict[str, int]] = json.loads(PATH.read_text(encoding="utf-8"))["samples"]
    return loaded


def write() -> None:
    """Count them anew, making the samples where they are missing."""
    content = {"torch": table()["torch"], "samples": {kind: counted(kind) for kind in KINDS if kind != "written"}}
    replace_text(PATH, json.dumps(content, indent=1) + "\n")
    databases.cache_clear()


def counted(kind: str) -> dict[str, int]:
    """Name -> number of the samples of a database that call it, in the order of names; 0 for a module without any."""
    found = entries(kinds=(kind,))
    none = {f"torch.{item.name}": 0 for item in found} if kind == "moduleinfo" else {}
    samples = {
        (form.key, form.sample)
        for item in found
        for form in item.forms()
        if kind != "opinfo" or form.dtype == "float32"
    }
    counts = Counter(name for name, _ in samples if name in table()["names"])
    return dict(sorted({**none, **counts}.items()))
