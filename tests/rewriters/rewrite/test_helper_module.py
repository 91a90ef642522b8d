"""The emitted helper module: it imports, and holds what is called with all that this needs."""

from __future__ import annotations

import ast

import pytest

from rewriters.rules.rulebook import RuleError

UNDECIDED = "    if x:\n        return toy.g(x)\n    return "


def helper(done):
    (text,) = done.helpers.values()
    return text


def test_what_a_rule_uses_comes_along(toy_target, conversion, execute):
    rules = f"""
import math
from functools import reduce as fold

BASE = 2
LIMIT = BASE + 1


class Cap:
    limit = LIMIT


def _capped(x):
    # keeps it small
    return fold(min, [x, Cap.limit], math.inf)


@rule(torch.f)
def f(x):
    # why
{UNDECIDED}_capped(x)
"""
    done = conversion("import torch\nr = torch.f(y) if False else [torch.f(n) for n in (0, 9)]\n", toy_target(rules))
    assert execute(done, g=lambda x: x)["r"] == [0, 9]
    text = helper(done)
    assert "    # why\n" in text
    assert "    # keeps it small\n" in text
    assert "rule(" not in text
    assert "import torch" not in text
    assert text.index("BASE = 2") < text.index("LIMIT = ") < text.index("class Cap")


def test_what_decorates_it_comes_along(toy_target, conversion, execute):
    rules = f"""
import functools


def twice(function):
    return lambda x: 2 * function(x)


@functools.lru_cache
@twice
def _doubled(x):
    return x


@rule(torch.f)
def f(x):
{UNDECIDED}_doubled(x)
"""
    done = conversion("import torch\nr = [torch.f(n) for n in (0, 9)]\n", toy_target(rules))
    assert execute(done, g=lambda x: x)["r"] == [0, 9]
    assert "@functools.lru_cache\n@twice\ndef _doubled(" in helper(done)
    assert "rule(" not in helper(done)


def test_names_of_torch_in_defaults(toy_target, conversion, execute):
    rules = f"""
alias(torch.int64, "toy.int64")


@rule(torch.f)
def f(x, dtype=torch.int64, b=torch.int8):
{UNDECIDED}dtype
"""
    done = conversion("import torch\ndef go(y):\n    return torch.f(y)\n", toy_target(rules))
    assert execute(done, g=lambda x: x, int64="long")["go"](0) == "long"
    assert "dtype=toy.int64, b=torch.int8" in helper(done)


def test_a_rule_that_calls_an_overloaded_rule(toy_target, conversion, execute):
    rules = """
@rule(torch.g)
def g(x: int):
    return toy.g(x)


@rule(torch.g)
def g(x: str):
    return toy.h(x)


@rule(torch.f)
def f(x):
    return g(x)
"""
    done = conversion("import torch\nfrom world import a, b\nr = torch.f(a), torch.f(b)\n", toy_target(rules))
    names = {"g": lambda x: ("int", x), "h": lambda x: ("str", x)}
    assert execute(done, modules={"world": {"a": 1, "b": "s"}}, **names)["r"] == (("int", 1), ("str", "s"))
    assert UNDECIDED not in helper(done)


def test_a_method_and_a_function_of_one_name(toy_target, conversion, execute):
    rules = f"""
@rule(torch.split)
def split(x, n):
{UNDECIDED}("function", n)


@rule(torch.Tensor.split)
def split(self, n):
    if n:
        return toy.g(self)
    return ("method", n)


alias(torch.Tensor, "list")
"""
    done = conversion(
        "import torch\ndef f(t: torch.Tensor, n):\n    return torch.split(t, n), t.split(n)\n", toy_target(rules)
    )
    assert execute(done, g=id)["f"]([], 0) == (("function", 0), ("method", 0))


@pytest.mark.parametrize("name", ["max", "sum", "input", "inspect", "Values"])
def test_names_that_mean_something_else(name, toy_target, conversion, execute):
    rules = f"""
@rule(torch.f)
def {name}(x):
    if x:
        return 1
    return 2


@rule(torch.k)
def k(x):
{UNDECIDED}max([0, x])
"""
    done = conversion("import torch\nfrom world import y\nr = torch.f(y), torch.k(y), torch.lost\n", toy_target(rules))
    assert execute(done, modules={"world": {"y": 5}}, g=lambda x: x)["r"][:2] == (1, 5)


def test_two_files_with_one_definition(toy_target, conversion, execute):
    small = "def small(x):\n    return small(x - STEP) if x > 1 else x\n\n\n"
    target = toy_target(f"STEP = 1\n\n\n{small}@rule(torch.f)\ndef f(x):\n{UNDECIDED}small(-x)\n")
    head = "import torch\nimport toy\nfrom rewriters.rule import rule\n"
    small = "def small(x):\n    return small(x + STEP) if x < 1 else x\n\n\n"
    other = f"{head}STEP = [2][0]\n\n\n{small}@rule(torch.h)\ndef h(x):\n{UNDECIDED}small(x - 7)\n"
    (target.folder / "rules" / "second.py").write_text(other)
    done = conversion("import torch\nfrom world import y\nr = torch.f(y), torch.h(y)\n", target)
    assert execute(done, modules={"world": {"y": 0}}, g=lambda x: x)["r"] == (0, 1)
    assert "STEP_of_second = [2][0]" in helper(done)
    assert "return small_of_second(x + STEP_of_second)" in helper(done)


