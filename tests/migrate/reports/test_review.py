"""The page of a conversion, as a reviewer walks through it in headless Chromium."""

from __future__ import annotations

import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from migrate.convert.run import convert_project
from migrate.convert.walk import find_files
from migrate.proof.coverage import Coverage
from migrate.reports.review import Review, to_html
from rewriters.target import load_target

EVIL = "</script><script>window.evil=1</script><img src=x onerror=window.evil=1>"
MODEL = f'''\
"""A small network. {EVIL} <!-- 'single' "double" `back` ${{x}} &amp; -->"""

import torch
import torch.nn as nn
from other import helper


class Net(nn.Module):  # {EVIL}
    def __init__(self, width: int):
        super().__init__()
        self.fc = nn.Linear(width, 2, bias=False)
        self.note = "line\u2028separator \u202e reversed \\ud800 \U0001f600 {EVIL}"

    def forward(self, x: torch.Tensor, y):
        z = torch.cat([self.fc(x), x], dim=1)
        w = y.view(1)
        s = x.symeig()
        s = x.symeig()
        return torch.parse_ir("{EVIL}"), z.view(2, 3).permute(1, 0)
'''
LONG = (
    "import torch\n\n\n"
    + "".join(f"def f{i}(a):\n    return a + {i}\n\n\n" for i in range(1200))
    + ("def last(x: torch.Tensor):\n    return torch.cat([x, x], dim=0)\n")
)
NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": "# Title"},
        {"cell_type": "code", "metadata": {}, "execution_count": 1, "outputs": [], "source": "%time 1\nimport torch"},
        {"cell_type": "code", "metadata": {}, "execution_count": 2, "outputs": [], "source": "torch.parse_ir('a')"},
    ],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}
FILES = {
    b"model.py": MODEL.encode(),
    b"other.py": b"import torch\n\n\ndef helper(a):\n    return a.reshape(1)\n\n\ndef kind(b):\n    return b.layout\n",
    b"plain.py": b"x = 1\n",
    b"broken.py": f"import torch\n\n\ndef f(:  # {EVIL}\n".encode(),
    b"long.py": LONG.encode(),
    b"latin.py": "# -*- coding: latin-1 -*-\nimport torch\n\nname = 'caf\u00e9'\nx = torch.ones(2)\n".encode("latin-1"),
    b"dos.py": b"import torch\r\nx = torch.ones(2)\r\ny = torch.cat([x, x], dim=0)\r\n",
    b"odd/a 'b' \"c\" <i>&amp;%41#1:2.py": b"import torch\nx = torch.ones(1)\n",
    b"odd/bytes\xff.py": b"import torch\nx = torch.ones(1)\n",
    b"requirements.txt": b"numpy\ntorch\ntorchaudio\n",
    b"notes.ipynb": json.dumps(NOTEBOOK).encode(),
}
WANTED = {"failed": 1, "unknown-differs": 1, "marked": 5}
CALM = {"unknown-same": 1}  # not walked through until it is asked for


@pytest.fixture(scope="module")
def conversion(tmp_path_factory):
    """What came out of a project that means to break the page, and the file that the page is in."""
    folder = tmp_path_factory.mktemp("review")
    root = folder / f"net {EVIL.replace('/', '|')}"[:120]
    for name, data in FILES.items():
        path = Path(os.fsdecode(os.fsencode(root) + b"/" + name))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    target = load_target("paddle")
    result = convert_project(find_files(root), target, (), 1, lambda name: None)
    told = [f"stands on torch: {EVIL}"]
    review = Review(result, target, Coverage(target), root.name, str(root), told, [f"fails: {EVIL}"])
    file = folder / "review.html"
    file.write_text(to_html(review), encoding="utf-8")
    return result, file


@pytest.fixture
def shown(conversion, opened):
    """The page in a wide window; it must have asked for nothing, and complained of nothing, in the end."""
    page, said = opened(conversion[1])
    page.wait_for_function("() => document.querySelector('.progress').textContent")
    yield page
    assert said == []
    assert page.evaluate("window.evil") is None


