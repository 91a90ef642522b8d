"""A target's rules as one HTML page: each torch name's rule, and what it was checked on."""

from __future__ import annotations

from dataclasses import asdict

import migrate
from migrate.proof.card import card
from migrate.proof.coverage import ANSWERS, Coverage, answer, family
from migrate.reports.web import packed, render
from rewriters.torch.table import table


def to_html(coverage: Coverage) -> str:
    counts = coverage.counts()
    names = [name for group in counts for name in coverage.names(group)]
    index = [
        [name, str(answer(name, coverage.book)), family(name), coverage.agreeing(name), coverage.trouble(name)]
        for name in names
    ]
    return render(
        "rules.html",
        ("base.css", "review.css", "rules.css"),
        ("code.js", "cards.js", "rules.js"),
        title=coverage.target.title,
        torch=table()["torch"],
        version=migrate.__version__,
        answers=ANSWERS,
        counts=counts,
        sums=[sum(found[key] for found in counts.values()) for key in ANSWERS],
        lines=coverage.lines(),
        index=packed(index),
        cards=packed({name: asdict(card(name, coverage)) for name in names}),
    )
