"""Formats made of what a framework saved, each step by a script in the interpreter that has what it needs."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import migrate
from migrate.backends import BACKENDS, WORKER
from migrate.environments import Interpreter
from migrate.errors import Unusable
from migrate.export.frameworks import ONNX, OWN, Framework

TAIL = 8
LARGEST = 2_000_000_000
"""Bytes of an ONNX file; protobuf holds 2 GiB. Weights of more go into a file beside."""


def step(
    interpreter: Interpreter, script: Path, job: Mapping[str, Any], folder: Path, timeout: float
) -> dict[str, Any]:
    """Run a script with a job; its answer. Raises Unusable where it dies or does not end."""
    folder.mkdir(parents=True, exist_ok=True)
    asked, done = folder / f"{script.stem}.json", folder / f"{script.stem}.done"
    asked.write_text(json.dumps({**job, "done": str(done)}), encoding="utf-8")
    log = folder / f"{script.stem}.log"
    with log.open("wb") as out:
        try:
            ended = subprocess.run(
                [str(interpreter.python), "-W", "ignore", str(script), str(asked)],
                env=interpreter.environ(), stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd=folder,
                timeout=timeout,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise Unusable(f"{interpreter.name}: did not end within {timeout:g} s", "give a longer --timeout") from None
    if not done.is_file():
        last = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-TAIL:]
        said = "".join(f"\n    {line}" for line in last)
        raise Unusable(
            f"{interpreter.name} ended with status {ended.returncode}{said}",
            f"migrate env {interpreter.name} --rebuild, if the lines above show a fault of its own",
        )
    found: dict[str, Any] = json.loads(done.read_text(encoding="utf-8"))
    return found


def through(
    framework: Framework, road: Any, format: str, interpreter: Interpreter, saved: Path, said: Mapping[str, Any],
    opset: int | None, project: Path, timeout: float,
) -> None:  # fmt: skip
    """Have the framework's converter make ``model.onnx`` in the folder of what was saved. Raises Unusable."""
    job = {"folder": str(saved), "out": str(saved / f"model.{format}"), "opset": opset, "largest": LARGEST}
    answer = step(interpreter, framework.worker / road.through.script, job, saved.parent / "convert", timeout)
    if "error" not in answer:
        return
    op = answer.get("op")
    message = f"{road.through.name} makes no {format} of the model: {answer['error']}"
    mend = "export with --format native"
    if op:
        where, layer = site(said.get("sites", {}).get(op, {}), project)
        message = f"{road.through.name} knows no {format} of {op}"
        message += f", first called in {layer}" if layer else ""
        message += f" at {where}" if where else ""
        mend = "say it by other operations there, or export with --format native"
    raise Unusable(message, mend)


def site(told: Mapping[str, Any], project: Path) -> tuple[str, str]:
    """(the project's line that an operator was called from, its layer), as far as they are known."""
    within = f'File "{project.resolve()}/'
    frames = [frame for frame in told.get("frames", ()) if frame.startswith(within)]
    where = ""
    if frames:
        file, _, rest = frames[-1].removeprefix('File "').partition('", line ')
        where = f"{file}:{rest.partition(',')[0]}"
    return where, str(told.get("layer", ""))


def finish_onnx(
    interpreter: Interpreter, model: Path, said: Mapping[str, Any], axes: Mapping[str, Mapping[str, str]], fold: bool,
    entry: str, timeout: float, layers: Path | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Name what goes in and out, fold, check, load it once in ONNX Runtime; what the file is. Raises Unusable."""
    by_name = {item["name"]: axes.get(item["path"], {}) for item in said["inputs"]}
    job = {
        "model": str(model), "inputs": said["inputs"], "outputs": said["outputs"], "axes": by_name, "fold": fold,
        "about": {"made_by": f"migrate {migrate.__version__}", "entry": entry}, "layers": layers and str(layers),
        "largest": LARGEST,
    }  # fmt: skip
    answer = step(interpreter, WORKER / "finish_onnx.py", job, model.parent.parent / "finish", timeout)
    if "error" in answer:
        raise Unusable(
            f"the exporter wrote an ONNX model that does not load: {answer['error']}",
            "try another --opset, or --format native",
        )
    return answer


def by_backend(
    name: str, format: str, interpreter: Interpreter, saved: Path, folder: Path, told: Mapping[str, Any], timeout: float
) -> dict[str, Any]:
    """Have a back end make its format of ``model.onnx``. Raises Unusable.

    told: inputs, with names of the free axes, and sizes of these in the example.
    """
    script = WORKER / BACKENDS[name].makes[format][1]
    folder.mkdir(parents=True, exist_ok=True)
    job = {**told, "model": str(saved / "model.onnx"), "folder": str(folder)}
    answer = step(interpreter, script, job, saved.parent / name, timeout)
    if "error" in answer:
        raise Unusable(
            f"{BACKENDS[name].title} does not read the ONNX model: {answer['error']}", "export with --format onnx"
        )
    return answer


def is_onnx(format: str) -> bool:
    """Whether ONNX is made on the way."""
    return format == ONNX or (format not in OWN and any(format in item.makes for item in BACKENDS.values()))
