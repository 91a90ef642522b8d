"""Every place in Python's syntax where torch can stand."""

from __future__ import annotations

import pytest

CASES = {
    # before, after; x is a tensor
    "elif": (
        "if 0: pass\nelif x.view(1) > 0: pass\nelse: x.view(2)",
        "if 0: pass\nelif x.reshape([1]) > 0: pass\nelse: x.reshape([2])",
    ),
    "one line": ("if 1: x.view(1); x.view(2)", "if 1: x.reshape([1]); x.reshape([2])"),
    "several on a line": ("a = x.view(1); b = x.view(2)", "a = x.reshape([1]); b = x.reshape([2])"),
    "while": ("while x.view(1) > 0: x.view(2)", "while x.reshape([1]) > 0: x.reshape([2])"),
    "for": (
        "for t in x.view(1): t.view(2)\nelse: x.view(3)",
        "for t in x.reshape([1]): t.reshape([2])\nelse: x.reshape([3])",
    ),
    "try": (
        "try: x.view(1)\nexcept ValueError: x.view(2)\nelse: x.view(3)\nfinally: x.view(4)",
        "try: x.reshape([1])\nexcept ValueError: x.reshape([2])\nelse: x.reshape([3])\nfinally: x.reshape([4])",
    ),
    "with": (
        "with open(x.view(1)) as f, torch.no_grad(): x.view(2)",
        "with open(x.reshape([1])) as f, paddle.no_grad(): x.reshape([2])",
    ),
    "assert": ("assert x.view(1) > 0, x.view(2)", "assert x.reshape([1]) > 0, x.reshape([2])"),
    "raise": ("raise ValueError(x.view(1)) from x.view(2)", "raise ValueError(x.reshape([1])) from x.reshape([2])"),
    "return": ("def f(): return x.view(1), x.view(2)", "def f(): return x.reshape([1]), x.reshape([2])"),
    "yield": (
        "def f():\n    y = yield x.view(1)\n    yield from x.view(2)",
        "def f():\n    y = yield x.reshape([1])\n    yield from x.reshape([2])",
    ),
    "async": (
        "async def f():\n    async for t in x.view(1): await x.view(2)\n    async with x.view(3) as y: pass",
        "async def f():\n    async for t in x.reshape([1]): await x.reshape([2])\n"
        "    async with x.reshape([3]) as y: pass",
    ),
    "decorator": ("@torch.no_grad()\ndef f(): x.view(1)", "@paddle.no_grad()\ndef f(): x.reshape([1])"),
    "bare decorator": ("@torch.no_grad\ndef f(): pass", "@paddle.no_grad()\ndef f(): pass"),
    "decorated class": (
        "@g(x.view(1))\nclass A(B, k=x.view(2)): y = x.view(3)",
        "@g(x.reshape([1]))\nclass A(B, k=x.reshape([2])): y = x.reshape([3])",
    ),
    "default": ("def f(a=x.view(1), *, b=x.view(2)): pass", "def f(a=x.reshape([1]), *, b=x.reshape([2])): pass"),
    "lambda": ("f = lambda a=x.view(1): x.view(2)", "f = lambda a=x.reshape([1]): x.reshape([2])"),
    "list comprehension": (
        "[t.view(1) for t in x if t.view(2) > 0 if x.view(3) > 0]",
        "[t.reshape([1]) for t in x if t.reshape([2]) > 0 if x.reshape([3]) > 0]",
    ),
    "dict comprehension": ("{t.view(1): t.view(2) for t in x}", "{t.reshape([1]): t.reshape([2]) for t in x}"),
    "set comprehension": ("{t.view(1) for t in x}", "{t.reshape([1]) for t in x}"),
    "generator": ("tuple(t.view(1) for t in x)", "tuple(t.reshape([1]) for t in x)"),
    "walrus": ("if (y := x.view(1)) is x: y.view(2)", "if (y := x.reshape([1])) is x: y.reshape([2])"),
    "walrus in an argument": ("x.view(n := 3)", "x.reshape([(n := 3)])"),
    "match": (
        "match x.view(1):\n    case torch.Tensor() if x.view(2): x.view(3)\n    case [torch.float32, _]: pass",
        "match x.reshape([1]):\n    case paddle.Tensor() if x.reshape([2]): x.reshape([3])\n"
        "    case [paddle.float32, _]: pass",
    ),
    "star-expression": ("a, *b = *x.view(1), x.view(2)", "a, *b = *x.reshape([1]), x.reshape([2])"),
    "star argument of another": (
        "print(*x.view(1), **{'a': x.view(2)})",
        "print(*x.reshape([1]), **{'a': x.reshape([2])})",
    ),
    "augmented": (
        "x += x.view(1)\nx[x.view(2)] -= x.view(3)\nn = 1\nn *= x.view(4)",
        "x += x.reshape([1])\nx[x.reshape([2])] -= x.reshape([3])\nn = 1\nn *= x.reshape([4])",
    ),
    "subscript": (
        "x[0, x.view(1):x.view(2), ..., None].view(3)",
        "x[0, x.reshape([1]):x.reshape([2]), ..., None].reshape([3])",
    ),
    "subscript stored": (
        "x[x.view(1)] = x.view(2)\nx.view(3)[0] = 1\ndel x[x.view(4)]",
        "x[x.reshape([1])] = x.reshape([2])\nx.reshape([3])[0] = 1\ndel x[x.reshape([4])]",
    ),
    "chain": ("x.view(1).view(2).view(3)", "x.reshape([1]).reshape([2]).reshape([3])"),
    "chain over lines": (
        "(x\n    .view(1)  # one\n    .view(2)\n)",
        "(x\n    .reshape([1])  # one\n    .reshape([2])\n)",
    ),
    "chain with a backslash": ("x \\\n    .view(1) \\\n    .view(2)", "x \\\n    .reshape([1]) \\\n    .reshape([2])"),
    "receiver in parentheses": ("(x + x).view((1), 2)", "(x + x).reshape([1, 2])"),
    "receiver with a conditional": ("(x if 1 else x).view(1)", "(x if 1 else x).reshape([1])"),
    "receiver awaited": ("async def f(): (await x.view(1)).b", "async def f(): (await x.reshape([1])).b"),
    "conditional": (
        "x.view(1) if x.view(2) > 0 else x.view(3)",
        "x.reshape([1]) if x.reshape([2]) > 0 else x.reshape([3])",
    ),
    "comparison": ("x.view(1) < x.view(2) < 3", "x.reshape([1]) < x.reshape([2]) < 3"),
    "boolean": (
        "x.view(1) > 0 and not x.view(2) > 0 or x.view(3)",
        "x.reshape([1]) > 0 and not x.reshape([2]) > 0 or x.reshape([3])",
    ),
    "property": (
        "a = x.requires_grad\nb = x.numel()\nc = x.size(0)\nd = x.size()",
        "a = not x.stop_gradient\nb = x.size\nc = x.shape[0]\nd = x.shape",
    ),
    "property negated": ("a = not x.requires_grad", "a = not not x.stop_gradient"),
    "property compared": ("a = x.requires_grad == 1", "a = (not x.stop_gradient) == 1"),
    "property in a power": ("a = -x.size(0) ** 2", "a = -x.shape[0] ** 2"),
    "in place, as a statement": ("x.mul_(2)", "x.scale_(2)"),
    "in place, as a value": ("y = x.mul_(2).view(1)", "y = x.scale_(2).reshape([1])"),
    "dtype": (
        "x.to(torch.float32); d = {torch.int64: torch.bool}",
        "x.astype(paddle.float32); d = {paddle.int64: paddle.bool}",
    ),
    "isinstance": (
        "isinstance(x, (torch.Tensor, torch.nn.Module, list))",
        "isinstance(x, (paddle.Tensor, paddle.nn.Layer, list))",
    ),
    "except": (
        "try: pass\nexcept (ValueError, OSError) as e: x.view(1)",
        "try: pass\nexcept (ValueError, OSError) as e: x.reshape([1])",
    ),
    "annotation": ("y: 'torch.Tensor' = x.view(1)", "y: 'paddle.Tensor' = x.reshape([1])"),
    "annotation in Literal": (
        "from typing import Literal\ny: Literal['torch'] = 1; x.view(1)",
        "from typing import Literal\ny: Literal['torch'] = 1; x.reshape([1])",
    ),
    "function in a function": (
        "def f():\n    def g(y: torch.Tensor): return y.view(1)\n    return g",
        "def f():\n    def g(y: paddle.Tensor): return y.reshape([1])\n    return g",
    ),
    "docstring": (
        'def f():\n    """Uses torch.zeros and x.view(1)."""\n    # x.view(1)\n    x.view(1)',
        'def f():\n    """Uses torch.zeros and x.view(1)."""\n    # x.view(1)\n    x.reshape([1])',
    ),
    "semicolon at the end": ("x.view(1);", "x.reshape([1]);"),
    "comment behind": ("x.view(1)  # to a row", "x.reshape([1])  # to a row"),
    "equal comments in one statement": (
        "y = torch.histc(\n    x,\n    bins=3,\n    min=0,  # why\n    max=1,  # why\n)",
        "# why\n# why\ny = paddle.histogram(x, bins=3, min=0, max=1).astype(x.dtype)",
    ),
    "class in a pattern": (
        "match x:\n    case torch.nn.Conv2d(weight=torch.Tensor()): x.view(1)",
        "match x:\n    case paddle.nn.Conv2D(weight=paddle.Tensor()): x.reshape([1])",
    ),
    "print of bytes": ("b = b'\\xff'; x.view(1)", "b = b'\\xff'; x.reshape([1])"),
    "nested calls": (
        "torch.cat([x.view(1), torch.zeros(2)], dim=x.view(3))",
        "paddle.concat([x.reshape([1]), paddle.zeros([2])], axis=float(x.reshape([3])))",
    ),
    "type alias": ("T = dict[str, torch.Tensor]", "T = dict[str, paddle.Tensor]"),
    "global statement": ("def f():\n    global x\n    x = x.view(1)", "def f():\n    global x\n    x = x.reshape([1])"),
}


