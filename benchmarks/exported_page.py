"""The page docs/exported_models.md, from the results of export.py: names and figures only."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from rewriters.storing import replace_text

HEAD = """# Exported models

The models of [public repositories](public-repos.md), converted to PaddlePaddle with nothing edited by hand, given
seeded weights, exported by `migrate export` and compared with torch by `migrate check` in the back end. Made by
`python benchmarks/export.py`; inputs are in `benchmarks/public_repos.toml`. A figure is the worst error in units of
torch's own float32 rounding noise, over all outputs and sizes: about 1 is a clean port, above 4 a warning, above 10
differs.

*Free*: the sizes that the artefact leaves open; it is checked at three sizes of the first of them. *fixed*: with free
sizes it is not exported or differs, with those of the example it agrees. *From torch*: the torch model by
`torch.onnx.export`, so that one sees what the conversion loses.

{paddle} of {models} agree in both back ends from the converted project, {free} of them with free sizes; from torch
{torch} of {torch_models} that were tried, {torch_free} of them with free sizes.{left}

| repository | model | free | ONNX Runtime | OpenVINO | from torch: free | ONNX Runtime |
|---|---|---|---|---|---|---|"""
FORMATS = {"paddle": ("onnx", "openvino"), "torch": ("onnx",)}
"""Framework -> the formats that its models are exported to."""


def agrees(kept: dict[str, Any]) -> bool:
    """Whether all formats of one choice of inputs agree."""
    return all(one["verdict"] in ("same", "warn") for one in kept.values() if isinstance(one, dict))


def write_page(rows: dict[str, dict[str, Any]], keys: list[tuple[str, str]], page: Path) -> None:
    """Of every model that has a result. keys: (repository, key of a row), in the order of the list."""
    lines: list[str] = []
    left: list[str] = []
    counts = dict.fromkeys(("models", "paddle", "free", "torch", "torch_free", "torch_models"), 0)
    ways: dict[str, list[str]] = {framework: [] for framework in FORMATS}
    for repository, key in keys:
        row = rows.get(key)
        if row is None:
            left.append(key.partition("(")[0].replace(" ", " `") + "`")
            continue
        counts["models"] += 1
        model = key.split(" ", 1)[1].partition("(")[0]
        cells = []
        for framework, formats in FORMATS.items():
            if framework not in row:
                cells += ["—"] * (1 + len(formats))
                continue
            last = row[framework][-1]
            counts["torch_models"] += framework == "torch"
            counts[framework] += agrees(last)
            counts["free" if framework == "paddle" else "torch_free"] += agrees(row[framework][0])
            cells += [axes_of(row[framework]), *(figure(last[name]) for name in formats)]
            ways[framework] += [f"* {repository} `{model}`{told}" for told in obstacles(row[framework], formats)]
        lines.append(f"| {repository} | `{model}` | {' | '.join(cells)} |")
    told = textwrap.fill(f"Listed and not measured yet: {', '.join(left)}.", 120, break_long_words=False)
    parts = [HEAD.format(**counts, left=f"\n\n{told}" if left else ""), *lines]
    for framework, title in (("paddle", "the converted project"), ("torch", "torch")):
        if ways[framework]:
            parts += [f"\n## What stood in the way, from {title}\n", *ways[framework]]
    replace_text(page, "\n".join(parts) + "\n")


def axes_of(kept: list[dict[str, Any]]) -> str:
    """What is free in the last that was tried."""
    return ", ".join(kept[0]["free"]) if len(kept) == 1 else "fixed" if agrees(kept[-1]) else ""


def figure(one: dict[str, Any]) -> str:
    ratio = one.get("ratio")
    told = "" if ratio is None or one["verdict"] == "differs" else f"{ratio:.3g}"
    return told if one["verdict"] == "same" else f"{told} {one['verdict']}".strip()


def obstacles(kept: list[dict[str, Any]], formats: tuple[str, ...]) -> list[str]:
    """Why a choice of inputs does not agree: each cause once."""
    found = []
    for number, one in enumerate(kept):
        causes = {}
        for name in formats:
            if one[name]["verdict"] not in ("same", "warn"):
                causes.setdefault(one[name]["why"].replace("`", "'"), name)
        where = ", free sizes" if number == 0 else ""
        found += [f"{where}: {cause}" for cause in causes]
    return list(dict.fromkeys(found)) if not agrees(kept[-1]) else found
