"""``migrate bench --serve``: what it tells of a server, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from migrate.bench.serve import Bench, Level, Plan
from migrate.errors import Unusable
from migrate.serving.server import Server, free_port
from tests.migrate.serving.conftest import Run

QUICK = ("--rounds", 3, "--seconds", 0.2)


def test_clients_and_what_the_server_put_together(server: Server, bag: Path, run_migrate: Run, tmp_path: Path) -> None:
    done = run_migrate(
        "bench", bag, "--serve", server.url, *QUICK, "--clients", "1,3", "--batch", "1,2", "--json", tmp_path / "b.json"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "batches of 6 at most, waiting 20000 us" in done.stdout
    found = json.loads((tmp_path / "b.json").read_text())
    assert found["model"] == "Bag"
    assert found["server"] == "triton 2.51.0"
    levels = found["levels"]
    assert [(level["clients"], level["batch"]) for level in levels] == [(1, 1), (3, 1), (1, 2), (3, 2)]
    assert levels[0]["rows_per_run"] == 1
    assert levels[2]["rows_per_run"] == 2
    assert levels[1]["rows_per_run"] > 1
    for level in levels:
        assert len(level["rates"]) == 3
        assert level["requests"] == sum(map(len, level["seconds"]))
        assert 0 < level["latency"]["p50"] < 60


def test_few_requests_have_no_high_percentile() -> None:
    level = Level(1, 1, [[0.1] * 19])
    assert level.percentile(50) == pytest.approx(0.1)
    assert level.percentile(90) == pytest.approx(0.1)
    assert level.percentile(95) is None
    assert level.percentile(99) is None


def test_what_is_refused(server: Server, bag: Path, bag_onnx: Path, run_migrate: Run, tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    out = tmp_path / "b.json"
    for folder, options, said in (
        (bag, ["--serve", url, "--json", out], "no server answers"),
        (bag_onnx, ["--serve", server.url], "is an export to onnx, no model repository"),
        (bag, ["--serve", server.url, "--batch", "7"], "batches of 6 at most"),
        (bag, ["--serve", server.url, "--clients", "1,x"], "--clients 1,x: not a list of sizes"),
        (bag, ["--serve", server.url, "--entry", "net:Bag"], "--entry is not for --serve"),
    ):
        done = run_migrate("bench", folder, *options)
        assert done.returncode == 2, done.stdout
        assert said in done.stderr
        assert "mend: " in done.stderr
    assert not out.exists()


def test_a_server_that_goes_away_ends_it(bag: Path) -> None:
    bench = Bench(Plan(bag), f"http://127.0.0.1:{free_port()}", "Bag", {1: ({}, b"{}")})
    with pytest.raises(Unusable, match=r"3 clients, 1 row a request: .*no server answers"):
        bench.run(Level(1, 3), 0.1)
