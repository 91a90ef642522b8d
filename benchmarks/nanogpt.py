"""nanoGPT's own training script, converted: 50 steps from carried initial weights, losses beside torch's.

    .venv/bin/python benchmarks/nanogpt.py CHECKOUT [--to paddle] [--to oneflow] [--steps 50]

CHECKOUT: a clone of karpathy/nanoGPT. Its data preparation is replaced by random tokens, as many as one sequence needs,
so that both frameworks draw the same batches; nothing else of it is touched. Torch trains twice more from weights that
differ by half an ulp: how far its own losses move by that is what the targets' are held against. Exit status 1 where a
target's are further off than ten times that and than the 4 decimals that the script prints.
"""

from __future__ import annotations

import argparse
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from migrate.environments import Interpreter, find_interpreter

MODEL = {"n_layer": 2, "n_head": 2, "n_embd": 32, "block_size": 32, "bias": False, "vocab_size": 64, "dropout": 0.0}
OPTIONS = [
    "--dataset=random", "--device=cpu", "--compile=False", "--dtype=float32", "--block_size=32", "--batch_size=4",
    "--n_layer=2", "--n_head=2", "--n_embd=32", "--dropout=0.0", "--eval_iters=2", "--eval_interval=100000",
    "--log_interval=1", "--init_from=resume", "--gradient_accumulation_steps=2", "--warmup_iters=5",
    "--lr_decay_iters=50", "--learning_rate=1e-3",
]  # fmt: skip
PRINTED = 1e-4
TIMES = 10.0

# Writes the checkpoint that train.py resumes from, in the framework's own way: python - FRAMEWORK WEIGHTS OUT NOISE
CHECKPOINT = f"""
import importlib, sys
name, weights, out, noise = sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4])
framework = importlib.import_module(name)
sys.path.insert(0, ".")
from model import GPT, GPTConfig
given = {MODEL!r}
framework.seed(0) if name == "paddle" else framework.manual_seed(0)
model = GPT(GPTConfig(**given))
if weights != "-":
    load = model.set_state_dict if name == "paddle" else model.load_state_dict
    load(framework.load(weights))
state = model.state_dict()
if noise:
    state = {{k: v * (1 + noise * 2.0**-24 * framework.sign(framework.randn_like(v))) for k, v in state.items()}}
optimizer = model.configure_optimizers(1e-1, 1e-3, (0.9, 0.95), "cpu").state_dict()
framework.save({{"model": state, "optimizer": optimizer, "model_args": given, "iter_num": 0, "best_val_loss": 1e9,
                "config": {{}}}}, out + "/ckpt.pt")
"""


def prepared(checkout: Path, folder: Path) -> Path:
    """A copy of the checkout with random tokens as its data."""
    source = folder / "torch"
    shutil.copytree(checkout, source, ignore=shutil.ignore_patterns(".git"))
    data = source / "data" / "random"
    data.mkdir(parents=True)
    draw = np.random.default_rng(0)
    for name in ("train", "val"):
        draw.integers(0, MODEL["vocab_size"], MODEL["block_size"] + 1).astype(np.uint16).tofile(data / f"{name}.bin")
    (data / "meta.pkl").write_bytes(pickle.dumps({"vocab_size": MODEL["vocab_size"]}))
    return source


def losses(python: Interpreter, project: Path, weights: str, noise: float, steps: int) -> list[float]:
    """What train.py prints."""
    out = Path(tempfile.mkdtemp(dir=project))
    environment = python.environ()
    command = [str(python.python), "-W", "ignore", "-c", CHECKPOINT, python.name, weights, str(out), str(noise)]
    subprocess.run(command, cwd=project, env=environment, check=True, capture_output=True)
    command = [str(python.python), "-W", "ignore", "train.py", *OPTIONS, f"--out_dir={out}", f"--max_iters={steps}"]
    ran = subprocess.run(command, cwd=project, env=environment, check=True, capture_output=True, text=True)
    return [float(found) for found in re.findall(r"^iter \d+: loss ([\d.]+)", ran.stdout, re.MULTILINE)]


def converted(source: Path, target: str, folder: Path) -> tuple[Path, Path]:
    """The converted project and its initial weights."""
    project, initial = folder / target, source / "initial.pt"
    model = f"model:GPT(GPTConfig({','.join(f'{key}={value!r}' for key, value in MODEL.items())}))"
    weights = folder / f"weights.{target}"
    for command in (
        ["convert", str(source), "--to", target, "-o", str(project)],
        ["weights", str(initial), "--to", target, "-o", str(weights), "--project", str(source), "--model", model],
    ):
        subprocess.run([sys.executable, "-m", "migrate", *command], check=True, capture_output=True)
    shutil.copytree(source / "data", project / "data", dirs_exist_ok=True)
    return project, weights


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--to", action="append", dest="targets")
    parser.add_argument("--steps", type=int, default=50)
    arguments = parser.parse_args()
    table = Table("training", "steps", "first loss", "last loss", "furthest from torch")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        source = prepared(arguments.checkout, folder)
        torch = find_interpreter("torch")
        own = losses(torch, source, "-", 0.0, arguments.steps)
        table.add_row("torch", str(len(own)), f"{own[0]:.4f}", f"{own[-1]:.4f}", "")
        moved = 0.0
        for noise in (1.0, -1.0):
            other = losses(torch, source, "-", noise, arguments.steps)
            moved = max(moved, *(abs(a - b) for a, b in zip(own, other, strict=True)))
        table.add_row("torch, weights moved by half an ulp", "", "", "", f"{moved:.1e}")
        (initial := min(source.glob("tmp*/ckpt.pt"), key=lambda path: path.stat().st_mtime)).rename(
            source / "initial.pt"
        )
        shutil.rmtree(initial.parent)
        limit, far = max(TIMES * moved, PRINTED * 1.01), False
        for target in arguments.targets or ["paddle", "oneflow"]:
            project, weights = converted(source, target, folder)
            found = losses(find_interpreter(target), project, str(weights), 0.0, arguments.steps)
            furthest = max(abs(a - b) for a, b in zip(own, found, strict=True))
            far |= furthest > limit
            table.add_row(target, str(len(found)), f"{found[0]:.4f}", f"{found[-1]:.4f}", f"{furthest:.1e}")
    Console().print(table)
    return int(far)


if __name__ == "__main__":
    sys.exit(main())
