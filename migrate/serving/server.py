"""Triton on this machine: the server and the Python back end of NVIDIA's wheel (``migrate env triton``).

The model runs in the interpreter that has its engine: the back end's stub for that Python is started with its libpython
on the loader's path, and its ``bin`` first on PATH.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from checks.starting import fixed_environment
from migrate.environments import Interpreter, find_interpreter
from migrate.errors import Unusable
from migrate.export.check import held
from migrate.export.manifest import Manifest
from migrate.serving.repository import PYTHON, TRITON
from migrate.serving.worker.client import Client, ServerError

HOST = "127.0.0.1"
STUB = "triton_python_backend_stub"
LOADS = 180.0
"""Seconds that a model may take until it is ready."""
STOPS = 15.0
"""Seconds to end by itself."""
TAIL = 8
WHERE = """\
import importlib.util, json, os
found = importlib.util.find_spec("pytriton").submodule_search_locations[0]
print(json.dumps([os.path.join(found, "tritonserver"), os.path.join(os.path.dirname(found), "nvidia_pytriton.libs")]))
"""
PYTHON_OF = """\
import json, sys, sysconfig
print(json.dumps(["%d.%d" % sys.version_info[:2], *map(sysconfig.get_config_var, ("LIBDIR", "INSTSONAME"))]))
"""


@dataclass(frozen=True)
class Server:
    """A server that runs. url: its address; manifest: of the repository that it serves; log: what it says."""

    url: str
    manifest: Manifest
    log: Path
    process: subprocess.Popen[bytes]

    @property
    def model(self) -> str:
        """The name of what it serves."""
        return name_of(self.manifest)

    def check(self) -> None:
        """Raises Unusable where it has ended by itself."""
        if self.process.poll() is not None:
            raise Unusable(
                f"Triton has ended with status {self.process.returncode}{last_of(self.log)}", "start it again"
            )


def served(folder: Path) -> Manifest:
    """The manifest of a Triton model repository. Raises Unusable."""
    manifest = held(folder)
    if manifest.format != TRITON or manifest.serving is None:
        raise Unusable(
            f"{folder}: is an export to {manifest.format}, no model repository",
            f"migrate export {folder} --format triton -o DIR",
        )
    return manifest


@contextmanager
def running(
    folder: Path, *, port: int = 0, timeout: float = LOADS, on_stage: Callable[[str], None] = lambda stage: None
) -> Iterator[Server]:
    """Triton with the repository's model, on the loopback; it is ended with the block. Raises Unusable.

    port: 0 for a free one.
    """
    manifest = served(folder)
    assert manifest.serving is not None
    model = name_of(manifest)
    if manifest.serving["backend"] != PYTHON:
        raise Unusable(
            f"NVIDIA's wheel has no {manifest.serving['backend']} back end, which {folder} is for",
            "serve it by a Triton that has it, and give --server URL; or export with --triton python",
        )
    triton, engine = find_interpreter("triton"), find_interpreter(manifest.serving["engine"])
    with tempfile.TemporaryDirectory(prefix="migrate-triton-") as temporary:
        command, env = prepared(folder / model, triton, engine, Path(temporary))
        log = Path(temporary) / "log"
        on_stage(f"Triton: loading {model}")
        process, url = started(command, env, log, port, model, timeout)
        try:
            yield Server(url, manifest, log, process)
        finally:
            end(process)


def prepared(
    model: Path, triton: Interpreter, engine: Interpreter, temporary: Path
) -> tuple[list[str], dict[str, str]]:
    """The command, but for its port, and the variables that it wants; model: its folder. Raises Unusable."""
    root, libraries = map(Path, asked(triton, WHERE))
    version, library_folder, library = asked(engine, PYTHON_OF)
    stub = root / "python_backend_stubs" / version / STUB
    if not stub.is_file():
        raise Unusable(
            f"{engine.python}: Triton's Python back end is not made for Python {version}",
            "an interpreter of 3.8 to 3.13",
        )
    if ".so" not in str(library) or not (Path(library_folder) / library).is_file():
        raise Unusable(
            f"{engine.python}: its Python has no shared library ({library}), which Triton's Python back end loads",
            "one that was built with --enable-shared, as pyenv's with PYTHON_CONFIGURE_OPTS=--enable-shared or uv's",
        )
    backend = temporary / "backends" / "python"
    backend.mkdir(parents=True)
    for path in [*(root / "backends" / "python").iterdir(), stub]:
        if path.name != STUB or path == stub:
            (backend / path.name).symlink_to(path)
    models = temporary / "models"
    models.mkdir()
    shutil.copytree(model, models / model.name)
    env = fixed_environment(1, engine.env)
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        env.pop(name)
    paths = [str(libraries), str(library_folder), env.get("LD_LIBRARY_PATH", "")]
    env["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, paths))
    env["PATH"] = os.pathsep.join([str(engine.python.parent), env.get("PATH", "")])
    command = [
        str(root / "bin" / "tritonserver"), f"--model-repository={models}", f"--backend-directory={backend.parent}",
        f"--http-address={HOST}", "--allow-grpc=false", "--allow-metrics=false", "--allow-gpu-metrics=false",
        "--disable-auto-complete-config",
    ]  # fmt: skip
    return command, env


def name_of(manifest: Manifest) -> str:
    """The name of the model in a repository."""
    assert manifest.serving is not None
    return str(manifest.serving["model"])


def asked(interpreter: Interpreter, code: str) -> list[str]:
    """What a line of Python says there. Raises Unusable."""
    done = subprocess.run(
        [str(interpreter.python), "-I", "-c", code], capture_output=True, text=True, env=interpreter.environ()
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        raise Unusable(f"{interpreter.python}: {''.join(last)}", f"migrate env {interpreter.name} --rebuild")
    found: list[str] = json.loads(done.stdout)
    return found


def started(
    command: list[str], env: dict[str, str], log: Path, port: int, model: str, timeout: float
) -> tuple[subprocess.Popen[bytes], str]:
    """The process, when its model is ready, and its address. Raises Unusable."""
    for again in (2, 1, 0):
        chosen = port or free_port()
        name = f"triton-{secrets.token_hex(4)}"
        with log.open("wb") as out:
            process = subprocess.Popen(
                [*command, f"--http-port={chosen}", f"--id={name}"], stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                env=env, start_new_session=True,
            )  # fmt: skip
        url = f"http://{HOST}:{chosen}"
        try:
            waited(process, url, (name, model), log, timeout)
            return process, url
        except BaseException as error:
            end(process)
            # Another process may have taken a port that was free a moment ago.
            if isinstance(error, Unusable) and again and not port and taken(log):
                continue
            raise
    raise AssertionError("unreachable")


def waited(process: subprocess.Popen[bytes], url: str, names: tuple[str, str], log: Path, timeout: float) -> None:
    """Until the model is ready. names: the server's, the model's. Raises Unusable."""
    name, model = names
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        if process.poll() is not None:
            busy = taken(log)
            raise Unusable(
                f"Triton ended with status {process.returncode}{last_of(log)}",
                "another --port" if busy else "see to what it says above",
            )
        with contextlib.suppress(ServerError), Client(url, 5.0) as client:
            # At a port that is taken another server answers, perhaps for the same model.
            if client.ready() and client.model_ready(model) and client.server().get("name") == name:
                return
        time.sleep(0.1)
    raise Unusable(f"Triton was not ready within {timeout:g} s{last_of(log)}", "give a longer --timeout")


def taken(log: Path) -> bool:
    """Whether Triton says that its port is another's."""
    return "already in use" in log.read_text(encoding="utf-8", errors="replace")


def last_of(log: Path) -> str:
    """Its errors, else its last lines."""
    lines = [line.rstrip() for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    lines = [line for line in lines if not re.match(r"[|+]|I\d{4} ", line)]
    wrong = [line for line in lines if re.match(r"E\d{4} ", line) and "CudaDriverHelper" not in line]
    return "".join(f"\n    {line[:400]}" for line in (wrong or lines)[-TAIL:])


def free_port() -> int:
    """One of the loopback's that nobody listens on."""
    with socket.socket() as found:
        found.bind((HOST, 0))
        return int(found.getsockname()[1])


def end(process: subprocess.Popen[bytes]) -> None:
    """Have it end, and what it started."""
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        process.wait(STOPS)
    except subprocess.TimeoutExpired:
        pass
    finally:
        with contextlib.suppress(ProcessLookupError):  # nothing of its group is left
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
