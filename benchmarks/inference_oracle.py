"""Holds what the inference claims of expressions against what they are when the source programs run, in torch.

    python benchmarks/inference_oracle.py --sources FOLDER                   # public_repos.toml, in FOLDER/NAME
    python benchmarks/inference_oracle.py --sources FOLDER karpathy/nanoGPT  # one of them
    python benchmarks/inference_oracle.py --programs FOLDER                  # every program of one file in there
    python benchmarks/inference_oracle.py --package timm --calls calls.py    # an importable package

Run it with an interpreter that has torch. Packages that the programs import beside it come from PYTHONPATH.
calls.py has a function ``calls()`` that gives (name, function) pairs, which run with the package instrumented.
With --halves two processes infer half of the files each, as of a component of more than 4 MB.
Exits with 1 where a claim is false.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from shutil import copy, copytree
from tempfile import TemporaryDirectory
from typing import Any

import torch

from checks.claims.observing import Observed, instrumented, observe_program, observing
from checks.parity import inputs as specs
from checks.worker import entry as entries
from migrate.convert.forks import Forks
from rewriters.load_file import load_file
from rewriters.workers import Workers

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]

LIST = Path(__file__).with_name("public_repos.toml")


def value_of(node: dict[str, Any], arrays: dict[str, Any]) -> Any:
    """An argument as ``checks.worker.nested`` describes it."""
    if "tensor" in node:
        return torch.from_numpy(arrays[node["tensor"]].copy())
    for kind, make in (("list", list), ("tuple", tuple)):
        if kind in node:
            return make(value_of(item, arrays) for item in node[kind])
    if "dict" in node:
        return {key: value_of(item, arrays) for key, item in node["dict"]}
    return next(iter(node.values()), None)


def train(model: Any, inputs: list[Any], keywords: dict[str, Any]) -> None:
    """Two steps as a training loop takes them, and one evaluation."""
    if not isinstance(model, torch.nn.Module):
        model(*inputs, **keywords)
        return
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    for _ in range(2):
        loss = sum(part.float().sum() for part in tensors_in(model(*inputs, **keywords)) if part.is_floating_point())
        if isinstance(loss, torch.Tensor) and loss.requires_grad:
            torch.autograd.backward(loss)
            torch.optim.SGD(trained, lr=1e-4).step()
    model.eval()
    with torch.no_grad():
        model(*inputs, **keywords)


def tensors_in(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from tensors_in(part)
    elif isinstance(value, dict):
        yield from tensors_in(list(value.values()))


def failed(name: str) -> None:
    kind, error, trace = sys.exc_info()
    place = traceback.extract_tb(trace)[-1]
    print(
        f"  {name} ends with {getattr(kind, '__name__', kind)}: {error} ({place.filename}:{place.lineno})", flush=True
    )


def of_repository(repo: dict[str, Any], sources: Path, observed: Observed, workers: Workers | None) -> None:
    """Every entry of one repository in public_repos.toml."""
    root = sources / str(repo["name"]).split("/")[1]
    with TemporaryDirectory() as chosen:
        if "files" in repo:
            for part in repo["files"]:
                if (root / part).is_dir():
                    copytree(root / part, Path(chosen) / Path(part).name)
                else:
                    copy(root / part, chosen)
            root = Path(chosen)
        for listed in repo["entry"]:
            inside = listed.get("inside", "")
            sys.path.insert(0, str(root / inside))
            try:
                finder = instrumented(root, observed, inside=inside, workers=workers)
                with observing(observed, finder), redirect_stdout(StringIO()):
                    run_entry(listed)
            except (Exception, SystemExit):  # a program of someone else's: whatever it raises is said
                failed(listed["entry"])
            finally:
                sys.path.remove(str(root / inside))


def run_entry(listed: dict[str, Any]) -> None:
    named = entries.parse(listed["entry"])
    module = importlib.import_module(named.module)
    drawn = specs.draw(specs.parse_all(listed["input"]), 0)
    model = entries.find(module, named.attribute)
    if named.call is not None:
        positional, keywords = entries.arguments(module, named.call)
        model = model(*positional, **keywords)
    arguments = [value_of(node, drawn.arrays) for node in drawn.positional]
    train(model, arguments, {name: value_of(node, drawn.arrays) for name, node in drawn.keywords.items()})


def of_programs(paths: Iterable[Path], observed: Observed) -> None:
    for path in paths:
        try:
            with redirect_stdout(StringIO()):
                observe_program(path.read_text(encoding="utf-8"), observed, path.stem)
        except (Exception, SystemExit):
            failed(path.name)


def of_package(name: str, calls: Path, observed: Observed, workers: Workers | None) -> None:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise SystemExit(f"{name} is not importable")
    root = Path(spec.origin).parent
    with observing(observed, instrumented(root, observed, package=name, workers=workers)):
        for called, function in load_file(calls).calls():
            try:
                with redirect_stdout(StringIO()):
                    function()
            except (Exception, SystemExit):
                failed(called)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="OWNER/NAME; default: all that public_repos.toml lists")
    parser.add_argument("--sources", type=Path, help="folder of checkouts")
    parser.add_argument("--programs", type=Path, action="append", default=[], help="folder of programs, each one file")
    parser.add_argument("--package", help="a package that can be imported")
    parser.add_argument("--calls", type=Path, help="what to run of it")
    parser.add_argument("--halves", action="store_true", help="inferred by two processes")
    options = parser.parse_args()
    workers = Forks(2) if options.halves else None
    torch.manual_seed(0)
    sys.argv[1:] = []  # scripts read them when they are imported
    observed = Observed()
    if options.sources:
        for repo in tomllib.loads(LIST.read_text())["repo"]:
            if not options.names or repo["name"] in options.names:
                before = observed.evaluated, observed.looked_at, len(observed.false)
                of_repository(repo, options.sources, observed, workers)
                after = observed.evaluated, observed.looked_at, len(observed.false)
                counts = [b - a for a, b in zip(before, after, strict=True)]
                print(f"{repo['name']}: {counts[0]} evaluated, {counts[1]} looked at, {counts[2]} false", flush=True)
    for folder in options.programs:
        of_programs(sorted(folder.rglob("*.py")) if folder.is_dir() else [folder], observed)
    if options.package:
        of_package(options.package, options.calls, observed, workers)
    print("\n".join(observed.lines()))
    print(
        f"{observed.evaluated} evaluations, {observed.looked_at} looked at, of {len(observed.times)} expressions; "
        f"{len(observed.false)} claims are false"
    )
    return 1 if observed.false else 0


if __name__ == "__main__":
    sys.exit(main())
