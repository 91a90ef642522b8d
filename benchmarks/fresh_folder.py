"""Models that stand on whole libraries, converted into a folder that is then copied elsewhere and run by itself.

    python benchmarks/fresh_folder.py                    # DiT, CLIP and LLaMA, on both targets
    python benchmarks/fresh_folder.py dit --to paddle

What a user does who brings a model over: `migrate convert` (DiT, a project of its own, `--with timm`; CLIP and LLaMA
out of transformers by `--entry`), `migrate weights` of a checkpoint that torch wrote, `migrate check` with these.
Then what nobody looks at who checks where all is installed: the converted folder and the checkpoint are copied to a
new place, and run there in an interpreter that has the target and what the convert command said that the output needs;
neither torch nor the library. Every module that was imported must lie in the copy, in that interpreter or in the
folder of what is needed. What it computes is compared with the whole, unreduced library in torch. Exit status 1 where
any of it does not hold.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy
from families import LIST, STAND_INS, interpreter
from packages import install, migrate, tomllib

from checks.parity import inputs
from rewriters.storing import home

HERE = Path(__file__).parent
TARGETS = ("paddle", "oneflow")
NEAR = 1e-4  # of the largest output, in float32; `check` measures finely
SEED = 0
SUFFIXES = {"paddle": ".pdparams", "oneflow": ".oneflow"}
TORCH = """
import importlib, json, sys
import numpy, torch
entry, drawn, checkpoint, out = sys.argv[1:]
module, _, call = entry.partition(":")
torch.manual_seed(0)
model = eval(call, vars(importlib.import_module(module))).eval()
torch.save(model.state_dict(), checkpoint)
arrays = numpy.load(drawn)
given, plain = {n: torch.from_numpy(arrays[n]) for n in arrays.files if n != "plain"}, json.loads(str(arrays["plain"]))
with torch.no_grad():
    result = model(**given, **plain)
numpy.save(out, (result if isinstance(result, torch.Tensor) else result[0]).numpy())
"""
FRESH = """
import importlib, importlib.util, json, sys, sysconfig
from pathlib import Path
here, beside, entry, drawn, checkpoint, out, framework, *absent = sys.argv[1:]
sys.path[:0] = [here, beside]
for name in ["torch", *absent]:
    assert importlib.util.find_spec(name) is None, f"{name} is installed here"
import numpy
target = importlib.import_module(framework)
module, _, call = entry.partition(":")
model = eval(call, vars(importlib.import_module(module)))
given = target.load(checkpoint)
said = model.set_state_dict(given) if framework == "paddle" else model.load_state_dict(given)
assert not any(said), f"not loaded: {said}"
model.eval()
arrays = numpy.load(drawn)
tensor = target.to_tensor if framework == "paddle" else target.tensor
given, plain = {n: tensor(arrays[n]) for n in arrays.files if n != "plain"}, json.loads(str(arrays["plain"]))
with target.no_grad():
    result = model(**given, **plain)
numpy.save(out, (result if isinstance(result, target.Tensor) else result[0]).numpy())
files = [Path(m.__file__).resolve() for m in list(sys.modules.values()) if getattr(m, "__file__", None)]
allowed = [Path(here).resolve(), *(Path(p).resolve() for p in sys.path[1:])]
elsewhere = [str(f) for f in files if not any(f.is_relative_to(place) for place in allowed)]
assert not elsewhere, f"imported from elsewhere: {elsewhere}"
assert "torch" not in sys.modules
print(sum(f.is_relative_to(allowed[0]) for f in files))
"""


@dataclass(frozen=True)
class Case:
    """A model to bring over.

    package:  the library that it stands on, as families.toml lists it.
    project:  the file that is converted --with it; "" where the entry is the library's own.
    entry:    as `migrate check` takes it, by torch's names. inputs: of the forward, each with its name.
    """

    package: str
    project: str
    entry: str
    inputs: tuple[str, ...]


WIDTHS = "hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64"
CASES = {
    "dit": Case("timm", "dit.py", "dit:DiT()", ("x=float32[2,4,16,16]", "step=int64[2]<1000", "label=int64[2]<10")),
    "clip": Case(
        "transformers",
        "",
        "transformers.models.clip.modeling_clip:CLIPModel(CLIPConfig("
        f"text_config=dict(vocab_size=96, max_position_embeddings=16, eos_token_id=2, {WIDTHS}), "
        f"vision_config=dict(image_size=32, patch_size=8, {WIDTHS}), projection_dim=16))",
        ("input_ids=int64[2,6]<96", "pixel_values=float32[2,3,32,32]"),
    ),
    "llama": Case(
        "transformers",
        "",
        "transformers.models.llama.modeling_llama:LlamaForCausalLM(LlamaConfig("
        f"vocab_size=96, num_key_value_heads=2, max_position_embeddings=64, {WIDTHS}))",
        ("input_ids=int64[2,6]<96", "use_cache=False"),
    ),
}


class Failed(Exception):
    """What did not hold."""


def run(said: str, *command: object, cwd: Path | None = None) -> str:
    """What a command prints. Raises Failed."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, cwd=cwd, env={"PATH": "/usr/bin:/bin"}, check=False)
    if done.returncode:
        raise Failed(f"{said}: {(done.stderr or done.stdout).strip()[-2000:]}")
    return done.stdout


def moved(python: str, *words: object) -> str:
    """What a migrate command says, run by the interpreter that torch's side is to have. Raises Failed."""
    environ = {**os.environ, "PYTHONPATH": str(HERE.parent), "COLUMNS": "200"}
    command = [python, "-m", "migrate", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, env=environ, check=False)
    if done.returncode:
        raise Failed(f"{words[0]}: {(done.stderr or done.stdout).strip()[-2000:]}")
    return done.stdout + done.stderr


