"""``migrate convert --html``: when a page is written, what is on it, and when the old one stays."""

from __future__ import annotations

import base64
import json
import os
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

from .conftest import BROKEN, MARKED, refused, write

RULE = """\
import torch

from rewriters.rule import rule


@rule(torch.cat)
def cat(tensors, dim=0):
    return mine(tensors, dim)
"""


def unpacked(page: Path, name: str) -> Any:
    found = re.search(rf'<script type="text/plain" id="{name}">([^<]*)</script>', page.read_text(encoding="utf-8"))
    assert found is not None
    return json.loads(zlib.decompress(base64.b64decode(found[1])))


def text_of(page: Path, path: str) -> dict[str, Any]:
    paths = [file["path"] for file in unpacked(page, "index")["files"]]
    return unpacked(page, f"text-{paths.index(path)}")


def test_a_project(convert, project: Path, tmp_path: Path) -> None:
    write(project, {"marked.py": MARKED, "broken.py": BROKEN})
    page = tmp_path / "pages" / "review.html"
    done = convert(project, "--to", "paddle", "-o", tmp_path / "out", "--html", page)
    assert done.code == 1
    assert f"wrote {page}" in done.err
    index = unpacked(page, "index")
    assert [(file["path"], file["status"]) for file in index["files"]] == [
        ("broken.py", "failed"),
        ("marked.py", "converted"),
        ("model.py", "converted"),
        ("paddle_helpers.py", "written"),
        ("requirements.txt", "converted"),
    ]
    assert [look[2:4] for look in index["looks"]] == [["failed", ""], ["marked", "torch.parse_ir"]]
    assert index["looks"][0][:2] == [0, 4]
    assert index["looks"][0][4] == "invalid syntax"
    assert "torch.cat" in unpacked(page, "cards")
    helper = (tmp_path / "out" / "paddle_helpers.py").read_text()
    assert text_of(page, "paddle_helpers.py")["hunks"] == [[0, 0, helper.splitlines()]]


