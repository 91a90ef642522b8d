"""What a target framework is to the engine: a folder with a ``TARGET`` in its ``__init__.py``.

Adding a target touches no file outside its folder; ``--to`` also takes the path of such a folder.
"""

from __future__ import annotations

import importlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from rewriters.load_file import load_file

HERE = Path(__file__).parent / "targets"
DECLARATIONS = ("rules", "weights/layouts.py")
"""A target's folder has one of them, or both."""


class UnknownTarget(ValueError):
    """No target of that name; the message lists the known ones."""


@dataclass(frozen=True)
class Environment:
    """An interpreter in which a framework runs.

    python:        version of CPython, "3.10".
    requirements:  pinned requirements, as pip reads them.
    bounds:        constraints on what is installed beside what is pinned. No proof hangs on them: a record is of any
                   release that the requirements admit.
    build:         constraints on what builds the requirements that come as source alone.
    libraries:     folders in site-packages put on the loader's path before the framework is imported.
    module:        what to import to see that the framework works.
    """

    python: str
    requirements: tuple[str, ...]
    module: str
    libraries: tuple[str, ...] = ()
    build: tuple[str, ...] = ()
    bounds: tuple[str, ...] = ()


@dataclass(frozen=True)
class Converter:
    """What makes another format of a saved model, in an interpreter of its own.

    name:    of its environment, as ``migrate env`` takes it.
    script:  the file in the framework's ``worker`` that it runs.
    """

    name: str
    environment: Environment
    script: str


@dataclass(frozen=True)
class Road:
    """How ``migrate export`` makes a format of a framework's model.

    saves:   the form that ``worker/export_runtime.py`` is asked for: the format itself, or what ``through`` reads.
    through: what makes the format of that; None where the framework writes it.
    refusal: why there is no such road, mend: what to do instead; empty where there is one.
    unrun:   why what was made cannot be run beside torch, mend likewise; empty where it can.
    """

    saves: str = "native"
    through: Converter | None = None
    refusal: str = ""
    unrun: str = ""
    mend: str = ""


