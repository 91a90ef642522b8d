"""Inlining a rule: what a call becomes, and every named refusal, with the helper that is called instead.

The toy target's functions are plain Python, so that what comes out is also run.
"""

from __future__ import annotations

import pytest

CONVERTED = {
    # name: (rule, call, what it becomes)
    "renamed keyword": ("def f(x, dim=0): return toy.g(x, axis=dim)", "torch.f(1, dim=2)", "toy.g(1, axis=2)"),
    "default of the rule": ("def f(x, dim=0): return toy.g(x, axis=dim)", "torch.f(1)", "toy.g(1, axis=0)"),
    "decided branch": (
        "def f(x, k=False):\n    if k:\n        return toy.g(x)\n    return toy.h(x)",
        "torch.f(1, True)",
        "toy.g(1)",
    ),
    "decided expression": (
        "def f(x, b=True): return toy.g(x, None if b else False)",
        "torch.f(1, b=False)",
        "toy.g(1, False)",
    ),
    "undecided expression": (
        "def f(x, b=True): return toy.g(x, 1 if b else 2)",
        "torch.f(1, b=y)",
        "toy.g(1, 1 if y else 2)",
    ),
    "chain of comparisons": (
        "def f(x, k=1): return toy.g(k if 0 <= x <= k else 2)",
        "torch.f(y, 3)",
        "toy.g(3 if 0 <= y <= 3 else 2)",
    ),
    "or with a literal": ("def f(x, d=None): return toy.g(x, d or x)", "torch.f(1, 3)", "toy.g(1, 3)"),
    "or with nothing": ("def f(x, d=None): return toy.g(x, d or 7)", "torch.f(1)", "toy.g(1, 7)"),
    "or with a name": ("def f(x, d=None): return toy.g(x, d or 7)", "torch.f(1, y)", "toy.g(1, y or 7)"),
    "and": ("def f(x, d=None): return toy.g(x and d)", "torch.f(y, 0)", "toy.g(y and 0)"),
    "sum of literals": ("def f(x, k=1): return toy.g(x, k + 1)", "torch.f(1, 2)", "toy.g(1, 3)"),
    "sum that is written shorter than it comes out": ("def f(m): return toy.g(1 - m)", "torch.f(0.9)", "toy.g(0.1)"),
    "power of a small number": ("def f(e=1e-08): return toy.g(e**2)", "torch.f()", "toy.g(1e-16)"),
    "quotient that reads worse": ("def f(m): return toy.g(1 / m)", "torch.f(3.0)", "toy.g(1 / 3.0)"),
    "difference of what is near": ("def f(m): return toy.g(m - 0.1)", "torch.f(0.1000001)", "toy.g(1e-07)"),
    "element of a tuple": ("def f(b=(1, 2)): return toy.g(b[0], b[1])", "torch.f((3, 4))", "toy.g(3, 4)"),
    "element of a default": ("def f(b=(1, 2)): return toy.g(b[0], b[1])", "torch.f()", "toy.g(1, 2)"),
    "index out of range": (
        "def f(b): return toy.g(b[5]) if y else 0",
        "torch.f((3, 4))",
        "toy.g((3, 4)[5]) if y else 0",
    ),
    "variadic as list": ("def f(*size): return toy.g(size)", "torch.f(1, 2)", "toy.g([1, 2])"),
    "variadic handed on": ("def f(*size): return toy.g(*size)", "torch.f(1, y)", "toy.g(1, y)"),
    "list handed on opened": (
        "def f(x, l): return toy.g(x, *l)",
        "torch.f(1, [y + 1, t(2),])",
        "toy.g(1, y + 1, t(2))",
    ),
    "tuple handed on opened": ("def f(x, l): return toy.g(x, *l)", "torch.f(1, (t(1), *z))", "toy.g(1, t(1), *z)"),
    "nothing handed on opened": ("def f(x, l): return toy.g(x, *l)", "torch.f(t(1), [])", "toy.g(t(1), *[])"),
    "variadic is a tuple": ("def f(*size): return toy.g(size + (0,))", "torch.f(1, 2)", "toy.g((1, 2) + (0,))"),
    "length": ("def f(*size): return toy.g(len(size))", "torch.f(1, 2)", "toy.g(2)"),
    "truth": ("def f(a, b): return toy.g(bool(a), bool(b))", "torch.f(True, None)", "toy.g(True, False)"),
    "truth of what is not known": ("def f(a): return toy.g(bool(a))", "torch.f(x)", "toy.g(bool(x))"),
    "keyword-only": ("def f(x, *, k=1): return toy.g(x, k)", "torch.f(1, k=y)", "toy.g(1, y)"),
    "rest of the keywords": ("def f(x, **more): return toy.g(x, **more)", "torch.f(1, a=2)", "toy.g(1, a=2)"),
    "no rest": ("def f(x, **more): return toy.g(x, **more)", "torch.f(1)", "toy.g(1)"),
    "local": ("def f(x):\n    v = x + 1\n    return toy.g(v)", "torch.f(y)", "toy.g(y + 1)"),
    "docstring": ('def f(x):\n    """Why."""\n    return toy.g(x)', "torch.f(1)", "toy.g(1)"),
    "keywords in the source's order": (
        "def f(a, b): return toy.g(x=a, y=b)",
        "torch.f(b=t(1), a=t(2))",
        "toy.g(y=t(1), x=t(2))",
    ),
    "numpy's name": ("def f(x, dim): return toy.g(x, dim)", "torch.f(1, axis=2)", "toy.g(1, 2)"),
    "identity": ("def f(x): return x", "torch.f(y)", "y"),
    "nothing": ("def f(x): pass", "[torch.f(y)]", "[None]"),
    "dict": ("def f(x): return {'a': x, **toy.k}", "torch.f(y)", '{"a": y, **toy.k}'),
    "lambda of the rule": (
        "def f(x): return toy.g(x, lambda v: toy.g(v, 1))",
        "torch.f(y)",
        "toy.g(y, lambda v: toy.g(v, 1))",
    ),
    "name in order with an effect": ("def f(a, b): return toy.g(b, a)", "torch.f(y, t(1))", "toy.g(t(1), y)"),
    "lambda argument": (
        "def f(a, b): return toy.g(toy.h(a), b)",
        "torch.f(y, lambda: 1)",
        "toy.g(toy.h(y), lambda: 1)",
    ),
    # precedence
    "sum in a product": ("def f(x): return x * 2", "torch.f(y + 1)", "(y + 1) * 2"),
    "product in a sum": ("def f(x): return x + 2", "torch.f(y * 3)", "y * 3 + 2"),
    "result in a power": ("def f(x): return -x", "torch.f(y) ** 2", "(-y) ** 2"),
    "result in a product": ("def f(x): return x + 1", "2 * torch.f(y)", "2 * (y + 1)"),
    "result in a sum": ("def f(x): return x + 1", "torch.f(y) + 2", "y + 1 + 2"),
    "result on the right": ("def f(x): return x - 1", "2 - torch.f(y)", "2 - (y - 1)"),
    "result before a dot": ("def f(x): return x + 1", "torch.f(y).real", "(y + 1).real"),
    "result called": ("def f(x): return x or t", "torch.f(y)(1)", "(y or t)(1)"),
    "number before a dot": ("def f(x): return x.real", "torch.f(3)", "(3).real"),
    "not in a comparison": ("def f(x): return not x", "torch.f(y) == 1", "(not y) == 1"),
    "not of not": ("def f(x): return not x", "not torch.f(y)", "not not y"),
    "comparison in a comparison": ("def f(x): return x == 1", "torch.f(y) == 2", "(y == 1) == 2"),
    "already in parentheses": ("def f(x): return x + 1", "2 * (torch.f(y))", "2 * (y + 1)"),
    "conditional": ("def f(x): return x or 1", "torch.f(y) if y else 0", "y or 1 if y else 0"),
    "conditional in conditional": (
        "def f(x): return 1 if x else 2",
        "0 if torch.f(y) else 3",
        "0 if (1 if y else 2) else 3",
    ),
    "tuple argument": ("def f(x): return toy.g(x)", "torch.f((1, 2))", "toy.g((1, 2))"),
    "tuple element": ("def f(x): return x[y]", "torch.f((1, 2))", "(1, 2)[y]"),
    "conditional argument": ("def f(x): return x + 1", "torch.f(1 if y else 2)", "(1 if y else 2) + 1"),
    "lambda result": ("def f(x): return toy.g(x)", "[torch.f(lambda: 1)]", "[toy.g(lambda: 1)]"),
    "walrus": ("def f(x): return toy.g(x)", "torch.f(z := y)", "toy.g(z := y)"),
    "walrus in a sum": ("def f(x): return x + 1", "torch.f((z := y))", "(z := y) + 1"),
    "generator": ("def f(x): return toy.g(list(x))", "torch.f(i for i in [1])", "toy.g(list((i for i in [1])))"),
    "star": ("def f(x): return x or [1]", "[*torch.f(y)]", "[*(y or [1])]"),
    "parentheses kept": ("def f(x, k): return toy.g(x, axis=k)", "torch.f((y), k=(2))", "toy.g((y), axis=(2))"),
}


