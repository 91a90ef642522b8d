"""What a target's folder may have beside rules, and how it is called.

``passes.py`` or ``passes/`` chooses special rules where single rules cannot see enough; ``static.py`` plans static
graphs, and ``graphs.py`` is the module that converted files with graphs import. ``training.py`` says how training
steps are written where gradients are what a function gives, and do not lie at the parameters. A target's own
functions say which hook they are by a decorator, by which a type checker holds them to its form.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Protocol, TypeVar, cast

from rewriters.infer import Project
from rewriters.infer.values import ModuleInfo
from rewriters.load_file import load_file
from rewriters.regions import Plan
from rewriters.report import OURS, Outcome, Site
from rewriters.rules.rulebook import RuleError
from rewriters.target import HERE
from rewriters.text.slots import class_of

# What a fault of the engine raises.
FAULTS = (AttributeError, AssertionError, IndexError, KeyError, RecursionError, TypeError, ValueError)

P = TypeVar("P")  # what files are told by
# A node by the name of its class and its number among those of the class in its file; the key of its rule.
Placed = tuple[str, int, str]


class Keys(Protocol):
    def __call__(self, project: Project, module: ModuleInfo) -> Mapping[ast.AST, str]:
        """The nodes of a file for which a special rule answers, with its key: ``torch.nn.Linear:looked``."""


class Planning(Protocol):
    def __call__(self, project: Project, modules: Iterable[ModuleInfo]) -> Mapping[ModuleInfo, Plan]:
        """What becomes a static graph, or of training steps, in each file of a component."""


class Passes(Protocol):
    """A target's ``passes``."""

    @property
    def keys(self) -> Keys: ...


class Planner(Protocol):
    """A target's ``static.py``, and its ``training.py``."""

    @property
    def plan(self) -> Planning: ...


def chooses_rules(function: Keys) -> Keys:
    """The decorator of ``keys`` in ``passes``."""
    return function


def plans_graphs(function: Planning) -> Planning:
    """The decorator of ``plan`` in ``static.py``."""
    return function


def plans_training(function: Planning) -> Planning:
    """The decorator of ``plan`` in ``training.py``."""
    return function


@cache
def passes(folder: Path) -> Passes | None:
    """The target's hand-written passes, if it has any. Raises RuleError."""
    if folder.parent == HERE and (folder / "passes").is_dir():
        module = importlib.import_module(f"rewriters.targets.{folder.name}.passes")
    else:
        found = [place for place in (folder / "passes.py", folder / "passes" / "__init__.py") if place.is_file()]
        if not found:
            return None
        module = load_file(found[0])
    return cast(Passes, having(module, "keys"))


@cache
def planner(folder: Path, name: str = "static.py") -> Planner | None:
    """What plans static graphs for the target, or by ``training.py`` training steps; None where nothing does: it has no
    graphs, or gradients lie at parameters as in torch. Raises RuleError.
    """
    path = folder / name
    return cast(Planner, having(load_file(path), "plan")) if path.is_file() else None


def plans(project: Project, modules: list[ModuleInfo], folder: Path, static: bool) -> dict[ModuleInfo, Plan]:
    """What the target makes of the training steps of each file, or, where that is asked for, static graphs."""
    own = planner(folder) if static else None
    static = own is not None
    own = own or planner(folder, "training.py")
    try:
        return dict(own.plan(project, modules)) if own else {}
    except FAULTS as error:
        # These files are converted as without it.
        found = {module: Plan() for module in modules}
        what = "nothing here is static" if static else "no training step here is converted"
        why = f"{what}: {type(error).__name__} in the converter: {error}. {OURS}"
        for plan in found.values():
            plan.sites.append(Site(1, 1, "STATIC" if static else "TRAINING", Outcome.EAGER, why))
        return found


def having(module: ModuleType, name: str) -> ModuleType:
    if not callable(getattr(module, name, None)):
        raise RuleError(f"{module.__file__}: has no function {name}, which is what it is read for")
    return module


@cache
def graph_module(folder: Path) -> str:
    """The module that converted files with graphs import: the target's ``graphs.py`` as it stands."""
    return (folder / "graphs.py").read_text(encoding="utf-8")


def by_place(found: Mapping[P, Mapping[ast.AST, str]], modules: Mapping[P, ModuleInfo]) -> dict[P, list[Placed]]:
    """The same with nodes told by their places, for a process that has the same trees."""
    placed: dict[P, list[Placed]] = {}
    for path, keys in found.items():
        nodes = modules[path].nodes
        kinds = dict.fromkeys(map(class_of, keys))
        places = {node: (kind.__name__, place) for kind in kinds for place, node in enumerate(nodes.of(kind))}
        placed[path] = [(*places[node], key) for node, key in keys.items()]
    return placed


def at_nodes(placed: Mapping[P, Iterable[Placed]], modules: Mapping[P, ModuleInfo]) -> dict[P, Mapping[ast.AST, str]]:
    """What ``by_place`` was given."""
    return {
        path: {modules[path].nodes.of(getattr(ast, kind))[place]: key for kind, place, key in keys}
        for path, keys in placed.items()
    }
