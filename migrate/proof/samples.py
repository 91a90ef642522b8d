"""PyTorch's own samples, printed as source, with torch's answers: made once for a torch and for what prints them."""

from __future__ import annotations

import ast
import hashlib
import json
import re
import subprocess
import tempfile
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from filelock import FileLock

import checks
from checks.starting import command
from migrate import environments
from migrate.errors import Unusable
from rewriters import torch as torch_side
from rewriters.storing import home
from rewriters.text.parsing import module_of
from rewriters.torch.table import canonical, table

KINDS = ("opinfo", "compositions", "variations", "moduleinfo", "lazymodules", "optiminfo", "schedulers", "written")
FORMS = "forms"  # on record by themselves: migrate.proof.ways
COMPOSED, CALLED = "composed", "called"
GROUPS = {
    "compositions": COMPOSED,
    "lazymodules": "lazy module",
    "optiminfo": "optimizer",
    "schedulers": "scheduler",
    "written": "written",
    FORMS: CALLED,
}
PROOF = Path(checks.__file__).parent / "proof"
SAMPLING, WORKER = PROOF / "sampling", PROOF.with_name("worker")
BLOB, BUILT, EVALUATE = (WORKER / "samples" / f"{name}.py" for name in ("blob", "built", "evaluate"))
SHARED = (BLOB, EVALUATE, *(SAMPLING / f"{name}.py" for name in ("literals", "reference", "sampler")))
OPINFO = SAMPLING / "opinfo.py"
OVERLOADS = Path(torch_side.__file__).with_name("overloads.json")
CALLING = tuple(
    SAMPLING / f"{name}.py" for name in ("calling", "choosing", "constructing", "signatures", "moduleinfo", "optiminfo")
)
USES = {
    "opinfo": (),
    "variations": (OPINFO,),
    "compositions": (OPINFO, BUILT),
    FORMS: (OPINFO, BUILT, *CALLING),
}  # others: BUILT
RUNTIME = torch_side.WORKER / "runtime.py"
DESCRIBE = RUNTIME.with_name("describe.py")
OTHERS = {
    "runtime": [RUNTIME, RUNTIME.with_name("double.py")],
    "describe": [DESCRIBE],
    "structure": [WORKER / "structure.py"],
    "noise": [WORKER / "noise.py"],
    "tensor_spec": [WORKER / "tensor_spec.py"],
}  # as the files of the proof call them
SHARDS = 2


@dataclass(frozen=True)
class Form:
    """One way to write a sample's call.

    source: the database: opinfo, moduleinfo, ...
    sample: of the database, and which: ``softmax/with_dtype:float32:3``.
    key:    canonical name of what is called; ``written`` as it stands in the text.
    kind:   function, method, property, operator, in-place, ...
    text:   the call, its tensors being parameters.
    """

    source: str
    sample: str
    key: str
    written: str
    kind: str
    text: str
    record: dict[str, Any]
    expected: dict[str, Any]
    arrays: Path

    @property
    def parameters(self) -> list[str]:
        return list(self.record["tensors"])

    @property
    def dtype(self) -> str:
        """Of the sample's tensors: float32, int64, mixed, ...; of a module's sample: its mode."""
        return self.sample.split(":")[1]

    @property
    def group(self) -> str:
        """What kind of sample it is, as the records count them: float32, bfloat16, out, module train, written, ..."""
        if self.source in {"opinfo", "variations"}:
            return self.dtype
        return f"module {self.dtype}" if self.source == "moduleinfo" else GROUPS[self.source]

    @property
    def body(self) -> str | None:
        """The statements of a sample that is more than one call; ``text`` then builds its module, or is empty."""
        found: str | None = self.record.get("body")
        return found

    @property
    def repro(self) -> str:
        """The call and what its tensors are, in a line."""
        shapes = ", ".join(f"{name}: {Dtype(place[1])}{place[2]}" for name, place in self.record["tensors"].items())
        text = (
            "; ".join(filter(None, [self.text and f"module = {self.text}", *self.body.split("\n")]))
            if self.body
            else self.text
        )
        return f"{text}  # {self.sample}" + (f"; {shapes}" if shapes else "")


class Dtype(str):
    """A numpy dtype string in words: ``<f4`` is float32."""

    def __str__(self) -> str:
        import numpy as np

        return str(np.dtype(str.__str__(self)))


@dataclass(frozen=True)
class Entry:
    """The samples of one entry of PyTorch's databases."""

    kind: str
    name: str
    path: Path

    @cached_property
    def content(self) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads(self.path.read_text(encoding="utf-8"))
        return loaded

    def forms(self) -> Iterator[Form]:
        """Every way to write every sample's call."""
        arrays = self.path.with_suffix(".bin")
        for record in self.content["samples"]:
            for call in record["calls"]:
                for form in call["forms"]:
                    key = canonical(form["key"])
                    words = (record["label"], key, form["key"], form["kind"], form["text"])
                    yield Form(self.kind, *words, record, call["expected"], arrays)


def folder(interpreter: environments.Interpreter, kind: str, few: int | None = None) -> Path:
    """Where the samples of a database are kept: another torch, or another way to print them, is another folder."""
    version = interpreter.version.partition("+")[0]
    name = f"{kind}-{version}-{fingerprint(kind, interpreter.version)[:8]}"
    return home() / "proof" / (f"{name}-{few}" if few else name)