@pytest.mark.parametrize("name", CONVERTED)
def test_converted(name, toy_target, check_converted):
    rule, call, expected = CONVERTED[name]
    names = "from world import t, y\n"
    used = "import toy\n" if "toy." in expected else ""
    target = toy_target(f"@rule(torch.f)\n{rule}\n")
    check_converted(
        f"import torch\n{names}r = {call}\n",
        f"{used}{names}r = {expected}\n" if used else f"{names}r = {expected}\n",
        target,
    )


REFUSED = {
    # refusal: (rule, arguments, value)
    "StarArguments": [
        ("def f(a, b): return toy.g(a, b)", "*[1, 2]"),
        ("def f(a, b): return toy.g(a, b)", "**{'a': 1, 'b': 2}"),
    ],
    "UndecidedBranch": [
        ("def f(a):\n    if a:\n        return toy.g(a)\n    return toy.h(a)", "y"),
        ("def f(a, b=None):\n    if b is None:\n        return toy.g(a)\n    return toy.h(a, b)", "1, y"),
        ("def f(a):\n    if isinstance(a, int):\n        return toy.g(a)\n    return toy.h(a)", "y"),
    ],
    "DroppedEffect": [
        ("def f(a, b): return toy.g(a)", "1, t(2)"),
        ("def f(a, b): return toy.g(len([a, b]))", "1, t(2)"),
        ("def f(a):\n    v = toy.g(a)\n    return a", "y"),
        ("def f(a, b): return [a, b][0]", "1, t(2)"),
    ],
    "DuplicatedEffect": [("def f(a): return toy.g(a, a)", "t(1)")],
    "DuplicatedWork": [
        ("def f(a): return toy.g(a, a)", "y + 1"),
        ("def f(a): return toy.g(a, a)", "[1, 2]"),
        ("def f(a): return toy.g(a, a)", "len([1, 2])"),
    ],
    "RepeatedText": [("def f(a): return toy.g(a, a)", "y.real.real.real.real.real.real.real")],
    "ConditionalEffect": [
        ("def f(a, b): return toy.g(a if b else 0)", "t(1), y"),
        ("def f(a, b): return toy.g(b and a)", "t(1), y"),
        ("def f(a, b):\n    v = toy.g(a)\n    return v if b else 0", "1, y"),
    ],
    "Reordered": [
        ("def f(a, b): return toy.g(b, a)", "t(1), t(2)"),
        ("def f(a, b): return toy.g(b, a)", "y.real, t(2)"),
        ("def f(a, b): return toy.g(toy.h(a), b)", "1, t(2)"),
        ("def f(a, b): return toy.g(a.real, b)", "y, t(2)"),
        ("def f(a, b):\n    v = toy.g(a)\n    w = toy.h(b)\n    return toy.g(w, v)", "1, 2"),
    ],
    "LateBinding": [
        ("def f(a): return toy.apply(lambda: a)", "y"),
        ("def f(a): return toy.g([a for _ in [1]][0])", "y"),
        ("def f(a): return toy.g(f'{a}')", "y"),
    ],
    "Statements": [
        ("def f(a):\n    v = toy.g(a)\n    return toy.g(v, v)", "1"),
        ("def f(a):\n    for v in [a]:\n        pass\n    return toy.g(v)", "1"),
        ("def f(a):\n    toy.g(a)\n    return a", "1"),
        ("def f(a):\n    v, w = a, 1\n    return toy.g(v, w)", "1"),
    ],
    "UsesDefinition": [("def f(a): return toy.g(a, LIMIT)", "1"), ("def f(a): return twice(a)", "1")],
    "ExtraKeywords": [("def f(a, **more): return toy.g(a, more['k'])", "1, k=2")],
}
CASES = [(name, rule, arguments) for name, cases in REFUSED.items() for rule, arguments in cases]
DEFINITIONS = "LIMIT = 4\n\n\ndef twice(x):\n    return toy.g(x, LIMIT)\n\n\n"


