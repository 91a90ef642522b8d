"""Runs every way of calling (``checks.proof.sampling.forms``) and says what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from checks.proof.judge import AGREES, WRONG
from migrate import environments
from migrate.proof.record import digest
from migrate.proof.run import Proved, prove, workers
from migrate.proof.samples import FORMS, Form, entries
from migrate.proof.ways import Ways
from rewriters.report import Outcome
from rewriters.rules.layouts import layouts_of
from rewriters.rules.rulebook import Rulebook, load_rulebook
from rewriters.target import Target
from rewriters.torch.table import entry

OWN_ERRORS = ("NotImplementedError: ", "NotConvertedError: ")  # what a rule and the stand-in raise: they say what to do


def ways_of(rows: Iterable[Proved], book: Rulebook, target: Target) -> dict[str, Ways]:
    """Name -> what came of its forms."""
    found: dict[str, Ways] = {}
    for row in rows:
        ways = found.setdefault(row.form.key, Ways(digest(book, row.form.key, target)))
        word = row.form.sample.split(":", 2)[2]
        if row.verdict is None:
            marked = [f"{api}: {why}" for api, how, why in row.sites if how in {Outcome.MARKED, Outcome.UNKNOWN}]
            if row.blocked or marked:
                ways.refused.setdefault(row.blocked or marked[0], []).append(word)
            else:
                ways.errors[word] = f"{row.form.repro}: stays as it is"
        elif row.verdict.outcome == AGREES:
            ways.right += 1
        elif row.verdict.finding.startswith(OWN_ERRORS):
            ways.refused.setdefault(row.verdict.finding[:200], []).append(word)
        else:
            raised = row.verdict.finding.startswith("gradient: ") and ";" not in row.verdict.finding
            place = ways.wrong if row.verdict.outcome == WRONG and not raised else ways.errors
            place[word] = f"{row.form.repro}: {row.verdict.finding[:200]}"
    return found


def prove_ways(target: Target, names: Sequence[str], work: Path) -> list[Proved]:
    """Run the forms of these names, or of all, through the rewriter and the target."""
    book = load_rulebook(target.folder)
    forms = forms_of(names)
    interpreter = environments.find_interpreter(target.name)
    return prove(forms, target, interpreter, work, (), workers(), layouts_of(book, target)) if forms else []


def forms_of(names: Sequence[str]) -> list[Form]:
    """The forms of these names; of every name that torch has, where none is given."""
    wanted = {*names}
    found = (form for item in entries(wanted or None, [FORMS]) for form in item.forms())
    return [form for form in found if (form.key in wanted if wanted else entry(form.key) is not None)]
