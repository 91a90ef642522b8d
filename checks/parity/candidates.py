"""The models of a torch project, found in its source: what may be an entry of ``parity.toml``. Nothing is imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rewriters.text.parsing import module_of

SKIPPED = {"tests", "test", "build", "dist", "node_modules", "__pycache__"}
TRAINING = {"backward", "zero_grad", "train"}


@dataclass
class Candidate:
    """A class or function that may give a model.

    module, name:  as an entry names it.
    where:         file:line.
    parent:        names of the base classes (a class), or of what it may return (a function).
    uses:          names that its body mentions.
    """

    module: str
    name: str
    where: str
    is_class: bool
    parents: set[str] = field(default_factory=set)
    uses: set[str] = field(default_factory=set)


@dataclass
class Found:
    """Models that stand by themselves, and files that are not looked into, with the reason (file:line first)."""

    models: list[Candidate]
    left_out: list[str]


def find_candidates(project: Path) -> Found:
    """Factories of models first within their file, then classes; what is only a part of another model is left away."""
    everything: list[Candidate] = []
    left_out: list[str] = []
    for path in _sources(project):
        name = path.relative_to(project)
        try:
            tree = module_of(path.read_bytes())
        except (SyntaxError, ValueError) as error:
            left_out.append(f"{name}:{getattr(error, 'lineno', None) or 1}: {error}")
            continue
        mine = list(_definitions(tree, name))
        loop = _loop(tree)
        if loop is not None and mine:
            left_out.append(f"{name}:{loop}: importing this file runs a training loop")
            continue
        everything += mine
    models = _modules(everything)
    factories = _factories(everything, models)
    # A class that a factory returns is represented by it; one that another model's class names is a part of that.
    named = {use for item in [*models, *factories] for use in item.uses - {item.name}}
    bases = {parent for item in models for parent in item.parents}
    whole = [item for item in models if item.name not in named | bases]
    whole += [item for item in factories if item.name not in named]
    return Found(sorted(whole, key=everything.index), left_out)


def _sources(project: Path) -> Iterator[Path]:
    for path in sorted(project.rglob("*.py")):
        parts = path.relative_to(project).parts
        hidden = any(part.startswith(".") or part in SKIPPED for part in parts[:-1])
        importable = all(part.isidentifier() for part in (*parts[:-1], path.stem))
        if not hidden and importable and not path.stem.startswith("test_") and path.stem not in ("setup", "conftest"):
            yield path


def _definitions(tree: ast.Module, path: Path) -> Iterator[Candidate]:
    parts = path.with_suffix("").parts
    module = ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            is_class = isinstance(node, ast.ClassDef)
            found = Candidate(module, node.name, f"{path}:{node.lineno}", is_class)
            found.uses = {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}
            found.uses |= {child.attr for child in ast.walk(node) if isinstance(child, ast.Attribute)}
            if isinstance(node, ast.ClassDef):
                found.parents = {_last(base) for base in node.bases}
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
                    assigned[target.id] = _last(node.value.func)
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Call):
            yield _last(node.value.func)
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Name):
            yield assigned.get(node.value.id, "")


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


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


def _loop(tree: ast.Module) -> int | None:
    """The line of a training loop at the top of a file: importing the file would run it."""
    for node in tree.body:
        if isinstance(node, ast.While) or (isinstance(node, ast.For) and TRAINING & set(_called(node))):
            return node.lineno
    return None


def _called(node: ast.AST) -> Iterator[str]:
    return (_last(child.func) for child in ast.walk(node) if isinstance(child, ast.Call))
