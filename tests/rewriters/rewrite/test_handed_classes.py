"""A class or function that is handed on is the target's own where every call that it reaches means the same of it."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

HEAD = """\
import torch.nn as nn
import torch.nn.functional as F
from functools import partial


"""
OWN = {
    "a default": (
        "def f(n, norm=nn.LayerNorm):\n    return norm(n)\n",
        "norm=nn.LayerNorm",
    ),
    "a default that is called with the target's names": (
        "def f(n, conv=nn.Conv2d):\n    return conv(n, n, 3, stride=2)\n",
        "conv=nn.Conv2D",
    ),
    "an argument, through a constructor and what it hands on": (
        """\
        class Block(nn.Module):
            def __init__(self, n, norm=None, *, act):
                super().__init__()
                self.norm, self.act = (norm(n) if norm is not None else None), act()
        class Net(nn.Module):
            def __init__(self, n, norm, act):
                super().__init__()
                self.block = Block(n, norm, act=act)
        Net(4, nn.BatchNorm1d, nn.SiLU)
        """,
        "Net(4, nn.BatchNorm1D, nn.Swish)",
    ),
    "a variable that another stands in for": (
        "def f(n, norm=None):\n    norm = norm or nn.BatchNorm2d\n    return [norm(n) for _ in range(2)]\n",
        "norm = norm or nn.BatchNorm2D",
    ),
    "an attribute": (
        """\
        class Block(nn.Module):
            def __init__(self, act=F.relu):
                super().__init__()
                self.act_of_block = act
            def forward(self, x):
                return self.act_of_block(x)
        """,
        "act=F.relu",
    ),
    "an attribute whose name is said, and looked up nowhere": (
        """\
        class Block(nn.Module):
            def __init__(self, activation="relu"):
                super().__init__()
                self.activation = F.relu if activation == "relu" else F.silu
            def forward(self, x):
                return self.activation(x)
        import argparse
        parser = argparse.ArgumentParser()
        parser.add_argument("--activation", help="activation")
        Block(parser.parse_args().activation).eval()
        print(getattr(parser, "prog"), parser.parse_args().activation in ("relu", "silu"))
        class Dotted(dict):
            __getattr__ = dict.get
        """,
        'self.activation = F.relu if activation == "relu" else F.swish',
    ),
    "what a private function gives": (
        """\
        class Block(nn.Module):
            def __init__(self, act):
                super().__init__()
                self.act_of_block = _act(act)
            def forward(self, x):
                return self.act_of_block(x)
        def _act(kind):
            if kind == "relu":
                return F.relu
            return F.silu
        """,
        "return F.swish",
    ),
    "a dict that is looked into": (
        """\
        def act(kind):
            table = {"relu": nn.ReLU, "silu": nn.SiLU}
            if kind not in table:
                raise ValueError(f"one of {table.keys()}")
            return table[kind]()
        """,
        '"silu": nn.Swish}',
    ),
    "of the file": ("NORM = nn.LayerNorm\ndef f(n):\n    return NORM(n)\n", "NORM = nn.LayerNorm"),
    "a table at the top": (
        """\
        ACTS = {"relu": nn.ReLU, "silu": nn.SiLU}
        def act(kind):
            assert kind in ACTS, f"one of {sorted(ACTS)}"
            return ACTS[kind]()
        """,
        '"silu": nn.Swish}',
    ),
    "partly given": (
        """\
        class Net(nn.Module):
            def __init__(self, n, norm=nn.LayerNorm, **kwargs):
                super().__init__(**kwargs)
                self.norm, self.last = norm(n), norm([n, n])
        def net(n):
            return Net(n, norm=partial(nn.LayerNorm, eps=1e-6))
        """,
        "norm=partial(nn.LayerNorm, epsilon=1e-6)",
    ),
    "partly given, and called with more": (
        "def f(n, conv=None):\n    conv = conv or partial(nn.Conv2d, stride=2)\n    return conv(n, n, kernel_size=3)\n",
        "conv or partial(nn.Conv2D, stride=2)",
    ),
}
NOT_OWN = {
    "another name of the argument": "def f(n, norm=nn.LayerNorm):\n    return norm(n, eps=1e-3)\n",
    "an argument that is not there": "def f(n, act=nn.ReLU):\n    return act(inplace=True)\n",
    "one of two calls": "def f(n, norm=nn.LayerNorm):\n    return norm(n), norm(n, elementwise_affine=False)\n",
    "all that is given": "def f(n, norm=nn.LayerNorm, **kwargs):\n    return norm(n, **kwargs)\n",
    "given to a function inside": """\
        def f(norm=nn.LayerNorm):
            def g(n):
                return norm(n, 1e-3, False)
            return g
        """,
    "returned": "def f():\n    return nn.LayerNorm\n",
    "returned by what is handed on": "def _f():\n    return nn.LayerNorm\nmakers = [_f]\nnorm = _f()(3)\n",
    "returned and called otherwise": "def _f():\n    return nn.LayerNorm\nnorm = _f()(3, eps=1e-3)\n",
    "of the file, and told to others": "__all__ = ['NORM']\nNORM = nn.LayerNorm\ndef f(n):\n    return NORM(n)\n",
    "of the file, and looked up": "NORM = nn.LayerNorm\nprint(NORM(3), globals()['NO' + 'RM'](3, eps=1e-3))\n",
    "a table that is handed on": "NORMS = {'a': nn.LayerNorm}\ndef f(g):\n    return NORMS['a'](3), g(NORMS)\n",
    "partly given by place": "def f(n, norm=partial(nn.LayerNorm, 4)):\n    return norm(), norm(eps=1e-3)\n",
    "partly given, and given again": """\
        def f(n, norm=partial(nn.LayerNorm, eps=1e-3)):
            return norm(n, eps=1e-5)
        """,
    "partly given, and asked for it": """\
        def f(n, norm=partial(nn.LayerNorm, eps=1e-3)):
            return norm(n), norm.keywords["eps"]
        """,
    "partly given what the target says otherwise": """\
        def f(n, norm=partial(nn.LayerNorm, elementwise_affine=False)):
            return norm(n)
        """,
    "compared": "def f(n, norm=nn.LayerNorm):\n    return norm(n) if norm is nn.LayerNorm else None\n",
    "asked for its name": "def f(n, norm=nn.LayerNorm):\n    return norm(n), norm.__name__\n",
    "a parameter, partly given": "def f(n, norm=nn.LayerNorm):\n    return partial(norm, eps=1e-3)(n)\n",
    "in a list": "def f(n):\n    return [norm(n) for norm in [nn.LayerNorm, nn.GroupNorm]]\n",
    "derived from": "def f(norm=nn.LayerNorm):\n    class Own(norm):\n        pass\n    return Own(2, eps=1e-3)\n",
    "an attribute that is looked up": """\
        class Block:
            def __init__(self, norm=nn.LayerNorm):
                self.norm_of_block = norm
            def make(self):
                return self.norm_of_block(3), getattr(self, "norm_of_block")(3, eps=1e-3)
        """,
    "an attribute that is looked up under a name of another": """\
        def made(block, name="norm_of_block"):
            return getattr(block, name)(3, eps=1e-3)
        class Block:
            def __init__(self, norm=nn.LayerNorm):
                self.norm_of_block = norm
            def make(self):
                return self.norm_of_block(3)
        """,
    "an attribute that is among all": """\
        class Block:
            def __init__(self, norm=nn.LayerNorm):
                self.norm_of_block = norm
            def make(self):
                return self.norm_of_block(3), self.__dict__["norm_of_block"](3, eps=1e-3)
        """,
    "what a derived class does with it": """\
        class Base(nn.Module):
            def __init__(self, n):
                super().__init__()
                self.norm = self.make(n, nn.LayerNorm)
            def make(self, n, norm):
                return norm(n)
        class Derived(Base):
            def make(self, n, norm):
                return norm(n, eps=1e-3)
        """,
    "in a text that is run": "def f(n, norm=nn.LayerNorm):\n    return norm(n), eval('norm(n, eps=1e-3)')\n",
    "around": "def f(n, norm=nn.LayerNorm):\n    made = locals()\n    return norm(n), made['norm'](n, eps=1e-3)\n",
}


@pytest.mark.parametrize("name", OWN)
def test_the_targets_own(converted: Callable[..., str], name: str) -> None:
    text, expected = OWN[name]
    new = converted(HEAD + dedent(text))
    assert expected in new
    assert "paddle_helpers" not in new


@pytest.mark.parametrize("name", NOT_OWN)
def test_with_torchs_arguments(converted: Callable[..., str], name: str) -> None:
    assert "paddle_helpers.LayerNorm" in converted(HEAD + dedent(NOT_OWN[name])).replace("ReLU", "LayerNorm")


def test_another_file_reads_the_attribute(conversion: Callable[..., object]) -> None:
    first = HEAD + "class Block:\n    def __init__(self, norm=nn.LayerNorm):\n        self.of_block = norm\n"
    second = "from first import Block\n\nmade = Block().of_block(3, eps=1e-3)\n"
    done = conversion({"first.py": first, "second.py": second})
    assert any(b"paddle_helpers.LayerNorm" in text for text in done.files.values())  # type: ignore[attr-defined]


def test_another_file_calls_the_attribute(conversion: Callable[..., object]) -> None:
    first = HEAD + "class Block:\n    def __init__(self, norm=nn.LayerNorm):\n        self.of_block = norm\n"
    second = "from first import Block\n\nmade = Block().of_block(3)\n"
    done = conversion({"first.py": first, "second.py": second})
    assert any(b"norm=nn.LayerNorm" in text for text in done.files.values())  # type: ignore[attr-defined]


def test_another_file_imports_the_name(conversion: Callable[..., object]) -> None:
    first, second = (
        HEAD + "NORM = nn.LayerNorm\nmade = NORM(3)\n",
        "from first import NORM\n\nmade = NORM(3, eps=1e-3)\n",
    )
    done = conversion({"first.py": first, "second.py": second})
    assert any(b"paddle_helpers.LayerNorm" in text for text in done.files.values())  # type: ignore[attr-defined]