class World:
    def __init__(self):
        self.log = []
        self.functions = {name: self.logged(name) for name in "gh"}
        self.functions["apply"] = lambda function: function()
        self.names = {"t": self.logged("t"), "y": 5}

    def logged(self, name):
        def call(*values, **named):
            self.log.append((name, values, sorted(named.items())))
            return 10 * len(name) + len(self.log)

        return call


@pytest.mark.parametrize(("name", "rule", "arguments"), CASES)
def test_refused(name, rule, arguments, toy_target, conversion, execute):
    """In the middle of an expression: nothing but an expression can stand there."""
    target = toy_target(f"{DEFINITIONS}@rule(torch.f)\n{rule}\n")
    done = conversion(f"import torch\nfrom world import t, y\nr = [torch.f({arguments})]\n", target)
    assert next(iter(done.files.values())).decode() == (
        f"from world import t, y\nimport toy_helpers\nr = [toy_helpers.f({arguments})]\n"
    )
    (site,) = done.reports[0].sites
    assert (site.outcome, site.detail.split(", ", 1)[1].split(":")[0]) == ("helper", name)
    world, reference = World(), World()
    scope = execute(done, modules={"world": world.names}, **world.functions)
    expected = {"toy": type("toy", (), {k: staticmethod(v) for k, v in reference.functions.items()}), **reference.names}
    exec(f"{DEFINITIONS}{rule}\nr = [f({arguments})]\n", expected)  # noqa: S102
    assert (scope["r"], world.log) == (expected["r"], reference.log)


