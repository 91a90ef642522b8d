"""Makes ``python_names.json``: what torch's modules have of Python's own, ``torch.jit.annotations.List``.

    python -m rewriters.tables.python_names

Programs import it from there, and get it from where it is at home.
"""

from __future__ import annotations

import collections.abc
import importlib
import json
import sys
from pathlib import Path

import torch

import rewriters.torch
from rewriters.storing import replace_text

FURTHER = ("torch.jit.annotations", "torch.utils.data", "torch.utils.checkpoint")
"""Modules that ``import torch`` may leave out."""
ELSEWHERE = {
    **{f"torch._six.container_abcs.{name}": f"collections.abc.{name}" for name in collections.abc.__all__},
    "torch._six.inf": "math.inf",
    "torch._six.nan": "math.nan",
    "torch._six.string_classes": "builtins.str",
    "torch._six.int_classes": "builtins.int",
    "torch.hub.tqdm": "tqdm.auto.tqdm",
    "torch.utils.model_zoo.tqdm": "tqdm.auto.tqdm",
}
"""What torch's modules had before 1.13 of Python's own, and what they have of tqdm's."""


def python_names() -> dict[str, str]:
    """A dotted name below torch -> the dotted name of the same object where it is at home."""
    for name in FURTHER:
        try:
            importlib.import_module(name)
        except ImportError as error:
            print(f"left out: {name}: {error}")
    found = dict(ELSEWHERE)
    for module in sorted(name for name in sys.modules if name.partition(".")[0] == "torch" and "._" not in name):
        for name, obj in sorted(vars(sys.modules[module]).items()):
            owner = getattr(obj, "__module__", None)
            if name.startswith("_") or not isinstance(owner, str):
                continue
            package = owner.partition(".")[0]
            if package not in sys.stdlib_module_names or owner.startswith(("builtins", "_")):
                continue
            # What a package says that it has is at home there: ``multiprocessing.Queue``, a method of its context.
            told = name in getattr(sys.modules[package], "__all__", ())
            homes = [package, owner] if told else [owner]
            home = next((one for one in homes if getattr(sys.modules.get(one), name, None) is obj), None)
            if home is not None:
                found[f"{module}.{name}"] = f"{home}.{name}"
    return found


def main() -> None:
    found = python_names()
    path = Path(rewriters.torch.__file__).with_name("python_names.json")
    replace_text(path, json.dumps(found, indent=0, sort_keys=True) + "\n")
    print(f"{len(found)} names from torch {torch.__version__} -> {path}")


if __name__ == "__main__":
    main()
