"""What `migrate check` costs beyond what it has to run.

    .venv/bin/python benchmarks/check_overhead.py [--to paddle] [--size 224] [--batch 2] [--repeat 3]

The peer: a script per side, in the same interpreter and with the same threads, that imports the framework, builds
resnet50 and runs it once; both, one after the other. Wall-clock seconds, the best of the repeats.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from checks.starting import fixed_environment
from migrate.environments import find_interpreter
from migrate.parity.session import THREADS
from rewriters.target import load_target
from rewriters.torch import WORKER

FIXTURE = Path(__file__).parent.parent / "fixtures" / "resnet"
ENTRY = "models.resnet:resnet50"
LIMITS = {"outputs": 1.5, "outputs,activations": 2.5}

RUN = """
import sys
import importlib.util
import numpy as np
spec = importlib.util.spec_from_file_location("runtime", sys.argv[1])
runtime = importlib.util.module_from_spec(spec)
spec.loader.exec_module(runtime)
runtime.threads({threads})
sys.path.insert(0, sys.argv[2])
from models.resnet import resnet50
model = resnet50()
runtime.evaluate(model)
image = runtime.tensor(np.random.default_rng(0).standard_normal({shape}).astype(np.float32))
with runtime.no_grad():
    runtime.array(model(image))
"""


def seconds(command: list[str], env: dict[str, str] | None = None, allowed: tuple[int, ...] = (0,)) -> float:
    """Wall-clock time of a command that must succeed."""
    begun = time.perf_counter()
    done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode not in allowed:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return time.perf_counter() - begun


def main() -> None:
    """Print the table; exits with 1 when a limit is exceeded."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--to", default="paddle")
    parser.add_argument("--size", type=int, default=224)
    parser.add_argument("--batch", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    shape = [options.batch, 3, options.size, options.size]
    migrate = [sys.executable, "-m", "migrate"]
    with tempfile.TemporaryDirectory() as folder:
        converted = Path(folder) / "resnet"
        seconds([*migrate, "convert", str(FIXTURE), "--to", options.to, "-o", str(converted)])
        script = Path(folder) / "run.py"
        script.write_text(RUN.format(threads=THREADS, shape=shape))
        sides = {"torch": (FIXTURE, WORKER / "runtime.py"), options.to: (converted, load_target(options.to).runtime)}
        best: dict[str, float] = {}
        for _ in range(options.repeat):
            for name, (project, runtime) in sides.items():
                found = find_interpreter(name)
                command = [str(found.python), str(script), str(runtime), str(project)]
                spent = seconds(command, fixed_environment(THREADS, found.env))
                best[name] = min(spent, best.get(name, spent))
            for level in LIMITS:
                command = [*migrate, "check", str(FIXTURE), str(converted), "--to", options.to, "--entry", ENTRY]
                command += ["--input", f"float32[{','.join(map(str, shape))}]"]
                command += [word for one in level.split(",") for word in ("--level", one)]
                spent = seconds(command)
                best[level] = min(spent, best.get(level, spent))
    peer = best["torch"] + best[options.to]
    table = Table("", "seconds", "times both sides", "limit")
    for name in sides:
        table.add_row(f"{name} alone", f"{best[name]:.2f}", "", "")
    for level, limit in LIMITS.items():
        table.add_row(f"check, {level}", f"{best[level]:.2f}", f"{best[level] / peer:.2f}", f"{limit}")
    Console().print(table)
    if any(best[level] / peer > limit for level, limit in LIMITS.items()):
        sys.exit(1)


if __name__ == "__main__":
    main()
