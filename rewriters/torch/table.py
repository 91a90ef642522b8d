"""Look-ups in the generated table of torch's names."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any

Entry = dict[str, Any]

FUNCTIONAL = "torch.nn.functional"


# The packages that code is moved away from.
ROOTS = frozenset({"torch", "torchvision"})


def of_source(module: str, own: Collection[str] = ()) -> bool:
    """Whether a dotted name is torch's or torchvision's. ``own``: those of the packages that the project has itself."""
    root = module.partition(".")[0]
    return root in ROOTS and root not in own


def own_packages(modules: Collection[str]) -> frozenset[str]:
    """Those packages of which a project's modules are: their own code tells what they are, and no table.

    Not torch: a folder of that name holds a project's code *for* torch, which imports the real one.
    """
    return frozenset(root for root in ROOTS - {"torch"} if root in modules)


@cache
def table() -> dict[str, Any]:
    """The whole table: ``torch`` and ``torchvision`` (versions), ``modules``, ``aliases``, ``names``, ``imported``."""
    loaded: dict[str, Any] = json.loads(Path(__file__).with_name("names.json").read_text(encoding="utf-8"))
    vision: dict[str, Any] = json.loads(Path(__file__).with_name("vision.json").read_text(encoding="utf-8"))
    loaded["torchvision"] = vision["torchvision"]
    loaded["modules"] += vision["modules"]
    for part in ("names", "aliases"):
        loaded[part].update(vision[part])
    loaded["modules"] += {name.rpartition(".")[0] for name in loaded["aliases"]}
    loaded["modules"] = frozenset(loaded["modules"]) | {
        name.rsplit(".", depth)[0] for name in loaded["modules"] for depth in range(1, name.count(".") + 1)
    }
    return loaded


@cache
def canonical(name: str) -> str:
    """The one name under which a torch object is filed: ``torch.nn.modules.linear.Linear`` -> ``torch.nn.Linear``."""
    aliases: dict[str, str] = table()["aliases"]
    while name.startswith("torch.torch."):  # torch imports itself
        name = name.removeprefix("torch.")
    if name in aliases:
        return aliases[name]
    # As torch's own files have it imported: ``from torch.functional import F``
    _, found, rest = f"{name}.".partition(".F.")
    if found:
        return canonical(f"{FUNCTIONAL}.{rest}".removesuffix("."))
    # A member of an aliased class: torch.nn.modules.Module.train
    head, _, last = name.rpartition(".")
    if head in aliases:
        return f"{aliases[head]}.{last}"
    return name


def entry(name: str) -> Entry | None:
    """What the table says of a canonical name."""
    found: Entry | None = table()["names"].get(name)
    return found


@cache
def public_names() -> tuple[str, ...]:
    """The canonical names that people can use; the table has some more, which torch has for itself."""
    return tuple(name for name, known in table()["names"].items() if not known.get("private"))


@cache
def no_api() -> tuple[str, ...]:
    """What can be named in torch's public modules, and torch has there for itself: texts for its documentation,
    constants and helpers of its own code, what is merely imported there (``torch.nn.functional.Callable``).
    """
    loaded = table()
    private = (name for name, known in loaded["names"].items() if known.get("private"))
    return (*private, *(f"{module}.{name}" for module, names in loaded["imported"].items() for name in names))


@cache
def python_names() -> dict[str, str]:
    """What torch's modules have of Python's standard library: ``torch.jit.annotations.List`` -> ``typing.List``."""
    loaded: dict[str, str] = json.loads(Path(__file__).with_name("python_names.json").read_text(encoding="utf-8"))
    return loaded


def version_of(name: str) -> str | None:
    """The version that the table was made from, where ``name`` is what tells it: ``torch.__version__``."""
    root, _, last = name.partition(".")
    told = last in {"__version__", "version.__version__", "torch_version.__version__"}
    return str(table()[root]) if told and of_source(root) else None


def is_module(name: str) -> bool:
    """Whether ``name`` is one of torch's modules. Some are hidden by a function of their name, as torch's own
    importing hides them: ``torchvision.models.alexnet``.
    """
    return name in table()["modules"] and name not in table()["names"]


@cache
def mro(name: str) -> tuple[str, ...]:
    """The class and its bases among torch's public classes, nearest first."""
    known = entry(name)
    return (name, *known["bases"]) if known and known["kind"] == "class" else (name,)


def of_base(said: Mapping[str, str], method: str) -> str:
    """What a table says of a method, dotted with its class, or of that of the nearest base; "" for nothing."""
    owner, _, name = method.rpartition(".")
    return next((found for base in mro(owner) if (found := said.get(f"{base}.{name}"))), "")


@cache
def is_tensor_class(name: str) -> bool:
    """Tensor itself and its subclasses that users name."""
    return name in {"torch.Tensor", "torch.nn.Parameter", "torch.nn.Buffer", VARIABLE} or name in TYPED


# Gives the tensor that it is given, since 0.4.
VARIABLE = "torch.autograd.Variable"


TYPED = {
    f"torch.{device}{kind}Tensor"
    for kind in ("Float", "Double", "Half", "BFloat16", "Long", "Int", "Short", "Char", "Byte", "Bool")
    for device in ("", "cuda.", "sparse.")
}
"""Classes of tensors of one dtype, as code older than ``dtype=`` names them."""


@cache
def star_names(module: str) -> tuple[str, ...]:
    """The public names that ``from torch.x import *`` binds, as far as the table knows."""
    prefix = module + "."
    loaded = table()
    names = {name[len(prefix) :] for name in [*loaded["names"], *loaded["aliases"]] if name.startswith(prefix)}
    return tuple(sorted(name for name in names if "." not in name))


def names_below(name: str) -> list[str]:
    """The last parts of the names of a class's members."""
    above = f"{name}."
    return [
        other[len(above) :] for other in table()["names"] if other.startswith(above) and "." not in other[len(above) :]
    ]
