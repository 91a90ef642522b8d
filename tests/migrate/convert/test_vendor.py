"""``--with`` and ``--entry``: the parts of a package that come along."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from migrate.convert.vendor import made_by
from migrate.environments import Interpreter
from migrate.environments.project import folder_for
from tests.migrate.convert.conftest import Done, write

Convert = Callable[..., Done]

PACKAGE: dict[str, str | bytes] = {
    "nets/__init__.py": "from .layers import Unused\nfrom .models import build, tiny\nfrom .heavy import train\n",
    "nets/layers.py": '''\
import torch
from torch import nn


class Scale(nn.Module):
    """Multiplies by what it learns."""

    def __init__(self, width, start=nn.init.ones_):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(width))
        self.limit = nn.Buffer(torch.full((1,), 2.0), persistent=False)
        start(self.weight)

    def forward(self, x):
        return torch.clamp(x * self.weight, max=self.limit.item())

    def load(self, path):
        return torch.load(path)


class Unused(nn.Module):
    pass
''',
    "nets/registry.py": """\
BUILDERS = {}


def register(function):
    BUILDERS[function.__name__] = function
    return function
""",
    "nets/models.py": """\
from torch import nn

from nets.layers import Scale

from .registry import BUILDERS, register


@register
def tiny(width=3):
    return nn.Sequential(nn.Linear(width, width), Scale(width))


@register
def huge():
    return nn.Linear(10, 10)


def build(name, **options):
    return BUILDERS[name](**options)