def fingerprint(kind: str, version: str) -> str:
    """Of what prints the samples of a database: the files of the proof, and what they use of others."""
    files = [*SHARED, *USES.get(kind, (BUILT,)), SAMPLING / f"{kind}.py"]
    digest = hashlib.sha256(version.encode())
    for path in files:
        digest.update(code(path).encode())
    if kind == FORMS:
        digest.update(OVERLOADS.read_bytes())
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    for word, paths in OTHERS.items():
        for path in paths:
            for name, definition in used(path, re.findall(rf"\b{word}\.(\w+)", text)).items():
                digest.update(f"{name}: {definition}".encode())
    return digest.hexdigest()


def used(path: Path, names: Collection[str]) -> dict[str, str]:
    """Those definitions of a file, and whatever of it they name: name -> syntax tree, in the order of names."""
    tree = plain(path)
    definitions: dict[str, ast.AST] = {}
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            definitions[node.name] = node
        elif isinstance(node, ast.Assign):
            definitions.update({target.id: node for target in node.targets if isinstance(target, ast.Name)})
    found: dict[str, str] = {}
    waiting = [name for name in names if name in definitions]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = ast.dump(definitions[name])
            parts = [node.id for node in ast.walk(definitions[name]) if isinstance(node, ast.Name)]
            waiting += [part for part in parts if part in definitions]
    return dict(sorted(found.items()))


def code(path: Path) -> str:
    """What a file does: its syntax tree without docstrings, whatever its comments and lines are."""
    return ast.dump(plain(path))


def plain(path: Path) -> ast.Module:
    tree = module_of(path.read_bytes())
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        first = body[0] if isinstance(body, list) and body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            node.body = body[1:]  # type: ignore[attr-defined, index]
    return tree


def entries(names: Collection[str] | None = None, kinds: Sequence[str] = KINDS, few: int | None = None) -> list[Entry]:
    """The samples, made where they are missing.

    names: torch names that are to be called; None for all.
    few:   samples of each entry and mode; None for all.
    Raises Unusable when torch's interpreter cannot make them.
    """
    interpreter = environments.find_interpreter("torch")
    lasts = None if names is None else {last for name in names for last in last_parts(name)}
    found = []
    for kind in kinds:
        place = folder(interpreter, kind, few)
        place.mkdir(parents=True, exist_ok=True)
        with FileLock(place / "lock"):  # one maker at a time: the others find what it made
            index = listed(interpreter, kind, place)
            wanted = [name for name, covers in index.items() if lasts is None or lasts & {*covers}]
            missing = [name for name in wanted if not (place / f"{name}.json").is_file()]
            if missing:
                make(interpreter, kind, place, missing, few)
        found += [Entry(kind, name, place / f"{name}.json") for name in wanted]
    return found


def last_parts(name: str) -> set[str]:
    """``torch.Tensor.add_`` is called by the samples of add."""
    last = name.rpartition(".")[2].split(":")[0].split("[")[0].split("(")[0]
    return {last, last.removesuffix("_") or last}


def listed(interpreter: environments.Interpreter, kind: str, place: Path) -> dict[str, list[str]]:
    """Names of the entries of a database -> last parts of the names that their samples call."""
    digest = hashlib.sha256()
    for path in sorted((PROOF / "samples").glob("*.py")) if kind == "written" else []:
        digest.update(path.read_bytes())
    index = place / f"entries-{digest.hexdigest()[:8]}"
    if not index.is_file():
        ran = subprocess.run(
            command(interpreter.python, "proof.sampling.listing", kind),
            capture_output=True, text=True, env={**interpreter.environ(), "PYTHONWARNINGS": "ignore"}, check=False,
        )  # fmt: skip
        if ran.returncode:
            raise failure(ran.stderr)
        aside = index.with_suffix(".tmp")
        aside.write_text(ran.stdout.strip().splitlines()[-1], encoding="utf-8")
        aside.replace(index)
    loaded: dict[str, list[str]] = json.loads(index.read_text(encoding="utf-8"))
    return loaded


def make(
    interpreter: environments.Interpreter, kind: str, place: Path, names: Sequence[str], few: int | None = None
) -> None:
    """Run the sampler in a few processes; an entry that is there is not made again."""
    running = []
    with tempfile.TemporaryDirectory(prefix="migrate-proof-") as name:
        for shard in range(min(SHARDS, len(names))):
            job = Path(name) / f"job{shard}.json"
            content = {
                "out": str(place),
                "runtime": str(RUNTIME),
                "describe": str(DESCRIBE),
                "parameters": parameters(),
                "kind": kind,
                "names": list(names[shard::SHARDS]),
                "few": few,
            }
            job.write_text(json.dumps(content), encoding="utf-8")
            log = open(Path(name) / f"log{shard}", "w+", encoding="utf-8")  # noqa: SIM115 - closed below
            started = command(interpreter.python, "proof.sampling.sampler", job)
            running.append((subprocess.Popen(started, stdout=log, stderr=log, env=interpreter.environ()), log))
        try:
            for process, log in running:
                if process.wait():
                    log.seek(0)
                    raise failure(log.read())
        finally:
            for process, log in running:
                process.kill()
                process.wait()
                log.close()


def failure(stderr: str) -> Unusable:
    last = "\n".join(f"    {line}" for line in stderr.strip().splitlines()[-8:])
    return Unusable(
        f"torch's samples cannot be made\n{last}", 'pip install "torch-migrate[dev]", which brings expecttest'
    )


def parameters() -> dict[str, list[str]]:
    """Every name of a torch function -> its parameters as text."""
    names = table()["names"]
    found: dict[str, list[str]] = {name: entry["parameters"] for name, entry in names.items() if "parameters" in entry}
    for alias, name in table()["aliases"].items():
        if name in found:
            found[alias] = found[name]
    return found
