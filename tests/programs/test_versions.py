"""A program that asks for torch's version is told the one that the rules were made for, and decides by it as before."""

from __future__ import annotations

import pytest

PROGRAMS = {
    "read": """
        import torch

        show(torch.__version__.split("+")[0], f"torch {torch.__version__.split('+')[0]}", torch.__version__[:2])
        show(tuple(int(p) for p in torch.__version__.split("+")[0].split(".")[:2]), len(torch.__version__) > 4)
        major, minor = map(int, torch.__version__.split(".")[:2])
        show(major, minor, torch.__version__.startswith("1."), "dev" in torch.__version__, major >= 2)
        show("%s" % str(torch.__version__)[0], isinstance(torch.__version__, str))
    """,
    "by other names": """
        import torch as th
        from torch import __version__
        from torch import __version__ as TORCH_VERSION
        from torch.version import __version__ as third

        VERSION = tuple(int(part) for part in TORCH_VERSION.partition("+")[0].split("."))
        show(VERSION >= (1, 10), __version__.split(".")[0], third.split(".")[0], th.version.__version__[0])
        v = th.__version__
        show(v.split(".")[:2], v[0])
    """,
    "compared": """
        import torch

        show(torch.__version__ >= "1.10", torch.__version__ < "2.4.0", "1.8.1" <= torch.__version__)
        show(torch.__version__ == "1.7.1", torch.__version__ != "1.7.1", torch.__version__ > "100")
        show(torch.__version__ >= (1, 8), torch.__version__ < (2, 5, 0), "1.8.0a0" < torch.__version__ < "30.0")
        if torch.__version__ >= "2.4" and not torch.__version__ < "1.13.0+cu117":
            show("new")
        else:
            show("old")
    """,
    "by packaging": """
        import torch
        from packaging import version
        from packaging.version import Version, parse

        show(version.parse(torch.__version__) >= version.parse("2.4"), Version(torch.__version__) < Version("1.9"))
        show(parse(parse(torch.__version__).base_version) >= parse("1.10.0"))
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_versions(agrees, name, target):
    agrees(PROGRAMS[name], target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_a_comparison_of_what_is_not_written_out_is_marked(outcome, target):
    found = outcome("import torch\nLEAST = ''.join('2.4')\nshow(torch.__version__ >= LEAST)\n", target)
    assert [site for site in found.sites if site.outcome == "differs"], str(found)
    found = outcome("import torch\nv = torch.__version__\nshow(v >= '2.4')\n", target)
    assert [site for site in found.sites if site.outcome == "differs"], str(found)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_of_torchvision(outcome, target):
    program = "import torchvision\nshow(torchvision.__version__ >= '0.9', float(torchvision.__version__[:3]) < 0.7)\n"
    assert outcome(program, target).target.shown == [[True, True]]
