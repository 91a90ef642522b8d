"""Libraries that have for the target what they have for torch."""

from __future__ import annotations

from collections.abc import Callable


def test_safetensors(agrees: Callable[..., object]) -> None:
    program = """
        import os
        import tempfile
        import torch
        from safetensors.torch import load_file, save_file
        path = os.path.join(tempfile.mkdtemp(), "x.safetensors")
        save_file({"a": torch.arange(6).reshape(2, 3).float(), "b": torch.ones(2, dtype=torch.int64)}, path)
        found = load_file(path)
        show(sorted(found), found["a"] + 1, found["b"])
    """
    agrees(program, "paddle")
