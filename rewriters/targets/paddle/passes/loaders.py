"""Loaders of a project's own datasets whose items hold no tensor: Paddle's loop over them would end at once."""

from __future__ import annotations

import ast
from typing import Any
from weakref import WeakKeyDictionary

from rewriters.infer import Project
from rewriters.infer.joining import element
from rewriters.infer.values import BOTTOM, STR, Instance, Items, Mapping, ModuleInfo, ObjectOf, Value

LOADER = "torch.utils.data.DataLoader"
ANY = f"{LOADER}:any"
MADE_OF_OTHERS = {f"torch.utils.data.{name}" for name in ("Subset", "ConcatDataset", "ChainDataset")}


def loaders(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """Calls that make a loader whose batches may be texts alone, with the key of the rule that gives them."""
    if project not in _of_project:
        _of_project[project] = {info for info in project.classes.values() if gives_texts(info)}
    texts = _of_project[project]
    if not texts and not any(map(is_part_of_texts, module.nodes.of(ast.Call))):
        return {}
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        if getattr(getattr(node.func, "v", None), "name", "") != LOADER:
            continue
        given = node.args[0] if node.args else next((w.value for w in node.keywords if w.arg == "dataset"), None)
        value = getattr(given, "v", None)
        known = isinstance(value, ObjectOf) and not texts & set(value.info.linear())
        if not known and not (isinstance(value, Instance) and value.name not in MADE_OF_OTHERS):
            found[node] = ANY
    return found


def is_part_of_texts(node: ast.Call) -> bool:
    """``Subset("abc", [0])``, ``ConcatDataset([names, more])``."""
    if getattr(getattr(node.func, "v", None), "name", "") not in MADE_OF_OTHERS:
        return False
    given = [getattr(value, "v", BOTTOM) for value in [*node.args, *(word.value for word in node.keywords)]]
    return any(is_text(value) or is_text(element(value)) or is_text(element(element(value))) for value in given)


# The classes of datasets whose items are texts, found once.
_of_project: WeakKeyDictionary[Any, set[Any]] = WeakKeyDictionary()


def gives_texts(info: Any) -> bool:
    item = info.functions.get("__getitem__")
    return item is not None and is_text(item.returns)


def is_text(value: Value) -> bool:
    """Whether a value is a text, or holds nothing else."""
    if isinstance(value, Items):
        return bool(value.values) and all(map(is_text, value.values))
    if isinstance(value, Mapping):
        return bool(value.known) and all(is_text(part) for _, part in value.known)
    return value == STR
