"""How long `migrate weights` takes and how much memory, as ratios to `cat a > b` of the same checkpoint.

    .venv/bin/python benchmarks/weights.py [--gigabytes 4] [--repeat 3] [--folder DIR] [--paddle PYTHON]

Generates a checkpoint of a Transformer's tensors (float32, Linears, an Embedding, norms) with torch.save, and runs side
by side, interleaved, each in a process of its own with the file in the page cache: cat, cp, migrate weights to
safetensors, npz and .pdparams (Linears transposed), --inspect, and what people do without it: torch.load and
numpy.savez, torch.load and safetensors' save_file, and paddle.save where --paddle gives an interpreter that has it.
Prints medians, ratios to cat and peaks of memory. Needs about five times the checkpoint's size on the disk at --folder.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

MODEL = """
from torch import nn

class Block(nn.Module):
    def __init__(self, width, inner):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.query, self.key, self.value, self.out = (nn.Linear(width, width, bias=False) for _ in range(4))
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)

class Net(nn.Module):
    def __init__(self, blocks, width=4096, inner=11008, words=32000):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.blocks = nn.ModuleList(Block(width, inner) for _ in range(blocks))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, words, bias=False)
"""
GENERATE = """
import sys, torch
from bench_net import Net
model = Net(int(sys.argv[1]))
torch.save(model.state_dict(), sys.argv[2])
"""
SAVEZ = (
    "import sys, numpy, torch; numpy.savez(sys.argv[2], **{k: v.numpy() for k, v in torch.load(sys.argv[1]).items()})"
)
SAVE_FILE = (
    "import sys, torch; from safetensors.torch import save_file; save_file(torch.load(sys.argv[1]), sys.argv[2])"
)
# The recipe of guides: to numpy in torch, transposed by name, to Paddle through a pickle of its own.
PADDLE_SAVE = """
import sys, numpy, paddle
with numpy.load(sys.argv[1]) as arrays:
    state = {k: paddle.to_tensor(a.T if a.ndim == 2 and "embed" not in k else a) for k, a in arrays.items()}
paddle.save(state, sys.argv[2])
"""
BLOCK_BYTES, OTHER_BYTES = 630_000_000, 1_050_000_000
"""Of a block, and of the embedding and the head."""


@dataclass
class Case:
    """title; command: what is run; output: what it writes, removed before each run."""

    title: str
    command: list[str]
    output: Path
    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    megabytes: float = 0

    def run(self, environment: dict[str, str]) -> None:
        """Once, adding to ``seconds``, ``processor`` (of all threads) and ``megabytes`` (the peak of the process)."""
        os.sync()
        started = time.perf_counter()
        process = subprocess.Popen(self.command, env=environment, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        self.seconds.append(time.perf_counter() - started)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{self.title}: exit code {process.returncode}")
        self.processor.append(usage.ru_utime + usage.ru_stime)
        self.megabytes = max(self.megabytes, usage.ru_maxrss / 1024)


def cases(checkpoint: Path, work: Path, paddle: Path | None) -> list[Case]:
    migrate = [str(Path(sys.executable).with_name("migrate")), "weights", str(checkpoint), "--force", "-o"]
    layout = ["--layout", str(work / "layout.json")]
    found = [
        Case("cat a > b", ["sh", "-c", f"cat '{checkpoint}' > '{work}/cat'"], work / "cat"),
        Case("cp a b", ["cp", str(checkpoint), str(work / "cp")], work / "cp"),
    ]
    for suffix, more in (("safetensors", []), ("npz", []), ("pdparams", layout)):
        output = work / f"migrate.{suffix}"
        found.append(Case(f"migrate weights to .{suffix}", [*migrate, str(output), *more], output))
    inspect = [*migrate[:3], "--inspect"]
    found.append(Case("migrate weights --inspect", inspect, work / "none"))
    python = [sys.executable, "-c"]
    for title, script, name in (
        ("torch.load + numpy.savez", SAVEZ, "savez.npz"),
        ("torch.load + save_file", SAVE_FILE, "torch.safetensors"),
    ):
        found.append(Case(title, [*python, script, str(checkpoint), str(work / name)], work / name))
    if paddle:
        output = work / "paddle.pdparams"
        arrays = str(work / "migrate.npz")
        found.append(
            Case(".npz + paddle.save, transposed", [str(paddle), "-c", PADDLE_SAVE, arrays, str(output)], output)
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--gigabytes", type=float, default=4)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="where to write to; else the system's folder for such")
    parser.add_argument("--paddle", type=Path, help="a Python with Paddle: migrate env paddle --path")
    parser.add_argument("--only", help="cases whose title contains this, and cat")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="migrate-weights-", dir=options.folder) as name:
        work = Path(name)
        (work / "bench_net.py").write_text(MODEL)
        environment = {**os.environ, "PYTHONPATH": str(work), "PYTHONWARNINGS": "ignore"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # a user's Python keeps its bytecode
        blocks = max(1, round((options.gigabytes * 1e9 - OTHER_BYTES) / BLOCK_BYTES))
        checkpoint = work / "checkpoint.pt"
        subprocess.run(
            [sys.executable, "-c", GENERATE, str(blocks), str(checkpoint)], check=True, env=environment, cwd=work
        )
        describe(f"bench_net:Net({blocks})", work)
        size = checkpoint.stat().st_size
        found = [
            case
            for case in cases(checkpoint, work, options.paddle)
            if not options.only or options.only in case.title or case.title.startswith("cat")
        ]
        for _ in range(options.repeat):
            for case in found:
                case.run(environment)
                # What stays would take the page cache from the others. Paddle reads the .npz.
                if case.output.name != "migrate.npz" or not options.paddle:
                    case.output.unlink(missing_ok=True)
            (work / "migrate.npz").unlink(missing_ok=True)
        largest = 32000 * 4096 * 4 / 1e6
    cat = statistics.median(found[0].seconds)
    table = Table("what", "seconds", "of cat", "CPU seconds", "peak MB")
    for case in found:
        seconds = statistics.median(case.seconds)
        table.add_row(
            case.title,
            f"{seconds:.2f}",
            f"{seconds / cat:.2f}",
            f"{statistics.median(case.processor):.2f}",
            f"{case.megabytes:,.0f}",
        )
    console = Console(highlight=False)
    console.print(
        f"{size / 1e9:.2f} GB, {blocks * 9 + 4} tensors, the largest {largest:,.0f} MB; {os.cpu_count()} CPUs; "
        f"medians of {options.repeat}"
    )
    console.print(table)


def describe(spec: str, work: Path) -> None:
    """The file for --layout, so that building the model is not part of what is measured."""
    from migrate.weights.layout_file import write_layout

    write_layout(work / "layout.json", spec, work)


if __name__ == "__main__":
    main()
