"""Loaders whose batches change in place: a batch of one sample is a view in OneFlow of what the dataset gave."""

from __future__ import annotations

import ast
from typing import Any
from weakref import WeakKeyDictionary

from rewriters.infer import Project
from rewriters.infer.values import Bottom, Instance, ModuleInfo, Ref, Unknown
from rewriters.targets.oneflow.passes.making import changed, with_other_names
from rewriters.text.tree import walk

LOADER = "torch.utils.data.DataLoader"
# So many arguments come before what makes batches.
BEFORE = 6


def keys(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """Calls that make a loader with torch's own batches, where the project changes some in place."""
    calls = [node for node in module.nodes.of(ast.Call) if makes_own(node)]
    if not calls:
        return {}
    if project not in _changing:
        _changing[project] = any(map(changes_batches, project.modules.values()))
    return dict.fromkeys(calls, f"{LOADER}:copied") if _changing[project] else {}


# Whether a project changes batches: asked for each of its files.
_changing: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()


def makes_own(node: ast.Call) -> bool:
    called = getattr(node.func, "v", None)
    words = {word.arg for word in node.keywords}
    starred = None in words or any(isinstance(part, ast.Starred) for part in node.args)
    known = isinstance(called, Ref) and called.name == LOADER and not starred
    return known and "collate_fn" not in words and len(node.args) <= BEFORE


def changes_batches(module: ModuleInfo) -> bool:
    """``for x, y in loader: x -= mean``"""
    loops = [node for node in module.nodes.of(ast.For, ast.AsyncFor) if goes_through_loader(node.iter)]
    bound = {part.id for node in loops for part in walk(node.target) if isinstance(part, ast.Name)}
    return bool(bound) and not bound.isdisjoint(with_other_names(module, set(changed(module))))


def goes_through_loader(node: ast.expr) -> bool:
    """Whether some part of what is gone through is a loader, or is named as one and not known."""
    for part in walk(node):
        value = getattr(part, "v", None)
        if isinstance(value, Instance) and value.name == LOADER:
            return True
        name = part.id if isinstance(part, ast.Name) else part.attr if isinstance(part, ast.Attribute) else ""
        if isinstance(value, (Unknown, Bottom)) and "load" in name.lower():
            return True
    return False
