"""torchvision's names on Paddle: what a reader sees, and what comes out when it runs, by torchvision's formulas."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from migrate.environments import Interpreter
from rewriters.convert import Conversion
from rewriters.rules.rulebook import load_rulebook
from rewriters.target import load_target
from rewriters.torch.table import table

MODELS = "from torchvision import models\n"
TRANSFORMS = "import torch\nfrom torchvision import transforms\nfrom torchvision.transforms import v2\n"


@pytest.mark.parametrize(
    ("torchvision", "paddle"),
    [
        ("models.resnet50(weights=models.ResNet50_Weights.DEFAULT)", "models.resnet50(pretrained=True)"),
        ("models.resnet50(weights=models.ResNet50_Weights.IMAGENET1K_V1)", "models.resnet50(pretrained=True)"),
        ('models.vgg16_bn(weights="DEFAULT")', "models.vgg16(pretrained=True, batch_norm=True)"),
        ("models.resnet18(num_classes=10)", "models.resnet18(num_classes=10)"),
        ("models.alexnet(weights=None)", "models.alexnet()"),
    ],
)
def test_models(converted: Callable[..., str], torchvision: str, paddle: str) -> None:
    assert converted(f"{MODELS}model = {torchvision}\n").endswith(f"model = {paddle}\n")


@pytest.mark.parametrize(
    ("torchvision", "paddle"),
    [
        ("transforms.ColorJitter(0.4, 0.4)", "transforms.ColorJitter(0.4, 0.4)"),
        ("v2.Resize(8)", "transforms.Resize(8)"),
        ("v2.RandomHorizontalFlip(p=0.2)", "transforms.RandomHorizontalFlip(0.2)"),
    ],
)
def test_transforms(converted: Callable[..., str], torchvision: str, paddle: str) -> None:
    assert converted(f"{TRANSFORMS}change = {torchvision}\n").rpartition("change = ")[2].endswith(f"{paddle}\n")


def test_a_last_layer_is_replaced(converted: Callable[..., str]) -> None:
    text = converted(f"{MODELS}model = models.densenet121()\nmodel.classifier = make(model.classifier.in_features)\n")
    assert text.endswith("model.out = make(model.out.weight.shape[0])\n")


def test_what_prepares_images_comes_with_the_weights(converted: Callable[..., str]) -> None:
    text = converted(f"{MODELS}weights = models.ResNet18_Weights.DEFAULT\nprepare = weights.transforms()\n")
    assert "Resize(256)" in text
    assert "CenterCrop(224)" in text


def test_absent_models_say_what_to_do(converted: Callable[..., str]) -> None:
    assert "copy torchvision/models/efficientnet.py" in converted(f"{MODELS}model = models.efficientnet_b0()\n")


RUN = """
import json

import torch
from torchvision import io, models, ops
from torchvision.models.resnet import BasicBlock, ResNet
from torchvision.ops import roi_align
from torchvision.transforms import functional as F

image = torch.tensor([[[0, 100], [200, 255]]] * 3, dtype=torch.uint8)
first = torch.tensor([[0.0, 0.0, 2.0, 2.0]])
second = torch.tensor([[1.0, 1.0, 3.0, 3.0]])
io.write_png(image, "image.png")
found = {
    "invert": F.invert(image)[0].tolist(),
    "posterize": F.posterize(image, 1)[0].tolist(),
    "solarize": F.solarize(image, 128)[0].tolist(),
    "read": io.read_image("image.png")[0].tolist(),
    "dimensions": F.get_dimensions(image),
    "giou": round(ops.generalized_box_iou_loss(first, second, eps=0.0).item(), 4),
    "diou": round(ops.distance_box_iou(first, second, eps=0.0).item(), 4),
    "boxes": ops.masks_to_boxes(torch.tensor([[[0, 1], [0, 1]]], dtype=torch.bool)).tolist(),
    "resnet": list(ResNet(BasicBlock, [1, 1, 1, 1], num_classes=7)(torch.ones(1, 3, 32, 32)).shape),
    "aligned": list(roi_align(torch.ones(1, 2, 8, 8), [second], 2).shape),
}
"""
EXPECTED = {
    "invert": [[255, 155], [55, 0]],
    "posterize": [[0, 0], [128, 128]],
    "solarize": [[0, 100], [55, 0]],
    "read": [[0, 100], [200, 255]],
    "dimensions": [3, 2, 2],
    "giou": round(1 - 1 / 7 + 2 / 9, 4),
    "diou": round(1 / 7 - 2 / 18, 4),
    "boxes": [[1.0, 0.0, 1.0, 1.0]],
    "resnet": [1, 7],
    "aligned": [1, 2, 2, 2],
}


def test_it_runs(conversion: Callable[..., Conversion], paddle_python: Interpreter, tmp_path: Path) -> None:
    done = conversion(RUN + 'open("found.json", "w").write(json.dumps(found))\n')
    for path, text in done.files.items():
        (tmp_path / path).write_bytes(text)
    for path, helper in done.helpers.items():
        (tmp_path / path).write_text(helper)
    command = [str(paddle_python.python), "snippet.py"]
    environment = {**os.environ, **paddle_python.env}
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environment, check=False)
    assert ran.returncode == 0, ran.stderr
    found = json.loads((tmp_path / "found.json").read_text())
    assert {name: found[name] for name in EXPECTED} == EXPECTED


def test_every_name_has_an_answer() -> None:
    book = load_rulebook(load_target("paddle").folder)
    names = [name for name in table()["names"] if name.startswith("torchvision.")]
    assert [name for name in names if not book.answers(name)] == []
