"""torch's numbers are Python's in OneFlow, which has none: the module is imported once, and shadows no other name."""

from __future__ import annotations

from pathlib import PurePosixPath

from rewriters.convert import convert_sources
from rewriters.target import load_target


def converted(source: str) -> str:
    done = convert_sources({PurePosixPath("a.py"): source.encode()}, load_target("oneflow"))
    return done.files[PurePosixPath("a.py")].decode()


def test_the_module_is_imported_once() -> None:
    text = converted("import torch\n\nx = torch.sin(torch.zeros(2) * torch.pi)\ny = [torch.e, -torch.inf, torch.nan]\n")
    assert text == (
        "import oneflow as torch\nimport math\n\n"
        "x = torch.sin(torch.zeros(2) * math.pi)\ny = [math.e, -math.inf, math.nan]\n"
    )


def test_an_import_of_the_file_serves() -> None:
    text = converted("import math\nimport torch\n\nx = math.sin(1) * torch.pi + torch.zeros(2)\n")
    assert text == "import math\nimport oneflow as torch\n\nx = math.sin(1) * math.pi + torch.zeros(2)\n"


def test_a_bare_name_stays_bare() -> None:
    text = converted("from torch import inf, zeros\n\nx = zeros(2) - inf\n")
    assert "from math import inf" in text
    assert text.endswith("\nx = zeros(2) - inf\n")


def test_another_math_is_left_alone() -> None:
    text = converted("import torch\n\n\ndef f(math):\n    return math * torch.pi + torch.zeros(2)\n")
    assert "import math as math_\n" in text
    assert "return math * math_.pi + torch.zeros(2)" in text
