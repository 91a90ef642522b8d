"""Questions whose answer the target decides: whether torch has a name, whether a device is there."""

from __future__ import annotations

import pytest

RULES = """
@rule(torch.compile)
def compile(model):
    return toy.jit.faster(model)

@rule(torch.backends.mps.is_available)
def never():
    return False

@rule(torch.cuda.is_available)
def is_available():
    return toy.gpu.is_there()

@rule(torch.Tensor.requires_grad)
def requires_grad(self):
    return not self.fixed

@rule(torch.is_tensor)
def is_tensor(obj):
    return not (toy.is_number(obj) or toy.is_text(obj))

@rule(torch.inference_mode)
def inference_mode(mode=True):
    return toy.grad(not mode) if mode is not True else toy.no_grad()

same("torch.abs")
"""


@pytest.fixture(scope="module")
def toy(toy_target):
    return toy_target(RULES)


MPS = "torch.backends.mps.is_available()"
GPU = "torch.cuda.is_available()"


@pytest.mark.parametrize(
    ("asked", "becomes"),
    [
        ("hasattr(torch, 'compile')", "hasattr(toy.jit, 'faster')"),
        (f'hasattr(torch.backends, "mps") and {MPS}', "False"),
        (f'getattr(torch.backends, "mps", None) is not None and {MPS}', "False"),
        ('getattr(torch.backends, "mps", None) is None', "False"),
        (f"'gpu' if {GPU} else 'mps' if {MPS} else 'cpu'", "'gpu' if toy.gpu.is_there() else 'cpu'"),
        (f"'gpu' if {GPU} else ('mps' if {MPS} else 'cpu')", "'gpu' if toy.gpu.is_there() else ('cpu')"),
        (f"f() if {MPS} else 'cpu'", "f() if False else 'cpu'"),
        (f"{GPU} or {MPS}", "toy.gpu.is_there() or False"),  # a value: a tensor that is false is none
        (f"{MPS} or {GPU}", "toy.gpu.is_there()"),
        (f"1 if {GPU} or {MPS} else 2", "1 if toy.gpu.is_there() else 2"),
        (f"(x or {MPS}) and ({GPU} or y)", "(x or False) and (toy.gpu.is_there() or y)"),
        (f"not ({MPS} or (x and y)) and z", "not (False or (x and y)) and z"),
        ("x if True and y else False or y", "x if True and y else False or y"),
    ],
)
def test_what_no_longer_decides_anything_goes(toy, converted, asked, becomes):
    out = converted(f"import torch\n\ndef g(x, y, z, f):\n    return {asked}\n", toy)
    assert f"    return {becomes}\n" in out


@pytest.mark.parametrize(
    ("asked", "becomes"),
    [
        ("assert not x.requires_grad", "assert x.fixed"),
        ("if not x.requires_grad and y: pass", "if x.fixed and y: pass"),
        ("while not (x.requires_grad): pass", "while x.fixed: pass"),
        ("return [p for p in y if not x.requires_grad]", "return [p for p in y if x.fixed]"),
        ("return not x.requires_grad", "return not not x.fixed"),
        ('if not y["x"].requires_grad: pass', 'if y["x"].fixed: pass'),
        ("if not torch.is_tensor(y) and x: pass", "if not not (toy.is_number(y) or toy.is_text(y)) and x: pass"),
        ("assert x.requires_grad", "assert not x.fixed"),
        ("with torch.inference_mode(): pass", "with toy.no_grad(): pass"),
        ("with torch.inference_mode(mode=False): pass", "with toy.grad(True): pass"),
    ],
)
def test_negations_meet(toy, converted, asked, becomes):
    out = converted(f"import torch\n\ndef g(x: torch.Tensor, y: dict[str, torch.Tensor]):\n    {asked}\n", toy)
    assert f"    {becomes}\n" in out


def test_a_name_that_torch_lacks_is_not_called_computed(toy, converted):
    out = converted('import torch\nfound = hasattr(torch, "set_deterministic")\n', toy)
    assert "torch has no set_deterministic that is known here" in out


@pytest.mark.parametrize(
    ("asked", "becomes"),
    [
        ("(nn.DataParallel, nn.parallel.DistributedDataParallel)", "toy.Parallel"),
        ("(nn.DataParallel, int, nn.parallel.DistributedDataParallel)", "(toy.Parallel, int)"),
        ("(nn.DataParallel, nn.parallel.DistributedDataParallel, int)", "(toy.Parallel, int)"),
        ("(int, int)", "(int, int)"),
    ],
)
def test_a_class_is_tested_for_once(toy_target, converted, asked, becomes):
    toy = toy_target("""
        @rule(torch.nn.DataParallel)
        def DataParallel(module):
            return toy.Parallel(module)

        @rule(torch.nn.parallel.DistributedDataParallel)
        def DistributedDataParallel(module, device_ids=None):
            return toy.Parallel(module)
    """)
    out = converted(f"import torch.nn as nn\nfound = isinstance(x, {asked})\n", toy)
    assert f"isinstance(x, {becomes})" in out


def test_what_the_source_has_asked_is_not_asked_again(converted):
    text = converted(
        """import torch


def seed(s):
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(s)
    torch.cuda.manual_seed_all(s)
    if not torch.cuda.is_available():
        torch.cuda.manual_seed_all(s)
    else:
        torch.cuda.manual_seed_all(s)
""",
        "oneflow",
    )
    assert text.count("if torch.cuda.is_available():\n        torch.cuda.manual_seed_all(s)\n    torch") == 1
    assert text.count("torch.cuda.manual_seed_all(s) if torch.cuda.is_available() else None") == 3
