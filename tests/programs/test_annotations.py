"""A class of torch's in an annotation never keeps a file from being imported, whatever became of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rewriters.torch.table import table

TESTED = """
    import torch
    def of(device: torch.device | str = "cpu", generator: torch.Generator | None = None) -> torch.device | None:
        return isinstance(device, torch.device), isinstance(generator, torch.Generator)
    show(of(), of(torch.device("cpu")), of("cpu", torch.Generator()), of.__annotations__["device"] == str)
"""
# Of packages that need not be there, and what OneFlow has a function for.
LEFT_OUT = ("torchvision.", "torch.utils.tensorboard.", "torch.nn.parallel.DistributedDataParallel")


def annotated() -> str:
    """A function for each public class."""
    found = [n for n, e in table()["names"].items() if e["kind"] == "class" and not {"private", "inside"} & {*e}]
    names = [name for name in found if not name.startswith(LEFT_OUT)]
    assert len(names) > 400
    modules = sorted({name.rpartition(".")[0] for name in names} & {*table()["modules"]})
    lines = ["import torch", *(f"import {module}" for module in modules)]
    for number, name in enumerate(names):
        spec = f"a: {name} | None = None, b: list[{name}] = (), *c: {name}, **d: 'dict[str, {name}]'"
        lines += [f"def of{number}({spec}) -> {name} | str:", f"    x: {name} | None = a", "    return x"]
    return "\n".join([*lines, "show(of0() is None)"])


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_files_import(outcome: Callable[..., Any], target: str) -> None:
    found = outcome(annotated(), target)
    assert found.torch.shown == found.target.shown == [[True]], str(found)[:2000]


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_they_still_tell(agrees: Callable[..., object], target: str) -> None:
    agrees(TESTED, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_what_was_built_in_is_answered(agrees: Callable[..., object], target: str) -> None:
    agrees(
        """
        import torch
        NO_MKL = "USE_MKL=OFF" in torch.__config__.show()
        show(NO_MKL, torch.backends.mkldnn.is_available() in (True, False))
        """,
        target,
    )
