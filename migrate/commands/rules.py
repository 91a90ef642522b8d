"""``migrate rules``: what is converted, by what, and what it was checked on."""

from __future__ import annotations

import ast
from collections import Counter
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table

from migrate import proof_record, proof_store
from migrate.convert.settings import DEFAULT_TARGET
from migrate.errors import Unusable
from migrate.proof_record import Record
from rewriters.rulebook import Rule, Rulebook, load_rulebook
from rewriters.source.table import canonical, entry, table
from rewriters.target import Target, UnknownTarget, load_target

# The longest that fits is a name's family; in this order in the table.
FAMILIES = (
    "torch", "torch.Tensor", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.utils", "torch.optim",
    "torch.optim.lr_scheduler", "torch.utils.data", "torch.linalg", "torch.fft", "torch.special", "torch.distributions",
    "torch.cuda", "torch.autograd", "torch.distributed", "torch.jit",
)  # fmt: skip
OTHER = "other modules"
ANSWERS = ("rule", "same", "refused", "nothing")


def command(
    api: Annotated[
        str | None, typer.Argument(help="A torch name: torch.max, torch.Tensor.view.", metavar="API")
    ] = None,
    to: Annotated[str, typer.Option("--to", metavar="TARGET", help="The framework.")] = DEFAULT_TARGET,
) -> None:
    """What of torch is converted to a target, and what each rule was checked on.

    Without API: torch's public names by family, counted by what answers for them. A **rule** is written by hand and
    proved on PyTorch's own samples; **same** means that the proof found every sample to be identical in the target;
    **refused** names are marked in the output with the reason; for **nothing** there is no rule yet, and a use of it is
    marked.

    Example:

        migrate rules --to paddle

        migrate rules torch.max --to paddle
    """
    try:
        target = load_target(to)
    except UnknownTarget as error:
        raise Unusable(str(error), "give one of these, or the path of a target's folder, with --to") from None
    book = load_rulebook(target.folder)
    console = Console()
    if api is None:
        console.print(families(book, target))
        console.print(summary(book, target))
    else:
        one(canonical(api), book, target, console)


def family(name: str) -> str:
    """The family that a name is counted in."""
    owner = name.rpartition(".")[0]
    return owner if owner in FAMILIES else OTHER


def answer(name: str, book: Rulebook) -> str:
    """What answers for a name: rule, same, refused, nothing."""
    if name in book.rules or name in book.aliases:
        return "rule"
    if name in book.same:
        return "same"
    return "refused" if name in book.refusals else "nothing"


def families(book: Rulebook, target: Target) -> Table:
    """Torch's public names by family."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in (*FAMILIES, OTHER)}
    for name in table()["names"]:
        counts[family(name)][answer(name, book)] += 1
    shown = Table(title=f"torch {table()['torch']} to {target.title}", title_justify="left")
    shown.add_column("family")
    for heading in ("names", *ANSWERS):
        shown.add_column(heading, justify="right")
    total: Counter[str] = Counter()
    for name, found in counts.items():
        total += found
        shown.add_row(name, *(str(n) for n in (found.total(), *(found[key] for key in ANSWERS))))
    shown.add_section()
    shown.add_row("all", *(str(n) for n in (total.total(), *(total[key] for key in ANSWERS))))
    return shown


def summary(book: Rulebook, target: Target) -> str:
    """How the rules stand to their proof."""
    records = proof_store.read(target)
    names = proof_record.declared(book, target.folder)
    stale = [n for n in names if n in records and records[n].digest != proof_record.digest(book, n, target)]
    proved = [n for n in names if n in records and n not in stale and records[n].passed and not records[n].failed]
    failing = [n for n in names if n in records and n not in stale and records[n].failed]
    untried = len(names) - len(stale) - len(proved) - len(failing)
    calls = sum(records[n].passed for n in proved)
    lines = [f"{len(names)} names that rule files answer for: {len(proved)} agree on all their samples ({calls} calls)"]
    lines.append(f"{len(failing)} fail on some, {untried} no sample calls, {len(stale)} changed since they were proved")
    if failing:
        lines.append("fail on some: " + ", ".join(failing))
    return "\n".join(lines)


def one(name: str, book: Rulebook, target: Target, console: Console) -> None:
    """One name: torch's signature, what becomes of it, what was checked and what was not. Raises Unusable."""
    known = entry(name)
    if known is None and not book.answers(name):
        raise Unusable(f"torch {table()['torch']} has no public {name}", close_names(name))
    console.print(f"[bold]{name}[/bold]{signature(known)}", highlight=False)
    found = answer(name, book)
    if found == "nothing":
        console.print(f"{target.title}: no rule yet; a use of it is marked in the output")
    elif found == "refused":
        console.print(f"{target.title}: refused. {book.refusals[name]}")
    elif name in book.aliases:
        console.print(f"{target.title}: {book.aliases[name]}")
    elif found == "same":
        console.print(f"{target.title}: the same")
    for rule in book.rules.get(name, []):
        console.print(f"\n{rule.where}", style="dim")
        console.print(Syntax(text_of(rule, book), "python", background_color="default"))
    for parameter, layout in book.layouts.get(name, {}).items():
        console.print(f"{parameter}: {layout.describe() or 'the same'}")
    evidence(name, book, target, console)


