"""The findings as a page of docs/."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.mutations.runner import CRITERIA, Finding

TITLES = {"paddle": "PaddlePaddle", "oneflow": "OneFlow"}


def document(found: Sequence[Finding], made: str) -> str:
    """Counts first, then a table of faults and one of rewritings, a row a variant, a column a target."""
    targets = list(dict.fromkeys(item.target for item in found))
    faults = [item for item in found if item.variant.level]
    rewrites = [item for item in found if not item.variant.level]
    parts = [
        "# What `migrate check` catches",
        "",
        f"Generated on {made} by `.venv/bin/python benchmarks/parity_mutations.py --write`; do not edit.",
        "",
        "Each row is an edit of a fixture's torch source (`benchmarks/mutations/`), converted, and compared with the "
        "unedited project: outputs, activations, gradients, and four training steps. The fixed tolerances are applied "
        "to the very same tensors; a tolerance *alarms* when one of them lies outside. The ResNet is narrowed to an "
        "eighth, the GPT has two layers of width 32.",
        "",
        *_counts(faults, rewrites, targets),
        "",
        "## Faults",
        "",
        "`where` is the first layer that the report names, or the first tensor that differs, and error / floor is the "
        "largest of that level. **Bold** is a fault that was missed or placed elsewhere.",
        "",
        *_table(faults, targets),
        "",
        "## Correct rewritings",
        "",
        "The same mathematics in another order of arithmetic: nothing may be reported. error / floor is the largest of "
        "all comparisons. **Bold** is a false alarm.",
        "",
        *_table(rewrites, targets),
    ]
    return "\n".join(parts) + "\n"


def _counts(faults: Sequence[Finding], rewrites: Sequence[Finding], targets: Sequence[str]) -> list[str]:
    head = [
        "",
        *(f"{TITLES.get(name, name)}: {kind}" for name in targets for kind in ("faults caught", "false alarms")),
    ]
    rows = [head, ["---"] * len(head)]
    cells = ["**migrate check**"]
    for name in targets:
        mine, theirs = _run(faults, name), _run(rewrites, name)
        at_place = sum(item.at_right for item in mine)
        caught = sum(item.verdict != "parity" for item in mine)
        cells.append(f"{caught} of {len(mine)}, {at_place} at the right place")
        cells.append(f"{sum(not item.good for item in theirs)} of {len(theirs)}")
    rows.append(cells)
    for criterion in CRITERIA:
        cells = [criterion]
        for name in targets:
            mine, theirs = _run(faults, name), _run(rewrites, name)
            # What does not even load is caught whatever the tolerance.
            cells.append(
                f"{sum(criterion in item.tolerances or item.level == 'weights' for item in mine)} of {len(mine)}"
            )
            cells.append(f"{sum(criterion in item.tolerances for item in theirs)} of {len(theirs)}")
        rows.append(cells)
    return [f"| {' | '.join(row)} |" for row in rows]


def _run(found: Sequence[Finding], target: str) -> list[Finding]:
    return [item for item in found if item.target == target and item.verdict != "not converted"]


def _table(found: Sequence[Finding], targets: Sequence[str]) -> list[str]:
    head = ["fixture", "variant", *(f"{TITLES.get(name, name)}: where, error / floor" for name in targets)]
    head += [f"{criterion} alarms" for criterion in CRITERIA]
    rows = [head, ["---"] * len(head)]
    by_variant: dict[tuple[str, str], dict[str, Finding]] = {}
    for item in found:
        by_variant.setdefault((item.variant.fixture.name, item.variant.name), {})[item.target] = item
    for (fixture, name), findings in by_variant.items():
        cells = [fixture, name, *(_cell(findings.get(target)) for target in targets)]
        for criterion in CRITERIA:
            # What could not be run has no tensors for a tolerance to be applied to.
            judged = [item for item in findings.values() if item.tolerances or item.ratio is not None]
            said = ["yes" if criterion in item.tolerances else "no" for item in judged]
            cells.append(said[0] if len(set(said)) == 1 else " / ".join(said))
        rows.append(cells)
    return [f"| {' | '.join(row)} |" for row in rows]


def _cell(item: Finding | None) -> str:
    if item is None:
        return ""
    if item.verdict == "not converted":
        return "not converted"
    ratio = "" if item.ratio is None else f", {item.ratio:.3g}"
    if item.variant.level:
        place = f"{item.level}: {item.layer or 'the model'}" if item.level else "missed"
        cause = f" ({item.cause})" if item.cause and item.cause.startswith("agrees") else ""
        text = f"{place}{ratio}{cause}"
    else:
        text = f"{item.level + ': ' + item.layer if item.level else item.verdict}{ratio}"
    text = text.replace("|", "\\|")
    return text if item.good else f"**{text}**"


def line(item: Finding) -> str:
    """A finding for the terminal."""
    mark = "  " if item.good else "? " if item.verdict == "not converted" else "X "
    ratio = "" if item.ratio is None else f"{item.ratio:.3g}"
    said = (
        f"{mark}{item.target:8} {item.variant.fixture.name:7} {item.variant.name:48} {item.verdict:8} {item.level:12}"
    )
    return f"{said} {item.layer:24} {ratio:9} {item.cause or item.detail[:80]}".rstrip()
