"""Libraries of a few lines, what of them is reached, and that it runs as the whole does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from textwrap import dedent

import pytest

from rewriters.reach.following import Reach
from rewriters.reach.library import File, Library
from rewriters.reach.reduce import reduced
from rewriters.reach.registered import follow_registered
from rewriters.reach.renaming import renamed
from rewriters.reach.units import Module

LAZY_INIT = """
    from typing import TYPE_CHECKING

    _structure = {"shapes": ["Square"], "colours": ["Red"]}

    if TYPE_CHECKING:
        from .colours import Red
        from .shapes import *
    else:
        import importlib
        import sys
        import types

        class Lazy(types.ModuleType):
            __path__ = __path__

            def __getattr__(self, name):
                for module, names in _structure.items():
                    if name in names:
                        return getattr(importlib.import_module(f"lib.{module}"), name)
                raise AttributeError(name)

        sys.modules[__name__] = Lazy(__name__)
"""

# name -> (library, entries, code that uses it, texts that stay, texts that go)
CASES: dict[str, tuple[dict[str, str], list[str], str, list[str], list[str]]] = {
    "functions that nothing calls go": (
        {
            "__init__.py": "",
            "a.py": "def used():\n    return inner()\n\n\ndef inner():\n    return 1\n\n\ndef other():\n    pass\n",
        },
        ["lib.a:used"],
        "from lib.a import used\nprint(used())",
        ["def inner"],
        ["def other"],
    ),
    "what torch calls of functions with derivatives of their own stays": (
        {
            "__init__.py": "",
            "a.py": """
                import torch


                class Twice(torch.autograd.Function):
                    @staticmethod
                    def forward(x, factor):
                        return x * factor

                    @staticmethod
                    def setup_context(ctx, inputs, output):
                        ctx.factor = inputs[1]

                    @staticmethod
                    def backward(ctx, g):
                        return g * ctx.factor, None

                    @staticmethod
                    def shown():
                        return 1
            """,
        },
        ["lib.a:Twice"],
        "import torch\nfrom lib.a import Twice\nprint(Twice.apply(torch.ones(2, requires_grad=True), 3))",
        ["def setup_context", "def backward"],
        ["def shown"],
    ),
    "what a decorator asks of the module that it is used in stays": (
        {
            "__init__.py": "",
            "a.py": """
                from lib.b import registered

                table = {"used": 2, "other": 3}
                unused = 1

                @registered
                def used():
                    return used.number
            """,
            "b.py": """
                import sys

                def registered(fn):
                    mod = sys.modules[fn.__module__]
                    fn.number = mod.table[fn.__name__] if hasattr(mod, "table") else 0
                    return fn
            """,
        },
        ["lib.a:used"],
        "from lib.a import used\nprint(used())",
        ["table = "],
        ["unused = "],
    ),
    "methods stay that something says": (
        {
            "__init__.py": "",
            "a.py": """
                class A:
                    def __init__(self):
                        self.x = self.start()

                    def start(self):
                        return 1

                    def by_text(self):
                        return getattr(self, "told")()

                    def told(self):
                        return 2

                    @property
                    def size(self):
                        return self.by_text()

                    def save(self):
                        import lib.heavy


                class B(A):
                    def __call__(self):
                        return self.size
            """,
            "heavy.py": "raise RuntimeError('not to be imported')\n",
        },
        ["lib.a:B"],
        "from lib.a import B\nprint(B()())",
        ["def start", "def told", "def size"],
        ["def save", "heavy"],
    ),
    "names made up of pieces": (
        {
            "__init__.py": "",
            "a.py": """
                class A:
                    def run(self, kind):
                        return getattr(self, f"_run_{kind}")()

                    def _run_one(self):
                        return 1

                    def walk(self):
                        pass
            """,
        },
        ["lib.a:A", "lib.a:A.run"],
        "from lib.a import A\nprint(A().run('one'))",
        ["_run_one"],
        ["def walk"],
    ),
    "through packages that hand on": (
        {
            "__init__.py": "from .a import *\nfrom .b import g, h\nfrom . import c\n",
            "a.py": "__all__ = ['f', 'k']\n\n\ndef f():\n    return 1\n\n\ndef k():\n    pass\n",
            "b.py": "def g():\n    return 2\n\n\ndef h():\n    pass\n",
            "c.py": "x = 1\n",
        },
        ["lib:f", "lib:g"],
        "import lib\nprint(lib.f(), lib.g())",
        ["from .a import f", "from .b import g", '__all__ = ["f"]'],
        ["from . import c", "def h", "def k"],
    ),
    "a lazy package stays lazy": (
        {
            "__init__.py": LAZY_INIT,
            "shapes.py": "__all__ = ['Square']\n\n\nclass Square:\n    sides = 4\n",
            "colours.py": "raise RuntimeError('not to be imported')\n",
        },
        ["lib:Square"],
        "from lib import Square\nprint(Square.sides)",
        ["from .shapes import Square", "__getattr__"],
        ["colours", "Lazy("],
    ),
    "what happens at import": (
        {
            "__init__.py": "",
            "a.py": """
                import os

                TABLE = {}
                OTHER = {}
                OTHER["x"] = 1
                TABLE["a"] = 2
                for name in ("b", "c"):
                    TABLE[name] = name
                os.environ["LIB_WAS_HERE"] = "1"


                def f():
                    return sorted(TABLE), os.environ["LIB_WAS_HERE"]
            """,
        },
        ["lib.a:f"],
        "from lib.a import f\nprint(f())",
        ['TABLE["a"]', "for name in", "os.environ"],
        ["OTHER"],
    ),
    "a try with its fallback": (
        {
            "__init__.py": "",
            "a.py": """
                try:
                    import not_there_at_all as fast
                    has_fast = True
                except ImportError:
                    has_fast = False

                try:
                    from json import dumps
                except ImportError:
                    dumps = None


                def f():
                    return has_fast
            """,
        },
        ["lib.a:f"],
        "from lib.a import f\nprint(f())",
        ["import not_there_at_all as fast", "has_fast = False"],
        ["dumps"],
    ),
    "classes of others call any method": (
        {
            "__init__.py": "",
            "a.py": """
                from html.parser import HTMLParser


                class Texts(HTMLParser):
                    found = ()

                    def handle_data(self, data):
                        self.found += (data,)


                def f():
                    parser = Texts()
                    parser.feed("<b>x</b>")
                    return parser.found
            """,
        },
        ["lib.a:f"],
        "from lib.a import f\nprint(f())",
        ["def handle_data"],
        [],
    ),
    "what a table of texts names": (
        {
            "__init__.py": "",
            "a.py": """
                from . import kinds

                KINDS = {"one": "first", "two": "second"}


                def f(kind):
                    return getattr(kinds, KINDS[kind])()


                def named(name):
                    return globals()[name]


                def first_of_all():
                    return 0
            """,
            "kinds.py": "def first():\n    return 1\n\n\ndef second():\n    return 2\n\n\ndef third():\n    pass\n",
        },
        ["lib.a:f"],
        "from lib.a import f\nprint(f('one'), f('two'))",
        ["def first", "def second"],
        ["def third", "def named"],
    ),
    "one line, several statements": (
        {
            "__init__.py": "",
            "a.py": """
                import os; import sys
                if True: import json
                x = 1; y = 2


                def f():
                    return x, sys.maxsize > 0
            """,
        },
        ["lib.a:f"],
        "from lib.a import f\nprint(f())",
        ["x = 1; y = 2", "import os; import sys"],
        [],
    ),
    "comments go with what they are of": (
        {
            "__init__.py": "",
            "a.py": """
                # Copyright: somebody
                import os
                import sys


                # About g.
                def g():
                    return os


                # About f.
                def f():
                    return sys.maxsize > 0  # yes
            """,
        },
        ["lib.a:f"],
        "from lib.a import f\nprint(f())",
        ["# Copyright", "# About f.", "# yes"],
        ["# About g.", "import os"],
    ),
    "attributes given to classes later": (
        {
            "__init__.py": "",
            "a.py": """
                class A:
                    def f(self):
                        return self.g()

                    def push(self):
                        return 1


                A.push = A.push
                A.push.__doc__ = "pushes"
                A.g = lambda self: 3
            """,
        },
        ["lib.a:A", "lib.a:A.f"],
        "from lib.a import A\nprint(A().f())",
        ["A.g ="],
        ["push"],
    ),
}


def reach_of(files: Mapping[str, str]) -> Reach:
    texts = {PurePosixPath(name): dedent(text).lstrip("\n").encode() for name, text in files.items()}

    def find(module: str) -> File | None:
        below = PurePosixPath(*module.split(".")[1:])
        for path, is_package in (
            (below / "__init__.py", True),
            (below.with_suffix(".py") if below.parts else None, False),
        ):
            if path in texts:
                return File(PurePosixPath("lib") / path, is_package, texts[path])
        return None

    return Reach(Library(["lib"], find))


def run(folder: Path, code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_is_reached_runs_as_the_whole(
    case: tuple[dict[str, str], list[str], str, list[str], list[str]], tmp_path: Path
) -> None:
    files, entries, code, stays, goes = case
    reach = reach_of(files)
    for entry in entries:
        module, _, name = entry.partition(":")
        name, _, member = name.partition(".")
        assert reach.name(module, name)
        if member:
            reach.member(member)
    reach.complete()
    for name, text in files.items():
        path = tmp_path / "whole" / "lib" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip("\n"))
    everything = ""
    for name in reach.modules:
        module = reach.library.module(name)
        path = tmp_path / "part" / module.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(reduced(reach, module))
        everything += path.read_text()
    assert run(tmp_path / "part", code) == run(tmp_path / "whole", code)
    assert [text for text in stays if text not in everything] == []
    assert [text for text in goes if text in everything] == []


def test_what_a_script_says_is_reached() -> None:
    reach = reach_of(
        {"__init__.py": "", "a.py": "class A:\n    def f(self):\n        pass\n\n    def g(self):\n        pass\n"}
    )
    reach.code(Module("script", PurePosixPath("script.py"), False, b"import lib.a as la\nla.A().f()\n"))
    text = reduced(reach, reach.library.module("lib.a"))
    assert b"def f" in text
    assert b"def g" not in text


def test_what_is_registered_under_a_text() -> None:
    files = {
        "__init__.py": "from .models import *\n",
        "models/__init__.py": "from .a import *\n",
        "models/a.py": "from ..registry import register\n"
        "@register\ndef small_net():\n    pass\n\n\n@register\ndef large_net():\n    pass\n",
        "registry.py": "KNOWN = {}\n\n\ndef register(f):\n    KNOWN[f.__name__] = f\n    return f\n",
    }
    reach = reach_of(files)
    modules = [("lib.models.a", files["models/a.py"].encode())]
    assert follow_registered(reach, modules, {"small_net", "x"}) == ["small_net"]
    assert b"import small_net" in reduced(reach, reach.library.module("lib.models"))
    text = reduced(reach, reach.library.module("lib.models.a"))
    assert b"small_net" in text
    assert b"large_net" not in text


def test_what_is_not_there() -> None:
    assert not reach_of({"__init__.py": "", "a.py": ""}).name("lib.a", "f")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import timm\n", "import timm_x as timm\n"),
        ("import timm.layers as l, os\n", "import timm_x.layers as l, os\n"),
        ("import timm.layers\ntimm.layers.f()\n", "import timm_x.layers, timm_x as timm\ntimm.layers.f()\n"),
        ("from timm.layers import (\n    a,  # why\n)\n", "from timm_x.layers import (\n    a,  # why\n)\n"),
        ("from .timm import a\nfrom timmy import b\n", "from .timm import a\nfrom timmy import b\n"),
        ('importlib.import_module("timm.a")\n', 'importlib.import_module("timm_x.a")\n'),
        ('print("timm.a")\n', 'print("timm.a")\n'),
    ],
)
def test_imports_say_the_new_name(text: str, expected: str) -> None:
    assert renamed(text.encode(), {"timm": "timm_x"}).decode() == expected