def sites(result):
    return {
        report.path: [s for s in report.sites if s.outcome in ("marked", "differs", "unknown") and s.risk != "same"]
        for report in result.conversion.reports
    }


# Texts whose contrast with what is behind them is below 4.5, which WCAG's level AA asks for.
HARD_TO_READ = """() => {
    const shade = (text) => {
        const found = text.match(/[\\d.]+/g).map(Number);
        return found.length > 3 && !found[3] ? null : found;
    };
    const linear = (v) => v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4;
    const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    const behind = (e) => shade(getComputedStyle(e).backgroundColor) ?? behind(e.parentElement);
    const poor = new Set();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walk.nextNode()); ) {
        const e = node.parentElement;
        if (!node.textContent.trim() || !e.checkVisibility() || e.closest("script, .hidden")) continue;
        const [a, b] = [light(shade(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
        const ratio = (a + 0.05) / (b + 0.05);
        if (ratio < 4.5) poor.add(`${ratio.toFixed(2)} ${e.outerHTML.slice(0, 90)}`);
    }
    return [...poor];
}"""


class Checker(HTMLParser):
    """Tags are closed in the order in which they were opened; nothing is loaded from elsewhere."""

    def __init__(self):
        super().__init__()
        self.open, self.scripts = [], 0

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            assert name != "src", tag
            assert not name.startswith("on"), (tag, name)
            assert name != "href" or value.startswith(("#", "data:")), value
        if tag == "script" and dict(attrs).get("type") != "text/plain":
            self.scripts += 1
        if tag not in ("meta", "link", "br", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_one_file_that_holds_no_foreign_markup(conversion):
    text = conversion[1].read_text(encoding="utf-8")
    checker = Checker()
    checker.feed(text)
    assert checker.open == []
    assert checker.scripts == 1
    assert "<img" not in text
    assert "url(" not in text
    assert "@import" not in text
    assert "default-src 'none'; script-src 'sha256-" in text.replace("&#39;", "'")


def test_the_first_page_says_what_is_left(shown, conversion):
    counts = {}
    for row in shown.locator(".kinds tbody tr").all():
        counts[row.locator("a").get_attribute("data-kind")] = int(row.locator("td").nth(1).inner_text())
    assert counts == {**WANTED, **CALM}
    assert list(counts) == [*WANTED, *CALM], "the riskiest first"
    assert shown.locator("#overview h1").inner_text().startswith("net </script>".replace("/", "|"))
    assert EVIL in shown.locator("#overview").inner_text()
    shown.click("#overview .reasons a >> text=broken.py:4")
    shown.wait_for_selector("#file h1 >> text=broken.py")


def columns(shown):
    """The two texts of the file that is shown, all lines."""
    shown.keyboard.press("e")
    texts = """side => [...document.querySelectorAll(`#file .row > .text.${side}:not(.none)`)].map(cell => {
        const found = cell.cloneNode(true);
        for (const node of found.querySelectorAll(".control"))
            node.textContent = String.fromCharCode(parseInt(node.textContent.slice(2), 16));
        return found.textContent;
    })"""
    return shown.evaluate(texts, "old"), shown.evaluate(texts, "new")


def test_both_texts_are_shown_as_they_are(shown, conversion):
    result, _ = conversion
    listed = shown.evaluate("index.files.map(file => file.path)")
    names = [name for name in FILES if name.endswith(b".py") and name != b"plain.py"]
    for name in names:
        key, encoding = os.fsdecode(name), "latin-1" if b"latin" in name else "utf-8"
        path = key.encode("utf-8", "backslashreplace").decode()
        assert path in listed
        shown.evaluate("path => { location.hash = addressOf(path) }", path)
        shown.wait_for_function("path => document.querySelector('#file h1')?.textContent === path", arg=path)
        old, new = columns(shown)
        before, after = result.originals[key], result.output.texts.get(key, result.originals[key])
        assert old == re.split("\r\n|\n", before.decode(encoding).rstrip("\r\n"))
        assert new == re.split("\r\n|\n", after.decode(encoding).rstrip("\r\n"))


def test_what_changed_is_marked_word_by_word(shown):
    shown.evaluate("location.hash = '#dos.py:3'")
    shown.wait_for_selector("#file .here")
    row = shown.locator("#file .here")
    assert row.locator(".old mark").all_inner_texts() == ["torch", "cat", "dim"]
    assert row.locator(".new mark").all_inner_texts() == ["paddle", "concat", "axis"]


def test_walking_visits_every_site_and_progress_is_kept(shown, conversion, opened):
    result, file = conversion
    total = sum(WANTED.values())
    visited = []
    for number in range(total):
        shown.keyboard.press("j")
        shown.wait_for_selector(f"#panel .where >> text={number + 1} of {total}")
        kind = shown.evaluate("here.look.kind")
        visited.append((shown.evaluate("index.files[here.look.file].path"), shown.evaluate("here.look.line"), kind))
        assert shown.locator("#file .here").is_visible()
        assert shown.locator("#looks [aria-current]").is_visible()
    order = [kind for _, _, kind in visited]
    assert order == sorted(order, key=list(WANTED).index)
    assert len(set(visited)) == total
    assert {path for path, _, _ in visited} == {p for p, found in sites(result).items() if found} | {"broken.py"}
    shown.keyboard.press("j")  # and around
    shown.wait_for_selector(f"#panel .where >> text=1 of {total}")

    shown.keyboard.press("r")
    shown.wait_for_selector(f"#panel .where >> text=2 of {total}")
    shown.keyboard.press("j")
    shown.wait_for_selector(f"#panel .where >> text=3 of {total}")
    assert shown.locator(".progress").inner_text().startswith(f"reviewed: 1 of {total} sites")
    shown.keyboard.press("v")
    again, _ = opened(file, context=shown.context)
    again.wait_for_function("() => document.querySelector('.progress').textContent.includes('sites, 1 of ')")
    assert again.locator(".progress").inner_text().startswith(f"reviewed: 1 of {total} sites")


def test_all_sites_of_a_reason_at_once(shown):
    shown.fill("#filter", "symeig")
    shown.wait_for_function("() => document.querySelectorAll('#looks .group').length === 1")
    assert shown.locator("#looks .item").count() == 2
    shown.keyboard.press("Enter")
    shown.wait_for_selector("#panel .where >> text=1 of 2")
    shown.keyboard.press("g")
    shown.wait_for_function("() => document.querySelector('.progress').textContent.startsWith('reviewed: 2 of')")
    assert shown.locator("#looks .count").inner_text() == "2/2"
    shown.locator(".choice >> text=hide reviewed").click()
    assert shown.locator("#looks .item:not([aria-current])").count() == 0


def test_a_site_shows_its_rule_and_its_proof(shown):
    line = MODEL.split("\n").index("        z = torch.cat([self.fc(x), x], dim=1)") + 1
    shown.click("#tab-files")
    shown.click("#files a.item >> text=model.py")
    shown.click(f"[data-site='{line}']")
    panel = shown.locator("#panel")
    shown.wait_for_selector("#panel .found.inlined")
    text = panel.inner_text()
    assert "inlined" in text
    assert "torch.cat" in text
    assert re.search(r"Rule applied here: joining\.py:\d+", text)
    assert "paddle.concat(tensors, axis=dim)" in text
    assert re.search(r"checked: [\d,]+ calls agree", text)
    assert shown.evaluate("location.hash") == f"#model.py:{line}"


def test_an_unknown_site_says_what_it_would_be(shown):
    shown.evaluate("location.hash = '#other.py:5'")
    shown.wait_for_selector("#panel .found.unknown-same")
    text = shown.locator("#panel").inner_text()
    assert "same if a tensor" in text
    assert "If it is a tensor, this is torch.Tensor.reshape" in text
    assert "the parameter helper.a (other.py:4) decides" in text
    shown.evaluate("location.hash = '#other.py:9'")
    shown.wait_for_selector("#panel .found.unknown-differs")
    assert "silent if a tensor" in shown.locator("#panel").inner_text()


def test_what_is_the_same_either_way_is_walked_to_when_it_is_asked_for(shown):
    total = sum(WANTED.values())
    assert f"0 of {total} sites" in shown.locator(".progress").inner_text()
    shown.locator(".choice >> text=same if a tensor").click()
    shown.keyboard.press("k")
    shown.wait_for_selector(f"#panel .where >> text={total + 1} of {total + 1}")
    assert shown.evaluate("here.look.kind") == "unknown-same"


def test_notebooks_and_files_of_dependencies(shown):
    shown.evaluate("location.hash = '#notes.ipynb'")
    shown.wait_for_selector("#file h1 >> text=notes.ipynb")
    old, new = columns(shown)
    assert old == ["# cell 2", "%time 1", "import torch", "# cell 3", "torch.parse_ir('a')"]
    assert new[1] == "%time 1"
    assert shown.locator("[data-site='5'].marked").is_visible()
    shown.evaluate("location.hash = '#requirements.txt:3'")
    shown.wait_for_selector("#panel .found.marked")


def test_a_long_file_is_drawn_as_far_as_it_is_looked_at(shown):
    shown.evaluate("location.hash = '#long.py'")
    shown.wait_for_selector("#file .fold")
    assert shown.locator("#file .row").count() < 20
    shown.evaluate("location.hash = '#long.py:2400'")
    shown.wait_for_selector("#file .here")
    assert shown.locator("#file .here .text.old").inner_text() == LONG.splitlines()[2399]


@pytest.mark.parametrize("width", [1500, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_sticks_out_and_all_can_be_read(conversion, opened, width, scheme):
    page, said = opened(conversion[1], width, scheme)
    page.wait_for_function("() => document.querySelector('.progress').textContent")
    for path in ("", "#model.py", "#model.py:17", "#other.py:5", "#broken.py:4"):
        page.evaluate("path => { location.hash = path }", path)
        page.wait_for_timeout(100)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("document.querySelector('main').scrollWidth <= document.querySelector('main').clientWidth")
        assert page.evaluate(HARD_TO_READ) == [], path
    assert said == []
    if width < 900:
        assert not page.locator("nav").is_visible()
        page.click("[data-does=side]")
        assert page.locator("nav").is_visible()
        page.locator("#looks .item[aria-current]").click()
        assert not page.locator("nav").is_visible()


def test_keys_are_listed_and_do_not_act_while_one_types(shown):
    shown.keyboard.press("?")
    text = shown.locator("#help").inner_text()
    listed = set(shown.locator("#help kbd").all_inner_texts())
    assert listed | {"?"} == {*shown.evaluate("Object.keys(KEYS)"), "?", "Esc"} - {"Escape"}
    assert "kept in this browser" in text
    shown.keyboard.press("Escape")
    shown.fill("#filter", "")
    shown.keyboard.type("jr")
    assert shown.evaluate("here.look") is None


def test_a_browser_that_keeps_nothing(conversion, browser):
    context = browser.new_context()
    context.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('denied') }})")
    page = context.new_page()
    page.goto(conversion[1].as_uri())
    page.wait_for_function("() => document.querySelector('.progress').textContent")
    page.keyboard.press("j")
    page.wait_for_selector("#panel .where")
    page.keyboard.press("r")
    page.wait_for_function("() => document.querySelector('.progress').textContent.startsWith('reviewed: 1 of')")
    page.keyboard.press("?")
    assert "does not let the page keep" in page.locator("#help").inner_text()
    context.close()


def test_without_scripts_the_first_page_still_tells(conversion, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(conversion[1].as_uri())
    assert page.locator(".reasons >> text=torch.parse_ir").first.is_visible()
    context.close()
