"""The pages of `docs/rules`: what of torch is converted to each target, and what each rule was checked on.

    python -m migrate.proof.docs

Made of the rule files and the records alone: a second, and neither torch nor a target is run. For each target that has
records: TARGET.md, and a page for each family in TARGET/.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import rewriters.targets
from migrate.proof.card import of_record, signature, text_of
from migrate.proof.coverage import ANSWERS, NOTHING, REFUSED, RULE, SAME, WORST, Coverage, answer
from rewriters.target import load_target
from rewriters.torch.table import entry, table

DOCS = Path(rewriters.targets.__file__).parents[2] / "docs" / "rules"


@cache
def pages() -> dict[str, str]:
    """Path below `docs/rules` -> text."""
    found = {}
    for folder in sorted(
        path.parents[1] for path in Path(rewriters.targets.__file__).parent.glob("*/records/proof.json")
    ):
        coverage = Coverage(load_target(folder.name))
        counts = coverage.counts()
        found[f"{folder.name}.md"] = "\n".join(index(coverage))
        for name in counts:
            if counts[name].total() > counts[name][NOTHING]:
                found[f"{folder.name}/{page_of(name)}"] = "\n".join(page(name, coverage))
    return found


def page_of(name: str) -> str:
    return f"{name.replace(' ', '-')}.md"


def index(coverage: Coverage) -> Iterator[str]:
    """A target's first page."""
    title, counts = coverage.target.title, coverage.counts()
    yield f"# torch {table()['torch']} in {title}\n"
    yield "Made by `make docs` from the rules and from the records of their proof; `migrate rules` prints the same.\n"
    yield "A **rule** is written by hand and proved on PyTorch's own samples; **same**: the call is identical in the"
    yield "target, as the proof found on every sample; **refused**: a use is marked in the output, with the reason;"
    yield "**nothing**: there is no rule yet, and a use is marked. The families are of documented names; *undocumented*"
    yield "are the insides of torch and torchvision.\n"
    yield f"| family | names | {' | '.join(ANSWERS)} |"
    yield "|---|" + "--:|" * (1 + len(ANSWERS))
    for name, found in counts.items():
        shown = f"[{name}]({coverage.target.name}/{page_of(name)})" if found.total() > found[NOTHING] else name
        yield f"| {shown} | {found.total()} | {' | '.join(str(found[key]) for key in ANSWERS)} |"
    sums = [sum(found[key] for found in counts.values()) for key in ANSWERS]
    yield f"| all | {sum(sums)} | {' | '.join(map(str, sums))} |\n"
    yield f"Refused of the families' names, without torchvision and the last two: {coverage.refused()}.\n"
    yield "## What the proof comes to\n"
    totals = coverage.totals()
    for words, tally in totals.items():
        yield f"* {words}: {tally} agree"
    for words, total in coverage.ways_of_calling().items():
        yield f"* ways of calling {words}: {total}"
    failing = coverage.failing()
    yield f"* names of rules that fail on some of their samples: {len(failing)}; that no sample runs:"
    yield f"  {len(coverage.untried())}; that are not proved as they now stand: {len(coverage.unproved())}"
    if few := coverage.by_few():
        yield f"* names that were tried by the first samples of each kind alone, which are all that counts: {len(few)}"
    for words, tally in list(totals.items())[1:]:
        if tally.missing:
            yield f"\n## Not among the {words}\n"
            for name, reason in tally.missing.items():
                yield f"* `{name}`: {inline(reason)}"
    if failing:
        yield f"\n## The {min(WORST, len(failing))} that fail on most\n"
        for name in failing[:WORST]:
            record = coverage.records[name]
            calls = record.failed + record.passed
            yield f"* `{name}`, {record.failed} of {calls} calls, the first: {inline(record.first)}"
    yield ""


def page(chosen: str, coverage: Coverage) -> Iterator[str]:
    """The page of a family."""
    names: dict[str, list[str]] = defaultdict(list)
    for name in coverage.names(chosen):
        names[answer(name, coverage.book)].append(name)
    yield f"# {chosen} in {coverage.target.title}\n"
    yield ", ".join(f"{len(names[key])} {key}" for key in ANSWERS) + f"; [all families](../{coverage.target.name}.md)\n"
    yield from rules(names[RULE], coverage)
    yield from same(names[SAME], coverage)
    yield from refused(names[REFUSED], coverage)
    if names[NOTHING]:
        yield "## Nothing yet\n"
        yield ", ".join(f"`{name}`" for name in names[NOTHING]) + "\n"


