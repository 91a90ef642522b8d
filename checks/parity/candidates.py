"""The models of a torch project, found in its source: what may be an entry of ``parity.toml``. Nothing is imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from checks.parity import told
from checks.parity.syntax import called, last_name, mentioned
from rewriters.text.parsing import module_of

MOST_HINTS = 8
LARGEST = 20_000  # bytes of a file of settings
SKIPPED = {"tests", "test", "build", "dist", "node_modules", "__pycache__"}
TRAINING = {"backward", "zero_grad", "train"}
STEPS = {"backward", "fit", "manual_backward", "train_dataloader"}
"""What a script that trains calls."""


@dataclass
class Candidate:
    """A class or function that may give a model.

    module, name:  as an entry names it.
    where:         file:line.
    parent:        names of the base classes (a class), or of what it may return (a function).
    uses:          names that its body mentions.
    trained:       whether a script that trains makes one.
    hints:         specs of tensors that the code which tries it makes.
    given:         place or keyword -> what a script makes it with, as far as it can be read.
    """

    module: str
    name: str
    where: str
    is_class: bool
    parents: set[str] = field(default_factory=set)
    uses: set[str] = field(default_factory=set)
    trained: bool = False
    hints: list[str] = field(default_factory=list)
    given: dict[str, Any] = field(default_factory=dict)

    @property
    def entry(self) -> str:
        """As a parity.toml names it."""
        return f"{self.module}:{self.name}"


@dataclass
class Found:
    """What a project has.

    models:    that stand by themselves, those first that are trained.
    instead:   entry of a class -> those of the factories that stand for it.
    behind:    the classes of ``instead``, to be tried where none of their factories works.
    settings:  option -> default of the project's command lines, tables of defaults and files of settings.
    left_out:  files that are not looked into, with the reason (file:line first).
    """

    models: list[Candidate]
    left_out: list[str]
    instead: dict[str, list[str]] = field(default_factory=dict)
    behind: list[Candidate] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)


def find_candidates(project: Path) -> Found:
    """What scripts that train make comes first, then what nothing else makes, in the order of files.

    What is only a part of another model is left away.
    """
    everything: list[Candidate] = []
    left_out: list[str] = []
    trained: set[str] = set()
    settings: dict[str, Any] = {}
    in_tables: list[dict[str, Any]] = []
    read: list[tuple[ast.Module, dict[str, Any]]] = []  # a file, and the options of its own command line
    hints: list[tuple[set[str], list[str]]] = []  # names in a file, and the tensors that it makes
    for path in _sources(project):
        name = path.relative_to(project)
        try:
            tree = module_of(path.read_bytes())
        except (SyntaxError, ValueError) as error:
            left_out.append(f"{name}:{getattr(error, 'lineno', None) or 1}: {error}")
            continue
        names = set(called(tree)) | {name for table in told.tables_of_classes(tree).values() for name in table}
        trained |= names if names & STEPS else set()
        options = told.settings(tree)
        settings |= {key: value for key, value in options.items() if key not in settings}
        in_tables.append(told.defaults(tree))
        read.append((tree, options))
        hints.append((mentioned(tree), told.tensors(tree)))
        mine = list(_definitions(tree, name))
        loop = training_loop(tree)
        if loop is not None and mine:
            left_out.append(f"{name}:{loop}: importing this file runs a training loop")
            continue
        everything += mine
    in_tables += [told.configured(path.read_text("utf-8", "replace")) for path in _configurations(project)]
    for table in in_tables:
        settings |= {key: value for key, value in table.items() if settings.get(key) is None}
    given: dict[str, dict[str, Any]] = {}  # name -> what it is called with
    for tree, options in read:
        for of, values in told.arguments(tree, settings | options).items():
            given[of] = max(given.get(of, {}), values, key=len)
    models = _modules(everything)
    factories = _factories(everything, models)
    # A class that a factory returns is represented by it; one that another model's class names is a part of that.
    named = {use for item in [*models, *factories] for use in item.uses - {item.name}}
    bases = {parent for item in models for parent in item.parents}
    makers = {use for item in models for use in item.uses - {item.name}}  # what is a part of another model
    makes = {name: [item.entry for item in factories if name in item.parents] for name in named - bases - makers}
    whole = [item for item in models if item.name not in named | bases]
    whole += [item for item in factories if item.name not in named]
    for item in [*models, *factories]:
        item.trained = item.name in trained
        item.given = given.get(item.name, {})
        own = [(item.name in names, specs) for names, specs in hints]
        item.hints = list(dict.fromkeys(spec for uses, specs in own if uses for spec in specs))[:MOST_HINTS]
    # A class that a training script makes stands by itself, whatever gives it elsewhere.
    whole += [item for item in models if item.trained and item not in whole and item.name not in makers | bases]
    behind = [item for item in models if makes.get(item.name) and item not in whole]
    ordered = sorted(whole, key=lambda item: (not item.trained, everything.index(item)))
    return Found(ordered, left_out, {item.entry: makes[item.name] for item in behind}, behind, settings)


def _sources(project: Path) -> Iterator[Path]:
    for path in sorted(project.rglob("*.py")):
        parts = path.relative_to(project).parts
        hidden = any(part.startswith(".") or part in SKIPPED for part in parts[:-1])
        importable = all(part.isidentifier() for part in (*parts[:-1], path.stem))
        if not hidden and importable and not path.stem.startswith("test_") and path.stem not in ("setup", "conftest"):
            yield path


def _configurations(project: Path) -> list[Path]:
    """Files of settings that a person wrote, at the top, in a folder there, or in one within that."""
    kinds = ("json", "yml", "yaml")
    found = sorted(path for kind in kinds for place in ("", "*/", "*/*/") for path in project.glob(f"{place}*.{kind}"))
    return [path for path in found if not path.name.startswith(".") and path.stat().st_size < LARGEST]


def _definitions(tree: ast.Module, path: Path) -> Iterator[Candidate]:
    parts = path.with_suffix("").parts
    module = ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            is_class = isinstance(node, ast.ClassDef)
            found = Candidate(module, node.name, f"{path}:{node.lineno}", is_class)
            found.uses = mentioned(node)
            if isinstance(node, ast.ClassDef):
                found.parents = {last_name(base) for base in node.bases}
            else:
                found.parents = set(_returned(node))
            yield found


def _returned(function: ast.FunctionDef) -> Iterator[str]:
    """Names whose call the function returns, directly or through a variable; ``cls`` of none."""
    assigned: dict[str, str] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    assigned[target.id] = last_name(node.value.func)
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Call):
            yield last_name(node.value.func)
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Name):
            yield assigned.get(node.value.id, "")


def _modules(everything: list[Candidate]) -> list[Candidate]:
    """Classes that descend from torch's Module, through classes of the project too."""
    known = {"Module", "Sequential"}
    found: list[Candidate] = []
    grown = True
    while grown:
        more = [item for item in everything if item.is_class and item not in found and item.parents & known]
        found += more
        known |= {item.name for item in more}
        grown = bool(more)
    return found


def _factories(everything: list[Candidate], models: list[Candidate]) -> list[Candidate]:
    """Functions that return a model, or what such a function returns."""
    known = {item.name for item in models} | {"Sequential"}
    found: list[Candidate] = []
    grown = True
    while grown:
        more = [item for item in everything if not item.is_class and item not in found and item.parents & known]
        found += more
        known |= {item.name for item in more}
        grown = bool(more)
    return [item for item in found if not item.name.startswith("_")]


def training_loop(tree: ast.Module) -> int | None:
    """The line of a training loop at the top of a file: importing the file would run it."""
    for node in tree.body:
        if isinstance(node, ast.While) or (isinstance(node, ast.For) and TRAINING & set(called(node))):
            return node.lineno
    return None
