"""torchvision's names: flowvision has them, so that import lines change alone; what comes out when it runs."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from migrate.environments import Interpreter
from rewriters.convert import Conversion
from rewriters.rules.rulebook import load_rulebook
from rewriters.target import load_target

SOURCE = """
import json

import numpy as np
import torch
from PIL import Image
from torch.utils.data import DataLoader
from torchvision import datasets, models, transforms, utils
from torchvision.ops import nms
from torchvision.transforms import functional as TF

pixels = np.arange(8 * 8 * 3, dtype=np.uint8).reshape(8, 8, 3)
image = Image.fromarray(pixels)
train = transforms.Compose([
    transforms.RandomResizedCrop(4),
    transforms.RandomHorizontalFlip(),
    transforms.ColorJitter(0.1, 0.1, 0.1),
    transforms.ToTensor(),
    transforms.Normalize(mean=[0.5, 0.5, 0.5], std=[0.25, 0.25, 0.25]),
])
smaller = transforms.Resize(6, interpolation=transforms.InterpolationMode.BICUBIC)
test = transforms.Compose([smaller, transforms.CenterCrop(4), transforms.ToTensor()])
loader = DataLoader(datasets.FakeData(8, (3, 32, 32), 10, transform=transforms.ToTensor()), batch_size=4, shuffle=True)
images, labels = next(iter(loader))
model = models.resnet18(num_classes=10)
model.fc = torch.nn.Linear(model.fc.in_features, 7)
model.eval()
boxes = torch.tensor([[0.0, 0.0, 2.0, 2.0], [0.0, 0.0, 2.0, 1.9], [5.0, 5.0, 6.0, 6.0], [0.0, 0.0, 1.0, 1.0]])
found = {
    "to_tensor": round(TF.to_tensor(image)[2, 7, 7].item() * 255),
    "normalized": round(TF.normalize(TF.to_tensor(image), [0.5] * 3, [0.25] * 3)[0, 0, 0].item(), 4),
    "flipped": TF.hflip(torch.arange(4).reshape(1, 2, 2)).tolist(),
    "train": list(train(image).shape),
    "test": list(test(image).shape),
    "batch": [list(images.shape), list(labels.shape), str(labels.dtype).split(".")[-1]],
    "logits": list(model(images).shape),
    "vgg": list(models.vgg11_bn(num_classes=5).eval()(torch.zeros(1, 3, 64, 64)).shape),
    "mobilenet": list(models.mobilenet_v2(num_classes=5).eval()(torch.zeros(1, 3, 64, 64)).shape),
    "densenet": list(models.densenet121(num_classes=5).eval()(torch.zeros(1, 3, 64, 64)).shape),
    "keys": len(models.resnet18().state_dict()),
    "grid": list(utils.make_grid(images, nrow=2, padding=1).shape),
    "kept": nms(boxes, torch.tensor([0.8, 0.9, 0.7, 0.6]), 0.5).tolist(),
}
"""
EXPECTED = {
    "to_tensor": 191,
    "normalized": -2.0,
    "flipped": [[[1, 0], [3, 2]]],
    "train": [3, 4, 4],
    "test": [3, 4, 4],
    "batch": [[4, 3, 32, 32], [4], "int64"],
    "logits": [4, 7],
    "vgg": [1, 5],
    "mobilenet": [1, 5],
    "densenet": [1, 5],
    "keys": 122,
    "grid": [3, 67, 67],
    "kept": [1, 2, 3],
}


def run(code: str, oneflow_python: Interpreter, folder: Path) -> None:
    command = [str(oneflow_python.python), "-W", "ignore", "-c", code]
    environment = {**os.environ, **oneflow_python.env}
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, check=False)
    assert ran.returncode == 0, ran.stderr


def test_it_runs(conversion: Callable[..., Conversion], oneflow_python: Interpreter, tmp_path: Path) -> None:
    done = conversion(SOURCE + 'open("found.json", "w").write(json.dumps(found))\n', "oneflow")
    for path, text in done.files.items():
        (tmp_path / path).write_bytes(text)
    for path, helper in done.helpers.items():
        (tmp_path / path).write_text(helper)
    run("import snippet", oneflow_python, tmp_path)
    assert json.loads((tmp_path / "found.json").read_text()) == EXPECTED


def test_names_that_are_the_same_are_there(oneflow_python: Interpreter, tmp_path: Path) -> None:
    names = [name for name in load_rulebook(load_target("oneflow").folder).same if name.startswith("torchvision.")]
    assert len(names) > 80
    spelled = [name.replace("torchvision", "flowvision", 1) for name in names]
    run(f"import flowvision.datasets, flowvision.utils; [eval(name) for name in {spelled}]", oneflow_python, tmp_path)


def test_import_lines_change_alone(converted: Callable[..., str]) -> None:
    before = [line for line in SOURCE.splitlines() if "import" not in line and "nms(" not in line]
    after = [line for line in converted(SOURCE, "oneflow").splitlines() if "import" not in line and "nms(" not in line]
    assert after == before
