"""torchvision's names: through every form of import, to modules of the target's package or of another."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rewriters.torch.table import entry

INIT = """
from rewriters.target import Environment, Target

TARGET = Target(
    name="toy", title="Toy", package="toy",
    environment=Environment(python="3.10", requirements=(), module="toy"),
    modules={{
        "torch": "toy", "torchvision": "{vision}", "torchvision.transforms": "{vision}.transforms",
        "torchvision.models": "{vision}.models",
    }},
)
"""
RULES = """
    same("torchvision.transforms.Compose", "torchvision.models.resnet18", "torch.nn.Module.eval", "torch.Tensor.sum")

    @rule("torchvision.transforms.Resize")
    def Resize(size, interpolation=None, max_size=None, antialias=True):
        return VISION.transforms.Resize(size)
"""
SOURCE = """
import torchvision
import torchvision.transforms as T
from torchvision import models, transforms
from torchvision.models import resnet18

a = torchvision.transforms.Compose([T.Resize(3), transforms.Resize((2, 2), antialias=False)])
b = models.resnet18
c = torchvision.models.resnet18().eval()
d = resnet18()(x).sum(0)
"""
INSIDE = """
import toy
import toy.vision.transforms as T
from toy.vision import models, transforms
from toy.vision.models import resnet18

a = toy.vision.transforms.Compose([T.Resize(3), transforms.Resize((2, 2))])
b = models.resnet18
c = toy.vision.models.resnet18().eval()
d = resnet18()(x).sum(0)
"""


@pytest.mark.parametrize("vision", ["toy.vision", "toyvision"])
def test_imports(toy_target: Callable[..., object], check_converted: Callable[..., None], vision: str) -> None:
    rules = RULES.replace("VISION", vision)
    rules = f"    import {vision}\n{rules}"
    target = toy_target(rules, init=INIT.format(vision=vision))
    check_converted(
        SOURCE, INSIDE.replace("toy.vision", vision).replace("import toy\n", f"import {vision.split('.')[0]}\n"), target
    )


def test_no_rule_is_marked(converted: Callable[..., str], toy_target: Callable[..., object]) -> None:
    text = converted("from torchvision.ops import nms\nk = nms(b, s, 0.5)\n", toy_target("    pass"))
    assert "# migrate: no-rule torchvision.ops.nms" in text
    assert "torchvision.ops.nms(b, s, 0.5)" in text


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("torchvision.transforms.Resize", "class"),
        ("torchvision.models.resnet50", "function"),
        ("torchvision.ops.nms", "function"),
    ],
)
def test_table(name: str, kind: str) -> None:
    known = entry(name)
    assert known is not None
    assert known["kind"] == kind
