"""``migrate rules``: what is converted, by what, and what it was checked on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from migrate.convert.settings import DEFAULT_TARGET
from migrate.errors import Unusable
from migrate.proof.card import show
from migrate.proof.coverage import ANSWERS, GROUPS, NOTHING, WORST, Coverage, answer, family
from migrate.reports.rules_page import to_html
from migrate.reports.screen import screen
from migrate.reports.web import check_page, write_page
from rewriters.rules.layouts import layouts
from rewriters.target import UnknownTarget, load_target
from rewriters.torch.table import canonical, table


def command(
    api: Annotated[
        str | None, typer.Argument(help="A torch name: torch.max, torch.Tensor.view.", metavar="API")
    ] = None,
    to: Annotated[str, typer.Option("--to", metavar="TARGET", help="The framework.")] = DEFAULT_TARGET,
    chosen: Annotated[
        str | None, typer.Option("--family", metavar="FAMILY", help="List each name of a family: torch.nn.")
    ] = None,
    missing: Annotated[bool, typer.Option("--missing", help="List the names that have no rule yet.")] = False,
    failures: Annotated[bool, typer.Option("--failures", help="List every failure, as it can be typed.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", metavar="FILE", help="Write a page with every name's rule and proof: to look things up."
        ),
    ] = None,
) -> None:
    """What of torch is converted to a target, and what each rule was checked on.

    Without API: torch's public names by family, counted by what answers for them, and what the proof on PyTorch's own
    samples comes to. A **rule** is written by hand and proved; **same** means that the proof found every sample to be
    identical in the target; **refused** names are marked in the output with the reason; for **nothing** there is no
    rule yet, and a use of it is marked. The families are of documented names; **undocumented** are torch's insides.

    Example:

        migrate rules --to paddle

        migrate rules torch.max --to paddle

        migrate rules --to paddle --family torch.nn --missing

        migrate rules --to paddle --html rules.html
    """
    try:
        target = load_target(to)
    except UnknownTarget as error:
        raise Unusable(str(error), "give one of these, or the path of a target's folder, with --to") from None
    if chosen is not None and chosen not in GROUPS:
        raise Unusable(f"no family {chosen!r}", f"give one of: {', '.join(GROUPS)}")
    if target.weights_only:
        raise Unusable(
            f"{target.title}: code is not rewritten to it, so it has no rules; carried are the weights of "
            + ", ".join(sorted(name for name in layouts(to).classes if name != "torch.nn.Module")),
            f"migrate weights CHECKPOINT --to {to} --model MODULE:CALLABLE",
        )
    coverage = Coverage(target)
    console = screen()
    if html is not None:
        if api or chosen or missing or failures or as_json:
            raise Unusable("--html writes a page of all names", "leave API and the other options away")
        check_page(html)
        write_page(html, to_html(coverage), console)
    elif as_json:
        print(json.dumps(described(coverage, api and canonical(api), chosen), indent=1, ensure_ascii=False))
    elif api is not None:
        show(canonical(api), coverage, console)
    elif missing:
        console.print("\n".join(absent(coverage, chosen)) or "nothing is missing", highlight=False)
    elif failures:
        console.print(failing(coverage, chosen))
    elif chosen is not None:
        console.print(listed(coverage, chosen))
    else:
        console.print(families(coverage))
        summary(coverage, console)


def absent(coverage: Coverage, chosen: str | None) -> list[str]:
    """Names that nothing answers for."""
    return [name for name in coverage.names(chosen) if answer(name, coverage.book) == NOTHING]


def families(coverage: Coverage) -> Table:
    """Torch's public names by family."""
    counts = coverage.counts()
    shown = Table(title=f"torch {table()['torch']} to {coverage.target.title}", title_justify="left")
    shown.add_column("family")
    for heading in ("names", *ANSWERS):
        shown.add_column(heading, justify="right")
    for name, found in counts.items():
        shown.add_row(name, *(str(n) for n in (found.total(), *(found[key] for key in ANSWERS))))
    shown.add_section()
    sums = [sum(found[key] for found in counts.values()) for key in ANSWERS]
    shown.add_row("all", str(sum(sums)), *map(str, sums))
    return shown


def summary(coverage: Coverage, console: Console) -> None:
    """How the rules stand to their proof: totals, and the worst."""
    for line in coverage.lines():
        console.print(line, highlight=False)
    failing = coverage.failing()
    if failing:
        console.print(f"\nthe {min(WORST, len(failing))} that fail on most (--failures lists all):", highlight=False)
        worst = Table(box=None, pad_edge=False, show_header=False)
        for name in failing[:WORST]:
            record = coverage.records[name]
            kinds = ", ".join(f"{counts[1]} {kind}" for kind, counts in record.tried.items() if counts[1])
            worst.add_row(name, f"{record.failed} of {record.failed + record.passed}", kinds)
        console.print(worst)


def failing(coverage: Coverage, chosen: str | None) -> Table:
    """Each name with failures: how many, on which samples, and the first as it can be typed."""
    shown = Table("name", "fails", "samples", "first", show_lines=True)
    for name in coverage.failing():
        if chosen is None or family(name) == chosen:
            record = coverage.records[name]
            calls = f"{record.failed} of {record.failed + record.passed}"
            shown.add_row(name, calls, Text("\n".join(record.failing)), Text(record.first))
    return shown


def listed(coverage: Coverage, chosen: str) -> Table:
    """The names of a family."""
    shown = Table("name", "answer", "calls that agree", "trouble")
    for name in coverage.names(chosen):
        how, agree = answer(name, coverage.book), coverage.agreeing(name)
        shown.add_row(name, how, str(agree or ""), Text(coverage.trouble(name)[:160]))
    return shown


def described(coverage: Coverage, api: str | None, chosen: str | None) -> dict[str, Any]:
    """The same as data: the totals, and each name with its answer and its record."""
    names = [api] if api else coverage.names(chosen)
    found: dict[str, Any] = {"torch": table()["torch"], "target": coverage.target.name}
    if not api:
        found["families"] = {name: dict(counts) for name, counts in coverage.counts().items()}
        found["totals"] = {words: vars(tally) for words, tally in coverage.totals().items()}
    found["names"] = {
        name: {
            "answer": answer(name, coverage.book),
            "trouble": coverage.trouble(name),
            **({"record": vars(record)} if (record := coverage.record(name)) else {}),
        }
        for name in names
    }
    return found