@dataclass(frozen=True)
class Target:
    """A framework that torch code is rewritten to.

    name:         as ``--to`` takes it, also the folder's name.
    title:        as people write it.
    package:      the root package of the framework.
    environment:  the interpreter it is checked in.
    modules:      torch module -> the target's module that takes its place in import statements.
    keeps_alias:  whether the root package is imported under the source's own name for torch
                  (``import oneflow as torch``).
    ambient:      keyword-only parameters that a rule may ask for (``*, rngs``) -> the target's expression for them;
                  ``helper.rngs`` is what a rule file defines under that name, in the helper module.
    methods:      methods of torch's that a program's own classes define by another name here:
                  ``{"torch.nn.Module.forward": "__call__"}``.
    held:         what reads the array out of what holds a parameter or a buffer, an attribute of a module: ``[...]``.
                  Empty where those are arrays.
    cast:         how a ``tensor`` takes the dtype of one ``like`` it, where the target's operators do not promote
                  dtypes as torch's do: ``tensor.astype(like.dtype)``. Empty where they do.
    companions:   modules that other libraries have for torch -> what they have for the target (empty: nothing).
    requirements: torch's distributions -> what a requirements file names instead (empty: nothing).
    part:         of a target whose arrays do not change: what of a ``whole`` becomes another with the part at an
                  ``index`` changed, by ``set(...)``, ``add(...)``; names are then bound to what becomes of them.
    view_gradients: whether a change of a view in place is in the gradient of what it is a view of.
    errors:       torch's class of errors -> those that the target raises in its place, each with words of the code
                  around that say so (none: any code that works with tensors).
    unraised:     torch's classes of errors that tell of an index, and that the target does not raise, but goes on.
    imports:      the target's module -> the statement by which its names are reached (``import jax.numpy as jnp``), for
                  a target that has torch's names in other modules than torch; else modules take modules' places.
    setting:      a statement that is to run before the framework is used, and why; the helper module makes it.
    weights_only: whether code is not rewritten to it: it has layouts of weights and no rules.
    roads:        format -> how a model is exported to it; "native" is the framework's own.
    folder:       where its rules, runtime and formats lie; filled in on loading.
    """

    name: str
    title: str
    package: str
    environment: Environment
    modules: Mapping[str, str]
    keeps_alias: bool = False
    ambient: Mapping[str, str] = field(default_factory=dict)
    methods: Mapping[str, str] = field(default_factory=dict)
    held: str = ""
    cast: str = ""
    companions: Mapping[str, str] = field(default_factory=dict)
    requirements: Mapping[str, str] = field(default_factory=dict)
    part: str = ""
    view_gradients: bool = True
    errors: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    unraised: frozenset[str] = frozenset()
    imports: Mapping[str, str] = field(default_factory=dict)
    setting: tuple[str, str] = ("", "")
    weights_only: bool = False
    roads: Mapping[str, Road] = field(default_factory=dict)
    folder: Path = HERE

    @property
    def given_as(self) -> str:
        """What ``load_target`` and ``--to`` take: its name where it ships with migrate, else its folder's path."""
        return self.name if self.folder.parent == HERE else str(self.folder)

    @cached_property
    def packages(self) -> frozenset[str]:
        """The root packages of the modules that take torch's modules' places."""
        return frozenset({self.package, *(module.partition(".")[0] for module in self.modules.values())})

    def imported(self, dotted: str, taken: Collection[str] = ()) -> tuple[str, str]:
        """How a name of the framework is written, and the statement that this needs; ``imports`` has its module, or a
        module around it, or else the package is imported. taken: names that mean something else there.
        """
        module = max((known for known in self.imports if f"{dotted}.".startswith(f"{known}.")), key=len, default="")
        module = module or dotted.partition(".")[0]
        statement = self.imports.get(module, f"import {module}")
        local = statement.split()[-1]
        if local in taken:
            plain = statement.removesuffix(f" as {local}")
            statement, local = f"{plain} as {local}_", f"{local}_"
        return local + dotted[len(module) :], statement

    def companion(self, module: str) -> str:
        """What is imported in a module's place: of a library that has none for the target, the library."""
        return self.companions.get(module, module) or module.partition(".")[0]

    @property
    def in_place(self) -> bool:
        """Whether its tensors change in place."""
        return not self.part

    @property
    def runtime(self) -> Path:
        """The file that a worker in the target's interpreter loads: tensors to arrays and back, state, modes."""
        return self.folder / "worker" / "runtime.py"

    @property
    def records(self) -> Path:
        """The folder of the generated tables: what the proof and other commands found in the framework."""
        return self.folder / "records"

    @property
    def formats(self) -> Path:
        """The file with the writer of the target's own checkpoint format, if it has one."""
        return self.folder / "weights" / "formats.py"


def known_targets() -> list[str]:
    """Names of the targets that ship with migrate, sorted."""
    return sorted(folder.name for folder in HERE.iterdir() if any((folder / place).exists() for place in DECLARATIONS))


def _declares(folder: Path) -> bool:
    return any((folder / place).exists() for place in DECLARATIONS)


@cache
def load_target(name: str) -> Target:
    """The target called ``name``, or the one in the folder of that path.

    Raises UnknownTarget.
    """
    folder = HERE / name if name in known_targets() else Path(name).resolve()
    init = folder / "__init__.py"
    if not ("/" in name or name in known_targets()) or not _declares(folder) or not init.is_file():
        raise UnknownTarget(f"unknown target {name!r}; known: {', '.join(known_targets())}")
    module = importlib.import_module(f"rewriters.targets.{folder.name}") if folder.parent == HERE else load_file(init)
    target: Target = module.TARGET
    return Target(**{**target.__dict__, "folder": folder})