@pytest.mark.framework
def test_pages_of_a_cached_run_and_of_several_processes_are_the_same(
    convert, project: Path, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setenv("MIGRATE_HOME", str(tmp_path / "home"))
    write(project, {f"m{i}.py": MARKED + f"# {i}\n" for i in range(8)})
    write(project, {"large.py": MARKED + "# filler\n" * 50_000})  # worth a second process
    pages = []
    for name, jobs in (("one", 2), ("two", 1), ("three", 2)):
        if name == "three":
            monkeypatch.setenv("MIGRATE_HOME", str(tmp_path / "other"))
        page = tmp_path / f"{name}.html"
        assert convert(project, "--to", "paddle", "--diff", "--jobs", jobs, "--html", page).code == 0
        pages.append(re.sub(r"<footer>.*?</footer>", "", page.read_text(encoding="utf-8"), flags=re.S))
    assert pages[0] == pages[1]
    assert pages[0] == pages[2]


def test_with_diff_and_report_beside_it(convert, project: Path, tmp_path: Path) -> None:
    page, report = tmp_path / "review.html", tmp_path / "report.json"
    done = convert(project, "--to", "paddle", "--diff", "--html", page, "--report", report)
    assert done.code == 0
    assert done.out.startswith("--- a/")
    told = json.loads(report.read_text())
    index = unpacked(page, "index")
    assert [file["path"] for file in told["files"]] == [file["path"] for file in index["files"]]
    sites = {file["path"]: len(file["sites"]) for file in told["files"]}
    assert len(text_of(page, "model.py")["sites"]) == sites["model.py"] > 0


def test_a_single_file_and_a_notebook(convert, tmp_path: Path) -> None:
    write(tmp_path, {"one.py": MARKED})
    page = tmp_path / "review.html"
    assert convert(tmp_path / "one.py", "--to", "paddle", "--html", page).code == 0
    assert [look[2:4] for look in unpacked(page, "index")["looks"]] == [["marked", "torch.parse_ir"]]
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": MARKED, "execution_count": None}
    book = {"cells": [cell, cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    write(tmp_path, {"two.ipynb": json.dumps(book)})
    assert convert(tmp_path / "two.ipynb", "--to", "paddle", "--html", page).code == 0
    looks = unpacked(page, "index")["looks"]
    assert [(look[1], look[4][:10]) for look in looks] == [(6, "in cell 1:"), (13, "in cell 2:")]
    shown = text_of(page, "two.ipynb")["old"].split("\n")
    assert shown[0] == "# cell 1"
    assert all("parse_ir" in shown[look[1] - 1] for look in looks)


def test_names_that_are_no_text(convert, tmp_path: Path) -> None:
    name = os.fsdecode(b"bad\xff.py")
    write(tmp_path / "net", {name: MARKED})
    page = tmp_path / "review.html"
    assert convert(tmp_path / "net", "--to", "paddle", "--html", page).code == 0
    assert [file["path"] for file in unpacked(page, "index")["files"]] == ["bad\\udcff.py", "paddle_helpers.py"]


def test_a_rule_of_the_projects_own_claims_no_proof(convert, project: Path, tmp_path: Path) -> None:
    write(tmp_path, {"own.py": RULE})
    page = tmp_path / "review.html"
    assert convert(project, "--to", "paddle", "--diff", "--rules", tmp_path / "own.py", "--html", page).code == 0
    card = unpacked(page, "cards")["torch.cat"]
    assert "mine(tensors, dim)" in card["rules"][0][1]
    assert card["evidence"] == ["the project's own rule: there is no proof of it"]


def test_what_was_reviewed_is_known_again_as_long_as_its_line_is(convert, project: Path, tmp_path: Path) -> None:
    page = tmp_path / "review.html"
    keys = []
    for before in ("", "# a line more\n"):
        write(project, {"marked.py": before + MARKED + "\n\ndef g(model):\n    return torch.parse_ir(0)\n"})
        assert convert(project, "--to", "paddle", "--diff", "--html", page).code == 0
        keys.append([look[5] for look in unpacked(page, "index")["looks"]])
    assert keys[0] == keys[1]
    assert len(set(keys[0])) == 2


def test_hand_edits_are_told(convert, project: Path, tmp_path: Path) -> None:
    page, out = tmp_path / "review.html", tmp_path / "out"
    assert convert(project, "--to", "paddle", "-o", out, "--html", page).code == 0
    (out / "model.py").write_text((out / "model.py").read_text() + "# by hand\n")
    assert convert(project, "--to", "paddle", "-o", out, "--html", page).code == 0
    assert "kept your edits in model.py" in page.read_text(encoding="utf-8")


def test_the_old_page_stays_where_a_run_fails(convert, project: Path, tmp_path: Path) -> None:
    page = tmp_path / "review.html"
    page.write_text("old")
    write(tmp_path, {"broken.py": BROKEN, "own.py": "@rule("})
    refused(convert(tmp_path / "broken.py", "--to", "paddle", "--html", page), "correct the file")
    refused(convert(project, "--to", "paddle", "--rules", tmp_path / "own.py", "--html", page), "correct the rule file")
    refused(
        convert(project, "--to", "paddle", "--explain", "model.py:3", "--html", page), "leave --report and --html away"
    )
    assert page.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.py", "net", "own.py", "review.html"]


def test_no_page_where_no_file_can_be(convert, project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    os.mkfifo(tmp_path / "pipe")
    for place in (folder, tmp_path / "pipe"):
        refused(convert(project, "--to", "paddle", "--html", place), "is not a regular file")
    (tmp_path / "file").write_text("")
    refused(convert(project, "--to", "paddle", "--diff", "--html", tmp_path / "file" / "x.html"), "cannot be written")
    assert not (tmp_path / "net-paddle").exists()
