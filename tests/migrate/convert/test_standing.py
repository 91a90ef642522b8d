"""What ``convert`` says of packages that stand on torch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.migrate.convert.conftest import Done, write

Convert = Callable[..., Done]

FILES: dict[str, str | bytes] = {
    "a.py": "import torch\nimport timm\nimport numpy as np\nfrom einops.layers.torch import Rearrange\nimport b\n",
    "b.py": "import torch\nfrom timm.layers import DropPath\nfrom nets import f\n",
}


def test_they_are_named(convert: Convert, tmp_path: Path) -> None:
    done = convert(write(tmp_path / "repo", FILES), "-o", tmp_path / "out")
    assert "stands on torch: timm (2 files): --with timm brings along what is used" in done.err
    assert done.err.count("stands on torch") == 1


def test_names_say_it_of_those_that_are_not_installed(
    convert: Convert, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = {"named_torch/__init__.py": "def f():\n    pass\n"}
    site |= {"named_torch-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: named_torch\nVersion: 1\n"}
    site |= {"named_torch-1.dist-info/RECORD": "named_torch/__init__.py,,\nnamed_torch-1.dist-info/METADATA,,\n"}
    monkeypatch.syspath_prepend(str(write(tmp_path / "site", dict(site))))
    names = ("torchsome", "ema_pytorch", "torch_some_utils", "torchvision", "pytorch_sphinx_theme", "named_torch")
    files = {"a.py": "import torch\n" + "".join(f"import {name}\n" for name in names)}
    told = convert(write(tmp_path / "repo", dict(files)), "-o", tmp_path / "out").err
    for name in ("torchsome", "ema_pytorch", "torch_some_utils"):
        assert f"stands on torch: {name} (1 file)" in told
    assert told.count("stands on torch") == 3


def test_installed_ones_say_it_themselves(convert: Convert, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = {"nets/__init__.py": "def f():\n    pass\n"}
    site |= {"nets-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: nets\nVersion: 1\nRequires-Dist: torch>=2\n"}
    site |= {"nets-1.dist-info/RECORD": "nets/__init__.py,,\nnets-1.dist-info/METADATA,,\n"}
    monkeypatch.syspath_prepend(str(write(tmp_path / "site", dict(site))))
    project = write(tmp_path / "repo", {"b.py": FILES["b.py"]})
    assert "stands on torch: nets (1 file)" in convert(project, "-o", tmp_path / "out").err
    done = convert(project, "--with", "nets", "-o", tmp_path / "with")
    assert "nets_paddle: 1 modules, 2 of their 2 lines, of nets 1" in done.err
    assert "stands on torch: nets" not in done.err
