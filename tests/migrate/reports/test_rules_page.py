"""The page of a target's rules in headless Chromium."""

from __future__ import annotations

import pytest

from migrate.proof.card import card
from migrate.proof.coverage import Coverage
from migrate.reports.rules_page import to_html
from rewriters.target import load_target


@pytest.fixture(scope="module")
def coverage():
    return Coverage(load_target("oneflow"))


@pytest.fixture(scope="module")
def file(coverage, tmp_path_factory):
    found = tmp_path_factory.mktemp("rules") / "rules.html"
    found.write_text(to_html(coverage), encoding="utf-8")
    return found


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (390, "dark")])
def test_names_are_found_and_shown(file, coverage, opened, width, scheme):
    page, said = opened(file, width, scheme)
    total = len(coverage.names())
    page.wait_for_selector(f".progress >> text={total:,} of {total:,} names")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    counts = coverage.counts()["torch.nn"]
    row = page.locator(".families tr", has=page.locator("[data-family='torch.nn']"))
    assert row.locator("td").first.inner_text() == str(counts.total())
    page.keyboard.press("/")
    page.keyboard.type("torch.cat")
    page.keyboard.press("Enter")
    page.wait_for_selector("#name h1 >> text=torch.cat")
    shown = page.locator("#name").inner_text()
    known = card("torch.cat", coverage)
    for where, text in known.rules:
        assert where in shown
        assert text in shown
    for line in known.evidence:
        line = line.replace("\x1b", "U+001B")  # what cannot be seen is shown by its number
        assert " ".join(line.split()) in " ".join(shown.split())
    page.evaluate("location.hash = 'torch.Tensor.view'")
    page.wait_for_selector("#name h1 >> text=torch.Tensor.view")
    assert said == []


def test_walking_a_family(file, coverage, opened):
    page, said = opened(file)
    page.wait_for_selector(".progress >> text=names")
    page.click("[data-family='torch.fft']")
    names = coverage.names("torch.fft")
    page.wait_for_selector(f"#name h1 >> text={names[0]}")
    page.keyboard.press("k")
    page.wait_for_selector(f"#name h1 >> text={names[-1]}")
    assert page.locator("#names [aria-current]").is_visible()
    assert page.locator("#names .item").count() == len(names)
    # One that stands far down the whole list is drawn when it is shown.
    page.select_option("#family", "")
    page.evaluate("location.hash = 'torch.jit.script'")
    page.wait_for_selector("#name h1 >> text=torch.jit.script")
    assert page.locator("#names [aria-current]").is_visible()
    assert said == []


def test_every_name_has_a_card(file, coverage, opened):
    page, _ = opened(file)
    page.wait_for_selector(".progress >> text=names")
    held = page.evaluate("unpack('cards').then((cards) => Object.keys(cards))")
    assert sorted(held) == sorted(coverage.names())
