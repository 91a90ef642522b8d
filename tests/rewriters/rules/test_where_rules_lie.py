"""Whoever knows a name of torch's finds the file of its rule: folders and files are named as torch's modules are."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import rewriters
from rewriters.rules.rulebook import Rulebook, load_rulebook
from rewriters.torch.table import table

TARGETS = [folder.parent for folder in sorted(Path(rewriters.__file__).parent.glob("targets/*/rules"))]
MODULES = frozenset(table()["modules"])
Place = tuple[str, ...]
NN = {("nn", "modules"), ("nn", "parameter")}


def spellings() -> dict[str, set[str]]:
    """Canonical name -> every name that torch knows it by."""
    found: dict[str, set[str]] = defaultdict(set)
    for alias, name in table()["aliases"].items():
        found[name].add(alias)
    return found


SPELLED = spellings()


def base_of(key: str) -> str:
    """The name that a key is of: ``torch.Tensor.data`` of ``torch.Tensor.data=``."""
    return key.partition(":")[0].partition("[")[0].rstrip("=")


def is_ordinary(key: str) -> bool:
    """Whether it is what answers for a name, not where a pass or the report chooses it."""
    return ":" not in key and "[" not in key


def modules_of(name: str) -> set[Place]:
    """The modules that a name is in, as torch spells them; of layers and optimizers, those where torch has them."""
    owner, _, last = name.rpartition(".")
    spelled = {name} | SPELLED[name] | {f"{other}.{last}" for other in SPELLED[owner]}
    found = {tuple(module_of(one).split(".")) for one in spelled}
    found = {place[1:] if place[0] == "torch" else place for place in found}
    if ("nn",) in found or ("optim",) in found:
        own = {place for place in found if place[:2] in NN or place[0:1] == ("optim",)}
        return {place for place in own if len(place) > 1} or found
    return found


def module_of(name: str) -> str:
    owner = name.rpartition(".")[0]
    while owner not in MODULES and "." in owner:
        owner = owner.rpartition(".")[0]
    return owner


def declared(book: Rulebook) -> Iterator[tuple[Place, list[str]]]:
    """Each declaration: its file's place below ``rules``, and the keys."""
    for path, file in book.files.items():
        place = tuple(path.with_suffix("").parts)
        place = place[len(place) - place[::-1].index("rules") :]
        for kind, what, *_ in file.declarations():
            if kind in ("rule", "same", "alias"):
                keys = [what] if kind == "alias" else what
                yield from ((place, [key]) for key in keys) if kind == "same" else [(place, keys)]


def is_suggested(place: Place, module: Place, places: set[Place]) -> bool:
    """Whether a file lies where a name of the module is looked for.

    That is the file of the module, or one in its folder; where it has neither, those of the module around.
    ``special_bessel.py`` is one of ``special``'s, ``amp.py`` one of ``cuda.amp``'s.
    """
    for length in range(len(module), 0, -1):
        inside = [one for one in places if one[:length] == module[:length] or is_beside(one, module[:length])]
        if inside:
            return place in inside or place == module[-1:]
    return len(place) == 1 or place[0] == "tensor"


def is_beside(place: Place, module: Place) -> bool:
    return place[:-1] == module[:-1] and place[-1].startswith(f"{module[-1]}_")


def is_named_so(place: Place, name: str) -> bool:
    """Whether the file's name is a part of the name: ``attention.py`` of ``MultiheadAttention``."""
    return place[-1] in name.rpartition(".")[2].lower()


def is_public(name: str) -> bool:
    return not any(part.startswith("_") for part in name.split("."))


@pytest.mark.parametrize("target", TARGETS, ids=lambda folder: folder.name)
def test_names_lead_to_files(target: Path) -> None:
    rows = [(place, list(filter(is_ordinary, keys))) for place, keys in declared(load_rulebook(target))]
    places = {place for place, _ in rows}
    lost = []
    for place, keys in rows:
        names = [base_of(key) for key in keys if is_public(key)]
        attributes = place[:3] == ("nn", "modules", "attributes")
        if not names or attributes or place[0] == "torchvision":
            continue
        if not any(
            is_named_so(place, name) or any(is_suggested(place, module, places) for module in modules_of(name))
            for name in names
        ):
            lost.append(f"{'/'.join(place)}.py: {names[0]}")
    assert not lost, "\n".join(sorted(lost))


@pytest.mark.parametrize("target", TARGETS, ids=lambda folder: folder.name)
def test_torchvision_has_a_folder(target: Path) -> None:
    for place, keys in declared(load_rulebook(target)):
        of_vision = {key.startswith("torchvision.") for key in keys}
        assert of_vision == {place[0] == "torchvision"}, (place, keys[0])


@pytest.mark.parametrize("target", TARGETS, ids=lambda folder: folder.name)
def test_files_of_special_rules_hide_no_ordinary_one(target: Path) -> None:
    """A file named for when its rules answer (``promotion``, ``own_objects``) has no name's ordinary rule.

    Operators, which are called by no name, may stand there, and attributes of the classes that the file is of.
    """
    rows = list(declared(load_rulebook(target)))
    homes: dict[str, set[Place]] = defaultdict(set)
    for place, keys in rows:
        for key in filter(is_ordinary, keys):
            homes[base_of(key)].add(place)
    elsewhere: Counter[Place] = Counter()
    ordinary: dict[Place, list[str]] = defaultdict(list)
    for place, keys in rows:
        elsewhere[place] += sum(not is_ordinary(key) and bool(homes[base_of(key)] - {place}) for key in keys)
        ordinary[place] += [key for key in keys if is_ordinary(key) and not base_of(key).endswith("__")]
    special = {base_of(key) for _, keys in rows for key in keys if not is_ordinary(key)}
    hidden = [
        f"{'/'.join(place)}.py: {key}"
        for place, keys in ordinary.items()
        for key in keys
        if elsewhere[place] > len(keys) and special.isdisjoint({base_of(key), base_of(key).rpartition(".")[0]})
    ]
    assert not hidden, "\n".join(hidden)
