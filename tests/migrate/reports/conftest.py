"""A report that holds one of everything that a check can find, and a browser to look at pages with."""

from __future__ import annotations

import math
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from checks.parity.report import Culprit, Curve, Entry, Failure, Folder, Level, Report, Row, Side, Weights

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
INSTALL = "no Chromium: apt-get install chromium-headless-shell, or playwright install --only-shell chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    with playwright.sync_playwright() as started:
        own = started.chromium.executable_path
        path = own if os.path.exists(own) else next(filter(None, map(shutil.which, BROWSERS)), None)
        if path is None:
            pytest.skip(INSTALL)
        launched = started.chromium.launch(executable_path=path, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def opened(browser):
    """``opened(file, width, scheme)``: the file in a window of its own, and what its console and its network said."""
    contexts = []

    def show(file, width=1280, scheme="light", context=None):
        if context is None:
            context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
            contexts.append(context)
        found = context.new_page()
        found.set_default_timeout(5000)
        said = []
        found.on("console", lambda message: said.append(message.text))
        found.on("pageerror", lambda error: said.append(str(error)))
        found.on("request", lambda request: said.append(request.url) if request.url != file.as_uri() else None)
        found.goto(file.as_uri())
        return found, said

    yield show
    for context in contexts:
        context.close()


@pytest.fixture
def page(opened, tmp_path):
    """``page(text, width, scheme)``: the page, open, and what its console said."""

    def show(text, width, scheme="light"):
        file = tmp_path / "report.html"
        file.write_text(text, encoding="utf-8")
        return opened(file, width, scheme)

    return show


SOURCE = (
    "\n".join(f"line {i}" for i in range(1, 118)) + "\n        x = self.norm(x) < self.limit  # <b>\n        return x\n"
)


def measured(name, error, floor=1e-7, **more):
    ratio = error / floor if floor else math.inf
    verdict = "differs" if ratio > 10 else "warn" if ratio > 4 else "same"
    row = Row(name, dtype="float32", shape=(2, 64), max_abs=error * 3, max_rel=error * 9, error=error, floor=floor)
    row.ratio, row.floor_from, row.verdict = ratio, "float32", verdict
    if verdict != "same":
        row.worsen(verdict, "values", f"{ratio:.3g} times the noise floor")
    for key, value in more.items():
        setattr(row, key, value)
    return row


def layers(count):
    random = np.random.default_rng(0)
    for i in range(count):
        noise = 6e-7 if i == 20 else float(random.uniform(0.5e-7, 2e-7))
        error = noise * (1 + i / 9) * (300 if i >= 30 else 1)
        where = f"models/net.py:{118 if i == 30 else 20 + i}"
        floor = 1e-7 * (1 + i / 9)
        yield measured(f"layer{i // 8}.{i % 8}.conv", error, floor, kind="layer", where=where)
        yield measured(f"layer{i // 8}.{i % 8}.conv", error / (300 if i > 30 else 1), floor, kind="alone", where=where)


@pytest.fixture
def report(tmp_path):
    folder = tmp_path / "net-paddle"
    (folder / "models").mkdir(parents=True)
    (folder / "models" / "net.py").write_text(SOURCE)
    return make(folder)


def make(folder: Path) -> Report:
    infinite = measured("output['mask']", 1e-3, 0.0)
    structure = Row("output['parts']", dtype="float32", shape=(8, 1))
    structure.worsen("differs", "shape", "shape: torch [8, 1], the target [8]")
    exact = Row("output['best']", dtype="int64", shape=(8,), max_abs=0.0)
    outputs = [measured("output['logits']", 1.1e-7), infinite, structure, exact]
    culprit = Culprit("layer3.6.conv", "torch.nn.LayerNorm", "models/net.py:118", row="layer3.6.conv")
    culprit.lines = [(117, "line 117"), (118, "        x = self.norm(x) < self.limit  # <b>")]
    culprit.cause = "agrees when eps=1e-06"
    dropped = Row("drop", verdict="skipped", note="dropout's mask could not be replayed")
    steps = [
        *(measured("loss", 2e-8 * (i + 1), 1e-7, kind="loss", step=i + 1, shape=()) for i in range(10)),
        *(measured(f"layer{i}.weight", 2e-7, 1e-7, kind="parameter", step=10) for i in range(12)),
    ]
    torch = [2.3 * 0.9**i for i in range(10)]
    curve = Curve(torch, [value + 3e-8 * (i + 1) for i, value in enumerate(torch)], [1e-7] * 10)
    hang = Failure("Paddle", "double backward", "timeout", "did not end within 10 s", "", ["last words", "\x1b[0m &"])
    hang.mend = "give a longer --timeout"
    return Report(
        torch=Side("torch", "torch", "2.13.0", "3.11.7", "2.3.0", "/usr/bin/python"),
        target=Side("paddle", "Paddle", "3.3.1", "3.11.7", "2.3.0", "/usr/bin/python"),
        source=Folder("net", "ab" * 32),
        converted=Folder(str(folder), "cd" * 32),
        threads=2,
        entries=[
            Entry(
                "net & <friends>",
                "models.net:Net(depth=3)",
                ["float32[2,3,64,64]", "mask=None"],
                Weights("net.pt", "ef" * 32),
                levels=[
                    Level("outputs", outputs),
                    Level("activations", [*layers(48), dropped], culprit=culprit),
                    Level("gradients", [measured(f"layer{i}.weight", 2e-7) for i in range(20)]),
                    Level("steps", steps, curve=curve),
                    Level("double", failure=hang),
                ],
                seconds={"torch": {"import": 1.2, "forward": 0.4}, "target": {"import": 3.4}},
            ),
            Entry("clean", "models.net:Clean", levels=[Level("outputs", [measured("output", 1e-7)])]),
            Entry(
                "broken",
                "models.net:Broken",
                failure=Failure("Paddle", "import", "ImportError", "no such name", "m.py:3"),
            ),
        ],
    )
