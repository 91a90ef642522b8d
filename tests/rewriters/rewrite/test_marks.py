"""Sites that cannot be converted: valid Python, a comment that says what to do, an error only when they are reached."""

from __future__ import annotations

import pytest

RULES = """
refuse(torch.lu, "no LU here; use numpy's")
refuse(torch.jit.script, "nothing compiles")
alias(torch.Tensor, "object")
"""

# name: (source, expression that reaches the site or None, where the comment stands)
SITES = {
    "call": ("def f():\n    return torch.lu(3)\n", "f()"),
    "no rule": ("def f():\n    return torch.nothing(3)\n", "f()"),
    "method": ("def f(x: torch.Tensor):\n    return x.lu(3)\n", "f(1)"),
    "property": ("def f(x: torch.Tensor):\n    return x.grad\n", "f(1)"),
    "property stored to": ("def f(x: torch.Tensor):\n    x.data = 3\n", "f(1)"),
    "property added to": ("def f(x: torch.Tensor):\n    x.data += 3\n", "f(1)"),
    "property deleted": ("def f(x: torch.Tensor):\n    del x.grad\n", "f(1)"),
    "item of a property": ("def f(x: torch.Tensor):\n    x.data[0] = 1\n", "f(1)"),
    "bound method": ("def f(x: torch.Tensor):\n    return x.lu\n", "f(1)"),
    "value": ("act = torch.lu\n", "act(1)"),
    "dict of values": ("acts = {'a': torch.lu, 'b': [torch.nn.ELU]}\n", "acts['b'][0]()"),
    "default argument": ("def f(act=torch.lu):\n    return act(1)\n", "f()"),
    "base class": ("class A(torch.autograd.Function):\n    pass\n", "A()"),
    "base class among others": ("class B: pass\nclass A(B, torch.nn.Module):\n    x = 1\n", "A()"),
    "decorator": ("@torch.jit.script\ndef f(x):\n    return x\n", "f(1)"),
    "decorator with arguments": ("@torch.compile(mode='x')\ndef f(x):\n    return x\n", "f(1)"),
    "decorator of a method": ("class A:\n    @torch.jit.export\n    def f(self):\n        return 1\n", "A().f()"),
    "annotation": ("def f(x: torch.nn.Module, y: 'torch.lu' = None) -> torch.device | None:\n    return 1\n", None),
    "annotation with items": ("from typing import Optional, List\ndef f(x: Optional[List[torch.Size]]): pass\n", None),
    "annotated name": ("x: torch.nn.Module = None\n", None),
    "isinstance": ("def f(x):\n    return isinstance(x, torch.nn.Module)\n", "f(1)"),
    "isinstance of several": ("def f(x):\n    return isinstance(x, (str, torch.nn.Module))\n", "f(1)"),
    "pattern": ("def f(x):\n    match x:\n        case [torch.nn.Module(a=1)]: return 1\n", "f([1])"),
    "with": ("def f():\n    with torch.autocast('cuda'):\n        return 1\n", "f()"),
    "comparison": ("def f(x):\n    return x == torch.float8_e4m3fn\n", "f(1)"),
    "truth": ("def f():\n    return 1 if torch.version.cuda else 2\n", "f()"),
    "identity": ("def f():\n    return 1 if torch.version.cuda is None else 2\n", "f()"),
    "other identity": ("def f():\n    return None is not torch.version.cuda\n", "f()"),
    "iteration": ("def f():\n    return [x for x in torch.things]\n", "f()"),
    "store": ("def f():\n    torch.backends.cudnn.benchmark = True\n", "f()"),
    "lambda": ("f = lambda: torch.lu(3)\n", "f()"),
    "comprehension": ("def f():\n    return [torch.lu(x) for x in [1]]\n", "f()"),
    "f-string": ("def f():\n    return f'{torch.lu(3)!r:>4}'\n", "f()"),
    "in a call with a rule": ("def f():\n    return torch.good(torch.lu(3))\n", "f()"),
    "several lines": (
        "def f():\n    return torch.lu(\n        3,  # three\n        k=[\n            1],\n    )\n",
        "f()",
    ),
    "condition": ("def f():\n    if torch.lu(3): return 1\n    elif torch.lu(4): return 2\n", "f()"),
    "one line": ("def f(): return torch.lu(3)\n", "f()"),
    "named module": ("import torch.hub as hub\ndef f():\n    return hub.load('x')\n", "f()"),
    "computed name": ("def f(name):\n    return getattr(torch.cuda, name)()\n", "f('x')"),
    "star-expression": ("def f():\n    return [*torch.lu(3)]\n", "f()"),
    "await": ("async def f():\n    return await torch.lu(3)\ndef g():\n    f().send(None)\n", "g()"),
}