class TestStatements:
    """A call that is a statement by itself may become several."""

    RULE = "@rule(torch.f)\ndef f(x, k=0):\n    toy.g(x, k)\n    return x\n"

    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ("torch.f(y)", "toy.g(y, 0)"),
            ("z = torch.f(y)", "toy.g(y, 0)\nz = y"),
            ("def a(y):\n    return torch.f(y, k=1)", "def a(y):\n    toy.g(y, 1)\n    return y"),
            ("if y: torch.f(y)", "if y: toy.g(y, 0)"),
            ("torch.f(y); b = 1", "toy.g(y, 0); b = 1"),
            ("for y in [1]:\n\ttorch.f(y)  # why", "for y in [1]:\n\ttoy.g(y, 0)  # why"),
            ("torch.f(\n    y,  # first\n    k=2,  # second\n)", "toy.g(\n    y,  # first\n    2,  # second\n)"),
        ],
    )
    def test_inlined(self, source, expected, toy_target, check_converted):
        check_converted(f"import torch\n{source}\n", f"import toy\n{expected}\n", toy_target(self.RULE))

    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ("if y: z = torch.f(y)", "if y: z = toy_helpers.f(y)"),
            ("y.a = torch.f(y)", "y.a = toy_helpers.f(y)"),
            ("a = b = torch.f(y)", "a = b = toy_helpers.f(y)"),
            ("a = torch.f(a)", "a = toy_helpers.f(a)"),
            ("a = 1; torch.f(t(1))", "a = 1; toy_helpers.f(t(1))"),
            ("def a(y): return torch.f(y)", "def a(y): return toy_helpers.f(y)"),
        ],
    )
    def test_the_helper_where_no_statement_can_stand(self, source, expected, toy_target, check_converted):
        check_converted(
            f"import torch\n{source}\n", f"import toy_helpers\n{expected}\n", toy_target(self.RULE), helpers=("f",)
        )

    def test_locals_of_the_rule(self, toy_target, check_converted):
        rule = "@rule(torch.f)\ndef f(x):\n    made = toy.g(x)\n    toy.h(made)\n    return made\n"
        check_converted(
            "import torch\ndef a(y):\n    s = torch.f(y)\n    return torch.f(y)\n",
            "import toy\ndef a(y):\n    s = toy.g(y)\n    toy.h(s)\n"
            "    made = toy.g(y)\n    toy.h(made)\n    return made\n",
            toy_target(rule),
        )

    def test_a_local_of_the_rule_that_the_file_uses(self, toy_target, check_converted):
        rule = "@rule(torch.f)\ndef f(x):\n    made = toy.g(x)\n    toy.h(made)\n    return made\n"
        check_converted(
            "import torch\ndef a(made):\n    return torch.f(made)\n",
            "import toy_helpers\ndef a(made):\n    return toy_helpers.f(made)\n",
            toy_target(rule),
            helpers=("f",),
        )

    def test_nothing(self, toy_target, check_converted):
        check_converted(
            "import torch\nif y:\n    torch.f(1)\n", "if y:\n    pass\n", toy_target("@rule(torch.f)\ndef f(x): pass\n")
        )

    def test_a_store(self, toy_target, check_converted):
        check_converted(
            "import torch\ntorch.f(y, z)\n",
            "y.k = not z\n",
            toy_target("@rule(torch.f)\ndef f(x, v):\n    x.k = not v\n"),
        )


