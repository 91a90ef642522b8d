"""Who saves models: torch and the targets, by what an export needs to know of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from migrate.backends import BACKENDS
from migrate.errors import Unusable
from migrate.parity.requests import target_of
from rewriters import torch as torch_side
from rewriters.target import Road, Target

NATIVE, ONNX = "native", "onnx"
PROJECT = "project"
"""Code and weights, which the framework itself runs."""
OWN = (NATIVE, PROJECT)


@dataclass(frozen=True)
class Framework:
    """A framework that has the model.

    name:   as ``--to`` takes it; title: as people write it. target: None for torch.
    worker: the folder of what runs in its interpreter.
    """

    name: str
    title: str
    worker: Path
    roads: Mapping[str, Road]
    target: Target | None = None

    @property
    def tools(self) -> Path:
        """What saves its models."""
        return self.worker / "export_runtime.py"


def framework_of(to: str | None, converted: Path) -> Framework:
    """The one that was asked for, else the one that CONVERTED was made for. Raises Unusable."""
    if to == "torch":
        return Framework("torch", "torch", torch_side.WORKER, torch_side.ROADS)
    target = target_of(to, converted)
    return Framework(target.given_as, target.title, target.folder / "worker", target.roads, target)


def formats() -> list[str]:
    """All that there are."""
    made = [name for backend in BACKENDS.values() for name in backend.makes]
    return [*OWN, ONNX, *made]


def road_to(framework: Framework, format: str) -> tuple[Road, list[str]]:
    """The framework's own road, and the names of the back ends that then make the format of it. Raises Unusable."""
    road, steps = framework.roads.get(format), []
    if road is None:
        for backend in BACKENDS.values():
            if format in backend.makes:
                source, _ = backend.makes[format]
                road, before = road_to(framework, source)
                steps = [*before, backend.name]
    if road is None:
        known = ", ".join(formats())
        raise Unusable(f"{framework.title}: no road leads to the format {format!r}", f"the formats are {known}")
    if road.refusal:
        raise Unusable(f"{framework.title} to {format}: {road.refusal}", road.mend)
    return road, steps