@pytest.mark.parametrize("name", SITES)
def test_it_imports_and_raises_when_reached(name, toy_target, conversion, execute):
    source, reach = SITES[name]
    target = toy_target(RULES + "@rule(torch.good)\ndef good(x):\n    return toy.good(x)\n")
    done = conversion("import torch\n" + source, target)
    out = next(iter(done.files.values())).decode()
    assert "# migrate: " in out
    assert "import torch\n" not in out
    assert any(site.outcome == "marked" for site in done.reports[0].sites)
    scope = execute(done, nn=None, good=lambda x: x)
    if reach is not None:
        with pytest.raises(BaseException, match="not converted"):
            eval(reach, scope)  # noqa: S307
    else:
        assert scope


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = torch.lu(1)\n", "# migrate: refused no LU here; use numpy's\nx = toy_helpers.torch.lu(1)\n"),
        ("x = torch.ab(1)\n", "# migrate: no-rule torch.ab has no rule for Toy yet\nx = toy_helpers.torch.ab(1)\n"),
        (
            "if y:\n\tx = [\n\t\ttorch.lu(1),\n\t\ttorch.lu(2),\n\t]\n",
            "if y:\n\t# migrate: refused no LU here; use numpy's\n"
            "\tx = [\n\t\ttoy_helpers.torch.lu(1),\n\t\ttoy_helpers.torch.lu(2),\n\t]\n",
        ),
        (
            "a = 1; x = torch.lu(1)\n",
            "# migrate: refused no LU here; use numpy's\na = 1; x = toy_helpers.torch.lu(1)\n",
        ),
        (
            "@torch.jit.script\ndef f(): pass\n",
            "# migrate: refused nothing compiles\n@toy_helpers.torch.jit.script._decorate\ndef f(): pass\n",
        ),
    ],
)
def test_where_the_comment_stands(source, expected, toy_target, converted):
    assert converted("import torch\n" + source, toy_target(RULES)) == "import toy_helpers\n" + expected


def test_the_comment_is_one_line(toy_target, converted):
    target = toy_target("@rule(torch.good)\ndef good(x):\n    return toy.good(x)\n")
    text = converted("import torch\ny = torch.good(\n    [1,\n    2], 3\n)\n", target)
    assert "# migrate: unsupported no rule of torch.good takes these arguments: [1, 2], 3\ny = " in text


def test_the_rest_of_the_file_is_converted(toy_target, check_converted):
    check_converted(
        "import torch\nx = torch.lu(torch.good(1))\ny = torch.good(2)\n",
        "import toy\nimport toy_helpers\n# migrate: refused no LU here; use numpy's\n"
        "x = toy_helpers.torch.lu(toy.good(1))\ny = toy.good(2)\n",
        toy_target(RULES + "@rule(torch.good)\ndef good(x):\n    return toy.good(x)\n"),
    )


def test_hasattr_of_a_converted_name_is_not_marked(toy_target, check_converted) -> None:
    """The target has it under the same name: it answers by itself."""
    check_converted(
        "from torch import nn\nflash = hasattr(nn, 'ReLU')\n",
        "from toy import nn\nflash = hasattr(nn, 'ReLU')\n",
        toy_target("""
            same("torch.nn.ReLU")
        """),
    )


def test_hasattr_of_a_name_that_only_the_conversion_has_is_as_in_torch(toy_target, check_converted) -> None:
    """The other branch may keep other buffers than torch's."""
    check_converted(
        "from torch import nn\nflash = hasattr(nn, 'ReLU')\nnew = hasattr(nn, 'Tanh')\n",
        "from toy import nn\nflash = True\nnew = hasattr(nn, 'Tanh')\n",
        toy_target("""
            @rule(torch.nn.ReLU)
            def ReLU():
                return toy.rectifier() + 0

            @rule(torch.nn.Tanh)
            def Tanh():
                return toy.nn.Tanh(2)
        """),
    )


def test_a_library_may_give_anything_but_a_tensor(toy_target, check_converted) -> None:
    """``np.prod`` gives a number, which the inference need not know: the overload is decided at run time."""
    rules = """
        @rule(torch.zeros)
        def zeros(size: list):
            return toy.from_list(size)

        @rule(torch.zeros)
        def zeros(size: int):
            return toy.from_number(size)
    """
    check_converted(
        "import numpy as np\nimport torch\nx = torch.zeros(np.prod(s))\ny = torch.zeros(3)\n",
        "import numpy as np\nimport toy\nimport toy_helpers\n"
        "x = toy_helpers.zeros(np.prod(s))\ny = toy.from_number(3)\n",
        toy_target(rules),
        helpers=("zeros",),
    )


def test_what_a_module_holds_while_it_is_imported(conversion, execute, toy_target) -> None:
    """Other files import it, by its name alone: what it only holds is no reason to end that."""
    held = "import torch\nkeys = torch.lu(1) | torch.lu(2)\ntable = {'a': torch.lu(3), 'b': [torch.lu(4)]}\n"
    done = conversion({"held.py": held, "net.py": "import torch\nimport held\n"}, toy_target(RULES))
    text = next(data for path, data in done.files.items() if path.name == "held.py").decode()
    assert text.count("toy_helpers.torch.lu._later(") == 4
    alone = conversion(held, toy_target(RULES))  # a script's own work
    with pytest.raises(BaseException, match=r"torch\.lu was not converted"):
        execute(alone)