@pytest.mark.parametrize("name", CASES)
def test_syntax(name, check_converted):
    before, after = CASES[name]
    start = "import torch\nx = torch.zeros(2)\n", "import paddle\nx = paddle.zeros([2])\n"
    check_converted(f"{start[0]}{before}\n", f"{start[1]}{after}\n")


def test_each_site_is_counted_once(sites):
    found = sites("import torch\nx = torch.zeros(2)\nx.detach().view(1).cpu()\nprint(x.shape, x.T.dtype)\n")
    assert sorted(site.api.rpartition(".")[2] for site in found) == [
        "T",
        "cpu",
        "detach",
        "dtype",
        "shape",
        "view",
        "zeros",
    ]


def test_oneflow_changes_the_import_alone(check_converted):
    body = (
        "import torch.nn as nn\nx = torch.zeros(2, 3).view(3, 2)\n"
        "class A(nn.Module):\n    def forward(self, x: torch.Tensor): return x.size(0)\n"
    )
    check_converted(
        "import torch\n" + body,
        "import oneflow as torch\n" + body.replace("import torch.nn as", "import oneflow.nn as"),
        "oneflow",
    )


def test_again_is_the_same(conversion):
    source = "import torch\nx = torch.zeros(2).view(1, 2)\nq = torch.load(x)\n"
    assert conversion(source).files == conversion(source).files


def test_a_second_run_changes_nothing(converted, check_noop):
    check_noop(
        converted("import torch\nimport torch.nn as nn\nx = torch.zeros(2).view(1, 2)\ny = nn.Linear(2, 3)(x)\n")
    )


def test_storing_to_a_property(converted) -> None:
    source = """
import torch


def freeze(model: torch.nn.Module, flag: bool):
    for p in model.parameters():
        p.requires_grad = False  # frozen
        if flag: p.requires_grad = flag and True
    first = next(model.parameters())
    first.requires_grad = other = flag
"""
    text = converted(source, "paddle")
    assert "        p.stop_gradient = True  # frozen\n" in text
    assert "        if flag: p.stop_gradient = not (flag and True)\n" in text
    assert "    # migrate: unsupported torch.Tensor.requires_grad is stored to, which has no rule\n" in text
