"""``migrate bench --product``: the steps of the road to a server in one table."""

from __future__ import annotations

import json
from pathlib import Path

from migrate.bench.product import Measuring, Row, Way, gain
from tests.migrate.serving.conftest import Run


def test_every_step_is_measured(bag_onnx: Path, bag: Path, project: Path, run_migrate: Run, tmp_path: Path) -> None:
    done = run_migrate(
        "bench", project, bag_onnx.parent / "paddle", "--product", bag_onnx, "--product", bag, "--rounds", 3,
        "--seconds", 0.05, "--batch", "1,2", "--clients", "2", "--threads", 2, "--json", tmp_path / "p.json", "--html",
        tmp_path / "p.html",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((tmp_path / "p.json").read_text())
    rows = {(row["factor"], row["title"]): row for row in found["rows"]}
    titles = [title for _, title in rows]
    assert titles[:5] == [
        "torch eager", "PaddlePaddle eager", "PaddlePaddle static", "ONNX Runtime (onnx)",
        "torch, traced, without them",
    ]  # fmt: skip
    assert rows["batch", "ONNX Runtime, 2 rows a call"]["beside"] == "ONNX Runtime, 1 row a call"
    assert next(title for factor, title in rows if factor == "processes").endswith("2 x 1 threads")
    assert "Triton, 2 clients, 1 row a request" in titles
    assert set(found["noise"]) == {"eager, static, back ends", "batch", "processes", "served"}
    for row in found["rows"]:
        if row["factor"] != "leftovers removed":
            assert len(row["rows_per_second"]) == 3
            assert row["together"][1] <= row["together"][0] <= row["together"][2]
        if row["chosen"] and row["factor"] != "back end":
            assert "faster" in row["alone_verdict"]
    page = (tmp_path / "p.html").read_text()
    assert "<svg" in page
    assert "default-src &#39;none&#39;" in page
    assert page.count("ONNX Runtime, 2 rows a call") >= 2
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")


def test_what_is_not_faster_outside_of_the_noise_is_not_carried_on() -> None:
    """Of rates that only swing no larger size is chosen; of ones that are twice as high the highest is."""
    measuring = object.__new__(Measuring)
    measuring.plan = type("Plan", (), {"rounds": 8})()
    measuring.on_stage, measuring.noise, measuring.rows = lambda stage: None, {}, []
    swings = iter([1.0, 1.3, 0.8, 1.1] * 1000)
    measuring.base = Way(Row("eager", "torch eager", [1.0]), lambda: next(swings))
    best = type("Against", (), {"other": type("Other", (), {"title": "engine"})()})()
    same = measuring.swept("batch", best, [2, 4], lambda stack, size: lambda: next(swings), str)
    assert same == (1, None)
    assert not any(gain(row) for row in measuring.rows)
    steady = measuring.swept("batch", best, [2, 4], lambda stack, size: lambda: 10.0 * size, str)
    assert steady[0] == 4
    assert steady[1] is measuring.rows[-1]
    assert measuring.rows[-1].alone_verdict == "4.00x faster"


def test_what_is_refused(
    bag_onnx: Path, bag: Path, centred: Path, project: Path, run_migrate: Run, tmp_path: Path
) -> None:
    converted, page = bag_onnx.parent / "paddle", tmp_path / "p.html"
    for options, said in (
        (["--product", bag_onnx, "--product", centred], "is another model, or has other inputs"),
        (["--product", bag], "no exported model is named that a back end runs"),
        (["--product", bag_onnx, "--product", bag, "--product", bag], "is a second model repository"),
        (["--product", converted], "export.json"),
        (["--product", bag_onnx, "--train"], "--train is not for --product"),
        (["--entry", "net:Bag"], "--html is for --product"),
    ):
        done = run_migrate("bench", project, converted, *options, "--html", page)
        assert done.returncode == 2, done.stdout
        assert said in done.stderr
        assert "mend: " in done.stderr
    assert not page.exists()
