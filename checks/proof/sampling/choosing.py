"""Which forms of a call torch takes, each once; the paths by which it knows an object. Runs in torch's interpreter."""

from __future__ import annotations

import builtins
import sys
import types
from functools import cache
from typing import Any

import numpy as np
import torch

from . import literals
from .signatures import overloads

PATHS = 6  # of one object

Program = dict[str, Any]

# Calls are compiled with torch alone in sight (``sampler.py``), and name numpy as programs do.
builtins.np = np  # type: ignore[attr-defined]


class Chosen:
    """The forms of one name that torch takes, each once."""

    def __init__(self, key: str, kind: str) -> None:
        self.key = key
        self.kind = kind
        self.words: set[str] = set()
        self.texts: set[str] = set()

    def take(self, word: str, text: str | None, legal: Any) -> bool:
        """Whether it is a new form, and torch takes it."""
        if text is None or word in self.words or text in self.texts or not legal(text):
            return False
        self.words.add(word)
        self.texts.add(text)
        return True

    def program(self, word: str, build: str, body: str, tensors: dict[str, Any]) -> Program:
        return {
            "label": f"{self.key.removeprefix('torch.')}:forms:{word}",
            "key": self.key,
            "train": False,
            "forms": [(self.kind, build)],
            "body": body,
            "tensors": tensors,
        }


def run(body: str, tensors: dict[str, Any]) -> Any:
    """What torch makes of it."""
    function = literals.program("call", list(tensors), body, {"torch": torch, "np": np})
    torch.manual_seed(0)
    return function(*(t.detach().clone() if isinstance(t, torch.Tensor) else t for t in tensors.values()))


def is_legal(body: str, tensors: dict[str, Any], whatever: bool = False) -> bool:
    """Whether torch takes it and makes something of it that says anything, or ``whatever`` it makes."""
    try:
        result = run(body, tensors)
    except Exception:
        return False
    return whatever or says_something(result)


def says_something(result: Any) -> bool:
    """Whether there is a number in it and none is missing: out of its domain, a function gives what it happens to."""
    parts = [part.detach() for part in flat(result) if isinstance(part, torch.Tensor) and not part.is_sparse]
    numbers = [part for part in parts if part.is_floating_point() or part.is_complex()]
    return (not parts or any(part.numel() for part in parts)) and not any(bool(part.isnan().any()) for part in numbers)


def flat(result: Any) -> list[Any]:
    """The parts of nested tuples and lists."""
    return [part for item in result for part in flat(item)] if isinstance(result, (tuple, list)) else [result]


@cache
def known_paths() -> dict[int, list[str]]:
    """Every object of torch's public modules by its id -> the paths that lead to it."""
    found: dict[int, list[str]] = {}
    for name, module in sorted(sys.modules.items()):
        parts = name.split(".")
        if (
            parts[0] != "torch"
            or any(part.startswith("_") for part in parts)
            or not isinstance(module, types.ModuleType)
        ):
            continue
        for word, value in list(vars(module).items()):
            if not word.startswith("_") and callable(value):
                found.setdefault(id(value), []).append(f"{name}.{word}")
    return found


def canonical(key: str, function: Any) -> str:
    """Another path of the object that the table of signatures has."""
    return next((path for path in paths(key, function) if overloads(path)), key)


def paths(key: str, function: Any) -> list[str]:
    """The other paths by which torch knows an object: those nearest to its own first."""
    own = getattr(function, "__module__", None) or "torch"
    found = [path for path in known_paths().get(id(function), []) if path != key]
    return sorted(found, key=lambda path: (not path.startswith(own), len(path), path))[:PATHS]
