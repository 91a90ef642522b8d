"""``layout.json``: what ``--model`` would say of the model, for carrying weights where the project is not at hand."""

from __future__ import annotations

import json
from pathlib import Path

from migrate.errors import Unusable
from migrate.weights.carry.model import Model, describe, describe_model
from migrate.weights.writers.output import written_aside

NAME = "layout.json"
WRITE = "migrate convert PROJECT --model MODULE:CALLABLE writes one to OUT/.migrate/layout.json"
VERSION = 1


def write_layout(path: Path, spec: str, project: Path, torch_python: Path | None = None) -> None:
    """Describe the torch model ``spec`` ("models.resnet:resnet50") of the project in the file ``path``.

    Raises Unusable: the model cannot be built, the file cannot be written; then it is as it was.
    """
    described = describe(spec, project, torch_python)
    with written_aside(path) as aside:
        aside.write_text(json.dumps({"layout": VERSION, **described}, indent=1) + "\n", encoding="utf-8")


def read_layout(path: Path) -> Model:
    """The model that a file of ``write_layout`` describes. Raises Unusable."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror or error}", WRITE) from None
    except ValueError:
        raise Unusable(f"{path}: is no JSON", WRITE) from None
    if not isinstance(data, dict) or data.get("layout") != VERSION:
        raise Unusable(f"{path}: is no {NAME} of this version of migrate", WRITE)
    try:
        return Model.from_json(data)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise Unusable(f"{path}: is damaged ({type(error).__name__}: {error})", WRITE) from None


def find_model(
    spec: str | None, layout: Path | None, project: Path = Path(), torch_python: Path | None = None
) -> Model | None:
    """The model that ``--model`` names, or that the file of ``--layout`` describes; None where neither is given.

    Raises Unusable.
    """
    if spec and layout:
        raise Unusable("--model and --layout both say what the model is", "give one of them")
    if layout:
        return read_layout(layout)
    return describe_model(spec, project, torch_python) if spec else None