def test_three_definitions_in_files_of_two_names(toy_target, conversion):
    target = toy_target(f"LIMIT = 1\n\n\n@rule(torch.f)\ndef f(x):\n{UNDECIDED}LIMIT\n")
    head = "import torch\nimport toy\nfrom rewriters.rule import rule\n"
    for number, name in enumerate(["second", "further/second"], 2):
        path = target.folder / "rules" / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{head}LIMIT = {number}\n\n\n@rule(torch.h{number})\ndef h{number}(x):\n{UNDECIDED}LIMIT\n")
    with pytest.raises(RuleError, match="LIMIT is also defined in"):
        conversion("import torch\nr = torch.f(y), torch.h2(y), torch.h3(y)\n", target)


def test_two_files_with_one_definition_twice(toy_target, conversion, execute):
    limit = "LIMIT = 1\n\n\n"
    target = toy_target(f"{limit}@rule(torch.f)\ndef f(x):\n{UNDECIDED}LIMIT\n")
    head = "import torch\nimport toy\nfrom rewriters.rule import rule\n"
    (target.folder / "rules" / "second.py").write_text(
        f"{head}{limit}@rule(torch.h)\ndef h(x):\n{UNDECIDED}LIMIT + 1\n"
    )
    done = conversion("import torch\nfrom world import y\nr = torch.f(y), torch.h(y)\n", target)
    assert execute(done, modules={"world": {"y": 0}})["r"] == (1, 2)
    assert helper(done).count("LIMIT = 1") == 1


def test_a_rule_and_a_definition_of_one_name(toy_target, conversion, execute):
    target = toy_target(f"def put(x):\n    return 'own'\n\n\n@rule(torch.f)\ndef f(x):\n{UNDECIDED}put(x)\n")
    head = "import torch\nimport toy\nfrom rewriters.rule import rule\n"
    (target.folder / "rules" / "second.py").write_text(f"{head}@rule(torch.put)\ndef put(x):\n{UNDECIDED}'rule'\n")
    done = conversion("import torch\nfrom world import y\nr = torch.f(y), torch.put(y)\n", target)
    assert execute(done, modules={"world": {"y": 0}})["r"] == ("own", "rule")


def test_overloads_in_two_files(toy_target, conversion, execute):
    target = toy_target(f"@rule(torch.f)\ndef f(x: int):\n{UNDECIDED}'int'\n")
    second = f"""
import torch
import toy
from rewriters.rule import rule


@rule(torch.f)
def f(x):
{UNDECIDED}"any"


@rule(torch.h)
def h(x):
    return f(x)
"""
    (target.folder / "rules" / "second.py").write_text(second)
    done = conversion("import torch\nfrom world import y\nr = torch.f(*y), torch.h(*y)\n", target)
    assert execute(done, modules={"world": {"y": [0]}})["r"] == ("int", "any")


def test_it_is_the_same_whatever_the_order(toy_target, conversion):
    rules = "".join(f"@rule(torch.{n})\ndef {n}(x):\n{UNDECIDED}{i}\n\n\n" for i, n in enumerate("fgh"))
    target = toy_target(rules)
    one = conversion({"a.py": "import torch\ntorch.f(y); torch.h(y)\n", "b.py": "import torch\ntorch.g(y)\n"}, target)
    two = conversion({"a.py": "import torch\ntorch.g(y)\n", "b.py": "import torch\ntorch.h(y); torch.f(y)\n"}, target)
    assert helper(one) == helper(two)
    assert ast.parse(helper(one))


def test_values(toy_target, conversion, execute):
    rules = "@rule(torch.f)\ndef f(x):\n    return Values(toy.g(x), toy.h(x))\n"
    done = conversion("import torch\nr = torch.f(3).indices\n", toy_target(rules))
    assert execute(done, g=lambda x: x, h=lambda x: -x)["r"] == -3


def test_packages_import_it_from_their_root(conversion, toy_target):
    done = conversion(
        {"app/__init__.py": "", "app/sub/__init__.py": "", "app/sub/net.py": "import torch\ntorch.f(y)\n"},
        toy_target(f"@rule(torch.f)\ndef f(x):\n{UNDECIDED}1\n"),
    )
    assert [str(path) for path in done.helpers] == ["toy_helpers.py"]


def test_the_stand_in_comes_only_where_something_is_marked(toy_target, conversion):
    """A decorator's names are not the helper's."""
    target = toy_target("@rule(torch.Tensor.max, torch.special.expit)\ndef top(x):\n    return list(x)[0]\n")
    source = "import torch\nmake = torch.Tensor.max\n"
    assert "class NotConverted:" not in helper(conversion(source, target))
    assert "class NotConverted:" in helper(conversion(source + "torch.cholesky(x)\n", target))


def test_the_stand_in_is_no_function_of_anyone(toy_target, conversion):
    """Compilers look for whatever a module has among functions of theirs."""
    target = toy_target("@rule(torch.add)\ndef add(a, b):\n    return toyframe.add(a, b)\n")
    text = helper(conversion("import torch\ntorch.cholesky(1)\n", target))
    space = {}
    exec(text.replace("import toyframe", ""), space)  # noqa: S102
    assert space["torch"] not in [len, print, helper]
    with pytest.raises(BaseException, match="was not converted"):
        assert space["torch"].version == 3
