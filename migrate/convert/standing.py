"""Which packages that a project imports stand on torch themselves, so that its converted files cannot use them."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path, PurePosixPath

from migrate.convert.installed import search_path
from rewriters.homes import module_name
from rewriters.infer.components import imported_names
from rewriters.target import Target
from rewriters.torch.table import ROOTS

# Of those that are often met, for where they are not installed.
KNOWN = frozenset(
    """
    accelerate apex bitsandbytes clip deepspeed detectron2 diffusers fairseq fastai fvcore gpytorch kornia lightning
    mmcv mmdet mmengine monai open_clip peft pytorch_lightning pytorch_metric_learning pytorch3d sentence_transformers
    segmentation_models_pytorch stable_baselines3 thop timm torch_geometric torch_scatter torchaudio torchmetrics
    torchsummary torchtext torchinfo transformers trl ultralytics xformers
    """.split()  # noqa: SIM905
)
# Packages that say so by their names, where they are not installed: torchsde, ema_pytorch, torch_einops_utils.
NAMED_FOR_TORCH = re.compile(r"(?:py)?torch(?!_?sphinx)\w*|\w+_(?:py)?torch(?:_\w+)?")
REQUIRES_TORCH = re.compile(r"(?:py)?torch(?![\w-])", re.IGNORECASE)


def standing_on_torch(
    sources: Mapping[PurePosixPath, bytes],
    package: str,
    target: Target,
    brought: Iterable[str],
    beside: Path | None = None,
) -> dict[str, int]:
    """Package -> how many files import it, for those that need torch; the most used first.

    package: the project's own, where its root is one. brought: packages whose parts come along. beside: a folder of
    installed packages, where others than those installed here may be.
    """
    own = {module_name(path, package)[0].partition(".")[0] for path in sources} | {package}
    answered = {name.partition(".")[0] for name in target.companions} | set(brought)
    files: Counter[str] = Counter()
    for path, data in sources.items():
        name, is_package = module_name(path, package)
        files.update({one.partition(".")[0] for one in imported_names(data, name, is_package)})
    others = {name for name in files if name not in own | answered | ROOTS | sys.stdlib_module_names}
    requiring, not_requiring = installed_ones(beside) if others - KNOWN else (set(), set())
    named = {name for name in others if NAMED_FOR_TORCH.fullmatch(name)} - not_requiring
    needing = KNOWN | requiring | named
    return {name: count for name, count in files.most_common() if name in others & needing}


def installed_ones(beside: Path | None) -> tuple[set[str], set[str]]:
    """Packages that are installed here, or in that folder: those whose distributions ask for torch, and the others."""
    requiring: set[str] = set()
    others: set[str] = set()
    for distribution in metadata.distributions(path=search_path(beside)):
        requirements = (one for one in distribution.requires or () if "extra ==" not in one)
        found = requiring if any(map(REQUIRES_TORCH.match, requirements)) else others
        found |= {file.parts[0] for file in distribution.files or () if file.name == "__init__.py"}
    return requiring, others - requiring


def advice(found: Mapping[str, int]) -> list[str]:
    """A line for each."""
    return [
        f"stands on torch: {name} ({count} {'files' if count > 1 else 'file'}): --with {name} brings along what is used"
        for name, count in found.items()
    ]