def shown(case: Case, target: str, work: Path, temporary: Path) -> str:
    """One model on one target, from the library to the copy that runs by itself; figures in words. Raises Failed."""
    listed = tomllib.loads(LIST.read_text())
    version = next(family["version"] for family in listed["family"] if family["package"] == case.package)
    version = listed["versions"].get(target, {}).get(case.package, version)
    work = work / f"{case.package}-{version}"
    whole = {"name": case.package, "version": version}
    bases = {"torch": sys.executable, target: migrate("env", target, "--path").stdout.strip()}
    for side, base in bases.items():
        if problem := install(whole, base, work / side / "beside"):
            raise Failed(f"{case.package} {version} for {base}: {problem}")
    library = work / "torch" / "beside"

    project, out = temporary / "project", temporary / "out"
    project.mkdir()
    if case.project:
        shutil.copy(HERE / "fresh_folder" / case.project, project)
        words = [project, "--with", library / case.package]
    else:
        words = [library / case.package, "--entry", case.entry.partition("(")[0]]
    told = moved(sys.executable, "convert", *words, "--to", target, "-o", out)
    renamed = f"{case.package}_{target}" if (out / f"{case.package}_{target}").is_dir() else case.package
    entry = re.sub(rf"^{case.package}\b", renamed, case.entry)

    values = inputs.draw(inputs.parse_all(case.inputs), SEED)
    given, checkpoint = temporary / "inputs.npz", temporary / "model.pt"
    plain = {name: node["value"] for name, node in values.keywords.items() if "value" in node}
    arrays: dict[str, Any] = {"plain": json.dumps(plain), **values.arrays}
    numpy.savez(given, **arrays)
    python = interpreter(bases["torch"], library, work / "torch" / "python", STAND_INS)
    run("torch", python, "-c", TORCH, case.entry, given, checkpoint, temporary / "torch.npy", cwd=project)

    # From here on nobody has the library, only what convert said that the output needs.
    needs = sorted({name for found in re.findall(r"; needs ([\w, ]+)", told) for name in found.split(", ")})
    beside = {side: apart(needs, base, work / side) for side, base in bases.items()}
    python = interpreter(bases["torch"], beside["torch"], work / "torch" / "python-alone", [])
    torch_side, carried = out / ".migrate" / "torch", temporary / f"model{SUFFIXES[target]}"
    words = [checkpoint, "--to", target, "--project", torch_side, "--model", entry, "-o", carried]
    moved(python, "weights", *words)
    words = [torch_side, out, "--to", target, "--entry", entry, "--weights", checkpoint]
    words += [word for spec in case.inputs for word in ("--input", spec)]
    checked = moved(python, "check", *words, "--path", f"{target}:{beside[target]}")

    fresh = temporary / "elsewhere" / "model"
    shutil.copytree(out, fresh, ignore=shutil.ignore_patterns(".migrate", "__pycache__"))
    for old in (out, project):
        shutil.rmtree(old)
    absent = [] if renamed == case.package else [case.package]
    words = [fresh, beside[target], entry, given, carried, temporary / "fresh.npy", target, *absent]
    modules = run("fresh folder", bases[target], "-I", "-c", FRESH, *words, cwd=fresh.parent).splitlines()[-1]
    there, here = numpy.load(temporary / "torch.npy"), numpy.load(temporary / "fresh.npy")
    off = float(numpy.abs(there - here).max() / numpy.abs(there).max()) if there.shape == here.shape else float("inf")
    if not off <= NEAR:
        raise Failed(f"the fresh folder gives {here.shape}, off by {off:.1e} from {there.shape} of the whole library")
    verdict = next(line for line in checked.splitlines() if line.startswith("parity")).partition(";")[0]
    said = f"{modules} modules, with {', '.join(needs) or 'nothing'} beside; check: {verdict}"
    return f"{said}; in the fresh folder off by {off:.1e}"


def apart(needs: list[str], python: str, work: Path) -> Path:
    """A folder that has nothing but what an output needs, in the versions that lie beside the whole library."""
    folder = work / "alone"
    where: dict[str, metadata.Distribution] = {}
    for one in metadata.distributions(path=[str(work / "beside")]):
        where |= {path.parts[0].removesuffix(".py"): one for path in one.files or ()}
    found = {where[name].metadata["Name"]: where[name].version for name in needs if name in where}  # else Python has it
    if found:
        (name, version), *rest = found.items()
        wanted = {"name": name, "version": version, "needs": [f"{name}=={version}" for name, version in rest]}
        if problem := install(wanted, python, folder / "-".join(found)):
            raise Failed(f"{', '.join(found)} for {python}: {problem}")
    alone = folder / ("-".join(found) or "nothing")
    alone.mkdir(parents=True, exist_ok=True)
    return alone


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", choices=[*CASES, []], metavar="MODEL", help=f"default: {', '.join(CASES)}")
    parser.add_argument("--to", action="append", choices=TARGETS, help="default: both")
    parser.add_argument("--work", type=Path, default=home() / "families", help="where libraries are installed")
    options = parser.parse_args()
    bad = 0
    for name in options.models or CASES:
        for target in options.to or TARGETS:
            with tempfile.TemporaryDirectory(prefix="migrate-fresh-") as temporary:
                try:
                    said = shown(CASES[name], target, options.work, Path(temporary))
                except Failed as failed:
                    said, bad = f"FAILED: {failed}", bad + 1
            print(f"{name} {target}: {said}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
