"""A changed version of a fixture: torch source is edited, and the converter carries the edit into the target's code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

FIXTURES = Path(__file__).parents[2] / "fixtures"
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Fixture:
    """A project, and what of it is checked (fields of ``migrate.parity.Request``).

    files, extra:  of the project, and of this folder, that are converted.
    smaller:       replacements that make the network smaller, so that many variants can be run.
    """

    name: str
    entry: str
    inputs: tuple[str, ...]
    optimizer: str
    scheduler: str
    loss: str = ""
    train: int = 4
    extra: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    smaller: tuple[tuple[str, str], ...] = ()

    def sources(self) -> dict[PurePosixPath, bytes]:
        """Path -> torch source of the files that the entry needs, and of those that are added to the project."""
        found = {}
        for name in self.files:
            text = (FIXTURES / self.name / name).read_text(encoding="utf-8")
            for old, new in self.smaller:
                text = text.replace(old, new)
            found[PurePosixPath(name)] = text.encode()
        return found | {PurePosixPath(name): (HERE / name).read_bytes() for name in self.extra}


RESNET = Fixture(
    "resnet",
    entry="models.resnet:ResNet(BasicBlock, [1, 1, 1, 1])",
    inputs=("float32[4,3,64,64]",),
    optimizer="recipe:optimizer",
    scheduler="recipe:scheduler",
    loss="recipe:loss",
    extra=("recipe.py",),
    files=("models/__init__.py", "models/resnet.py"),
    smaller=(
        ("self.inplanes = 64", "self.inplanes = 8"),
        ("(block, 64,", "(block, 8,"),
        ("(block, 128,", "(block, 16,"),
        ("(block, 256,", "(block, 32,"),
        ("(block, 512,", "(block, 64,"),
        ("nn.Linear(512 *", "nn.Linear(64 *"),
    ),
)
GPT = Fixture(
    "gpt",
    entry="model:GPT(GPTConfig(n_layer=2, n_embd=32))",
    inputs=("int64[2,16]<96", "int64[2,16]<96"),
    optimizer="optim:configure_optimizer(0.003, 0.1)",
    scheduler="optim:warmup_cosine(2, 6)",
    files=("model.py", "optim.py"),
)


@dataclass(frozen=True)
class Variant:
    """A fault, or a correct rewriting where ``level`` is empty.

    edits:  (text, its replacement) in ``file``; each text stands there once.
    added:  what is put behind the imports.
    level:  where it must show, all before being clean: activations (and outputs), gradients, steps.
    layers: names that the finding may carry, each as a prefix of the row or as the first layer to diverge.
    """

    name: str
    file: str
    edits: tuple[tuple[str, str], ...]
    level: str = ""
    layers: tuple[str, ...] = ()
    added: str = ""
    fixture: Fixture = field(default=GPT, repr=False)

    def apply(self, sources: Mapping[PurePosixPath, bytes]) -> dict[PurePosixPath, bytes]:
        """The changed sources. Raises ValueError when an edit does not fit."""
        path = PurePosixPath(self.file)
        text = sources[path].decode()
        for old, new in self.edits:
            if text.count(old) != 1:
                raise ValueError(f"{self.name}: {old!r} stands {text.count(old)} times in {self.file}")
            text = text.replace(old, new)
        if self.added:
            imports = next(mark for mark in ("from torch import Tensor\n", "import functional as F\n") if mark in text)
            text = text.replace(imports, f"{imports}\n{self.added}\n", 1)
        return {**sources, path: text.encode()}
