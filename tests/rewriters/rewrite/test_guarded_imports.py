"""``try: from torch import f`` with another way behind ``except ImportError``."""

from __future__ import annotations

import pytest

RULES = """
@rule(torch.exp)
def exp(x):
    return toy.exp(x)

@rule(torch.neg)
def neg(x):
    return -x

same("torch.abs")
refuse(torch.lobpcg, "no lobpcg here; use another")
"""


@pytest.fixture(scope="module")
def toy(toy_target):
    return toy_target(RULES)


@pytest.mark.parametrize(
    ("name", "bound"),
    [
        ("abs", "from toy import abs"),
        ("exp", "exp = toy_helpers.exp"),
        ("lobpcg", 'raise ModuleNotFoundError("torch.lobpcg has no counterpart here")'),
        ("svd", 'raise ModuleNotFoundError("torch.svd has no counterpart here")'),
    ],
)
@pytest.mark.parametrize("caught", ["ImportError", "Exception", "(ImportError, AttributeError)", "ModuleNotFoundError"])
def test_the_name_is_bound_as_the_import_or_the_program_binds_it(toy, converted, name, bound, caught):
    out = converted(f"try:\n    from torch import {name}\nexcept {caught}:\n    {name} = None\n", toy)
    assert f"    {bound}\nexcept {caught}:\n    {name} = None\n" in out
    assert ("# migrate: " in out) == bound.startswith("raise")


def test_the_other_way_is_taken_and_its_uses_stay(toy, conversion, execute):
    source = """
        try:
            from torch import lobpcg
            HAS = True
        except ImportError:
            HAS = False

            def lobpcg(x):
                return x + 1

        try:
            from torch import neg
        except ImportError:
            def neg(x):
                return x
        try:
            import torch.fx as fx
        except ImportError:
            fx = None

        def use(x):
            return lobpcg(x), HAS, neg(x), fx is None
    """
    done = conversion(source, toy)
    assert execute(done, exp=None)["use"](1) == (2, False, -1, True)
    assert [site.api for site in done.reports[0].sites if site.outcome == "marked"] == ["torch.lobpcg", "torch.fx"]


def test_other_errors_are_no_other_way(toy, converted):
    out = converted("try:\n    from torch import lobpcg\nexcept ValueError:\n    lobpcg = None\nlobpcg(1)\n", toy)
    assert "raise" not in out
    assert "toy_helpers.torch.lobpcg" in out


def test_other_files_import_the_name(toy, conversion):
    files = {
        "common.py": "try:\n    from torch import exp\nexcept ImportError:\n    exp = None\n",
        "snippet.py": "from common import exp\n\ndef f(x):\n    return exp(x)\n",
    }
    done = conversion(files, toy)
    texts = {path.name: text.decode() for path, text in done.files.items()}
    assert "    exp = toy_helpers.exp\n" in texts["common.py"]
    assert "return toy.exp(x)" in texts["snippet.py"]


def test_both_names_of_one_thing_are_imported(converted):
    lines = ["from torch.optim.lr_scheduler import LRScheduler", "from torch.optim.lr_scheduler import _LRScheduler"]
    given = f"try:\n    {lines[0]}\nexcept ImportError:\n    {lines[1]} as LRScheduler\n\n\nbase = LRScheduler\n"
    bound = "from paddle.optimizer.lr import LRScheduler"
    assert converted(given) == f"try:\n    {bound}\nexcept ImportError:\n    {bound}\n\n\nbase = LRScheduler\n"


@pytest.mark.parametrize(
    ("named", "bound"),
    [
        ("from torch import exp as f", "f = toy_helpers.exp"),
        ("from torch import abs as f", "from toy import abs as f"),
        ("from torch import lobpcg as f", "f = toy_helpers.torch.lobpcg"),
        ("import torch.fx as f", "f = toy_helpers.torch.fx"),
    ],
)
def test_other_files_import_what_may_be_another_librarys(toy, conversion, named, bound):
    files = {
        "common.py": f"try:\n    from other import f\nexcept ImportError:\n    {named}\n",
        "snippet.py": "from common import f\n\ndef g(x):\n    return f(x)\n",
    }
    done = conversion(files, toy)
    texts = {path.name: text.decode() for path, text in done.files.items()}
    assert f"    {bound}\n" in texts["common.py"]
    assert texts["snippet.py"] == files["snippet.py"]


@pytest.mark.parametrize(
    ("asked", "becomes"),
    [
        ('hasattr(torch, "lobpcg")', "False"),
        ('getattr(torch, "lobpcg", None)', "None"),
        ('getattr(torch, "svd", lambda x: x) if y else z', "(lambda x: x) if y else z"),
        ('hasattr(torch, "exp")', 'hasattr(toy, "exp")'),
    ],
)
def test_a_probe_for_what_is_lacking_takes_the_other_way(toy, converted, asked, becomes):
    out = converted(f"import torch\nfound = {asked}\n", toy)
    assert f"found = {becomes}\n" in out
    assert ("goes on without it" in out) == ("exp" not in asked)
