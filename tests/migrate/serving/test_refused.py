"""What cannot be served, or is not there: said in two lines, and nothing is left behind."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from migrate.errors import Unusable
from migrate.serving.server import Server, free_port, running
from tests.migrate.serving.conftest import Run


def refused(done: subprocess.CompletedProcess[str], *parts: str) -> None:
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert "mend: " in done.stderr
    for part in parts:
        assert part in done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--entry", "net:Bag"], "was exported before; --entry is for a project"),
        (["--name", "a/b"], "--name a/b: is no name of a model"),
        (["--triton", "tensorrt"], "'tensorrt' is not known here"),
        (["--triton", "openvino"], "wants openvino"),
        (["--engine", "native"], "--backend native runs what a framework saved; this is onnx"),
    ],
)
def test_options_that_do_not_fit(
    options: list[str], said: str, bag_onnx: Path, run_migrate: Run, tmp_path: Path
) -> None:
    refused(run_migrate("export", bag_onnx, "--format", "triton", *options, "-o", tmp_path / "out"), said)
    assert list(tmp_path.iterdir()) == []


def test_what_is_exported_already(project: Path, bag: Path, bag_onnx: Path, run_migrate: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    refused(run_migrate("export", bag, "--format", "triton", "-o", out), "is a model repository already")
    refused(run_migrate("export", bag_onnx, "-o", out), "was exported before; --format onnx is for a project")
    of_project = ("--to", "torch", "--entry", "net:Bag", "--input", "int64[2,3]<10", "--seed", 0)
    refused(run_migrate("export", project, *of_project, "--max-batch", 2, "-o", out), "for --format triton")
    assert not out.exists()


def test_no_server_is_there(bag: Path, bag_onnx: Path, project: Path, run_migrate: Run) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    refused(run_migrate("check", project, bag, "--server", url), f"{url}: no server answers", "migrate serve DIR")
    refused(run_migrate("check", project, bag, "--server", "nowhere:x"), "is no address of a server")
    refused(run_migrate("check", project, bag, "--backend", "openvino"), "a model repository is served")
    refused(run_migrate("check", project, bag_onnx, "--backend", "triton"), "no model repository")


def test_another_model_is_served(
    server: Server, bag: Path, centred: Path, project: Path, run_migrate: Run, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    shutil.copytree(bag, other)
    told = json.loads((other / "export.json").read_text())
    told["inputs"][0]["dtype"] = "int32"
    (other / "export.json").write_text(json.dumps(told))
    refused(run_migrate("check", project, other, "--server", server.url), "has another Bag", "ids: INT32[?,?]")
    refused(run_migrate("check", project, centred, "--server", server.url), "'centred-1' is not there")
    port = server.url.rpartition(":")[2]
    refused(run_migrate("serve", bag, "--port", port), "already in use", "another --port")


def test_a_server_that_does_not_load_its_model(bag: Path, run_migrate: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(bag, broken)
    (broken / "Bag" / "1" / "model.onnx").write_bytes(b"nothing")
    refused(run_migrate("serve", broken), "model.onnx: is not what was exported (sha256)")
    told = json.loads((broken / "export.json").read_text())
    del told["files"]["Bag/1/model.onnx"]
    (broken / "export.json").write_text(json.dumps(told))
    refused(run_migrate("serve", broken), "Triton ended with status 1", "Protobuf parsing failed")


def test_a_server_ends_with_what_it_was_started_for(bag: Path) -> None:
    with pytest.raises(Unusable, match="enough"), running(bag) as server:
        raise Unusable("enough", "")
    assert server.process.returncode is not None
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2])), 5)
