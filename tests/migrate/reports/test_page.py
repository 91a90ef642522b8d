"""The page, as headless Chromium shows it on a desk and on a phone."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from migrate.reports.page import to_html
from migrate.reports.svg import linear_scale, log_scale

MADE = "2026-01-02T03:04:05+00:00"


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_in_a_browser(page, report, width, scheme):
    shown, said = page(to_html(report, MADE), width, scheme)
    assert [text for text in said if not text.startswith("data:")] == []
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    # Every word of the text column stands inside the window; what is wider scrolls by itself.
    outside = shown.evaluate(
        """() => [...document.querySelectorAll("h1, h2, h3, p, dd, summary, figure, .scroll, pre, .badge")]
        .filter(e => !e.closest("details:not([open])") && !e.parentElement.closest(".scroll, pre"))
        .filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"""
    )
    assert outside == []
    plots = shown.locator("figure svg")
    assert plots.count() == 4  # activations, gradients, the loss, parameters after the last step
    marks = [plots.nth(i).locator(".mark").count() for i in range(4)]
    assert marks == [97, 20, 30, 12]
    for selector in (".floor", ".limit", ".mark.differs", ".mark.warn", ".mark.alone", ".curve.torch", ".curve.target"):
        box = shown.locator(f"svg {selector}").first.bounding_box()
        assert box, selector
        assert max(box["width"], box["height"]) > 1, selector
    # Text in a plot is readable: 10 px or more, also on a phone, where the plot scrolls.
    size = shown.evaluate(
        "() => { const t = document.querySelector('svg text'); return t.getBoundingClientRect().height }"
    )
    assert size >= 9
    ink, paper = shown.evaluate(
        "() => { const s = getComputedStyle(document.body); return [s.color, s.backgroundColor] }"
    )
    assert ink != paper


def test_marks_stand_where_the_figures_say(page, report):
    shown, _ = page(to_html(report, MADE), 1280)
    plot = shown.locator("figure svg").first

    tops = plot.evaluate(
        """svg => Object.fromEntries([...svg.querySelectorAll("circle.mark, polygon.mark:not(.alone)")].map(
            e => [e.querySelector("title").textContent.split(":")[0], e.getBBox().y + e.getBBox().height / 2]))"""
    )
    rows = {row.name: row for row in report.entries[0].levels[1].rows if row.kind == "layer"}
    assert set(tops) == {*rows, "drop"}
    ranked = sorted(rows, key=lambda name: rows[name].error)
    heights = [tops[name] for name in ranked]
    assert heights == sorted(heights, reverse=True), "a larger error stands higher"


class Checker(HTMLParser):
    """Tags are closed in the order in which they were opened, and nothing is loaded from elsewhere."""

    VOID = ("meta", "link", "br")

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            assert name not in ("src", "onclick"), tag
            assert name != "href" or value.startswith(("#", "data:")), value
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_startendtag(self, tag, attrs):
        pass


def test_page_is_self_contained_and_escaped(report):
    text = to_html(report, MADE)
    checker = Checker()
    checker.feed(text)
    assert checker.open == []
    assert "url(" not in text
    assert "@import" not in text
    assert "net &amp; &lt;friends&gt;" in text
    assert "# &lt;b&gt;" in text
    assert "agrees when eps=1e-06" in text
    assert re.search(r'class="line here"><span class="number">118</span>', text)
    for words in ("shape: torch [8, 1], the target [8]", "did not end within 10 s", "no such name", "not be replayed"):
        assert words in text


def test_a_report_without_figures(report):
    report.entries = report.entries[2:]
    text = to_html(report, MADE)
    assert "<svg" not in text
    assert "failed: broken: Paddle: ImportError" in text
    assert text.count("Paddle (import) at m.py:3: ImportError: no such name") == 1


def test_scales():
    scale = log_scale([3e-8, 0.0, float("inf"), 2e-3], 200, 0)
    assert (scale.low, scale.high) == (1e-8, 1e-2)
    assert (scale(1e-8), scale(1e-2), scale(1e-5)) == (200, 0, pytest.approx(100))
    assert scale(0.0) == 200
    assert scale(float("inf")) == scale(float("nan")) == 0
    assert [text for _, text in scale.ticks()] == ["1e-8", "1e-7", "1e-6", "1e-5", "1e-4", "1e-3", "1e-2"]
    assert log_scale([], 1, 0).low < log_scale([], 1, 0).high
    constant = linear_scale([2.0, 2.0, float("nan")], 100, 0)
    assert constant(2.0) == pytest.approx(50)
