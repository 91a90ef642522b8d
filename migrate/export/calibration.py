"""Calibration sets: the calls by which a back end learns which values an int8 model meets."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from checks.parity.inputs import draw, parse_all
from checks.worker import arrays
from migrate.errors import Unusable
from migrate.export.axes import Inputs

FILE = "calibration.npz"
"""In the artefact: a set that was given."""

DRAWN = 32
"""Calls that are drawn where no set is given."""

MOST = 512
"""Calls that are taken from a callable."""

OTHER_SEED = 2_000_003
"""Added to the seed, so that no drawn call is one that a check compares."""

MEND = "--calibrate N, FILE.npz, a folder of .npz files, or MODULE:CALLABLE that yields the model's arguments"
Call = dict[str, np.ndarray]
"""Path of a tensor (``checks.parity.inputs.Drawn``) -> array."""


@dataclass(frozen=True)
class Given:
    """--calibrate, read. One of: how many to draw, files, a callable of the project; text as it was given."""

    text: str
    count: int = 0
    files: tuple[Path, ...] = ()
    callable: str = ""


def read(text: str | None) -> Given:
    """What was asked for. Raises Unusable."""
    if text is None:
        return Given("", DRAWN)
    if text.isdecimal():
        if not int(text):
            raise Unusable("--calibrate 0: an empty set says nothing of what the model meets", MEND)
        return Given(text, int(text))
    path = Path(text)
    if path.is_dir():
        files = tuple(sorted(path.glob("*.npz")))
        if not files:
            raise Unusable(f"--calibrate {text}: the folder has no .npz file", MEND)
        return Given(text, files=files)
    if text.endswith(".npz"):
        if not path.is_file():
            raise Unusable(f"--calibrate {text}: is not there", MEND)
        return Given(text, files=(path,))
    module, colon, name = text.partition(":")
    if not (colon and module and name):
        raise Unusable(f"--calibrate {text}: is no number, no .npz, no folder and no MODULE:CALLABLE", MEND)
    return Given(text, callable=text)


def collect(
    given: Given, inputs: Inputs, seed: int, told: Sequence[Mapping[str, Any]], yielded: Path | None
) -> list[Call]:
    """The calls, held against the artefact's inputs.

    told: inputs of the manifest; yielded: the folder of arrays ``NUMBER:PATH`` that a callable gave. Raises Unusable.
    """
    if given.count:
        calls = [("", call) for call in drawn(inputs, seed, given.count)]
        return _of_inputs(calls, told)
    calls = []
    for file in given.files:
        calls += [(f"{file}, call {number}", call) for number, call in enumerate(_of_file(file, told), 1)]
    if yielded is not None:
        by_name = {item["name"]: item["path"] for item in told}
        for number, call in enumerate(by_number(arrays.read(yielded)), 1):
            renamed = {by_name.get(path, path): array for path, array in call.items()}
            calls.append((f"{given.text}, call {number}", renamed))
    if not calls:
        raise Unusable(f"--calibrate {given.text}: gives no call at all", MEND)
    for where, call in calls:
        _held(where, call, told)
    return _of_inputs(calls, told)


def _of_inputs(calls: Sequence[tuple[str, Call]], told: Sequence[Mapping[str, Any]]) -> list[Call]:
    """What the artefact takes of them: an input that the model does not use it may lack."""
    names = {item["path"] for item in told}
    return [{path: array for path, array in call.items() if path in names} for _, call in calls]


def drawn(inputs: Inputs, seed: int, count: int) -> list[Call]:
    """Random calls, as --input describes them."""
    specs = parse_all(inputs.specs())
    return [draw(specs, seed + OTHER_SEED + number).arrays for number in range(count)]


def by_number(named: Mapping[str, Any]) -> list[Call]:
    """The calls of arrays ``NUMBER:PATH``."""
    found: dict[int, Call] = {}
    for name, array in named.items():
        number, _, path = name.partition(":")
        found.setdefault(int(number), {})[path] = array
    return [found[number] for number in sorted(found)]


def numbered(calls: Sequence[Call]) -> dict[str, Any]:
    """As arrays ``NUMBER:PATH``."""
    return {f"{number}:{path}": array for number, call in enumerate(calls) for path, array in call.items()}


def write(folder: Path, calls: Sequence[Call]) -> None:
    """As a folder of arrays."""
    arrays.write(folder, numbered(calls))


def save(file: Path, calls: Sequence[Call]) -> None:
    """As one file, for whoever checks the artefact."""
    np.savez(file, **numbered(calls))


def load(file: Path) -> list[Call]:
    """What ``save`` wrote."""
    with np.load(file, allow_pickle=False) as held:
        return by_number(held)


def digest_of(calls: Sequence[Call]) -> str:
    """sha256 over names, types, shapes and values."""
    found = hashlib.sha256()
    for number, call in enumerate(calls):
        for path, array in sorted(call.items()):
            found.update(f"{number}:{path}\0{array.dtype}\0{list(array.shape)}\0".encode())
            found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def _of_file(file: Path, told: Sequence[Mapping[str, Any]]) -> list[Call]:
    """The calls of a file: an array with an axis more than the input has holds many, one by one."""
    try:
        with np.load(file, allow_pickle=False) as held:
            found = {name: held[name] for name in held.files}
    except (OSError, ValueError) as error:
        raise Unusable(f"{file}: is no .npz of arrays: {error}", MEND) from None
    by_name = {item["name"]: item for item in told}
    by_path = {item["path"]: item for item in told}
    named: Call = {}
    many = set()
    for name, array in found.items():
        key = name.removeprefix("arr_") if name.startswith("arr_") else name
        item = by_name.get(name) or by_path.get(key)
        if item is None:
            known = ", ".join(by_name)
            raise Unusable(f"{file}: {name} is no input of the model; its inputs are {known}", MEND)
        named[item["path"]] = array
        if array.ndim == len(item["shape"]) + 1:
            many.add(item["path"])
    if not many:
        return [named] if named else []
    counts = {path: len(named[path]) for path in many}
    if len(set(counts.values())) > 1:
        said = ", ".join(f"{by_path[path]['name']} {count}" for path, count in counts.items())
        raise Unusable(f"{file}: its arrays hold different numbers of calls: {said}", MEND)
    return [
        {path: array[number] if path in many else array for path, array in named.items()}
        for number in range(next(iter(counts.values())))
    ]


def _held(where: str, call: Call, told: Sequence[Mapping[str, Any]]) -> None:
    """Raises Unusable where a call is not one of the model's."""
    for item in told:
        wanted = ",".join(map(str, item["shape"]))
        spec = f"{item['name']}: {item['dtype']}[{wanted}]"
        array = call.get(item["path"])
        if array is None:
            raise Unusable(f"{where}: has no {spec}", MEND)
        fits = array.ndim == len(item["shape"]) and all(
            isinstance(size, str) or size == there for size, there in zip(item["shape"], array.shape, strict=True)
        )
        found = f"{array.dtype}[{','.join(map(str, array.shape))}]"
        if str(array.dtype) != item["dtype"] or not fits or not array.size:
            raise Unusable(f"{where}: has {found} for {spec}", f"give arrays as the model is called with; {MEND}")
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise Unusable(f"{where}: {item['name']} has elements that are not finite", "leave that call out")
