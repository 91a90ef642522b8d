"""Makes ``vision.json``, the table of torchvision's public names, as ``rewriters.tables.names`` does for torch's.

    python -m rewriters.tables.vision

Asks for torchvision beside torch; its compiled operators are not needed.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import inspect
import json
import pkgutil
import types
from pathlib import Path
from typing import Any

import torch

import rewriters.torch
from rewriters.storing import replace_text
from rewriters.tables.names import annotated_result, describe_class, parameters
from rewriters.torch.table import entry, table

# Where a name is looked for, the first being the canonical one.
FIRST = [
    "torchvision", "torchvision.transforms", "torchvision.transforms.functional", "torchvision.transforms.v2",
    "torchvision.models", "torchvision.datasets", "torchvision.ops", "torchvision.io", "torchvision.utils",
]  # fmt: skip
# What torchvision documents lies in those and in these; the rest are the insides of its models and transforms.
DOCUMENTED = {
    *FIRST, "torchvision.transforms.v2.functional", "torchvision.tv_tensors", "torchvision.models.detection",
    "torchvision.models.segmentation", "torchvision.models.video", "torchvision.models.optical_flow",
    "torchvision.models.quantization", "torchvision.models.feature_extraction",
}  # fmt: skip
# Last layers, which users replace: their class does not follow from the classes' signatures.
LAST_LAYERS = {
    "torchvision.models.DenseNet": "classifier", "torchvision.models.GoogLeNet": "fc",
    "torchvision.models.Inception3": "fc", "torchvision.models.RegNet": "fc", "torchvision.models.ResNet": "fc",
    "torchvision.models.ShuffleNetV2": "fc",
}  # fmt: skip
OPERATORS = ("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor", "qnms(Tensor x) -> Tensor")


def modules() -> list[str]:
    """Those first, then all public ones that can be imported."""
    package = importlib.import_module("torchvision")
    found = list(FIRST)
    for info in pkgutil.walk_packages(package.__path__, "torchvision."):
        name = info.name
        if name not in found and not any(part.startswith("_") for part in name.split(".")):
            try:
                importlib.import_module(name)
            except (ImportError, RuntimeError, OSError) as error:
                print(f"left out: {name}: {error}")
                continue
            found.append(name)
    return found


def torch_classes() -> dict[int, str]:
    """Identity of each of torch's own classes -> its canonical name."""
    found = {}
    for name, known in table()["names"].items():
        if known["kind"] == "class" and name.startswith("torch."):
            owner, _, last = name.rpartition(".")
            value = getattr(importlib.import_module(owner), last, None)
            if value is not None:
                found[id(value)] = name
    return found


def result_of(function: Any, canonical: dict[int, str]) -> str:
    """The result's word: as for torch, or the canonical name of a class."""
    try:
        annotation = inspect.signature(function, eval_str=True).return_annotation
    except (ValueError, TypeError, NameError):
        return ""
    name = canonical.get(id(annotation), "")
    return name if name and name != "torch.Tensor" else annotated_result(function)


def main() -> None:
    library: Any = torch.library.Library("torchvision", "DEF")  # type: ignore[no-untyped-call]
    for operator in OPERATORS:  # torchvision registers what these compute without data, and asks for them
        library.define(operator)
    names_of_modules = modules()
    canonical = torch_classes()
    objects: dict[str, Any] = {}
    aliases: dict[str, str] = {}
    for module_name in names_of_modules:
        module = importlib.import_module(module_name)
        for attribute in sorted(dir(module)):
            value = getattr(module, attribute)
            owner = getattr(value, "__module__", None) or ""
            if attribute.startswith("_") or isinstance(value, types.ModuleType) or not owner.startswith("torchvision"):
                continue
            name = f"{module_name}.{attribute}"
            if id(value) in canonical:
                aliases[name] = canonical[id(value)]
                continue
            canonical[id(value)] = name
            objects[name] = value
    names: dict[str, Any] = {}
    for name, value in objects.items():
        if isinstance(value, type):
            names[name] = describe_class(value, canonical)
            if names[name].get("module"):
                names[name]["forward"] = "Tensor" if name.startswith(("torchvision.models", "torchvision.ops")) else ""
        elif callable(value):
            names[name] = {"kind": "function"}
            words = parameters(value)
            if words is not None:
                names[name]["parameters"] = words
            # Transforms give what they are given: images or tensors.
            if (word := result_of(value, canonical)) and not name.startswith("torchvision.transforms"):
                names[name]["result"] = word
        else:
            names[name] = {"kind": "value", "type": type(value).__name__}
        if name.rpartition(".")[0] not in DOCUMENTED:
            names[name]["inside"] = True
    for name, layer in LAST_LAYERS.items():
        names[name].setdefault("attributes", {})[layer] = "torch.nn.Linear"
    names = {name: known for name, known in names.items() if entry(name) is None or not name.startswith("torch.")}
    loaded = {
        "torchvision": importlib.metadata.version("torchvision"),
        "modules": names_of_modules,
        "aliases": aliases,
        "names": names,
    }
    path = Path(rewriters.torch.__file__).with_name("vision.json")
    replace_text(path, json.dumps(loaded, indent=0, sort_keys=True) + "\n")
    print(f"{len(names)} names, {len(aliases)} aliases from torchvision {loaded['torchvision']} -> {path}")


if __name__ == "__main__":
    main()