def test_a_rule_that_raises_marks_the_site(toy_target, conversion, execute):
    rule = 'def f(x, k=0):\n    if k:\n        raise NotImplementedError("no k; leave it out")\n    return toy.g(x)'
    done = conversion("import torch\ndef go():\n    return torch.f(1, k=2)\n", toy_target(f"@rule(torch.f)\n{rule}\n"))
    assert (
        "    # migrate: unsupported no k; leave it out\n    return toy_helpers.torch.f(1, k=2)\n"
        in next(iter(done.files.values())).decode()
    )
    with pytest.raises(BaseException, match=r"torch\.f was not converted"):
        execute(done)["go"]()


def test_a_name_that_a_function_rebinds_is_not_settled(toy_target, check_converted):
    target = toy_target("@rule(torch.f)\ndef f(a, b): return toy.g(b, a)\n")
    tail = "def change():\n    global y\n    y += 1\n    return y\n"
    check_converted(
        f"import torch\ny = 1\n{tail}r = torch.f(y, change())\n",
        f"import toy_helpers\ny = 1\n{tail}r = toy_helpers.f(y, change())\n",
        target,
        helpers=("f",),
    )


def test_what_the_projects_own_functions_give_may_be_none(toy_target, sites):
    target = toy_target("@rule(torch.f)\ndef f(a):\n    if a is None:\n        return 0\n    return toy.g(a)\n")
    source = "import torch\ndef maybe(n):\n    return torch.zeros(n) if n else None\nr = torch.f(maybe(3))\n"
    assert [site.outcome for site in sites(source, target) if site.api == "torch.f"] == ["helper"]


def test_an_element_is_stored_where_the_call_is_a_statement(toy_target, check_converted) -> None:
    """Elsewhere the helper's function does it: an assignment is no expression."""
    rules = """
        @rule(torch.Tensor.copy_)
        def copy_(self, src):
            self[...] = src
            return self
    """
    target = toy_target(rules + '\n        same("torch.Tensor", "torch.zeros")\n')
    check_converted(
        "import torch\nx = torch.zeros(3)\nx.copy_(2)\ny = x.copy_(3)\n",
        "import toy\nx = toy.zeros(3)\nx[...] = 2\nx[...] = 3\ny = x\n",
        target,
    )
    check_converted(
        "import torch\nx = torch.zeros(3)\ny = [x.copy_(3)]\n",
        "import toy\nimport toy_helpers\nx = toy.zeros(3)\ny = [toy_helpers.copy_(x, 3)]\n",
        target,
        helpers=("copy_",),
    )


def test_a_starred_call_of_a_method_that_is_the_same_stays(toy_target, check_converted) -> None:
    """Where the last form of the rule hands everything on."""
    rules = """
        @rule(torch.Tensor.view)
        def view(self, *shape: int):
            return self.view(*shape)

        @rule(torch.Tensor.view)
        def view(self, dtype: toy.dtype):
            return self.cast(dtype)
    """
    rest = """
        @rule(torch.Tensor.view)
        def view(self, *shape):
            return self.view(*shape)
    """
    source = "import torch\nx = torch.zeros(3)\ny = x.view(1, *size)\n"
    same = '\n        same("torch.zeros")\n'
    check_converted(source, "import toy\nx = toy.zeros(3)\ny = x.view(1, *size)\n", toy_target(rules + rest + same))
    check_converted(
        source,
        "import toy\nimport toy_helpers\nx = toy.zeros(3)\ny = toy_helpers.view(x, 1, *size)\n",
        toy_target(rules + same),
        helpers=("view",),
    )