def rules(names: list[str], coverage: Coverage) -> Iterator[str]:
    """Rules, those that answer for several names once; then what was checked under each name."""
    groups: dict[tuple[int, ...], list[str]] = defaultdict(list)
    aliases = []
    for name in names:
        found = coverage.book.rules.get(name)
        if found:
            groups[tuple(id(rule.written) for rule in found)].append(name)
        else:
            aliases.append(name)
    if names:
        yield "## Rules\n"
    for group in groups.values():
        for name in group:
            yield f"**`{name}{signature(entry(name))}`**  "
        yield f"{coverage.book.rules[group[0]][0].file.name}\n"
        yield "```python"
        for rule in coverage.book.rules[group[0]]:
            yield text_of(rule, coverage.book)
        yield "```\n"
        yield from call(group, coverage)
        for name in group:
            for parameter, layout in coverage.book.layouts.get(name, {}).items():
                yield f"* {parameter}: {layout.describe() or 'the same'}"
            record = coverage.record(name)
            said = of_record(record) if record else ["not proved as it now stands"]
            if ways := coverage.called(name):
                said.append(f"called: {ways}")
            yield f"* {f'`{name}`: ' if len(group) > 1 else ''}{'; '.join(map(plain, said))}"
        yield ""
    if aliases:
        yield "### Other names for the same\n"
        yield from (f"* `{name}`: `{coverage.book.aliases[name]}`" for name in aliases)
        yield ""


def call(group: list[str], coverage: Coverage) -> Iterator[str]:
    """One call that these rules answer for, and what became of it."""
    shown = [record.example for name in group if (record := coverage.record(name)) and record.example]
    if shown:
        before, after = map(inline, shown[0])
        yield f"{before} → {after}\n" if before != after else f"{before} stays\n"


def same(names: list[str], coverage: Coverage) -> Iterator[str]:
    """What is identical, and on how many calls; only those with something to say have a line of their own."""
    if not names:
        return
    yield "## The same\n"
    generated = coverage.same
    told = []
    for name in names:
        record = coverage.record(name)
        count = record.passed if record else generated["names"].get(name, 0)
        notes = [f"never given: {', '.join(generated['unproved'][name])}"] if name in generated["unproved"] else []
        notes += [f"left out: {', '.join(generated['caveats'][name])}"] if name in generated["caveats"] else []
        notes += [f"raises: {generated['limits'][name]}"] if name in generated["limits"] else []
        if notes:
            told.append(f"* `{name}`: {count} calls; {'; '.join(map(plain, notes))}")
        else:
            yield f"`{name}` {count} calls,"
    yield ""
    yield from told
    yield ""


def refused(names: list[str], coverage: Coverage) -> Iterator[str]:
    """What is refused, by reason."""
    reasons: dict[str, list[str]] = defaultdict(list)
    for name in names:
        reasons[coverage.book.refusals[name]].append(name)
    if reasons:
        yield "## Refused\n"
    for reason, those in reasons.items():
        yield f"* {', '.join(f'`{name}`' for name in those)}: {plain(reason)}"
    if reasons:
        yield ""


def inline(text: str) -> str:
    """Text from a run as code."""
    fence = "``" if "`" in text else "`"
    return f"{fence}{' '.join(text.split())}{fence}"


def plain(text: str) -> str:
    """Text that is not read as markup: what stands after "the first:" is code."""
    text = " ".join(text.split())
    for mark in ("the first: ", "first: "):
        head, found, tail = text.partition(mark)
        if found:
            return f"{head}{found}{inline(tail)}"
    return text.replace("*", r"\*").replace("_", r"\_").replace("<", r"\<")


def write(folder: Path = DOCS) -> int:
    """Write all pages, aside and renamed; the number of them."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".rules-", dir=folder.parent) as name:
        aside = Path(name) / folder.name
        found = pages()
        for path, text in found.items():
            (aside / path).parent.mkdir(parents=True, exist_ok=True)
            (aside / path).write_text(text, encoding="utf-8")
        if folder.exists():
            shutil.move(folder, Path(name) / "old")
        aside.rename(folder)
    return len(found)


def stale(folder: Path = DOCS) -> list[str]:
    """Pages that are not as they would be written now."""
    now = pages()
    there = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.md")}
    return sorted(path for path in {*now, *there} if now.get(path) != there.get(path))


if __name__ == "__main__":
    print(f"{write()} pages -> {DOCS}")