def evidence(name: str, book: Rulebook, target: Target, console: Console) -> None:
    """What the proof says."""
    record = proof_store.read(target).get(name)
    generated = proof_store.same_table(target)
    if record is not None:
        show_record(record, record.digest != proof_record.digest(book, name, target), console)
    elif name in generated["names"] and answer(name, book) == "same":
        console.print(f"\nchecked: {generated['names'][name]} of PyTorch's own calls, all of which agree")
        for label, key in (("never given", "unproved"), ("raises in the target", "limits")):
            if name in generated[key]:
                found = generated[key][name]
                console.print(f"{label}: {', '.join(found) if isinstance(found, list) else found}", highlight=False)
    elif name in book.rules:
        console.print("\nnot proved yet")
    if name in generated["traps"] and name not in generated["names"]:
        console.print(f"\nthe same call in {target.title}: {generated['traps'][name]}", highlight=False)


def show_record(record: Record, stale: bool, console: Console) -> None:
    if stale:
        console.print("\nthe rule has changed since it was proved:")
    forms = ", ".join(f"{count} {kind}" for kind, count in record.forms.items())
    console.print(f"\nchecked: {record.passed} calls agree ({forms}), {record.gradients} of them with their gradients")
    if record.failed:
        console.print(f"fails: {record.failed}, the first: {record.first}", highlight=False)
    if record.marked:
        console.print(f"marked: {record.marked} calls that the rule does not take")
    if record.limits:
        console.print(f"raises in the target: {record.limits}, the first: {record.limit}", highlight=False)
    if record.unexercised:
        console.print(f"never given: {', '.join(record.unexercised)}")
    for caveat in record.caveats:
        console.print(f"left out: {caveat}")
    if not record.passed and not record.failed:
        console.print("no sample calls it")


def signature(known: dict[str, Any] | None) -> str:
    """Torch's parameters, where they are known."""
    if not known or "parameters" not in known:
        return "" if not known or known["kind"] not in {"function", "method"} else "(...)"
    return "(" + ", ".join(known["parameters"]) + ")"


def text_of(rule: Rule, book: Rulebook) -> str:
    """The rule as its file has it, decorators and all."""
    lines = book.sources[rule.file].split("\n")
    decorators: list[ast.expr] = rule.node.decorator_list
    first = min([rule.node.lineno, *(decorator.lineno for decorator in decorators)])
    return "\n".join(lines[first - 1 : rule.node.end_lineno])


def close_names(name: str) -> str:
    """Names that may have been meant."""
    last = name.rpartition(".")[2]
    found = [other for other in table()["names"] if other.rpartition(".")[2] == last][:5]
    return f"perhaps {', '.join(found)}" if found else "give a dotted name, e.g. torch.max or torch.Tensor.view"