""",
    "nets/heavy.py": "import not_installed_anywhere\n\n\ndef train():\n    pass\n",
    "LICENSE": "Do as you like.\n",
}
PROJECT = {
    "model.py": "import nets\n\n\ndef make(kind='tiny'):\n    return nets.build(kind, width=4)\n",
    "requirements.txt": "torch\n",
}


@pytest.fixture
def nets(tmp_path: Path) -> Path:
    return write(tmp_path / "site", PACKAGE) / "nets"


def test_the_project_gets_what_it_reaches(convert: Convert, nets: Path, tmp_path: Path) -> None:
    project, out = write(tmp_path / "repo", PROJECT), tmp_path / "out"
    done = convert(project, "--to", "paddle", "--with", nets, "-o", out)
    assert done.code == 0, done.err
    assert "nets_paddle: 4 modules" in done.err
    assert (out / "model.py").read_text().startswith("import nets_paddle as nets\n")
    assert (out / "nets_paddle" / "__init__.py").read_text() == "from .models import build, tiny\n"
    layers = (out / "nets_paddle" / "layers.py").read_text()
    assert 'self.register_buffer("limit"' in layers
    assert "class Unused" not in layers
    assert "def load" not in layers
    assert "huge" not in (out / "nets_paddle" / "models.py").read_text()
    assert "from nets_paddle.layers import Scale" in (out / "nets_paddle" / "models.py").read_text()
    assert not (out / "nets_paddle" / "heavy.py").exists()
    assert (out / "nets_paddle" / "LICENSE").read_text() == "Do as you like.\n"
    assert "* `nets_paddle.layers`" in (out / "nets_paddle" / "VENDORED.md").read_text()
    assert (out / ".migrate" / "torch" / "nets_paddle" / "layers.py").exists()
    assert not (out / ".migrate" / "torch" / "nets_paddle" / "heavy.py").exists()


def test_a_package_of_the_projects_own_environment(
    convert: Convert, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MIGRATE_HOME", str(tmp_path / "home"))
    project = write(tmp_path / "repo", PROJECT)
    done = convert(project, "--to", "paddle", "--with", "nets", "-o", tmp_path / "out")
    assert done.code == 2
    assert "migrate env torch --for PROJECT" in done.err
    write(folder_for("torch", project) / "lib" / "python3.11" / "site-packages", PACKAGE)
    done = convert(project, "--to", "paddle", "--with", "nets", "-o", tmp_path / "out")
    assert done.code == 0, done.err
    assert "nets_paddle: 4 modules" in done.err


def test_what_registers_itself_is_imported(convert: Convert, tmp_path: Path) -> None:
    files = {
        "zoo/__init__.py": "from .one import *\nfrom .two import *\nfrom .registry import build\n",
        "zoo/registry.py": f"{PACKAGE['nets/registry.py']}\n\ndef build(name):\n    return BUILDERS[name]()\n",
        "zoo/one.py": "from torch import nn\n\nfrom .registry import register\n\n__all__ = ['One']\n\n\n"
        "class One(nn.Module):\n    pass\n\n\n@register\ndef first_model():\n    return One()\n",
        "zoo/two.py": "from .registry import register\n\n__all__ = []\n\n\n"
        "@register\ndef second_model():\n    return None\n",
    }
    package = write(tmp_path / "site", files) / "zoo"
    project = write(tmp_path / "repo", {"a.py": "import torch\nimport zoo\n\nmodel = zoo.build('first_model')\n"})
    done = convert(project, "--to", "paddle", "--with", package, "-o", tmp_path / "out")
    assert done.code == 0, done.err
    assert (tmp_path / "out" / "zoo_paddle" / "__init__.py").read_text() == (
        "from .one import *\nfrom .registry import build\n"
    )
    assert not (tmp_path / "out" / "zoo_paddle" / "two.py").exists()


def test_notebooks_and_modes(convert: Convert, nets: Path, tmp_path: Path) -> None:
    project, out = write(tmp_path / "repo", PROJECT), tmp_path / "out"
    (project / "model.py").chmod(0o755)
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [{**cell, "source": ["%time\n"]}, {**cell, "source": ["import nets\n", "nets.build('tiny')"]}]
    book = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (project / "try.ipynb").write_text(json.dumps(book))
    done = convert(project, "--to", "paddle", "--with", nets, "-o", out)
    assert done.code == 0, done.err
    assert (out / "model.py").stat().st_mode & 0o777 == 0o755
    sources = ["".join(cell["source"]) for cell in json.loads((out / "try.ipynb").read_text())["cells"]]
    assert sources == ["%time\n", "import nets_paddle as nets\nnets.build('tiny')"]


def test_again_keeps_edits(convert: Convert, nets: Path, tmp_path: Path) -> None:
    project, out = write(tmp_path / "repo", PROJECT), tmp_path / "out"
    convert(project, "--with", nets, "-o", out)
    layers = out / "nets_paddle" / "layers.py"
    layers.write_text("# mine\n" + layers.read_text())
    (out / ".migrate" / "torch" / "old.py").write_text("")
    done = convert(project, "--with", nets, "-o", out)
    assert done.code == 0, done.err
    assert layers.read_text().startswith("# mine\n")
    assert not (out / ".migrate" / "torch" / "old.py").exists()


def test_an_entry_of_a_package(convert: Convert, nets: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = convert(nets, "--entry", "nets.models:tiny", "-o", out)
    assert done.code == 0, done.err
    assert sorted(path.name for path in (out / "nets_paddle").iterdir()) == sorted(
        ["LICENSE", "VENDORED.md", "__init__.py", "layers.py", "models.py", "paddle_helpers.py", "registry.py"]
    )
    assert "def build" not in (out / "nets_paddle" / "models.py").read_text()
    assert f"migrate check {out}/.migrate/torch {out} --entry 'nets_paddle.models:tiny(...)'" in done.err


def test_an_entry_of_a_project(convert: Convert, tmp_path: Path) -> None:
    files = {"a.py": "import torch\nimport b\n\n\ndef f(x):\n    return b.g(x)\n", "data.txt": "1\n"}
    files |= {"b.py": "import torch\n\n\ndef g(x):\n    return torch.cat([x, x], dim=1)\n\n\ndef h():\n    pass\n"}
    project = write(tmp_path / "repo", {**files, "c.py": "import torch\n"})
    done = convert(project, "--entry", "a:f", "-o", tmp_path / "out")
    assert done.code == 0, done.err
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [".migrate", "a.py", "b.py"]
    assert "def h" not in (tmp_path / "out" / "b.py").read_text()
    assert "--model 'a:f(...)'" in done.err
    assert "--entry 'a:f(...)' --input SPEC" in done.err


STANDING: dict[str, str | bytes] = {
    "scalings/__init__.py": "from .scale import Scaled, Unused\n",
    "scalings/scale.py": "from torch import nn\n\n\nclass Scaled(nn.Linear):\n"
    "    def forward(self, x):\n        return super().forward(x).mul(2)\n\n\nclass Unused:\n    pass\n",
    "scalings-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: scalings\nVersion: 1.0\nRequires-Dist: torch\n",
    "scalings-1.0.dist-info/RECORD": "scalings/__init__.py,,\nscalings/scale.py,,\n",
    "models/__init__.py": "",
    "models/net.py": "import scalings\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n"
    "        super().__init__()\n        self.layer = scalings.Scaled(3, 2)\n\n"
    "    def forward(self, x):\n        return self.layer(x).view(-1)\n",
}


def test_an_entry_says_what_stands_on_torch_and_takes_it_along(convert: Convert, tmp_path: Path) -> None:
    site, out = write(tmp_path / "site", STANDING), tmp_path / "out"
    done = convert(site / "models", "--entry", "models.net:Net", "-o", out)
    assert "stands on torch: scalings (1 file): --with scalings brings along what is used" in done.err
    done = convert(site / "models", "--entry", "models.net:Net", "--with", "scalings", "-o", out)
    assert done.code == 0, done.err
    assert "stands on torch" not in done.err
    assert (out / "models_paddle" / "net.py").read_text().startswith("import scalings_paddle as scalings\n")
    assert "Unused" not in (out / "scalings_paddle" / "scale.py").read_text()
    assert f"migrate check {out}/.migrate/torch {out} --entry 'models_paddle.net:Net(...)'" in done.err


def test_an_entry_of_a_project_takes_a_package_along(convert: Convert, tmp_path: Path) -> None:
    site, out = write(tmp_path / "site", STANDING), tmp_path / "out"
    files = {"net.py": STANDING["models/net.py"], "other.py": "import torch\n"}
    done = convert(write(tmp_path / "repo", files), "--entry", "net:Net", "--with", site / "scalings", "-o", out)
    assert done.code == 0, done.err
    assert not (out / "other.py").exists()
    assert "class Scaled" in (out / "scalings_paddle" / "scale.py").read_text()


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_an_entry_with_what_came_along_computes_the_same(
    convert: Convert,
    tmp_path: Path,
    run_migrate: Callable[..., subprocess.CompletedProcess[str]],
    torch_python: Interpreter,
    python_of: Callable[[str], Interpreter],
    target: str,
) -> None:
    python_of(target)
    site, out = write(tmp_path / "site", STANDING), tmp_path / "out"
    convert(site / "models", "--entry", "models.net:Net", "--with", "scalings", "-o", out, "--to", target)
    checked = run_migrate(
        "check", out / ".migrate" / "torch", out, "--to", target, "--entry", f"models_{target}.net:Net()",
        "--input", "float32[4,3]",
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize(
    ("entry", "renamed", "made"),
    [
        ("timm:create_model", {"timm": "timm_paddle"}, "timm_paddle:create_model(...)"),
        ("timm.models.vit:ViT.load", {"timm": "timm_paddle"}, "timm_paddle.models.vit:ViT(...)"),
        ("a.b:f", {}, "a.b:f(...)"),
    ],
)
def test_what_an_entry_is_called_in_the_output(entry: str, renamed: dict[str, str], made: str) -> None:
    assert made_by(entry, renamed) == made


def test_a_package_that_says_its_own_name_keeps_it(convert: Convert, tmp_path: Path) -> None:
    text = "import torch\nimport own\n\n\ndef f(x):\n    return torch.cat([x, x], dim=own.DIM)\n"
    files = {"own/__init__.py": "DIM = 1\n", "own/a.py": f"{text}\n\nNAME = 'own'\n\n\ndef g():\n    return NAME\n"}
    package = write(tmp_path / "site", files) / "own"
    for entry, name in (("own.a:f", "own_paddle"), ("own.a:g", "own")):
        done = convert(package, "--entry", entry, "-o", tmp_path / name)
        assert done.code == 0, done.err
        assert (tmp_path / name / name / "a.py").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--with", "no_such_package"], "no_such_package: no such package here"),
        (["--entry", "model"], "--entry model: not MODULE:CALLABLE"),
        (["--entry", "model:nothing"], "model has no nothing"),
        (["--entry", "other:f"], "there is no module other"),
    ],
)
def test_bad_usage(convert: Convert, nets: Path, tmp_path: Path, arguments: list[str], told: str) -> None:
    project = write(tmp_path / "repo", PROJECT)
    done = convert(project, *(word.format(nets=nets) for word in arguments), "-o", tmp_path / "out")
    assert done.code == 2
    assert told in done.err
    assert not (tmp_path / "out").exists()


def test_a_package_that_nothing_imports(convert: Convert, nets: Path, tmp_path: Path) -> None:
    done = convert(write(tmp_path / "repo", {"a.py": "import torch\n"}), "--with", nets, "-o", tmp_path / "out")
    assert done.code == 2
    assert "--with nets: nothing in the project imports it" in done.err


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_it_computes_the_same(
    convert: Convert,
    nets: Path,
    tmp_path: Path,
    run_migrate: Callable[..., subprocess.CompletedProcess[str]],
    torch_python: Interpreter,
    python_of: Callable[[str], Interpreter],
    target: str,
) -> None:
    python_of(target)
    out = tmp_path / "out"
    done = convert(write(tmp_path / "repo", PROJECT), "--to", target, "--with", nets, "-o", out)
    assert done.code == 0, done.err
    checked = run_migrate(
        "check", out / ".migrate" / "torch", out, "--to", target, "--entry", "model:make", "--input", "float32[2,4]"
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
