"""A model repository, served by Triton on the loopback: what it answers, alone, together with others, and refused."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from migrate.environments import Interpreter
from migrate.serving.server import Server
from migrate.serving.worker.client import Client, ServerError, WrongInput
from tests.migrate.serving.conftest import Run

IDS = np.array([[1, 2, 3], [4, 5, 6]], "int64")


def answers(server: Server, inputs: list[np.ndarray]) -> list[dict[str, np.ndarray] | str]:
    """To requests that are sent at once, each by a client of its own."""
    found: list[dict[str, np.ndarray] | str] = [""] * len(inputs)
    barrier = threading.Barrier(len(inputs))

    def ask(number: int) -> None:
        with Client(server.url) as client:
            client.model("Bag")
            client.server()
            barrier.wait(30)
            try:
                found[number] = client.infer("Bag", {"ids": inputs[number]})
            except ServerError as error:
                found[number] = error.message

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(len(inputs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_its_folder_says_what_it_is(bag: Path) -> None:
    config = (bag / "Bag" / "config.pbtxt").read_text()
    assert "max_batch_size: 6" in config
    assert '{ name: "ids", data_type: TYPE_INT64, dims: [ -1 ] }' in config
    assert '{ name: "best", data_type: TYPE_INT64, dims: [ 1 ], reshape: { shape: [ ] } }' in config
    assert '{ name: "ok", data_type: TYPE_BOOL, dims: [ 1 ], reshape: { shape: [ ] } }' in config
    assert "max_queue_delay_microseconds: 20000" in config
    assert "kind: KIND_CPU, count: 1" in config
    told = json.loads((bag / "export.json").read_text())
    assert told["serving"]["format"] == "onnx"
    assert {"Bag/1/model.onnx", "Bag/1/model.py"} <= told["files"].keys()


def test_a_server_is_compared_with_torch(server: Server, bag: Path, project: Path, run_migrate: Run) -> None:
    done = run_migrate("check", project, bag, "--server", server.url, "--size", "batch=1,6", "--size", "time=2,5")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "12 comparisons agree with torch" in done.stdout
    done = run_migrate("check", project, bag, "--server", server.url, "--size", "batch=7")
    assert done.returncode == 2
    assert "batches of 6 at most" in done.stderr


def test_the_client_that_is_handed_out(server: Server, bag: Path, tmp_path: Path) -> None:
    def client(*arguments: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, bag / "client.py", "--url", server.url, *arguments]
        return subprocess.run([str(part) for part in command], capture_output=True, text=True, cwd=tmp_path)

    done = client()
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("agrees") == 3
    assert client("--health").stdout.endswith("Bag is ready\n")
    np.save(tmp_path / "ids.npy", IDS)
    assert client("--input", "ids=ids.npy", "--out", "found.npz").returncode == 0
    with np.load(tmp_path / "found.npz") as found:
        assert found["y"].shape == (2, 3)
    np.save(tmp_path / "ids.npy", IDS.astype("int32"))
    done = client("--input", "ids=ids.npy")
    assert done.returncode == 2
    assert (
        done.stderr == "client.py: Bag: ids is INT32, the model takes ids: INT64[?,?]; convert it: .astype('int64')\n"
    )
    np.save(tmp_path / "ids.npy", IDS[0])
    assert "ids has shape [3], the model takes ids: INT64[?,?]" in client("--input", "ids=ids.npy").stderr
    assert "ids is lacking" in client("--input", "x=ids.npy").stderr
    assert "x is none of its" in client("--input", "ids=ids.npy", "--input", "x=ids.npy").stderr
    assert "'other' is not there, or not ready" in client("--model", "other").stderr


def test_tritons_own_client_gets_the_same(server: Server, triton_python: Interpreter) -> None:
    code = (
        "import sys, numpy as np, tritonclient.http as http\n"
        "ids = http.InferInput('ids', [2, 3], 'INT64')\n"
        "ids.set_data_from_numpy(np.array([[1, 2, 3], [4, 5, 6]]))\n"
        "print(http.InferenceServerClient(sys.argv[1]).infer('Bag', [ids]).as_numpy('y').tolist())"
    )
    command = [str(triton_python.python), "-c", code, server.url.partition("//")[2]]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with Client(server.url) as client:
        assert json.loads(done.stdout) == client.infer("Bag", {"ids": IDS})["y"].tolist()


def test_json_alone_is_enough(server: Server) -> None:
    with Client(server.url) as client:
        wanted = client.infer("Bag", {"ids": IDS})
        client.server()["extensions"] = []
        found = client.infer("Bag", {"ids": IDS})
    assert {name: (value.dtype, value.shape) for name, value in found.items()} == {
        "y": (np.float32, (2, 3)), "best": (np.int64, (2, 1)), "ok": (np.bool_, (2, 1)),
    }  # fmt: skip
    assert all(np.array_equal(found[name], wanted[name]) for name in wanted)


def test_requests_are_put_together_and_each_gets_its_own(server: Server) -> None:
    inputs = [(np.arange(6).reshape(2, 3) + number) % 10 for number in range(4)] + [IDS[:, :2]] * 2
    with Client(server.url) as client:
        alone = [client.infer("Bag", {"ids": each}) for each in inputs]
        for _ in range(20):
            before = client.statistics("Bag")
            found = answers(server, inputs)
            after = client.statistics("Bag")
            for one, other in zip(found, alone, strict=True):
                assert isinstance(one, dict)
                np.testing.assert_allclose(one["y"], other["y"], rtol=1e-5, atol=1e-6)
                assert one["best"].tolist() == other["best"].tolist()
            runs = after["execution_count"] - before["execution_count"]
            assert after["inference_count"] - before["inference_count"] == 12
            if runs < len(inputs):
                break
        else:
            pytest.fail("no two requests were put together")


def test_a_request_that_the_model_refuses_leaves_its_neighbours_their_answers(server: Server) -> None:
    bad = IDS.copy()
    bad[0, 0] = 99
    for found in [answers(server, [IDS, bad, IDS]) for _ in range(3)]:
        assert isinstance(found[0], dict)
        assert isinstance(found[2], dict)
        assert isinstance(found[1], str)
        assert "the model refuses these inputs" in found[1]
    with Client(server.url) as client, pytest.raises(ServerError, match="batch-size must be <= 6"):
        client.infer("Bag", {"ids": np.zeros((7, 2), "int64")})
    with Client(server.url) as client, pytest.raises(WrongInput, match="ids is FP32"):
        client.infer("Bag", {"ids": IDS.astype("float32")})


def test_rows_that_hang_on_each_other_are_not_put_together(centred: Path, project: Path, run_migrate: Run) -> None:
    told = json.loads((centred / "export.json").read_text())["serving"]
    assert told["batch"] == 0
    assert told["why"] == "output_0 of a row hangs on the other rows of its batch"
    assert "max_batch_size: 0" in (centred / "centred-1" / "config.pbtxt").read_text()
    done = run_migrate("check", project, centred, "--backend", "triton")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 comparisons agree with torch" in done.stdout
    assert "native in Triton, batch=5" in done.stdout
