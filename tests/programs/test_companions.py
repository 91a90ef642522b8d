"""Libraries that have for the target what they have for torch, or for which rules have it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

TARGETS = ("paddle", "oneflow", "jax")
PATH = """
        import os
        import tempfile
        import torch
        path = os.path.join(tempfile.mkdtemp(), "x.safetensors")
"""


@pytest.mark.parametrize("target", TARGETS)
def test_safetensors(agrees: Callable[..., object], target: str) -> None:
    program = """
        from safetensors.torch import load, load_file as read, save, save_file
        held = {"a": torch.arange(6).reshape(2, 3).float(), "b": torch.ones(2, dtype=torch.int64)}
        save_file(held, path)
        found = read(path)
        show(sorted(found), found["a"] + 1, found["b"], held["a"].sum())
        again = load(save(held))
        show(sorted(again), again["a"], again["b"])
        with open(path, "rb") as file:
            show(load(file.read())["a"])
    """
    agrees(PATH + program, target)


@pytest.mark.parametrize("target", TARGETS)
def test_files_that_are_looked_into(agrees: Callable[..., object], target: str) -> None:
    program = """
        from safetensors import safe_open
        from safetensors.torch import save_file
        save_file({"b": torch.arange(6.0).reshape(2, 3), "a": torch.tensor(True)}, path, metadata={"format": "pt"})
        with safe_open(path, framework="pt", device="cpu") as file:
            show(list(file.keys()), file.metadata(), file.get_tensor("b"), file.get_tensor("a"))
            part = file.get_slice("b")
            show(part.get_shape(), part.get_dtype(), part[:, 1:] * 2)
    """
    agrees(PATH + program, target)


@pytest.mark.parametrize("target", ["oneflow", "jax"])
def test_the_bytes_are_those_of_the_library(agrees: Callable[..., object], target: str) -> None:
    program = """
        import torch
        from safetensors.torch import load, save
        half = torch.tensor([1.5, -2.25]).to(torch.bfloat16)
        held = {"b": torch.ones(2, 3), "a": torch.ones(3), "d": torch.tensor([1, 2]), "e": torch.tensor(True)}
        held.update(h=half, n=torch.ones(0, 2))
        written = save(held, metadata={"format": "pt"})
        show(list(written), load(written)["h"].float(), load(written)["n"])
    """
    agrees(program, target)


FROM = "from safetensors.torch import load_model, save_model"


@pytest.mark.parametrize(
    ("how", "target"), [("import safetensors.torch", "paddle"), (FROM, "paddle"), (FROM, "oneflow")]
)  # OneFlow's interpreter has not the library
def test_models_with_tied_weights(agrees: Callable[..., object], target: str, how: str) -> None:
    named = "safetensors.torch." if how.startswith("import") else ""
    program = f"""
        import torch.nn as nn
        {how}
        def made():
            model = nn.Sequential(nn.Linear(3, 3, bias=False), nn.Linear(3, 3), nn.Linear(3, 3))
            model[2].weight = model[0].weight
            return model
        first, second = made(), made()
        for number, one in enumerate(first.parameters()):
            nn.init.constant_(one, number + 1.5)
        {named}save_model(first, path)
        missing, unexpected = {named}load_model(second, path)
        show(sorted(missing), sorted(unexpected), second(torch.ones(1, 3)), second[2].weight is second[0].weight)
        other = nn.Sequential(nn.Linear(3, 3, bias=False), nn.Linear(3, 3, bias=False))
        missing, unexpected = {named}load_model(other, path, strict=False)
        show(sorted(missing), sorted(unexpected))
        try:
            {named}load_model(other, path)
        except RuntimeError:
            show("raised")
    """
    agrees(PATH + program, target)


@pytest.mark.parametrize("target", TARGETS)
def test_what_a_module_lacks_is_marked(announced: Callable[..., object], target: str) -> None:
    program = """
        import torch
        from safetensors.torch import save, storage_size
        show(len(save({"a": torch.ones(2)})))
        show(storage_size(torch.ones(2)))
    """
    announced(program, target)
