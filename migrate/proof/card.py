"""One torch name as `migrate rules torch.max` shows it: signature, what becomes of it, what was checked."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.syntax import Syntax

from migrate.errors import Unusable
from migrate.proof.coverage import NOTHING, REFUSED, SAME, Coverage, answer
from migrate.proof.record import Record
from rewriters.rules.rulebook import Rule, Rulebook
from rewriters.torch.table import entry, table


@dataclass
class Card:
    """What is known of one name.

    says:     what becomes of it, in a sentence; "" where a rule says it.
    rules:    (file:line, text) of each overload.
    layouts:  parameter -> how its layout changes.
    evidence: what the proof says, a line for each thing.
    """

    name: str
    signature: str
    says: str
    rules: list[tuple[str, str]]
    layouts: dict[str, str]
    evidence: list[str]


def card(name: str, coverage: Coverage) -> Card:
    """Raises KeyError for a name that torch does not have."""
    book, title = coverage.book, coverage.target.title
    known = entry(name)
    if known is None and not book.answers(name) and name not in book.rules:
        raise KeyError(name)
    found = answer(name, book)
    says = ""
    if found == NOTHING:
        says = f"{title}: no rule yet; a use of it is marked in the output"
    elif found == REFUSED:
        says = f"{title}: refused. {book.refusals[name]}"
    elif name in book.aliases:
        says = f"{title}: {book.aliases[name]}"
    elif found == SAME:
        says = f"{title}: the same"
    rules = [(rule.where, text_of(rule, book)) for rule in book.rules.get(name, [])]
    layouts = {parameter: layout.describe() or "the same" for parameter, layout in book.layouts.get(name, {}).items()}
    return Card(name, signature(known), says, rules, layouts, evidence(name, coverage))


def show(name: str, coverage: Coverage, console: Console) -> None:
    """Print it. Raises Unusable for a name that torch does not have."""
    try:
        known = card(name, coverage)
    except KeyError:
        raise Unusable(f"torch {table()['torch']} has no public {name}", close_names(name)) from None
    console.print(f"[bold]{name}[/bold]{known.signature}", highlight=False)
    if known.says:
        console.print(known.says)
    for where, text in known.rules:
        console.print(f"\n{where}", style="dim")
        console.print(Syntax(text, "python", background_color="default"))
    for parameter, layout in known.layouts.items():
        console.print(f"{parameter}: {layout}")
    if known.evidence:
        console.print("\n" + "\n".join(known.evidence), highlight=False, markup=False)


def evidence(name: str, coverage: Coverage) -> list[str]:
    """What the proof says, a line for each thing."""
    book = coverage.book
    lines = [f"a little different: {book.notes[name]}"] if name in book.notes else []
    generated = coverage.same
    if any(rule.file in coverage.rules for rule in book.rules.get(name, ())):
        return [*lines, "the project's own rule: there is no proof of it"]
    record = coverage.records.get(name) if name in coverage.declared else None
    if record is not None:
        if coverage.is_stale(name):
            lines.append("the rule has changed since it was proved:")
        elif record.example:
            lines += [f"{word} {text}" for word, text in zip(("before:", "after: "), record.example, strict=True)]
        lines += of_record(record)
    elif name in generated["names"] and answer(name, book) == SAME:
        lines.append(f"checked: {generated['names'][name]} of PyTorch's own calls, all of which agree")
        for label, key in (("never given", "unproved"), ("raises in the target", "limits"), ("left out", "caveats")):
            if name in generated[key]:
                found = generated[key][name]
                lines.append(f"{label}: {', '.join(found) if isinstance(found, list) else found}")
    elif name in book.rules:
        lines.append("not proved yet")
    if ways := coverage.called(name):
        lines.append(f"called: {ways}" + (f"; the first: {ways.first}" if ways.first else ""))
    if name in generated["traps"] and name not in generated["names"]:
        lines.append(f"the same call in {coverage.target.title}: {generated['traps'][name]}")
    return lines


def of_record(record: Record) -> list[str]:
    if not record.passed and not record.failed and not record.limits:
        return ["no sample calls it"]
    forms = ", ".join(f"{count} {kind}" for kind, count in record.forms.items())
    lines = [f"checked: {record.passed} calls agree ({forms}), {record.gradients} of them with their gradients"]
    kinds = [f"{counts[0]} of {sum(counts)} {kind}" for kind, counts in record.tried.items()]
    if kinds:
        lines.append(f"by kind of sample: {', '.join(kinds)}")
    if record.few:
        lines.append(f"tried by the first {record.few} samples of each kind alone")
    if record.composed:
        lines.append(
            f"composed: {record.composed[0]} of {sum(record.composed[:2])} agree, {record.composed[2]} are refused"
        )
    if record.uncomposed:
        lines.append(f"fails where composed, the first: {record.uncomposed}")
    if record.failed:
        lines.append(f"fails: {record.failed}, the first: {record.first}")
    if record.marked:
        lines.append(f"marked: {record.marked} calls that the rule does not take")
    if record.limits:
        lines.append(f"raises in the target: {record.limits}, the first: {record.limit}")
    if record.unexercised:
        lines.append(f"never given: {', '.join(record.unexercised)}")
    return [*lines, *(f"left out: {caveat}" for caveat in record.caveats)]


def signature(known: dict[str, Any] | None) -> str:
    """Torch's parameters, where they are known."""
    if not known or "parameters" not in known:
        return "" if not known or known["kind"] not in {"function", "method"} else "(...)"
    return "(" + ", ".join(known["parameters"]) + ")"


def text_of(rule: Rule, book: Rulebook) -> str:
    """The rule as its file has it, decorators and all; of a family, this member's."""
    lines = book.files[rule.file].text_around(rule.written).split("\n")
    decorators: list[ast.expr] = rule.written.decorator_list
    first = min([rule.written.lineno, *(decorator.lineno for decorator in decorators)])
    return "\n".join(lines[first - 1 : rule.written.end_lineno])


def close_names(name: str) -> str:
    """Names that may have been meant."""
    last = name.rpartition(".")[2]
    found = [other for other in table()["names"] if other.rpartition(".")[2] == last][:5]
    return f"perhaps {', '.join(found)}" if found else "give a dotted name, e.g. torch.max or torch.Tensor.view"
